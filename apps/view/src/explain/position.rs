//! From an index to memory, digit by digit, and back.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use xlayout::shape::Mode;
use xlayout::{ArrayLayout, DynLayout};

use crate::error::{Error, Outcome};
use crate::index::{below, coordinates};

/// One place of the memory of an array.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Position {
    /// That of its element; `None` in padding, as the digits.
    pub(super) index: Option<Vec<usize>>,
    pub(super) linear_index: usize,
    /// The first byte of the element, and the first bit in it, counted from the lowest.
    pub(super) byte_offset: usize,
    pub(super) bit_offset: u32,
    pub(super) digits: Option<Vec<Digit>>,
}

/// The digit of an index in one mode.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Digit {
    #[serde(flatten, serialize_with = "in_object")]
    pub(super) mode: Mode,
    pub(super) coordinate: usize,
    pub(super) digit: usize,
    /// The digit times the stride.
    pub(super) elements: usize,
}

/// A question for places of the memory of an array, as the text of who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question<'a> {
    /// Where the element with this index lies: `3,2`, `[3, 2]`.
    At(&'a str),
    /// Which element lies this many elements from the beginning: `517`.
    Offset(&'a str),
    /// Which elements have bits in this byte: `3`.
    ByteOffset(&'a str),
}

/// The positions that are asked for.
///
/// # Errors
/// All mistakes in the questions, each with its place.
pub(super) fn asked<'a>(
    array: &DynLayout,
    questions: impl IntoIterator<Item = Question<'a>>,
) -> Outcome<Vec<Position>> {
    let mut found = Vec::new();
    let mut error = None;
    for question in questions {
        let answer = match question {
            Question::At(text) => at(array, text),
            Question::Offset(text) => at_offset(array, text),
            Question::ByteOffset(text) => at_byte(array, text),
        };
        match answer {
            Ok(positions) => found.extend(positions),
            Err(next) => error = Error::both(error, Some(next)),
        }
    }
    error.map_or(Ok(found), Err)
}

fn at(array: &DynLayout, text: &str) -> Outcome<Vec<Position>> {
    let index = coordinates("--at", text, array.dims(), false)?;
    let index: Vec<usize> = index.into_iter().flatten().collect();
    let linear = array.linear_index(&index.as_slice().into());
    Ok(vec![position(array, linear, Some(index))])
}

fn at_offset(array: &DynLayout, text: &str) -> Outcome<Vec<Position>> {
    let linear = below("--offset", text, array.buffer_len(), "place")?;
    Ok(vec![of_linear(array, linear)])
}

/// All elements that have a bit in the byte.
fn at_byte(array: &DynLayout, text: &str) -> Outcome<Vec<Position>> {
    let byte = below("--byte-offset", text, array.bytes(), "byte")?;
    let bits = array.element_bits().max(1) as u128;
    let first = byte as u128 * 8 / bits;
    let last = (byte as u128 * 8 + 7) / bits;
    let places = first as usize..=(last as usize).min(array.buffer_len().saturating_sub(1));
    Ok(places.map(|linear| of_linear(array, linear)).collect())
}

fn of_linear(array: &DynLayout, linear: usize) -> Position {
    let index = array.multi_index(linear).map(|index| index.to_vec());
    position(array, linear, index)
}

fn position(array: &DynLayout, linear_index: usize, index: Option<Vec<usize>>) -> Position {
    let (byte_offset, bit_offset) = array.bit_offset(linear_index);
    Position {
        digits: index.as_ref().map(|index| digits(array, index)),
        index,
        linear_index,
        byte_offset,
        bit_offset,
    }
}

fn digits(array: &DynLayout, index: &[usize]) -> Vec<Digit> {
    let digit = |mode: Mode, coordinate: usize| {
        let digit = coordinate / mode.divisor.max(1);
        if mode.top {
            digit
        } else {
            digit % mode.size.max(1)
        }
    };
    // A merged coordinate may consist of earlier ones, which are computed before it.
    let mut merged: BTreeMap<usize, usize> = BTreeMap::new();
    let value = |merged: &BTreeMap<usize, usize>, dim: usize| {
        index.get(dim).or(merged.get(&dim)).copied().unwrap_or(0)
    };
    for term in array.terms() {
        let part = digit(term.digit, value(&merged, term.digit.dim)) * term.digit.stride;
        *merged.entry(term.coordinate).or_default() += part;
    }
    let of_mode = |&mode: &Mode| {
        let coordinate = value(&merged, mode.dim);
        let digit = digit(mode, coordinate);
        Digit {
            mode,
            coordinate,
            digit,
            elements: digit * mode.stride,
        }
    };
    array.mode_table().iter().map(of_mode).collect()
}

/// A mode as an object.
pub(super) fn mode(mode: &Mode) -> Value {
    json!({
        "dimension": mode.dim,
        "divisor": mode.divisor,
        "size": mode.size,
        "stride": mode.stride,
        "top": mode.top,
    })
}

/// The fields of a mode, in the object around them.
fn in_object<S: Serializer>(table_mode: &Mode, to: S) -> Result<S::Ok, S::Error> {
    mode(table_mode).serialize(to)
}
