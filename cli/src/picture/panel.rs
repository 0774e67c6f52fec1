//! One array, ready to be drawn.

use xlayout::{Dyn, LaidOut};

use super::colour::Shade;
use super::slices::Slices;
use super::tiles::{Cuts, Line, Tiling};
use super::window::{Slot, Window};
use crate::words::{counted, exact_bytes, grouped};

/// How much is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    /// Of the memory in sequence.
    pub(crate) places: usize,
}

/// Where the colour of an element is from.
pub(crate) enum Colours<'a> {
    /// From its own place in memory.
    Own,
    /// From the place of the same element in another array.
    Of {
        layout: &'a Dyn,
        /// The index of the element there.
        index: &'a dyn Fn(&[usize]) -> Option<Vec<usize>>,
    },
}

/// A place in memory, as a cell of the picture.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    /// Its linear index.
    pub(crate) place: usize,
    pub(crate) element: Option<Element>,
}

#[derive(Clone, Debug)]
pub(crate) struct Element {
    pub(crate) index: Vec<usize>,
    pub(crate) shade: Shade,
    /// The same number for the same element in all panels of a picture.
    pub(crate) key: usize,
    /// The tile that it lies in, and where in there; empty where there are no tiles.
    pub(crate) tile: String,
}

/// One of the two dimensions of a grid.
#[derive(Clone, Debug)]
pub(crate) struct Side {
    pub(crate) dim: Option<usize>,
    pub(crate) slots: Vec<Slot>,
    /// Before each slot, and behind the last one.
    pub(crate) lines: Vec<Line>,
    /// From this index on there is padding.
    pub(crate) size: usize,
}

/// Two dimensions of an array, the others being held.
#[derive(Clone, Debug)]
pub(crate) struct Grid {
    /// `[2, :, :]`, or nothing.
    pub(crate) label: String,
    pub(crate) rows: Side,
    pub(crate) columns: Side,
    /// Row by row; None where a gap is.
    pub(crate) cells: Vec<Option<Cell>>,
}

/// An array with all that its picture says.
#[derive(Clone, Debug)]
pub(crate) struct Panel {
    /// `A`, `{0,1}`; or nothing.
    pub(crate) name: String,
    /// XLA's text.
    pub(crate) heading: String,
    /// How the elements lie.
    pub(crate) caption: String,
    /// How many there are.
    pub(crate) sums: String,
    /// What is not shown.
    pub(crate) notes: Vec<String>,
    pub(crate) grids: Vec<Grid>,
    /// The first places of memory.
    pub(crate) memory: Vec<Cell>,
    /// All places.
    pub(crate) places: usize,
    pub(crate) element_bits: usize,
    pub(crate) padding: usize,
    pub(crate) tiled: bool,
    /// Whether a line through the cells in the sequence of memory would show all of it.
    pub(crate) traceable: bool,
    /// How many places of memory belong together: a line of the memory shows a multiple of it.
    pub(crate) run: usize,
}

/// An array and what is known of it before anything is chosen.
pub(crate) struct Subject {
    pub(crate) layout: Dyn,
    tiling: Tiling,
}

impl Subject {
    pub(crate) fn new(layout: Dyn) -> Self {
        Self {
            tiling: Tiling::of(&layout),
            layout,
        }
    }

    /// The size of a dimension with its padding, and its tiles.
    fn extent(&self, dim: Option<usize>) -> (usize, usize, Cuts) {
        match dim {
            Some(d) => (
                self.layout.dims()[d],
                self.tiling.padded.dims()[d],
                self.tiling.cuts[d].clone(),
            ),
            None => (1, 1, Cuts::default()),
        }
    }

    pub(crate) fn window(&self, dim: Option<usize>, limit: usize) -> (Window, Cuts) {
        let (size, total, cuts) = self.extent(dim);
        (Window::of(size, total, &cuts, limit), cuts)
    }

    /// How many digits the largest linear index has.
    pub(crate) fn digits(&self) -> usize {
        self.layout.places().saturating_sub(1).to_string().len()
    }

    fn element(&self, index: Vec<usize>, place: usize, colours: &Colours<'_>) -> Element {
        let (shade, key) = match colours {
            Colours::Own => (
                Shade::of(place, self.layout.places()),
                row_major(self.layout.dims(), &index),
            ),
            Colours::Of {
                layout,
                index: there,
            } => match there(&index) {
                Some(there) => (
                    Shade::of(layout.linear_index(&there[..].into()), layout.places()),
                    row_major(layout.dims(), &there),
                ),
                None => (Shade::of(0, 1), usize::MAX),
            },
        };
        Element {
            tile: self.tile(&index),
            index,
            shade,
            key,
        }
    }

    fn tile(&self, index: &[usize]) -> String {
        let tiles = index.iter().zip(&self.tiling.cuts);
        let counts: Option<Vec<String>> = tiles
            .clone()
            .map(|(&i, cuts)| cuts.tile_of(i).map(|k| k.to_string()))
            .collect();
        let inside: Option<Vec<String>> = tiles
            .map(|(&i, cuts)| cuts.tile().map(|tile| (i % tile).to_string()))
            .collect();
        match (counts, inside) {
            (Some(counts), Some(inside)) if !counts.is_empty() => {
                format!("[{}] at [{}]", counts.join(", "), inside.join(", "))
            }
            _ => String::new(),
        }
    }

    fn grid(
        &self,
        slices: &Slices,
        fixed: &[usize],
        limits: Limits,
        colours: &Colours<'_>,
    ) -> Grid {
        let side = |dim: Option<usize>, limit| {
            let (window, cuts) = self.window(dim, limit);
            Side {
                dim,
                lines: window.lines(&cuts),
                slots: window.slots(),
                size: dim.map_or(1, |d| self.layout.dims()[d]),
            }
        };
        let rows = side(slices.down, limits.rows);
        let columns = side(slices.right, limits.columns);
        let mut cells = Vec::with_capacity(rows.slots.len() * columns.slots.len());
        for &row in &rows.slots {
            for &column in &columns.slots {
                let (Slot::At(row), Slot::At(column)) = (row, column) else {
                    cells.push(None);
                    continue;
                };
                let mut index = fixed.to_vec();
                if let Some(d) = slices.down {
                    index[d] = row;
                }
                if let Some(d) = slices.right {
                    index[d] = column;
                }
                let inside = self.layout.in_bounds(&index[..].into());
                let place = match inside {
                    true => self.layout.linear_index(&index[..].into()),
                    false => self.tiling.padded.linear_index(&index[..].into()),
                };
                cells.push(Some(Cell {
                    place,
                    element: inside.then(|| self.element(index, place, colours)),
                }));
            }
        }
        Grid {
            label: slices.label(fixed),
            rows,
            columns,
            cells,
        }
    }

    pub(crate) fn panel(
        &self,
        name: &str,
        slices: &Slices,
        limits: Limits,
        colours: &Colours<'_>,
    ) -> Panel {
        let layout = &self.layout;
        let grids: Vec<Grid> = match layout.elements() {
            0 => Vec::new(),
            _ => {
                let slices_of = slices.fixed.iter();
                slices_of
                    .map(|fixed| self.grid(slices, fixed, limits, colours))
                    .collect()
            }
        };
        let memory: Vec<Cell> = (0..layout.places().min(limits.places))
            .map(|place| Cell {
                place,
                element: layout
                    .multi_index(place)
                    .map(|index| self.element(index.to_vec(), place, colours)),
            })
            .collect();
        let whole = grids.len() == slices.total
            && memory.len() == layout.places()
            && (self.window(slices.down, limits.rows).0.is_whole())
            && (self.window(slices.right, limits.columns).0.is_whole());
        Panel {
            name: name.to_owned(),
            heading: layout.to_string(),
            caption: caption(layout),
            sums: sums(layout),
            notes: self.notes(slices, limits),
            traceable: whole && slices.total == 1,
            grids,
            memory,
            places: layout.places(),
            element_bits: layout.element_bits(),
            padding: layout.padding(),
            tiled: self.tiling.cuts.iter().any(|cuts| cuts.tile().is_some()),
            run: run(layout),
        }
    }

    fn notes(&self, slices: &Slices, limits: Limits) -> Vec<String> {
        let layout = &self.layout;
        let mut notes = Vec::new();
        if layout.elements() == 0 {
            notes.push("The array has no elements: there is nothing to draw.".to_owned());
            return notes;
        }
        for (dim, limit, noun) in [
            (slices.down, limits.rows, "rows"),
            (slices.right, limits.columns, "columns"),
        ] {
            let (window, _) = self.window(dim, limit);
            let hidden: Vec<String> = (window.hidden().iter())
                .map(|part| match part.len() {
                    1 => grouped(part.start as u64),
                    _ => format!(
                        "{}–{}",
                        grouped(part.start as u64),
                        grouped(part.end as u64 - 1)
                    ),
                })
                .collect();
            if !hidden.is_empty() {
                notes.push(format!(
                    "{noun} {} of {} not shown",
                    crate::words::listed(&hidden),
                    grouped(window.total() as u64)
                ));
            }
        }
        let shown = slices.fixed.len();
        if shown < slices.total {
            notes.push(format!(
                "{} of {} slices not shown",
                grouped((slices.total - shown) as u64),
                grouped(slices.total as u64)
            ));
        }
        // What lies at no index that could be drawn.
        let drawn = (0..layout.rank()).fold(1_usize, |n, d| {
            let held = Some(d) != slices.down && Some(d) != slices.right;
            n.saturating_mul(match held {
                true => layout.dims()[d],
                false => self.tiling.padded.dims()[d],
            })
        });
        let outside = layout.places().saturating_sub(drawn);
        if outside > 0 {
            notes.push(format!(
                "{} of padding {} outside of the grid",
                counted(outside as u64, "place"),
                if outside == 1 { "lies" } else { "lie" }
            ));
        }
        notes
    }
}

/// The number of an index when the last dimension varies fastest.
fn row_major(sizes: &[usize], index: &[usize]) -> usize {
    let digits = sizes.iter().zip(index);
    digits.fold(0_usize, |n, (&size, &i)| {
        n.wrapping_mul(size).wrapping_add(i)
    })
}

/// How many places the innermost tile has, or the dimension that varies fastest.
fn run(layout: &Dyn) -> usize {
    let notation = layout.array_shape().layout.as_ref();
    let tile = notation.and_then(|notation| notation.tiles.iter().last());
    match tile {
        Some(tile) => tile.iter().fold(1_usize, |n, entry| match entry {
            xlayout::TileDim::Size(size) => n.saturating_mul(usize::try_from(*size).unwrap_or(1)),
            xlayout::TileDim::Combine => n,
        }),
        None => layout.modes().next().map_or(1, |mode| mode.size),
    }
    .max(1)
}

/// How many lines of memory are shown.
pub(crate) const MEMORY_LINES: usize = 8;

/// How many of `places` a line of memory shows that has room for so many: whole runs, or an even part of one; and
/// the last line is no shorter than the others where that can be had.
pub(crate) fn places_per_line(fit: usize, run: usize, places: usize) -> usize {
    let fit = fit.clamp(1, 64).min(places.max(1));
    let even = |n: &usize| n.is_multiple_of(run) || run.is_multiple_of(*n);
    let candidates = || (fit / 2 + 1..=fit).rev();
    (candidates().find(|n| even(n) && places.is_multiple_of(*n)))
        .or_else(|| candidates().find(even))
        .unwrap_or(fit)
}

/// `dimension 1 varies fastest within tiles of 4 × 4`
fn caption(layout: &Dyn) -> String {
    let fastest = match layout.modes().next() {
        _ if layout.elements() == 0 => return "no elements".to_owned(),
        None => return "a single element".to_owned(),
        Some(mode) if mode.dim < layout.rank() => format!("dimension {} varies fastest", mode.dim),
        Some(_) => "several dimensions, merged by `*`, vary fastest".to_owned(),
    };
    let notation = layout.array_shape().layout.as_ref();
    let mut tiles: Vec<String> = notation
        .iter()
        .flat_map(|notation| notation.tiles.iter())
        .map(|tile| {
            let entries: Vec<String> = tile.iter().map(ToString::to_string).collect();
            entries.join(" × ")
        })
        .collect();
    let mut text = fastest;
    if let Some(innermost) = tiles.pop() {
        text += &format!(" within tiles of {innermost}");
        for tile in tiles.iter().rev() {
            text += &format!(", which fill tiles of {tile}");
        }
    } else if let Some(slowest) = layout.modes().last()
        && slowest.dim < layout.rank()
        && layout.modes().count() > 1
    {
        text += &format!(", dimension {} slowest", slowest.dim);
    }
    text
}

/// `30 elements of 2 bytes in 64 places, 34 of them padding: 128 bytes`
fn sums(layout: &Dyn) -> String {
    let bits = layout.element_bits();
    let each = match bits % 8 {
        0 => counted(bits as u64 / 8, "byte"),
        _ => counted(bits as u64, "bit"),
    };
    let elements = layout.elements() as u64;
    let bytes = exact_bytes(layout.bytes() as u64);
    match layout.padding() {
        0 => format!(
            "{} of {each}, no padding: {bytes}",
            counted(elements, "element")
        ),
        padding => format!(
            "{} of {each} in {}, {} of them padding ({}): {bytes}",
            counted(elements, "element"),
            counted(layout.places() as u64, "place"),
            grouped(padding as u64),
            crate::words::percent(padding as u64, layout.places() as u64),
        ),
    }
}

impl Cell {
    /// `[4, 5]`, or `padding`.
    pub(crate) fn index(&self) -> String {
        match &self.element {
            Some(element) => format!("[{}]", crate::words::joined(&element.index, ", ")),
            None => "padding".to_owned(),
        }
    }

    /// Where the place begins: `98`, and for elements narrower than a byte `3.4`, byte and bit.
    pub(crate) fn byte(&self, element_bits: usize) -> String {
        let bits = self.place as u128 * element_bits as u128;
        match element_bits % 8 {
            0 => (bits / 8).to_string(),
            _ => format!("{}.{}", bits / 8, bits % 8),
        }
    }

    /// All that is known of it.
    pub(crate) fn words(&self, element_bits: usize) -> String {
        let offset = match element_bits % 8 {
            0 => format!("byte {}", self.byte(element_bits)),
            _ => {
                let bits = self.place as u128 * element_bits as u128;
                format!("byte {}, bit {}", bits / 8, bits % 8)
            }
        };
        let mut words = format!("{} · linear index {} · {offset}", self.index(), self.place);
        if let Some(element) = &self.element
            && !element.tile.is_empty()
        {
            words += &format!(" · tile {}", element.tile);
        }
        words
    }
}
