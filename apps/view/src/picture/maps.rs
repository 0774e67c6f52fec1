//! Maps of indices to offsets as panels of a picture.
//!
//! ```text
//! columns = the last of two coordinates; otherwise the largest divisor of the number of indices
//!           that fits
//! cell(row, column) = offset of the index row * columns + column; empty where it is negative
//! colour = offset, or its bank
//! ```

use xlayout::algebra::{Map, MapError};

use super::colour::Shade;
use super::panel::{Element, Grid, Panel, PanelCell, Scale, Side};
use super::scale::scale;
use super::window::{Slot, Window};
use crate::tiles::{Cuts, Line};
use crate::words::{counted, grouped};

/// The most rows and columns that a picture shows.
const SHOWN: usize = 32;

/// The bank of an offset.
pub(super) type Bank<'a> = Option<&'a dyn Fn(usize) -> usize>;

/// A panel for each map.
pub(super) fn panels(maps: &[(&str, Map)], bank: Bank<'_>) -> Result<Vec<Panel>, MapError> {
    let panels = maps.iter().map(|(name, map)| panel(name, map, bank));
    let mut panels = panels.collect::<Result<Vec<_>, _>>()?;
    // The offsets of one map are the indices of another, so each panel has its own scale.
    scale(&mut panels, bank.is_some());
    Ok(panels)
}

fn panel(name: &str, map: &Map, bank: Bank<'_>) -> Result<Panel, MapError> {
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
        Some(PanelCell {
            place,
            element: Some(Element {
                index: if is_grid {
                    vec![row, column]
                } else {
                    vec![number]
                },
                shade: Shade::of(0, 1),
                scaled_by: Some(bank.map_or(place, |bank| bank(place))),
                key: number,
                tile: String::new(),
            }),
        })
    };
    let all = grouped(map.size());
    let label = if is_grid || height <= 1 {
        String::new()
    } else {
        format!("{width} indices in a row")
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
            quantity: Some(bank.map_or("offset", |_| "bank").to_owned()),
            ..Scale::default()
        },
        run: 1,
        ..Panel::default()
    })
}

/// Notes on what the cells do not show.
fn notes(grid: &Grid) -> Vec<String> {
    let at = |side: &Side| {
        let slots = side.slots.iter();
        slots.filter(|slot| matches!(slot, Slot::At(_))).count()
    };
    let rows = at(&grid.rows);
    let columns = at(&grid.columns);
    let negative = rows * columns - grid.cells.iter().flatten().count();
    let mut notes = Vec::new();
    if rows < grid.rows.size || columns < grid.columns.size {
        let all_rows = counted(grid.rows.size as u64, "row");
        let all_columns = counted(grid.columns.size as u64, "column");
        notes.push(format!(
            "{rows} of {all_rows} and {columns} of {all_columns} are shown"
        ));
    }
    if negative > 0 {
        let cells = counted(negative as u64, "empty cell");
        notes.push(format!("{cells}: the offset is negative"));
    }
    notes
}
