//! From a layout to its panel.

use std::ops::Range;

use xlayout::shape::{Dim, SplitConfigs};
use xlayout::{ArrayLayout, DynLayout};

use super::captions;
use super::colour::Shade;
use super::panel::{Colours, Element, Grid, Limits, Panel, PanelCell, Scale, Side};
use super::slices::Slices;
use super::window::Window;
use crate::tiles::{Cuts, Line, Tiles};
use crate::words::{counted, grouped, joined, listed};

/// An array and its tiles, before slices and limits are chosen.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) layout: DynLayout,
    /// The array with its padding as elements, so that padding has a linear index; the array
    /// itself where padding lies at no index.
    pub(super) padded: DynLayout,
    cuts: Vec<Cuts>,
    /// The tiles of the other array in the picture.
    tiles_beside: Vec<Option<usize>>,
}

impl Subject {
    pub(crate) fn new(layout: DynLayout) -> Self {
        let Tiles { cuts, sizes, .. } = Tiles::new(&layout);
        Self {
            padded: padded_twin(&layout, &sizes).unwrap_or_else(|| layout.clone()),
            cuts,
            layout,
            tiles_beside: Vec::new(),
        }
    }

    /// What is shown of a dimension with its padding, and its tiles.
    pub(crate) fn window(&self, dim: Option<usize>, limit: usize) -> (Window, Cuts) {
        let Some(d) = dim else {
            return (Window::whole(1), Cuts::default());
        };
        let cuts = self.cuts[d].clone();
        let beside = self.tiles_beside.get(d).copied().flatten();
        let tiles: Vec<usize> = cuts.tile().into_iter().chain(beside).collect();
        let size = self.layout.dims()[d];
        let total = self.padded.dims()[d];
        (Window::of(size, total, &tiles, limit), cuts)
    }

    /// Ends the shown parts at the tiles of both arrays, so that both show the same elements.
    pub(crate) fn show_beside(&mut self, other: &Self) {
        let tiles = other.cuts.iter().map(Cuts::tile);
        self.tiles_beside = tiles.collect();
    }

    /// The line around the array. Tiles are complete, so their border is the frame.
    pub(crate) fn frame(&self) -> Line {
        if self.tiled() {
            Line::Thick
        } else {
            Line::Thin
        }
    }

    fn tiled(&self) -> bool {
        self.cuts.iter().any(|cuts| cuts.tile().is_some())
    }

    /// The number of digits of the largest linear index.
    pub(crate) fn digits(&self) -> usize {
        self.layout.buffer_len().saturating_sub(1).to_string().len()
    }

    fn element(&self, index: Vec<usize>, place: usize, colours: &Colours<'_>) -> Element {
        let (scaled_by, key) = match colours {
            Colours::Own => (Some(place), row_major(self.layout.dims(), &index)),
            Colours::Of {
                layout,
                index: index_there,
                ..
            } => match index_there(&index) {
                Some(there) => (
                    Some(layout.linear_index(&there[..].into())),
                    row_major(layout.dims(), &there),
                ),
                None => (None, usize::MAX),
            },
        };
        Element {
            tile: self.tile(&index),
            index,
            // `scale` replaces it.
            shade: Shade::of(0, 1),
            scaled_by,
            key,
        }
    }

    /// The first position that a picture shows: 0, or that of the requested slice.
    fn start(&self, slices: &Slices) -> usize {
        match &slices.fixed[..] {
            // At index 0 every digit of a dimension is 0, and strides are not negative. So no
            // element of the slice has a smaller position.
            [first] if slices.is_requested && self.layout.elements() > 0 => {
                self.layout.linear_index(&first[..].into())
            }
            _ => 0,
        }
    }

    fn tile(&self, index: &[usize]) -> String {
        let tiles = index.iter().zip(&self.cuts);
        let places = tiles.map(|(&i, cuts)| cuts.tile().map(|tile| (i / tile, i % tile)));
        match places.collect::<Option<(Vec<_>, Vec<_>)>>() {
            Some((counts, inside)) if !counts.is_empty() => {
                format!("[{}] at [{}]", joined(&counts, ", "), joined(&inside, ", "))
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
                lines: window.lines(&cuts, self.frame()),
                slots: window.slots(),
                size: dim.map_or(1, |d| self.layout.dims()[d]),
            }
        };
        let sides = (
            side(slices.down, limits.rows),
            side(slices.right, limits.columns),
        );
        let cell = |row, column| {
            let mut index = fixed.to_vec();
            for (dim, at) in [(slices.down, row), (slices.right, column)] {
                if let Some(dim) = dim {
                    index[dim] = at;
                }
            }
            let inside = self.layout.in_bounds(&index[..].into());
            let place = if inside {
                self.layout.linear_index(&index[..].into())
            } else {
                self.padded.linear_index(&index[..].into())
            };
            Some(PanelCell {
                place,
                element: inside.then(|| self.element(index, place, colours)),
            })
        };
        Grid::of(slices.label(fixed), sides, cell)
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
                let grid = |fixed: &Vec<usize>| self.grid(slices, fixed, limits, colours);
                slices.fixed.iter().map(grid).collect()
            }
        };
        let start = self.start(slices);
        let end = layout.buffer_len().min(start.saturating_add(limits.places));
        let cell = |place| PanelCell {
            place,
            element: layout
                .multi_index(place)
                .map(|index| self.element(index.to_vec(), place, colours)),
        };
        let memory: Vec<PanelCell> = (start..end).map(cell).collect();
        let whole = grids.len() == slices.total
            && memory.len() == layout.buffer_len()
            && (self.window(slices.down, limits.rows).0.is_whole())
            && (self.window(slices.right, limits.columns).0.is_whole());
        Panel {
            name: name.to_owned(),
            heading: layout.to_string(),
            caption: captions::caption(layout),
            sums: captions::sums(layout),
            notes: self.notes(slices, limits),
            traceable: whole && slices.total == 1,
            grids,
            memory,
            places: layout.buffer_len(),
            elements: layout.elements(),
            scale: Scale {
                quantity: match colours {
                    Colours::Own => None,
                    Colours::Of { name, .. } => Some(format!("place in {name}")),
                },
                ..Scale::default()
            },
            element_bits: layout.element_bits(),
            tiled: self.tiled(),
            run: run(layout),
        }
    }

    /// Notes on what is not shown.
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
            let part = |part: Range<usize>| match part.len() {
                1 => grouped(part.start),
                _ => format!("{}–{}", grouped(part.start), grouped(part.end - 1)),
            };
            let hidden: Vec<String> = window.hidden().into_iter().map(part).collect();
            if !hidden.is_empty() {
                let hidden = listed(&hidden);
                let total = grouped(window.total());
                notes.push(format!("{noun} {hidden} of {total} not shown"));
            }
        }
        let hidden = slices.total - slices.fixed.len();
        if hidden > 0 {
            let hidden = grouped(hidden);
            let total = grouped(slices.total);
            notes.push(format!("{hidden} of {total} slices not shown"));
        }
        // Padding without an index, which cannot be drawn.
        let drawn = (0..layout.rank()).fold(1_usize, |n, d| {
            let held = Some(d) != slices.down && Some(d) != slices.right;
            n.saturating_mul(if held {
                layout.dims()[d]
            } else {
                self.padded.dims()[d]
            })
        });
        let outside = layout.buffer_len().saturating_sub(drawn);
        if outside > 0 {
            let verb = if outside == 1 { "lies" } else { "lie" };
            let places = counted(outside, "place");
            notes.push(format!("{places} of padding {verb} outside of the grid"));
        }
        notes
    }
}

/// The same array with these sizes, which are multiples of its tiles.
fn padded_twin(array: &DynLayout, sizes: &[u128]) -> Option<DynLayout> {
    let mut twin = array.array_shape().clone();
    for (dim, &size) in twin.dims.iter_mut().zip(sizes) {
        *dim = Dim::Static(i64::try_from(size).ok()?);
    }
    let layout = twin.layout.as_mut()?;
    layout.padded_dimensions.truncate(0);
    layout.padding_value = None;
    layout.dynamic_shape_metadata_prefix_bytes = 0;
    layout.split_configs = SplitConfigs::new();
    let twin = DynLayout::new(twin).ok()?;
    (twin.buffer_len() == array.buffer_len() && array.elements() > 0).then_some(twin)
}

/// The number of an index when the last dimension varies fastest.
fn row_major(sizes: &[usize], index: &[usize]) -> usize {
    let digits = sizes.iter().zip(index);
    digits.fold(0, |n: usize, (&size, &i)| {
        n.wrapping_mul(size).wrapping_add(i)
    })
}

/// The number of elements of the innermost tile, or of the dimension that varies fastest.
fn run(layout: &DynLayout) -> usize {
    let notation = layout.array_shape().layout.as_ref();
    let tile = notation.and_then(|notation| notation.tiles.iter().last());
    match tile {
        Some(tile) => tile.iter().fold(1_usize, |n, entry| match entry {
            xlayout::shape::TileDim::Size(size) => {
                n.saturating_mul(usize::try_from(*size).unwrap_or(usize::MAX))
            }
            xlayout::shape::TileDim::Combine => n,
        }),
        None => layout.modes().next().map_or(1, |mode| mode.size),
    }
    .max(1)
}
