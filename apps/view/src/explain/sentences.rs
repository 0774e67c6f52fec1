//! A layout in words.

use xlayout::xla::layout_util;
use xlayout::{ArrayLayout, DynLayout, ElementType, Layout};

use crate::memory::Bytes;
use crate::tiles::{Tiles, dimensions};
use crate::words::{counted, exact_bytes, joined, listed, percent};

/// The least number of dimensions for which lists are cut.
const MANY: usize = 6;

/// What matters most, in a few sentences.
pub(super) fn summary(array: &DynLayout, padding: &Tiles) -> String {
    let shape = array.array_shape();
    let mut sentences = vec![order(&shape.layout.clone().unwrap_or_default())];
    sentences.extend(tiles(padding));
    sentences.extend(dynamic(array));
    sentences.push(size(array, padding));
    sentences.join(" ")
}

/// Which dimension varies fastest.
fn order(layout: &Layout) -> String {
    let minor_to_major = &layout.minor_to_major;
    let row_major = layout_util::is_monotonic_with_dim0_major(layout);
    let column_major = layout_util::is_monotonic_with_dim0_minor(layout);
    let named = match (minor_to_major.len(), row_major, column_major) {
        (2.., true, _) => ": row-major, as in C",
        (2.., _, true) => ": column-major, as in Fortran",
        _ => "",
    };
    match minor_to_major.as_ref() {
        [] => "A scalar: one element, no dimensions.".to_owned(),
        [_] => "One dimension.".to_owned(),
        [fast, slow] => {
            format!("Dimension {fast} varies fastest, dimension {slow} slowest{named}.")
        }
        [fast, between @ .., slow] => {
            let cut = between.len() > MANY;
            let shown = if cut { &between[..2] } else { between };
            let more = if cut { ", …" } else { "" };
            let between = joined(shown, ", ");
            format!(
                "Dimension {fast} varies fastest, then {between}{more}, and {slow} slowest{named}."
            )
        }
    }
}

/// `1 (fastest), 0 (slowest)`
pub(super) fn directed(list: &[i64], first: &str, last: &str) -> String {
    let word = |k: usize, d: &i64| match k {
        _ if list.len() == 1 => d.to_string(),
        0 => format!("{d} ({first})"),
        _ if k + 1 == list.len() => format!("{d} ({last})"),
        _ => d.to_string(),
    };
    let items: Vec<_> = list.iter().enumerate().map(|(k, d)| word(k, d)).collect();
    match items.len() {
        0 => "no dimensions".to_owned(),
        _ => items.join(", "),
    }
}

fn tiles(padding: &Tiles) -> Option<String> {
    let (first, rest) = padding.levels.split_first()?;
    let mut text = format!("Tiles of {} lie one after the other", first.sizes);
    for level in rest {
        text += &if level.inside {
            format!(", each made of {} tiles", &level.text[1..])
        } else {
            format!(", cut again by {}", &level.text[1..])
        };
    }
    Some(text + ".")
}

fn dynamic(array: &DynLayout) -> Option<String> {
    let shape = array.array_shape();
    let dims: Vec<_> = (0..shape.rank())
        .filter(|&d| shape.dims[d].is_dynamic())
        .collect();
    let bounds: Vec<_> = dims.iter().map(|&d| array.dims()[d]).collect();
    let verb = if dims.len() == 1 { "changes" } else { "change" };
    let text = format!(
        "The size of {} {verb} at run time; memory is laid out for at most {}.",
        dimensions(&dims),
        listed(&bounds),
    );
    (!dims.is_empty()).then_some(text)
}

fn size(array: &DynLayout, padding: &Tiles) -> String {
    let memory = Bytes::of(array);
    let logical = memory.logical;
    let allocated = memory.allocated;
    if array.elements() == 0 {
        let memory = match allocated {
            0 => "takes no memory".to_owned(),
            _ => format!("takes {} all the same", exact_bytes(allocated)),
        };
        return format!("The array is empty and {memory}.");
    }
    if padding.causes.is_empty() {
        return format!(
            "Nothing is padded: {} in {}.",
            counted(array.elements(), "element"),
            exact_bytes(allocated)
        );
    }
    let stored = match padding.widths(array.dims()) {
        Some(widths)
            if widths
                .iter()
                .zip(array.dims())
                .any(|(a, &b)| *a != b as u128) =>
        {
            let sizes = joined(array.dims(), " × ");
            let widths = joined(&widths, " × ");
            format!("{sizes} is stored as {widths}, so that")
        }
        _ => "With padding,".to_owned(),
    };
    format!(
        "{stored} {} hold {} of elements: {} is padding.",
        exact_bytes(allocated),
        counted(logical, "byte"),
        percent(memory.padding(), allocated),
    )
}

/// The Rust type of an element, and the feature that it needs.
fn rust_type(element_type: ElementType) -> Option<(&'static str, &'static str)> {
    use ElementType as P;
    Some(match element_type {
        P::Pred => ("bool", ""),
        P::S8 => ("i8", ""),
        P::S16 => ("i16", ""),
        P::S32 => ("i32", ""),
        P::S64 => ("i64", ""),
        P::U8 => ("u8", ""),
        P::U16 => ("u16", ""),
        P::U32 => ("u32", ""),
        P::U64 => ("u64", ""),
        P::F16 => ("half::f16", "half"),
        P::Bf16 => ("half::bf16", "half"),
        P::F32 => ("f32", ""),
        P::F64 => ("f64", ""),
        P::C64 => ("num_complex::Complex<f32>", "num-complex"),
        P::C128 => ("num_complex::Complex<f64>", "num-complex"),
        P::F8e5m2 => ("float8::F8E5M2", "float8"),
        P::F8e4m3fn => ("float8::F8E4M3", "float8"),
        _ => return None,
    })
}

/// The Rust type that stores an element, and the feature that it needs.
pub(super) fn carrier(element_type: ElementType, bits: usize) -> String {
    use ElementType as P;
    match (bits, element_type.bits()) {
        (1 | 2 | 4, _) => return "packed: `SliceView<Packed, …>` in Rust".to_owned(),
        (8, Some(1 | 2 | 4)) if element_type != P::Pred => {
            return format!(
                "unpacked, which no Rust type carries; `E({})` packs it",
                element_type.bits().unwrap_or(0)
            );
        }
        _ if element_type.bytes().map(|bytes| bytes as usize * 8) != Some(bits) => {
            return format!("a width that no Rust type of {element_type} has");
        }
        _ => {}
    }
    let Some((name, feature)) = rust_type(element_type) else {
        return "no Rust type carries it".to_owned();
    };
    match feature {
        "" => format!("`{name}` in Rust"),
        _ => format!("`{name}` in Rust, with the feature `{feature}`"),
    }
}
