//! What is above and below a grid.

use xlayout::{ArrayLayout, DynLayout};

use super::panel::Limits;
use super::slices::Slices;
use super::subject::Subject;
use crate::words::{counted, exact_bytes, grouped};

/// `dimension 1 varies fastest within tiles of 4 × 4`
pub(super) fn caption(layout: &DynLayout) -> String {
    let fastest = match layout.modes().next() {
        _ if layout.elements() == 0 => return "no elements".to_owned(),
        None => return "a single element".to_owned(),
        Some(mode) if mode.dim < layout.rank() => mode.dim,
        // Digits of several dimensions: the one that moves first.
        Some(_) => {
            let second = (1..layout.buffer_len())
                .take(4096)
                .find_map(|k| layout.multi_index(k));
            let moved = second.and_then(|index| index.iter().rposition(|&i| i > 0));
            moved.unwrap_or(0)
        }
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
    let mut text = format!("dimension {fastest} varies fastest");
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
pub(super) fn sums(layout: &DynLayout) -> String {
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
            counted(layout.buffer_len() as u64, "place"),
            grouped(padding as u64),
            crate::words::percent(padding as u64, layout.buffer_len() as u64),
        ),
    }
}

/// What is not shown.
pub(super) fn notes(subject: &Subject, slices: &Slices, limits: Limits) -> Vec<String> {
    let layout = &subject.layout;
    let mut notes = Vec::new();
    if layout.elements() == 0 {
        notes.push("The array has no elements: there is nothing to draw.".to_owned());
        return notes;
    }
    for (dim, limit, noun) in [
        (slices.down, limits.rows, "rows"),
        (slices.right, limits.columns, "columns"),
    ] {
        let (window, _) = subject.window(dim, limit);
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
            false => subject.tiling.padded.dims()[d],
        })
    });
    let outside = layout.buffer_len().saturating_sub(drawn);
    if outside > 0 {
        notes.push(format!(
            "{} of padding {} outside of the grid",
            counted(outside as u64, "place"),
            if outside == 1 { "lies" } else { "lie" }
        ));
    }
    notes
}
