//! Memory in sequence, and the scale of colours.

use std::fmt::Write as _;

use super::cells::Cells;
use crate::picture::panel::Panel;
use crate::picture::xml::{Face, Fragment};
use crate::words::grouped;

const MEMORY_HEIGHT: u32 = 22;

/// The first places of memory, in lines of at most `width` pixels.
pub(super) fn draw_memory(number: usize, panel: &Panel, width: u32) -> Fragment {
    let face = Face::NUMBER.strong();
    let mut part = Fragment::default();
    let Some(last) = panel.memory.last() else {
        return part;
    };
    let widths = panel.memory.iter().map(|cell| face.width(&cell.label()));
    let cell_width = widths.max().unwrap_or(0).max(14) + 10;
    let column = |title, last: &str| face.width(last).max(Face::SMALL.width(title));
    let places_end = column("place", &last.place.to_string());
    let bytes_end = places_end + 14 + column("byte", &last.byte(panel.element_bits));
    let left = bytes_end + 12;
    let fit = (width.saturating_sub(left) / cell_width) as usize;
    let memory = panel.memory_lines(fit);
    let title = "memory, and the index that lies at each place";
    part.text((0, 12), Face::SMALL, title);
    part.text((places_end, 34), Face::SMALL.right(), "place");
    part.text((bytes_end, 34), Face::SMALL.right(), "byte");
    let mut drawn = Cells::default();
    let mut y = 42;
    for cells in memory.lines {
        let Some(first) = cells.first() else { continue };
        let place = first.place.to_string();
        let byte = first.byte(panel.element_bits);
        part.text((places_end, y + 15), Face::NUMBER.right(), &place);
        part.text((bytes_end, y + 15), Face::NUMBER.right(), &byte);
        for (k, cell) in cells.iter().enumerate() {
            let x = left + k as u32 * cell_width;
            let at = [x, y, cell_width, MEMORY_HEIGHT];
            drawn.push(at, number, panel.element_bits, cell);
            drawn.label(x + cell_width / 2, y + 15, cell, &cell.label());
        }
        part.width = part.width.max(left + cells.len() as u32 * cell_width);
        y += MEMORY_HEIGHT + 4;
    }
    part.body += &drawn.done("", face.size, true);
    part.height = y;
    if !memory.rest.is_empty() {
        let rest = format!("… {}", memory.rest);
        part.text((left, y + 12), Face::SMALL, &rest);
    }
    part
}

pub(super) fn legend(panel: &Panel, traced: bool) -> Fragment {
    const BAR: u32 = 140;
    let mut part = Fragment::default();
    let first = panel.scale.begin();
    part.text((0, 11), Face::SMALL, &first);
    let mut x = Face::SMALL.width(&first) + 8;
    let _ = writeln!(
        part.body,
        "<rect x=\"{x}\" y=\"0\" width=\"{BAR}\" height=\"13\" fill=\"url(#places)\"/>"
    );
    if let Some(middle) = panel.scale.middle {
        let at = x + BAR / 2;
        let _ = writeln!(
            part.body,
            "<path class=\"thin\" d=\"M{at} 13V17\" stroke=\"#161b22\" stroke-width=\"1\"/>"
        );
        // The colours are ranks among the places that are shown.
        let words = format!("half are below {}", grouped(middle as u64));
        part.text((at, 28), Face::SMALL.centred(), &words);
    }
    x += BAR + 8;
    let last = grouped(panel.scale.last as u64);
    part.text((x, 11), Face::SMALL, &last);
    x += Face::SMALL.width(&last) + 24;
    let mut entry = |swatch: &dyn Fn(u32) -> String, words: &str| {
        let _ = writeln!(part.body, "{}", swatch(x));
        part.text((x + 28, 11), Face::SMALL, words);
        x += 28 + Face::SMALL.width(words) + 24;
    };
    if panel.padding() > 0 {
        let hatch = |x| {
            format!("<rect x=\"{x}\" y=\"0\" width=\"20\" height=\"13\" fill=\"url(#hatch)\"/>")
        };
        entry(&hatch, "padding");
    }
    if panel.tiled {
        let line = |x| {
            format!(
                "<rect x=\"{}\" y=\"1\" width=\"18\" height=\"11\" class=\"thick\" fill=\"none\" \
                 stroke=\"#161b22\" stroke-width=\"2\"/>",
                x + 1
            )
        };
        entry(&line, "tile");
    }
    if traced {
        let line = |x: u32| {
            format!(
                "<rect x=\"{x}\" y=\"0\" width=\"20\" height=\"13\" fill=\"#6a7685\"/><path \
                 d=\"M{} 6.5H{}\" stroke=\"#ffffff\" stroke-width=\"1.5\"/><circle cx=\"{}\" \
                 cy=\"6.5\" r=\"3\" fill=\"#ffffff\" stroke=\"#161b22\"/>",
                x + 4,
                x + 20,
                x + 5
            )
        };
        entry(&line, "sequence of memory");
    }
    part.height = part.height.max(16);
    part
}
