//! The arrays of a module, counted without the library: a walk over lines, and arithmetic for the
//! tiles that the TPU compiler gives.

use std::collections::BTreeMap;

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) count: u64,
    /// In bytes, of one.
    pub(super) logical: u64,
    pub(super) allocated: u64,
}

/// Counts what is between ` = ` and the operation on each line.
pub(super) fn count(text: &str) -> BTreeMap<String, Found> {
    let mut all = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("  ")) {
        let Some((_, result)) = line.split_once(" = ") else {
            continue;
        };
        // The operation is the first word with `(` right behind it that has a blank before it.
        let end = result
            .char_indices()
            .find(|&(at, c)| {
                let word = &result[at..].trim_start_matches(|c: char| {
                    c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'
                });
                c.is_ascii_lowercase()
                    && result[..at].ends_with(' ')
                    && !result[..at].ends_with(", ")
                    && word.starts_with('(')
            })
            .map_or(result.len(), |(at, _)| at);
        for shape in shapes(&result[..end]) {
            let (logical, allocated) = bytes(shape);
            let found = all.entry(shape.to_owned()).or_insert(Found {
                count: 0,
                logical,
                allocated,
            });
            found.count += 1;
        }
    }
    all
}

/// The arrays with a layout in the text of a result.
fn shapes(mut text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    while let Some(open) = text.find('[') {
        let start = text[..open]
            .rfind(|c: char| !c.is_ascii_alphanumeric())
            .map_or(0, |at| at + 1);
        let close = open + text[open..].find(']').unwrap() + 1;
        let end = match text[close..].starts_with('{') {
            true => close + text[close..].find('}').unwrap() + 1,
            false => close,
        };
        // A scalar has one layout, which is not printed.
        let other = matches!(&text[start..close], "token[]" | "opaque[]");
        if end > close || (&text[open..close] == "[]" && !other) {
            all.push(&text[start..end]);
        }
        text = &text[end..];
    }
    all
}

/// The bytes of the elements, and those that are allocated.
fn bytes(shape: &str) -> (u64, u64) {
    let (element, rest) = shape.split_once('[').unwrap();
    let (sizes, layout) = rest.split_once("]{").unwrap_or(("", "}"));
    let layout = layout.strip_suffix('}').unwrap();
    let (order, attributes) = layout.split_once(':').unwrap_or((layout, ""));
    let sizes: Vec<u64> = numbers(sizes);
    let order: Vec<u64> = numbers(order);
    let bits = match element {
        _ if attributes.contains("E(4)") => 4,
        "pred" | "s8" | "u8" | "f8e4m3fn" => 8,
        "bf16" => 16,
        "f32" | "s32" | "u32" => 32,
        "c64" => 64,
        other => panic!("{other}"),
    };
    let elements: u64 = sizes.iter().product();
    let physical: Vec<u64> = order.iter().map(|&dim| sizes[dim as usize]).collect();
    // The first tile pads; those behind it only arrange its inside.
    let first = attributes.strip_prefix('T').map(|tiles| {
        let tile = &tiles[1..tiles.find(')').unwrap()];
        let tile: Vec<u64> = numbers(tile);
        tile
    });
    let places = match first.as_deref() {
        None => elements,
        Some(&[length]) => match physical[..] {
            [] => length,
            [size] => up(size, length),
            _ => panic!("{shape}"),
        },
        Some(&[rows, lanes]) => {
            let others: u64 = physical[2..].iter().product();
            up(physical[0], lanes) * up(physical[1], rows) * others
        }
        Some(_) => panic!("{shape}"),
    };
    ((elements * bits).div_ceil(8), (places * bits).div_ceil(8))
}

fn numbers(text: &str) -> Vec<u64> {
    let numbers = text.split(',').filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().unwrap()).collect()
}

fn up(size: u64, to: u64) -> u64 {
    size.div_ceil(to) * to
}
