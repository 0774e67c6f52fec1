//! The maps of a derivation as panels of a picture.
//!
//! ```text
//! columns = the last of two coordinates; otherwise the largest divisor of the number of indices that fits
//! cell(row, column) = offset of the index row * columns + column; empty where it is negative
//! colour = offset, or its bank
//! ```

use std::fmt::Display;

use xlayout::algebra::{Map, MapError};

use super::{Memory, cute};
use crate::failure::Outcome;
use crate::picture::colour::Shade;
use crate::picture::panel::{Cell, Element, Grid, Panel, Side};
use crate::picture::scale::{Scale, scale};
use crate::picture::window::{Slot, Window};
use crate::table::{DIM, Text};
use crate::tiles::{Cuts, Line};
use crate::words::{counted, grouped};

/// The most rows and columns that a picture shows.
const SHOWN: usize = 32;

/// A derivation: its text, and the data for its picture.
#[derive(Default)]
pub(super) struct Steps {
    pub(super) text: Text,
    pub(super) notes: Vec<String>,
    maps: Vec<(&'static str, Map)>,
    /// The memory whose banks the colours show. Without it they show offsets.
    pub(super) memory: Option<Memory>,
}

impl Steps {
    pub(super) fn step(&mut self, name: &'static str, map: &Map) {
        self.draw(name, map);
        writeln!(self.text, "{name:<8}  {map}");
    }

    /// Adds a map to the picture only.
    pub(super) fn draw(&mut self, name: &'static str, map: &Map) {
        self.maps.push((name, *map));
    }

    pub(super) fn note(&mut self, text: impl Display) {
        self.notes.push(text.to_string());
        writeln!(self.text, "{DIM}          {text}{DIM:#}");
    }

    pub(super) fn result(&mut self, map: &Map) {
        self.step("result", map);
        if let Some(text) = cute(map) {
            writeln!(self.text, "{:<8}  {text}", "CuTe");
        }
    }

    /// A panel for each map, with one scale of colours.
    pub(super) fn panels(&self) -> Outcome<Vec<Panel>> {
        let panels = self.maps.iter().map(|(name, map)| self.panel(name, map));
        let mut panels = panels.collect::<Outcome<Vec<_>>>()?;
        // The offsets of one map are the indices of another, so each panel has its own scale.
        scale(&mut panels, self.memory.is_some());
        Ok(panels)
    }

    fn panel(&self, name: &str, map: &Map) -> Outcome<Panel> {
        let fits = |size: u64| usize::try_from(size).map_err(|_| MapError::Overflow);
        let size = fits(map.size())?;
        let is_grid = map.rank() == 2;
        let (height, width) = match *map.extents() {
            [rows, columns] => (fits(rows)?, fits(columns)?),
            _ => {
                let divides = |width: &usize| size.is_multiple_of(*width);
                // One row, if no width divides the number of indices.
                let width = (2..=SHOWN).rev().find(divides).unwrap_or(size);
                (size / width, width)
            }
        };
        let side = |dim: Option<usize>, size| {
            let window = Window::of(size, size, &[], SHOWN);
            Side {
                dim,
                lines: window.lines(&Cuts::default(), Line::Thin),
                slots: window.slots(),
                size,
            }
        };
        let rows = side(is_grid.then_some(0), height);
        let columns = match (is_grid, height) {
            (true, _) => side(Some(1), width),
            (false, 1) => side(Some(0), width),
            (false, _) => side(None, width),
        };
        let cell = |row, column| {
            let number = row * width + column;
            let offset = map.at_index(number as u64)?;
            let place = usize::try_from(offset).ok()?;
            Some(Cell {
                place,
                element: Some(Element {
                    index: match is_grid {
                        true => vec![row, column],
                        false => vec![number],
                    },
                    shade: Shade::of(0, 1),
                    scaled_by: Some(self.memory.map_or(place, |memory| memory.bank(place))),
                    key: number,
                    tile: String::new(),
                }),
            })
        };
        let all = grouped(map.size());
        let label = match is_grid || height <= 1 {
            true => String::new(),
            false => format!("{width} indices in a row"),
        };
        let grid = Grid::of(label, (rows, columns), cell);
        Ok(Panel {
            heading: name.to_owned(),
            caption: map.to_string(),
            sums: format!("the number of each index is its offset; {all} in all"),
            notes: notes(&grid),
            grids: vec![grid],
            places: size,
            elements: size,
            scale: Scale {
                of: Some(self.memory.map_or("offset", |_| "bank").to_owned()),
                ..Scale::default()
            },
            run: 1,
            ..Panel::default()
        })
    }
}

/// Notes on what the cells do not show.
fn notes(grid: &Grid) -> Vec<String> {
    let at = |side: &Side| {
        let slots = side.slots.iter();
        slots.filter(|slot| matches!(slot, Slot::At(_))).count()
    };
    let (rows, columns) = (at(&grid.rows), at(&grid.columns));
    let negative = rows * columns - grid.cells.iter().flatten().count();
    let mut notes = Vec::new();
    if rows < grid.rows.size || columns < grid.columns.size {
        let all = counted(grid.rows.size as u64, "row");
        let of = counted(grid.columns.size as u64, "column");
        notes.push(format!("{rows} of {all} and {columns} of {of} are shown"));
    }
    if negative > 0 {
        let cells = counted(negative as u64, "empty cell");
        notes.push(format!("{cells}: the offset is negative"));
    }
    notes
}
