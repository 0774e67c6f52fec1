//! Panels as SVG: one picture that needs nothing else.

use std::fmt::Write as _;

use super::colour::{Rgb, Shade};
use super::panel::{Cell, Grid, MEMORY_LINES, Panel, Side, places_per_line};
use super::tiles::Line;
use super::window::Slot;
use super::xml::{Anchor, Face, Part, escaped, flow};
use crate::words::{counted, grouped, joined, wrapped};

/// A picture of panels.
pub(crate) struct Picture<'a> {
    /// What it is called, for those who cannot see it.
    pub(crate) title: String,
    /// Lines above the panels.
    pub(crate) lead: Vec<String>,
    pub(crate) panels: &'a [Panel],
    /// Whether to draw the line through the cells in the sequence of memory, where it can be.
    pub(crate) path: bool,
}

const MARGIN: u32 = 32;
/// How wide the whole may become before panels or slices go below each other.
const WIDE: u32 = 1500;
const CELL_HEIGHT: u32 = 36;
const GAP: u32 = 22;
/// More cells than that and a line through them is a tangle.
const TRACED: usize = 150;
const MEMORY_HEIGHT: u32 = 22;

impl Picture<'_> {
    /// The whole file.
    pub(crate) fn svg(&self) -> String {
        let mut all = Part::default();
        for line in &self.lead {
            let y = if all.height == 0 { 14 } else { all.height + 20 };
            all.text(0, y, Anchor::Start, Face::TEXT, line);
        }
        let panels: Vec<Part> = (self.panels.iter().enumerate())
            .map(|(k, panel)| draw_panel(k, panel, self.path))
            .collect();
        all.below(28, &flow(&panels, WIDE, 56));
        let (width, height) = (all.width + 2 * MARGIN, all.height + 2 * MARGIN);
        let mut description: Vec<String> = self.lead.clone();
        for panel in self.panels {
            description.push(format!(
                "{}: {}; {}",
                panel.heading, panel.caption, panel.sums
            ));
        }
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
             <title id=\"title\">{}</title>\n<desc id=\"desc\">{}</desc>\n",
            escaped(&self.title),
            escaped(&description.join("\n")),
        );
        svg += &definitions();
        let _ = writeln!(
            svg,
            "<rect class=\"ground\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>"
        );
        let mut moved = Part::default();
        moved.put(MARGIN, MARGIN, &all);
        svg + &moved.body + "</svg>\n"
    }
}

fn definitions() -> String {
    const STOPS: usize = 16;
    let mut text = String::from(
        "<defs>\n<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <rect class=\"padding\" width=\"6\" height=\"6\" fill=\"#f4f5f7\"/>\
         <rect class=\"hatch\" width=\"1.5\" height=\"6\" fill=\"#cfd4da\"/></pattern>\n\
         <marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\" markerUnits=\"userSpaceOnUse\">\
         <path d=\"M0 0 10 5 0 10Z\" fill=\"#ffffff\"/></marker>\n<linearGradient id=\"places\">",
    );
    for k in 0..=STOPS {
        let colour = Shade::of(k, STOPS + 1).colour().hex();
        let offset = k as f64 / STOPS as f64;
        let _ = write!(text, "<stop offset=\"{offset}\" stop-color=\"{colour}\"/>");
    }
    text + "</linearGradient>\n</defs>\n"
}

fn draw_panel(number: usize, panel: &Panel, path: bool) -> Part {
    let traced = path
        && panel.traceable
        && panel.memory.len() - panel.padding <= TRACED
        && panel.memory.len() > panel.padding + 1;
    let grids: Vec<Part> = (panel.grids.iter())
        .map(|grid| draw_grid(number, grid, panel, traced))
        .collect();
    let grids = flow(&grids, WIDE / 2 + 250, 36);
    // What stands above and below a grid is as wide as it, where that is wide enough to read.
    let width = grids.width.max(440);
    let mut part = Part::default();
    if !panel.name.is_empty() {
        part.text(
            0,
            14,
            Anchor::Start,
            Face {
                muted: true,
                ..Face::LABEL
            },
            &panel.name,
        );
    }
    let y = if part.height > 0 {
        part.height + 22
    } else {
        18
    };
    part.text(0, y, Anchor::Start, Face::HEADING, &panel.heading);
    for (text, face) in [
        (&panel.caption, Face::TEXT),
        (
            &panel.sums,
            Face {
                muted: true,
                ..Face::TEXT
            },
        ),
    ] {
        for line in lines(text, face, width.max(part.width)) {
            let y = part.height + 18;
            part.text(0, y, Anchor::Start, face, &line);
        }
    }
    part.below(22, &grids);
    let mut notes = Part::default();
    for note in &panel.notes {
        for line in lines(note, Face::SMALL, width) {
            let y = notes.height + 14;
            notes.text(0, y, Anchor::Start, Face::SMALL, &line);
        }
    }
    part.below(12, &notes);
    part.below(24, &draw_memory(number, panel, width));
    if panel.places > 1 {
        part.below(20, &legend(panel, traced));
    }
    part
}

/// A text in lines of so many pixels.
fn lines(text: &str, face: Face, width: u32) -> Vec<String> {
    let columns = width / face.width("mmmmmmmmmm").div_ceil(10).max(1);
    let text = wrapped(text, columns.max(20) as usize, 0);
    text.lines().map(str::to_owned).collect()
}

/// Where each slot begins, and where the last one ends.
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

/// The attributes by which a page finds the same place again.
fn key(panel: usize, cell: &Cell) -> String {
    match &cell.element {
        Some(element) => format!("e{}", element.key),
        None => format!("p{panel}-{}", cell.place),
    }
}

fn fill(cell: &Cell) -> (String, Rgb) {
    match &cell.element {
        Some(element) => {
            let colour = element.shade.colour();
            (colour.hex(), colour.text())
        }
        None => ("url(#hatch)".to_owned(), Rgb(0x8b, 0x94, 0x9e)),
    }
}

/// A rectangle.
#[derive(Clone, Copy)]
struct Frame {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

/// Cells in two layers: what is drawn between them, such as a line through the cells, leaves their texts readable.
#[derive(Default)]
struct Cells {
    below: String,
    above: String,
}

impl Cells {
    /// A cell with its text, `text` being where in the cell, and how large.
    fn push(&mut self, at: Frame, key: &str, words: &str, cell: &Cell) {
        let (fill, _) = fill(cell);
        let class = if cell.element.is_some() {
            "cell"
        } else {
            "cell none"
        };
        let Frame {
            x,
            y,
            width,
            height,
        } = at;
        let _ = writeln!(
            self.below,
            "<g class=\"{class}\" data-k=\"{key}\"><title>{}</title><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\" stroke=\"#ffffff\"/></g>",
            escaped(words),
        );
    }

    fn label(&mut self, x: u32, y: u32, cell: &Cell, label: &str) {
        let (_, ink) = fill(cell);
        let _ = writeln!(
            self.above,
            "<text x=\"{x}\" y=\"{y}\" fill=\"{}\">{}</text>",
            ink.hex(),
            escaped(label),
        );
    }

    /// Both layers, and what lies between them; texts are of one size and stand alike.
    fn done(&self, between: &str, size: u32, centred: bool) -> String {
        let family = super::xml::MONO;
        let anchor = if centred {
            " text-anchor=\"middle\""
        } else {
            ""
        };
        format!(
            "{}{between}<g font-family=\"{family}\" font-size=\"{size}\"{anchor} pointer-events=\"none\">\n{}</g>\n",
            self.below, self.above
        )
    }
}

fn draw_grid(number: usize, grid: &Grid, panel: &Panel, traced: bool) -> Part {
    let digits = (grid.cells.iter().flatten())
        .map(|cell| cell.place.to_string().len() as u32)
        .max()
        .unwrap_or(1);
    let cell_width = (digits * 8 + if traced { 20 } else { 14 }).max(CELL_HEIGHT);
    let (xs, ys) = (
        edges(&grid.columns, cell_width),
        edges(&grid.rows, CELL_HEIGHT),
    );
    let (width, height) = (xs[xs.len() - 1], ys[ys.len() - 1]);

    let mut drawn = Cells::default();
    let mut trace = Vec::new();
    for (k, cell) in grid.cells.iter().enumerate() {
        let (r, c) = (k / grid.columns.slots.len(), k % grid.columns.slots.len());
        let Some(cell) = cell else { continue };
        let (x, y) = (xs[c], ys[r]);
        let at = Frame {
            x,
            y,
            width: xs[c + 1] - x,
            height: ys[r + 1] - y,
        };
        drawn.push(
            at,
            &key(number, cell),
            &cell.words(panel.element_bits),
            cell,
        );
        // A line through the cells goes below their texts.
        let (dx, dy) = match traced {
            true => (6, 16),
            false => (cell_width / 2, CELL_HEIGHT / 2 + 5),
        };
        match cell.element {
            Some(_) => {
                drawn.label(x + dx, y + dy, cell, &cell.place.to_string());
                trace.push((cell.place, x + cell_width - 11, y + CELL_HEIGHT - 10));
            }
            None if traced => {
                drawn.label(x + cell_width / 2 - 4, y + CELL_HEIGHT / 2 + 5, cell, "·")
            }
            None => drawn.label(x + dx, y + dy, cell, "·"),
        }
    }
    let mut path = String::new();
    if traced {
        trace.sort_unstable();
        let points: Vec<(u32, u32)> = trace.iter().map(|&(_, x, y)| (x, y)).collect();
        draw_path(&mut path, &points, cell_width);
    }
    let mut cells = Part {
        body: drawn.done(&path, 13, !traced),
        ..Part::default()
    };
    gaps(&mut cells, grid, &xs, &ys);
    for (line, class, stroke) in [(Line::Thin, "thin", 1), (Line::Thick, "thick", 3)] {
        let mut d = String::new();
        for (k, _) in grid
            .columns
            .lines
            .iter()
            .enumerate()
            .filter(|(_, of)| **of == line)
        {
            let _ = write!(d, "M{} 0V{height}", xs[k]);
        }
        for (k, _) in grid
            .rows
            .lines
            .iter()
            .enumerate()
            .filter(|(_, of)| **of == line)
        {
            let _ = write!(d, "M0 {}H{width}", ys[k]);
        }
        if !d.is_empty() {
            let _ = writeln!(
                cells.body,
                "<path class=\"{class}\" d=\"{d}\" fill=\"none\" stroke=\"#161b22\" stroke-width=\"{stroke}\" stroke-linecap=\"square\" shape-rendering=\"crispEdges\" pointer-events=\"none\"/>"
            );
        }
    }
    (cells.width, cells.height) = (width, height);
    heads(grid, (&xs, &ys), &cells)
}

/// Three dots in the middle of what is not shown.
fn gaps(cells: &mut Part, grid: &Grid, xs: &[u32], ys: &[u32]) {
    let middle = |edges: &[u32], k: usize| (edges[k] + edges[k + 1]) / 2;
    let is_gap = |slot: &Slot| matches!(slot, Slot::Gap(..));
    let mut dots = Part::default();
    for (r, row) in grid.rows.slots.iter().enumerate() {
        for (c, column) in grid.columns.slots.iter().enumerate() {
            let (x, y) = (middle(xs, c), middle(ys, r));
            match (is_gap(row), is_gap(column)) {
                (false, true) => dots.text(x, y + 4, Anchor::Middle, Face::SMALL, "⋯"),
                (true, false) => dots.text(x, y + 4, Anchor::Middle, Face::SMALL, "⋮"),
                _ => {}
            }
        }
    }
    cells.body += &dots.body;
}

/// The line through the elements in the sequence of memory: bold from neighbour to neighbour, faint where it jumps.
fn draw_path(body: &mut String, points: &[(u32, u32)], cell_width: u32) {
    let (mut steps, mut jumps) = (String::new(), String::new());
    let mut last = None;
    for &(x, y) in points {
        if let Some((from_x, from_y)) = last {
            let near: bool = x.abs_diff(from_x) <= cell_width
                && y.abs_diff(from_y) <= CELL_HEIGHT
                && (x == from_x || y == from_y);
            let path = if near { &mut steps } else { &mut jumps };
            let _ = write!(path, "M{from_x} {from_y}L{x} {y}");
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
        // A dark line below a light one can be seen on every colour.
        for (class, stroke, extra, opacity) in [
            ("under", "#000000", "3", "0.4"),
            ("path", "#ffffff", width, opacity),
        ] {
            let _ = writeln!(
                body,
                "<path class=\"{class}\" d=\"{d}\" fill=\"none\" stroke=\"{stroke}\" stroke-width=\"{extra}\" stroke-opacity=\"{opacity}\"{dash} pointer-events=\"none\"/>"
            );
        }
    }
    if let (Some(&(x, y)), Some(&(end_x, end_y))) = (points.first(), points.last()) {
        let _ = writeln!(
            body,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"3.5\" fill=\"#ffffff\" stroke=\"#161b22\" pointer-events=\"none\"/>\
             <rect x=\"{}\" y=\"{}\" width=\"7\" height=\"7\" fill=\"#ffffff\" stroke=\"#161b22\" pointer-events=\"none\"/>",
            end_x as f64 - 3.5,
            end_y as f64 - 3.5,
        );
    }
}

/// The cells with the numbers of rows and columns around them.
fn heads(grid: &Grid, (xs, ys): (&[u32], &[u32]), cells: &Part) -> Part {
    let mut part = Part::default();
    let row_numbers: Vec<String> = match grid.rows.dim {
        Some(_) => grid.rows.slots.iter().map(number).collect(),
        None => Vec::new(),
    };
    let widest = row_numbers
        .iter()
        .map(|text| Face::NUMBER.width(text))
        .max();
    let left = widest.map_or(0, |width| width + 30);
    let mut top = 0;
    if !grid.label.is_empty() {
        part.text(left, 13, Anchor::Start, Face::LABEL, &grid.label);
        top = 20;
    }
    if let Some(dim) = grid.columns.dim {
        part.text(
            left,
            top + 12,
            Anchor::Start,
            Face::SMALL,
            &format!("dimension {dim} →"),
        );
        for (k, slot) in grid.columns.slots.iter().enumerate() {
            let x = left + (xs[k] + xs[k + 1]) / 2;
            let face = head_face(slot, grid.columns.size);
            part.text(x, top + 32, Anchor::Middle, face, &number(slot));
        }
        top += 40;
    }
    if let Some(dim) = grid.rows.dim {
        // Turned by a quarter: read from above, as the dimension goes.
        let words = format!("dimension {dim} →");
        let mut turned = Part::default();
        turned.text(0, 0, Anchor::Start, Face::SMALL, &words);
        let _ = write!(
            part.body,
            "<g transform=\"translate(4 {top}) rotate(90)\">\n{}</g>\n",
            turned.body
        );
        for (k, slot) in grid.rows.slots.iter().enumerate() {
            let y = top + (ys[k] + ys[k + 1]) / 2 + 4;
            let face = head_face(slot, grid.rows.size);
            part.text(left - 8, y, Anchor::End, face, &row_numbers[k]);
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
    let inside = matches!(slot, Slot::At(at) if *at < size);
    Face {
        muted: !inside,
        ..Face::NUMBER
    }
}

fn draw_memory(number: usize, panel: &Panel, width: u32) -> Part {
    const SIZE: u32 = 11;
    let face = Face {
        muted: false,
        ..Face::NUMBER
    };
    let label = |cell: &Cell| match &cell.element {
        Some(element) if element.index.is_empty() => "[]".to_owned(),
        Some(element) => joined(&element.index, ","),
        None => "·".to_owned(),
    };
    let mut part = Part::default();
    let Some(last) = panel.memory.last() else {
        return part;
    };
    let widest = panel
        .memory
        .iter()
        .map(|cell| face.width(&label(cell)))
        .max();
    let cell_width = widest.unwrap_or(0).max(14) + 10;
    let place_width = face
        .width(&last.place.to_string())
        .max(Face::SMALL.width("place"));
    let byte_width = face
        .width(&last.byte(panel.element_bits))
        .max(Face::SMALL.width("byte"));
    let left = place_width + 14 + byte_width + 12;
    let fit = (width.saturating_sub(left) / cell_width) as usize;
    let per_line = places_per_line(fit, panel.run, panel.places);
    part.text(
        0,
        12,
        Anchor::Start,
        Face::SMALL,
        "memory, and the index that lies at each place",
    );
    part.text(place_width, 34, Anchor::End, Face::SMALL, "place");
    part.text(
        place_width + 14 + byte_width,
        34,
        Anchor::End,
        Face::SMALL,
        "byte",
    );
    let mut drawn = Cells::default();
    let mut shown = 0;
    let mut y = 42;
    for cells in panel.memory.chunks(per_line).take(MEMORY_LINES) {
        // A part of a line would look like the end.
        if cells.len() < per_line && cells.len() + shown < panel.places {
            break;
        }
        let Some(first) = cells.first() else { break };
        part.text(
            place_width,
            y + 15,
            Anchor::End,
            Face::NUMBER,
            &first.place.to_string(),
        );
        let byte = first.byte(panel.element_bits);
        part.text(
            place_width + 14 + byte_width,
            y + 15,
            Anchor::End,
            Face::NUMBER,
            &byte,
        );
        for (k, cell) in cells.iter().enumerate() {
            let at = Frame {
                x: left + k as u32 * cell_width,
                y,
                width: cell_width,
                height: MEMORY_HEIGHT,
            };
            drawn.push(
                at,
                &key(number, cell),
                &cell.words(panel.element_bits),
                cell,
            );
            drawn.label(at.x + cell_width / 2, y + 15, cell, &label(cell));
        }
        part.width = part.width.max(left + cells.len() as u32 * cell_width);
        y += MEMORY_HEIGHT + 4;
        shown += cells.len();
    }
    part.body += &drawn.done("", SIZE, true);
    part.height = y;
    if shown < panel.places {
        let more = format!(
            "… {} more of {}",
            grouped((panel.places - shown) as u64),
            counted(panel.places as u64, "place")
        );
        part.text(left, y + 12, Anchor::Start, Face::SMALL, &more);
    }
    part
}

fn legend(panel: &Panel, traced: bool) -> Part {
    const BAR: u32 = 140;
    let mut part = Part::default();
    part.text(0, 11, Anchor::Start, Face::SMALL, "place 0");
    let mut x = Face::SMALL.width("place 0") + 8;
    let _ = writeln!(
        part.body,
        "<rect x=\"{x}\" y=\"0\" width=\"{BAR}\" height=\"13\" fill=\"url(#places)\"/>"
    );
    x += BAR + 8;
    let last = grouped((panel.places - 1) as u64);
    part.text(x, 11, Anchor::Start, Face::SMALL, &last);
    x += Face::SMALL.width(&last) + 24;
    let mut entry = |swatch: &dyn Fn(u32) -> String, words: &str| {
        let _ = writeln!(part.body, "{}", swatch(x));
        part.text(x + 28, 11, Anchor::Start, Face::SMALL, words);
        x += 28 + Face::SMALL.width(words) + 24;
    };
    if panel.padding > 0 {
        let hatch = |x| {
            format!("<rect x=\"{x}\" y=\"0\" width=\"20\" height=\"13\" fill=\"url(#hatch)\"/>")
        };
        entry(&hatch, "padding");
    }
    if panel.tiled {
        let line = |x| {
            format!(
                "<rect x=\"{}\" y=\"1\" width=\"18\" height=\"11\" class=\"thick\" fill=\"none\" stroke=\"#161b22\" stroke-width=\"2\"/>",
                x + 1
            )
        };
        entry(&line, "tile");
    }
    if traced {
        let line = |x: u32| {
            format!(
                "<rect x=\"{x}\" y=\"0\" width=\"20\" height=\"13\" fill=\"#6a7685\"/><path d=\"M{} 6.5H{}\" stroke=\"#ffffff\" stroke-width=\"1.5\"/><circle cx=\"{}\" cy=\"6.5\" r=\"3\" fill=\"#ffffff\" stroke=\"#161b22\"/>",
                x + 4,
                x + 20,
                x + 5
            )
        };
        entry(&line, "sequence of memory");
    }
    part.height = 16;
    part
}
