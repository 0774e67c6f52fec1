//! Panels as SVG: one self-contained picture.

mod cells;
mod grid;
mod memory;
pub(super) mod sizes;

use std::fmt::Write as _;

use super::Picture;
use super::colour::Shade;
use super::panel::Panel;
use super::xml::{Face, Fragment, document, flow};
use crate::words::wrapped;
use grid::draw_grid;
use memory::{draw_memory, legend};

/// The greatest width. Beyond it, panels or slices are put below each other.
const WIDE: u32 = 1500;
/// The most cells for which the line is drawn. A longer line is not readable.
const TRACED: usize = 150;

impl Picture {
    /// The whole file.
    pub(super) fn svg(&self) -> String {
        let mut all = Fragment::default();
        let lead = self.lead.iter();
        for line in lead.flat_map(|text| lines(text, Face::TEXT, 900)) {
            let y = if all.height == 0 { 14 } else { all.height + 20 };
            all.text((0, y), Face::TEXT, &line);
        }
        let panels = self.panels.iter().enumerate();
        let (mut panels, bodies): (Vec<_>, Vec<_>) = panels
            .map(|(k, panel)| draw_panel(k, panel, self.path))
            .unzip();
        // Panels side by side have their grids side by side.
        let heads = panels.iter().map(|head: &Fragment| head.height).max();
        for (panel, body) in panels.iter_mut().zip(bodies) {
            panel.height = heads.unwrap_or(0);
            panel.below(22, &body);
        }
        all.below(28, &flow(&panels, WIDE, 56));
        document(&self.title, &self.sentences(), &definitions(), &all)
    }

    /// What is written above the grids.
    pub(super) fn sentences(&self) -> String {
        let mut sentences = self.lead.clone();
        for panel in &self.panels {
            let caption = &panel.caption;
            let sums = &panel.sums;
            sentences.push(format!("{}: {caption}; {sums}", panel.heading));
        }
        sentences.join("\n")
    }
}

fn definitions() -> String {
    const STOPS: usize = 16;
    let mut text = String::from(
        "<defs>\n<pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect class=\"padding\" width=\"6\" height=\"6\" \
         fill=\"#f4f5f7\"/><rect class=\"hatch\" width=\"1.5\" height=\"6\" \
         fill=\"#cfd4da\"/></pattern>\n<marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"7\" \
         refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\" \
         markerUnits=\"userSpaceOnUse\"><path d=\"M0 0 10 5 0 10Z\" \
         fill=\"#ffffff\"/></marker>\n<linearGradient id=\"places\">",
    );
    for k in 0..=STOPS {
        let colour = Shade::of(k, STOPS + 1).colour().hex();
        let offset = k as f64 / STOPS as f64;
        let _ = write!(text, "<stop offset=\"{offset}\" stop-color=\"{colour}\"/>");
    }
    text + "</linearGradient>\n</defs>\n"
}

/// The captions of a panel, and its grids and memory.
fn draw_panel(number: usize, panel: &Panel, path: bool) -> (Fragment, Fragment) {
    let traced = path && panel.traceable && panel.elements <= TRACED && panel.elements > 1;
    let drawn = |grid| draw_grid(number, grid, panel, traced);
    let grids: Vec<_> = panel.grids.iter().map(drawn).collect();
    let grids = flow(&grids, WIDE / 2 + 250, 36);
    // The texts above and below a grid have its width, but at least 440 pixels.
    let width = grids.width.max(440);
    let mut head = Fragment::default();
    if !panel.name.is_empty() {
        head.text((0, 14), Face::LABEL.muted(), &panel.name);
    }
    let y = if head.height > 0 {
        head.height + 22
    } else {
        18
    };
    head.text((0, y), Face::HEADING, &panel.heading);
    for (text, face) in [
        (&panel.caption, Face::TEXT),
        (&panel.sums, Face::TEXT.muted()),
    ] {
        for line in lines(text, face, width.max(head.width)) {
            head.text((0, head.height + 18), face, &line);
        }
    }
    let mut part = grids;
    let mut notes = Fragment::default();
    for note in &panel.notes {
        for line in lines(note, Face::SMALL, width) {
            notes.text((0, notes.height + 14), Face::SMALL, &line);
        }
    }
    part.below(12, &notes);
    part.below(24, &draw_memory(number, panel, width));
    if panel.scale.is_worth_saying() {
        part.below(20, &legend(panel, traced));
    }
    (head, part)
}

/// A text in lines of `width` pixels.
fn lines(text: &str, face: Face, width: u32) -> Vec<String> {
    let columns = width / face.width("mmmmmmmmmm").div_ceil(10).max(1);
    let text = wrapped(text, columns.max(20) as usize, 0);
    text.lines().map(str::to_owned).collect()
}
