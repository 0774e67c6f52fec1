//! Cells of a grid and of memory.

use std::fmt::Write as _;

use crate::picture::colour::Rgb;
use crate::picture::panel::PanelCell;
use crate::picture::xml::{MONO, escaped};

/// The attributes by which a page finds cells of the same element.
fn key(panel: usize, cell: &PanelCell) -> String {
    match &cell.element {
        Some(element) => format!("e{}", element.key),
        None => format!("p{panel}-{}", cell.place),
    }
}

/// The fill of a cell, the colour of its text, and the class of the text: on a dark page padding is
/// dark.
fn fill(cell: &PanelCell) -> (String, Rgb, &'static str) {
    match &cell.element {
        Some(element) => {
            let colour = element.shade.colour();
            (colour.hex(), colour.text(), "")
        }
        None => (
            "url(#hatch)".to_owned(),
            Rgb(0x4b, 0x53, 0x5d),
            " class=\"muted\"",
        ),
    }
}

/// The position of a rectangle, its width and its height.
pub(super) type Frame = [u32; 4];

/// Cells in two layers, boxes and texts. A line through the cells is drawn between the layers, so
/// that texts stay readable.
#[derive(Default)]
pub(super) struct Cells {
    below: String,
    above: String,
}

impl Cells {
    /// Adds a cell of this panel. Its complete description is the title.
    pub(super) fn push(&mut self, at: Frame, panel: usize, element_bits: usize, cell: &PanelCell) {
        let (fill, ..) = fill(cell);
        let class = match cell.element {
            Some(_) => "cell",
            None => "cell none",
        };
        let key = key(panel, cell);
        let words = escaped(&cell.words(element_bits));
        let [x, y, width, height] = at;
        let _ = writeln!(
            self.below,
            "<g class=\"{class}\" data-k=\"{key}\"><title>{words}</title><rect x=\"{x}\" y=\"{y}\" \
             width=\"{width}\" height=\"{height}\" fill=\"{fill}\" stroke=\"#ffffff\"/></g>",
        );
    }

    pub(super) fn label(&mut self, x: u32, y: u32, cell: &PanelCell, label: &str) {
        let (_, ink, class) = fill(cell);
        let _ = writeln!(
            self.above,
            "<text x=\"{x}\" y=\"{y}\"{class} fill=\"{}\">{}</text>",
            ink.hex(),
            escaped(label),
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
