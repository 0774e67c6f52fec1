//! The sharding of an instruction of HLO: what a device holds of its result.

use xlayout::sharding::{Sharding, read_sharding_prefix};

use crate::read::Leaf;

/// What to say about the sharding behind the shape of an instruction.
pub(super) fn note(text: &str, leaves: &[Leaf]) -> Option<String> {
    const KEY: &str = ", sharding=";
    let written = &text[text.find(KEY)? + KEY.len()..];
    let (sharding, end) = match read_sharding_prefix(written) {
        Ok(read) => read,
        Err(error) => return Some(format!("The sharding is left aside: {}.", error.message())),
    };
    let held = held(&sharding, leaves);
    let what = if held.is_empty() {
        "divides no array".to_owned()
    } else {
        format!(
            "divides the result: a device holds {}. If XLA has partitioned the module, the text \
             has that shape already",
            held.join(", ")
        )
    };
    Some(format!("sharding={} {what}.", &written[..end]))
}

/// What a device holds of each array that is divided, and which arrays the sharding does not fit.
fn held(sharding: &Sharding, leaves: &[Leaf]) -> Vec<String> {
    let of_leaf = |number: usize| match sharding.tuple_elements() {
        Some(all) => all.get(number),
        None => Some(sharding),
    };
    let mut words = Vec::new();
    for (number, (path, array)) in leaves.iter().enumerate() {
        let Some((array, sharding)) = array.as_ref().zip(of_leaf(number)) else {
            continue;
        };
        let name = if path.is_empty() {
            array.to_string()
        } else {
            format!("{path} {array}")
        };
        let whole = array.array_shape();
        match sharding.tile_shape(whole) {
            Ok(part) if part.dims == whole.dims => {}
            Ok(part) => words.push(format!("{part} of {name}")),
            Err(error) => words.push(format!("no part of {name}: {}", error.message())),
        }
    }
    words
}
