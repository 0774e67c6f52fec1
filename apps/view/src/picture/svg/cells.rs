//! Cells of a grid and of memory.

use std::fmt::Write as _;

use crate::picture::colour::Rgb;
use crate::picture::panel::PanelCell;
use crate::picture::xml::MONO;

/// The attributes by which a page finds cells of the same element.
fn key(panel: usize, cell: &PanelCell) -> String {
    match &cell.element {
        Some(element) => format!("e{}", element.key),
        None => format!("p{panel}-{}", cell.place),
    }
}

fn fill(cell: &PanelCell) -> String {
    match &cell.element {
        Some(element) => element.shade.colour().hex(),
        None => "url(#hatch)".to_owned(),
    }
}

/// The colour of the text of a cell, and its class: on a dark page padding is dark.
fn ink(cell: &PanelCell) -> (Rgb, &'static str) {
    match &cell.element {
        Some(element) => (element.shade.colour().text(), ""),
        None => (Rgb(0x4b, 0x53, 0x5d), " class=\"muted\""),
    }
}

/// The position of a rectangle, its width and its height.
pub(super) type Frame = [u32; 4];

/// Cells in two layers, boxes and texts. Texts are numbers and words of ours, which have nothing to
/// escape: escaping takes a sixth of the time of a picture. A line through the cells is drawn between the layers, so
/// that texts stay readable.
#[derive(Default)]
pub(super) struct Cells {
    below: String,
    above: String,
}

impl Cells {
    /// Adds a cell of this panel. Its complete description is the title.
    pub(super) fn push(&mut self, at: Frame, panel: usize, element_bits: usize, cell: &PanelCell) {
        let fill = fill(cell);
        let class = match cell.element {
            Some(_) => "cell",
            None => "cell none",
        };
        let key = key(panel, cell);
        let words = cell.words(element_bits);
        let [x, y, width, height] = at;
        let _ = writeln!(
            self.below,
            "<g class=\"{class}\" data-k=\"{key}\"><title>{words}</title><rect x=\"{x}\" y=\"{y}\" \
             width=\"{width}\" height=\"{height}\" fill=\"{fill}\" stroke=\"#ffffff\"/></g>",
        );
    }

    pub(super) fn label(&mut self, x: u32, y: u32, cell: &PanelCell, label: &str) {
        let (ink, class) = ink(cell);
        let _ = writeln!(
            self.above,
            "<text x=\"{x}\" y=\"{y}\"{class} fill=\"{}\">{label}</text>",
            ink.hex(),
        );
    }

    /// Returns both layers with `between` between them. All texts have one size and one alignment.
    pub(super) fn done(&self, between: &str, size: u32, centred: bool) -> String {
        let anchor = if centred {
            " text-anchor=\"middle\""
        } else {
            ""
        };
        format!(
            "{}{between}<g font-family=\"{MONO}\" font-size=\"{size}\"{anchor} \
             pointer-events=\"none\">\n{}</g>\n",
            self.below, self.above
        )
    }
}
