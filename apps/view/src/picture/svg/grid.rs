//! Two dimensions of an array.

use std::fmt::Write as _;

use super::cells::Cells;
use super::sizes::{CELL_HEIGHT, GAP};
use crate::picture::panel::{Grid, Panel, Side};
use crate::picture::window::Slot;
use crate::picture::xml::{Face, Fragment};
use crate::tiles::Line;

/// The position of each slot's beginning, and of the last slot's end.
fn edges(side: &Side, size: u32) -> Vec<u32> {
    let mut edges = vec![0];
    let mut at = 0;
    for slot in &side.slots {
        at += match slot {
            Slot::At(_) => size,
            Slot::Gap(..) => GAP,
        };
        edges.push(at);
    }
    edges
}

/// The grid with its heads, as panel `number`; if `traced`, with the line through its cells.
pub(super) fn draw_grid(number: usize, grid: &Grid, panel: &Panel, traced: bool) -> Fragment {
    let digits = panel.digits_shown() as u32;
    let cell_width = (digits * 8 + if traced { 24 } else { 14 }).max(CELL_HEIGHT);
    let xs = edges(&grid.columns, cell_width);
    let ys = edges(&grid.rows, CELL_HEIGHT);
    let width = xs[xs.len() - 1];
    let height = ys[ys.len() - 1];

    let mut drawn = Cells::default();
    let mut trace = Vec::new();
    for (k, cell) in grid.cells.iter().enumerate() {
        let r = k / grid.columns.slots.len();
        let c = k % grid.columns.slots.len();
        let Some(cell) = cell else { continue };
        let x = xs[c];
        let y = ys[r];
        let at = [x, y, xs[c + 1] - x, ys[r + 1] - y];
        drawn.push(at, number, panel.element_bits, cell);
        // A line through the cells goes below their texts.
        let (dx, dy) = if traced {
            (6, 16)
        } else {
            (cell_width / 2, CELL_HEIGHT / 2 + 5)
        };
        match cell.element {
            Some(_) => {
                drawn.label(x + dx, y + dy, cell, &cell.place.to_string());
                trace.push((cell.place, x + cell_width - 13, y + CELL_HEIGHT - 12));
            }
            None => {
                let left = x + cell_width / 2 - if traced { 4 } else { 0 };
                drawn.label(left, y + CELL_HEIGHT / 2 + 5, cell, "·");
            }
        }
    }
    let mut path = String::new();
    if traced {
        trace.sort_unstable();
        let points: Vec<(u32, u32)> = trace.iter().map(|&(_, x, y)| (x, y)).collect();
        draw_path(&mut path, &points, cell_width);
    }
    let mut cells = Fragment {
        body: drawn.done(&path, 13, !traced),
        ..Fragment::default()
    };
    gaps(&mut cells, grid, &xs, &ys);
    for (line, class, stroke) in [(Line::Thin, "thin", 1), (Line::Thick, "thick", 3)] {
        let mut d = String::new();
        let of_line = |&(at, edge): &(&u32, &Line)| (*edge == line).then_some(*at);
        let edges = xs.iter().zip(&grid.columns.lines);
        for x in edges.filter_map(|edge| of_line(&edge)) {
            let _ = write!(d, "M{x} 0V{height}");
        }
        let edges = ys.iter().zip(&grid.rows.lines);
        for y in edges.filter_map(|edge| of_line(&edge)) {
            let _ = write!(d, "M0 {y}H{width}");
        }
        if !d.is_empty() {
            let _ = writeln!(
                cells.body,
                "<path class=\"{class}\" d=\"{d}\" fill=\"none\" stroke=\"#161b22\" \
                 stroke-width=\"{stroke}\" stroke-linecap=\"square\" \
                 shape-rendering=\"crispEdges\" pointer-events=\"none\"/>"
            );
        }
    }
    (cells.width, cells.height) = (width, height);
    heads(grid, (&xs, &ys), &cells)
}

/// Three dots in the middle of each gap.
fn gaps(cells: &mut Fragment, grid: &Grid, xs: &[u32], ys: &[u32]) {
    let middle = |edges: &[u32], k: usize| (edges[k] + edges[k + 1]) / 2;
    let is_gap = |slot: &Slot| matches!(slot, Slot::Gap(..));
    let mut dots = Fragment::default();
    for (r, row) in grid.rows.slots.iter().enumerate() {
        for (c, column) in grid.columns.slots.iter().enumerate() {
            let x = middle(xs, c);
            let y = middle(ys, r);
            match (is_gap(row), is_gap(column)) {
                (false, true) => dots.text((x, y + 4), Face::SMALL.centred(), "⋯"),
                (true, false) => dots.text((x, y + 4), Face::SMALL.centred(), "⋮"),
                _ => {}
            }
        }
    }
    cells.body += &dots.body;
}

/// The distance of the lines of jumps from the points.
const LANE: u32 = 7;

/// The line through the elements in the sequence of memory: bold from neighbour to neighbour, faint
/// where it jumps.
fn draw_path(body: &mut String, points: &[(u32, u32)], cell_width: u32) {
    let mut steps = String::new();
    let mut jumps = String::new();
    let mut last = None;
    for &(x, y) in points {
        if let Some((from_x, from_y)) = last {
            let near: bool = x.abs_diff(from_x) <= cell_width
                && y.abs_diff(from_y) <= CELL_HEIGHT
                && (x == from_x || y == from_y);
            if near {
                let _ = write!(steps, "M{from_x} {from_y}L{x} {y}");
            } else {
                // A number is above and to the left of its point. A jump leaves the row below the
                // points and enters the column to the right of them, so that it crosses no number.
                let lane_x = x + LANE;
                let lane_y = from_y + LANE;
                let _ = write!(jumps, "M{from_x} {from_y}V{lane_y}H{lane_x}V{y}H{x}");
            }
        }
        last = Some((x, y));
    }
    for (d, width, opacity, dash) in [
        (&jumps, "1", "0.75", " stroke-dasharray=\"3 3\""),
        (&steps, "1.5", "0.95", ""),
    ] {
        if d.is_empty() {
            continue;
        }
        // A light line on a dark one is visible on every colour.
        for (class, stroke, extra, opacity) in [
            ("under", "#000000", "3", "0.4"),
            ("path", "#ffffff", width, opacity),
        ] {
            let _ = writeln!(
                body,
                "<path class=\"{class}\" d=\"{d}\" fill=\"none\" stroke=\"{stroke}\" \
                 stroke-width=\"{extra}\" stroke-opacity=\"{opacity}\"{dash} \
                 pointer-events=\"none\"/>"
            );
        }
    }
    if let (Some(&(x, y)), Some(&(end_x, end_y))) = (points.first(), points.last()) {
        let _ = writeln!(
            body,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" fill=\"#ffffff\" stroke=\"#161b22\" \
             pointer-events=\"none\"/><rect x=\"{}\" y=\"{}\" width=\"7\" height=\"7\" \
             fill=\"#ffffff\" stroke=\"#161b22\" pointer-events=\"none\"/>",
            end_x as f64 - 3.5,
            end_y as f64 - 3.5,
        );
    }
}

/// The cells with the numbers of rows and columns around them.
fn heads(grid: &Grid, (xs, ys): (&[u32], &[u32]), cells: &Fragment) -> Fragment {
    let mut part = Fragment::default();
    let row_numbers = grid.rows.slots.iter().filter(|_| grid.rows.dim.is_some());
    let row_numbers: Vec<String> = row_numbers.map(number).collect();
    let widths = row_numbers.iter().map(|text| Face::NUMBER.width(text));
    let widest = widths.max();
    let left = widest.map_or(0, |width| width + 30);
    let mut top = 0;
    if !grid.label.is_empty() {
        part.text((left, 13), Face::LABEL, &grid.label);
        top = 20;
    }
    if let Some(dim) = grid.columns.dim {
        part.text((left, top + 12), Face::SMALL, &format!("dimension {dim} →"));
        for (k, slot) in grid.columns.slots.iter().enumerate() {
            let x = left + (xs[k] + xs[k + 1]) / 2;
            let face = head_face(slot, grid.columns.size);
            part.text((x, top + 32), face.centred(), &number(slot));
        }
        top += 40;
    }
    if let Some(dim) = grid.rows.dim {
        // Rotated by 90 degrees: read downwards, in the direction of the dimension.
        let words = format!("dimension {dim} →");
        let mut turned = Fragment::default();
        turned.text((0, 0), Face::SMALL, &words);
        let _ = write!(
            part.body,
            "<g transform=\"translate(4 {top}) rotate(90)\">\n{}</g>\n",
            turned.body
        );
        for (k, slot) in grid.rows.slots.iter().enumerate() {
            let y = top + (ys[k] + ys[k + 1]) / 2 + 4;
            let face = head_face(slot, grid.rows.size);
            part.text((left - 8, y), face.right(), &row_numbers[k]);
        }
        part.height = part.height.max(top + Face::SMALL.width(&words));
    }
    part.put(left, top, cells);
    part
}

fn number(slot: &Slot) -> String {
    match slot {
        Slot::At(at) => at.to_string(),
        Slot::Gap(..) => String::new(),
    }
}

/// Heads of padding are fainter.
fn head_face(slot: &Slot, size: usize) -> Face {
    match slot {
        Slot::At(at) if *at < size => Face::NUMBER.strong(),
        _ => Face::NUMBER,
    }
}
