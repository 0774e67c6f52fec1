//! The texts above and below a grid.

use xlayout::{ArrayLayout, DynLayout};

use crate::words::{counted, exact_bytes, grouped, joined, percent};

/// `dimension 1 varies fastest within tiles of 4 × 4`
pub(super) fn caption(layout: &DynLayout) -> String {
    let fastest = match layout.modes().next() {
        _ if layout.elements() == 0 => return "no elements".to_owned(),
        None => return "a single element".to_owned(),
        Some(mode) if mode.dim < layout.rank() => mode.dim,
        // Several dimensions have digits: the dimension whose index changes first.
        Some(_) => {
            let second = (1..layout.buffer_len())
                .take(4096)
                .find_map(|k| layout.multi_index(k));
            let moved = second.and_then(|index| index.iter().rposition(|&i| i > 0));
            moved.unwrap_or(0)
        }
    };
    let notation = layout.array_shape().layout.as_ref();
    let tiles = notation.iter().flat_map(|notation| notation.tiles.iter());
    let mut tiles: Vec<String> = tiles.map(|tile| joined(tile, " × ")).collect();
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
    let elements = format!("{} of {each}", counted(layout.elements(), "element"));
    let bytes = exact_bytes(layout.bytes());
    match layout.padding() {
        0 => format!("{elements}, no padding: {bytes}"),
        padding => {
            let places = counted(layout.buffer_len(), "place");
            let share = percent(padding, layout.buffer_len());
            let padding = grouped(padding);
            format!("{elements} in {places}, {padding} of them padding ({share}): {bytes}")
        }
    }
}
