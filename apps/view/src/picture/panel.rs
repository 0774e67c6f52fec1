//! One array, ready to be drawn.

use std::fmt::Write as _;

use xlayout::DynLayout;

use super::colour::Shade;
use super::window::Slot;
use crate::tiles::Line;
use crate::words::{counted, grouped};

/// The limits of what is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// The most elements of the memory in sequence.
    pub(crate) places: usize,
}

/// What determines the colour of an element.
pub(crate) enum Colours<'a> {
    /// Its position in memory.
    Own,
    /// The position of the same element in another array.
    Of {
        name: &'a str,
        layout: &'a DynLayout,
        /// The index of the element there.
        index: &'a dyn Fn(&[usize]) -> Option<Vec<usize>>,
    },
}

/// A place in memory, as a cell of the picture.
#[derive(Clone, Debug)]
pub(crate) struct PanelCell {
    /// Its linear index.
    pub(crate) place: usize,
    pub(crate) element: Option<Element>,
}

#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) index: Vec<usize>,
    pub(crate) shade: Shade,
    /// The position that determines its colour, in this array or another one. `None` if that array
    /// does not have the element.
    pub(crate) scaled_by: Option<usize>,
    /// The same number for the same element in all panels of a picture.
    pub(crate) key: usize,
    /// Its tile, and its position in the tile; empty without tiles.
    pub(crate) tile: String,
}

/// One of the two dimensions of a grid.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) dim: Option<usize>,
    pub(crate) slots: Vec<Slot>,
    /// The lines before each slot and after the last one.
    pub(crate) lines: Vec<Line>,
    /// The size without padding: indices from this one on are padding.
    pub(crate) size: usize,
}

/// Two dimensions of an array, at fixed indices of the others.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// `[2, :, :]`, or nothing.
    pub(crate) label: String,
    pub(crate) rows: Side,
    pub(crate) columns: Side,
    /// The cells, row by row; `None` in gaps.
    pub(crate) cells: Vec<Option<PanelCell>>,
}

/// An array with all texts and cells of its picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Panel {
    /// `A`, `{0,1}`; or nothing.
    pub(crate) name: String,
    /// XLA's text.
    pub(crate) heading: String,
    /// The description of the layout.
    pub(crate) caption: String,
    /// The numbers of elements and bytes.
    pub(crate) sums: String,
    /// What is not shown.
    pub(crate) notes: Vec<String>,
    pub(crate) grids: Vec<Grid>,
    /// Consecutive elements of memory, from the first one on, or from the beginning of the
    /// requested slice.
    pub(crate) memory: Vec<PanelCell>,
    /// The number of allocated elements.
    pub(crate) places: usize,
    pub(crate) elements: usize,
    pub(crate) scale: Scale,
    /// The bits of an element; 0 for a map, whose elements have no type.
    pub(crate) element_bits: usize,
    pub(crate) tiled: bool,
    /// Whether a line through the cells in the sequence of memory would show all of it.
    pub(crate) traceable: bool,
    /// The length of a run of elements. A line of the memory shows a multiple or an even part of
    /// it.
    pub(crate) run: usize,
}

impl Grid {
    /// A grid with what `cell` gives for each row and column that is shown.
    pub(crate) fn of(
        label: String,
        (rows, columns): (Side, Side),
        cell: impl Fn(usize, usize) -> Option<PanelCell>,
    ) -> Self {
        let at = |slot: &Slot| match *slot {
            Slot::At(at) => Some(at),
            Slot::Gap(..) => None,
        };
        let of_row = |row| (columns.slots.iter()).map(move |column| (row, column));
        let all = rows.slots.iter().flat_map(of_row);
        let cells = all.map(|(row, column)| cell(at(row)?, at(column)?));
        Self {
            label,
            cells: cells.collect(),
            rows,
            columns,
        }
    }
}

impl PanelCell {
    /// `[4, 5]`, or `padding`.
    pub(crate) fn index(&self) -> String {
        match &self.element {
            Some(element) => format!("[{}]", crate::words::joined(&element.index, ", ")),
            None => "padding".to_owned(),
        }
    }

    /// Its index as a label: `4,5`, `[]` of a scalar, `·` in padding.
    pub(crate) fn label(&self) -> String {
        match &self.element {
            Some(element) if element.index.is_empty() => "[]".to_owned(),
            Some(element) => crate::words::joined(&element.index, ","),
            None => "·".to_owned(),
        }
    }

    /// The offset of its first byte: `98`, or byte and bit, `3.4`, for elements narrower than a
    /// byte.
    pub(crate) fn byte(&self, element_bits: usize) -> String {
        let bits = self.place as u128 * element_bits as u128;
        match element_bits % 8 {
            0 => (bits / 8).to_string(),
            _ => format!("{}.{}", bits / 8, bits % 8),
        }
    }

    /// The complete description of the cell.
    pub(crate) fn words(&self, element_bits: usize) -> String {
        let mut words = self.index();
        let place = self.place;
        if element_bits == 0 {
            let _ = write!(words, " · offset {place}");
            return words;
        }
        let bits = place as u128 * element_bits as u128;
        let _ = write!(words, " · linear index {place} · byte {}", bits / 8);
        if !element_bits.is_multiple_of(8) {
            let _ = write!(words, ", bit {}", bits % 8);
        }
        if let Some(element) = self.element.as_ref().filter(|own| !own.tile.is_empty()) {
            words += " · tile ";
            words += &element.tile;
        }
        words
    }
}

/// The number of lines of memory that are shown.
const MEMORY_LINES: usize = 8;

/// Memory in lines, as far as it is shown.
pub(crate) struct MemoryLines<'a> {
    pub(crate) lines: Vec<&'a [PanelCell]>,
    /// The description of what is not shown; empty if all is shown.
    pub(crate) rest: String,
}

impl Panel {
    /// The number of digits of the largest linear index in its grids. All grids have cells of one
    /// width, so that slices align.
    pub(crate) fn digits_shown(&self) -> usize {
        let cells = self.grids.iter().flat_map(|grid| &grid.cells).flatten();
        let last = cells.map(|cell| cell.place).max().unwrap_or(0);
        last.to_string().len()
    }

    pub(crate) fn padding(&self) -> usize {
        self.places - self.elements
    }

    /// The first lines of memory, each with at most `fit` elements.
    pub(crate) fn memory_lines(&self, fit: usize) -> MemoryLines<'_> {
        let per_line = places_per_line(fit, self.run, self.places);
        let mut lines: Vec<&[PanelCell]> = Vec::new();
        let start = self.memory.first().map_or(0, |cell| cell.place);
        let mut shown = start;
        let mut seen = 0;
        for line in self.memory.chunks(per_line).take(MEMORY_LINES) {
            // An incomplete line would look like the end of the memory.
            let cut = line.len() < per_line && shown + line.len() < self.places;
            // Only padding is left, and more than one line of it.
            let barren = start == 0 && seen == self.elements && self.places - shown > per_line;
            if cut || barren {
                break;
            }
            lines.push(line);
            shown += line.len();
            seen += line.iter().filter(|cell| cell.element.is_some()).count();
        }
        let rest = match self.places - shown {
            0 => String::new(),
            rest => format!(
                "{} more of {}{}",
                grouped(rest as u64),
                counted(self.places as u64, "place"),
                if start == 0 && seen == self.elements {
                    ", all padding"
                } else {
                    ""
                }
            ),
        };
        MemoryLines { lines, rest }
    }
}

/// Returns how many of `places` elements a line of memory shows if `fit` elements fit: whole runs,
/// or an even part of a run. The last line is as long as the others if possible.
fn places_per_line(fit: usize, run: usize, places: usize) -> usize {
    let fit = fit.clamp(1, 64).min(places.max(1));
    let even = |n: &usize| n.is_multiple_of(run) || run.is_multiple_of(*n);
    let candidates = || (fit / 2 + 1..=fit).rev();
    (candidates().find(|n| even(n) && places.is_multiple_of(*n)))
        .or_else(|| candidates().find(even))
        .unwrap_or(fit)
}

/// The meaning of a panel's colours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scale {
    /// The quantity, if it is not the position in this array: `place in A`, `bank`.
    pub(crate) quantity: Option<String>,
    /// The first and the last place that is shown.
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The position with the middle colour, if it is not half way between them.
    pub(crate) middle: Option<usize>,
}

impl Scale {
    /// `place 0`, `place in A: 0`
    pub(crate) fn begin(&self) -> String {
        let first = crate::words::grouped(self.first as u64);
        match &self.quantity {
            Some(what) => format!("{what}: {first}"),
            None => format!("place {first}"),
        }
    }

    /// Whether the scale has two different colours.
    pub(crate) fn is_worth_saying(&self) -> bool {
        self.first < self.last
    }
}
