//! From an index to memory, digit by digit, and back.

use std::collections::BTreeMap;
use std::ops::Range;

use xlayout::shape::Mode;
use xlayout::{ArrayLayout, DynLayout};

use super::Arguments;
use crate::failure::{Failure, Outcome, TextSpan};
use crate::words::{counted, entries, grouped, joined};

/// One place of the memory of an array.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) linear_index: usize,
    /// Where its bits begin: the byte, and the bit in it, counted from the lowest one.
    pub(super) byte_offset: usize,
    pub(super) bit_offset: u32,
    /// `None` in padding.
    pub(super) element: Option<Element>,
}

/// What lies there.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) index: Vec<usize>,
    pub(super) digits: Vec<Digit>,
}

/// What one mode does with an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digit {
    pub(super) mode: Mode,
    pub(super) coordinate: usize,
    pub(super) digit: usize,
    /// The digit times the stride.
    pub(super) elements: usize,
}

/// All that was asked for: first indices, then places, then bytes.
///
/// # Errors
/// All that is wrong with what was asked for, each with carets.
pub(super) fn asked(arguments: &Arguments, array: &DynLayout) -> Outcome<Vec<Position>> {
    let (mut found, mut failure) = (Vec::new(), None);
    let at = arguments.at.iter().map(|text| at(array, text));
    let offsets = arguments.offset.iter().map(|text| at_offset(array, text));
    let bytes = arguments
        .byte_offset
        .iter()
        .map(|text| at_byte(array, text));
    for answer in at.chain(offsets).chain(bytes) {
        match answer {
            Ok(positions) => found.extend(positions),
            Err(next) => failure = Failure::both(failure, Some(next)),
        }
    }
    failure.map_or(Ok(found), Err)
}

fn at(array: &DynLayout, text: &str) -> Outcome<Vec<Position>> {
    let index = read_index(array, text)?;
    let linear = array.linear_index(&index.as_slice().into());
    Ok(vec![position(array, linear, Some(index))])
}

fn at_offset(array: &DynLayout, text: &str) -> Outcome<Vec<Position>> {
    let linear = read_number("--offset", text, array.buffer_len(), "place")?;
    Ok(vec![of_linear(array, linear)])
}

/// All elements that have a bit in the byte.
fn at_byte(array: &DynLayout, text: &str) -> Outcome<Vec<Position>> {
    let byte = read_number("--byte-offset", text, array.bytes(), "byte")?;
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
        linear_index,
        byte_offset,
        bit_offset,
        element: index.map(|index| element(array, index)),
    }
}

fn element(array: &DynLayout, index: Vec<usize>) -> Element {
    let digit = |mode: Mode, coordinate: usize| {
        let digit = coordinate / mode.divisor.max(1);
        if mode.top {
            digit
        } else {
            digit % mode.size.max(1)
        }
    };
    // A merged coordinate may be made of earlier ones, which come before it.
    let mut merged: BTreeMap<usize, usize> = BTreeMap::new();
    let value = |merged: &BTreeMap<usize, usize>, dim: usize| {
        index.get(dim).or(merged.get(&dim)).copied().unwrap_or(0)
    };
    for term in array.terms() {
        let part = digit(term.digit, value(&merged, term.digit.dim)) * term.digit.stride;
        *merged.entry(term.coordinate).or_default() += part;
    }
    let digits = array.mode_table().iter().map(|&mode| {
        let coordinate = value(&merged, mode.dim);
        let digit = digit(mode, coordinate);
        Digit {
            mode,
            coordinate,
            digit,
            elements: digit * mode.stride,
        }
    });
    Element {
        digits: digits.collect(),
        index,
    }
}

/// `3,2`, `[3, 2]`, `(3,2)`
fn read_index(array: &DynLayout, text: &str) -> Outcome<Vec<usize>> {
    let wrong = |message: String, span: Range<usize>| {
        Failure::usage(message).at(TextSpan::of_argument("--at", text, span))
    };
    let mut spans = entries(text, inside(text));
    // As Python writes a tuple of one, `(3,)`, or of none.
    if spans.last().is_some_and(Range::is_empty) {
        spans.pop();
    }
    let sizes = array.dims();
    let (mut index, mut failure) = (Vec::new(), None);
    for (dimension, span) in spans.iter().enumerate() {
        let (word, size) = (&text[span.clone()], sizes.get(dimension).copied());
        let next = match (number(word), size) {
            (Some(i), Some(size)) if i < size => {
                index.push(i);
                continue;
            }
            (Some(_), None) => continue,
            (Some(_), Some(size)) => {
                let label = match size {
                    0 => "0: there are no elements".to_owned(),
                    1 => "1: its only index is 0".to_owned(),
                    _ => format!("{size}: its last index is {}", size - 1),
                };
                let label = format!("dimension {dimension} has size {label}");
                let place = TextSpan::of_argument("--at", text, span.clone()).label(label);
                Failure::usage(format_args!(
                    "coordinate {word} of dimension {dimension} is out of bounds"
                ))
                .at(place)
            }
            (None, _) => {
                let negative = word.strip_prefix('-').and_then(number);
                let what = match (word, negative) {
                    ("", _) => "a coordinate is missing".to_owned(),
                    (_, Some(_)) => format!("coordinate {word} is negative"),
                    (_, None) => format!("`{word}` is not a whole number"),
                };
                let help = match negative.zip(size) {
                    Some((back, size)) if (1..=size).contains(&back) => {
                        let from_start = size - back;
                        Some(format!(
                            "counted from the end, {word} is index {from_start} of dimension {dimension}"
                        ))
                    }
                    _ if negative.is_some() => {
                        Some("indices count from 0, the first one".to_owned())
                    }
                    _ => meant(word).or_else(|| several(word)),
                };
                let next = wrong(what, span.clone());
                help.into_iter().fold(next, Failure::help)
            }
        };
        failure = Failure::both(failure, Some(next));
    }
    if failure.is_none() && spans.len() != sizes.len() {
        let rank = match sizes.len() {
            0 => "the array is a scalar".to_owned(),
            rank => format!("the array has {}", counted(rank, "dimension")),
        };
        let given = match spans.len() {
            1 => "1 coordinate is given".to_owned(),
            n => format!("{n} coordinates are given"),
        };
        let zeros = joined(&vec![0; sizes.len()], ",");
        let mut help = match sizes.len() {
            0 => "write `--at ''`: a scalar has one index, without coordinates".to_owned(),
            _ => format!("write one for each dimension, such as `--at {zeros}`"),
        };
        if let ([number], 2..) = (index.as_slice(), sizes.len()) {
            help += &format!("; a linear index is asked for by `--offset {number}`");
        }
        failure = Some(wrong(format!("{given}, but {rank}"), 0..text.len()).help(help));
    }
    failure.map_or(Ok(index), Err)
}

/// What the brackets hold, if there are some.
fn inside(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    let trimmed = text.trim();
    let pairs = [('[', ']'), ('(', ')'), ('{', '}')];
    let closed =
        |&(open, close): &(char, char)| trimmed.starts_with(open) && trimmed.ends_with(close);
    let bracket = usize::from(pairs.iter().any(closed) && trimmed.len() >= 2);
    start + bracket..start + trimmed.len() - bracket
}

/// A number in digits. One that does not fit is larger than every limit.
fn number(word: &str) -> Option<usize> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.replace('_', "").parse().ok();
    number.or(digits.then_some(usize::MAX))
}

/// What to write for a word that is no number.
fn meant(word: &str) -> Option<String> {
    if word.contains(['[', ']', '(', ')', '{', '}']) {
        return Some("write the coordinates alone, such as `3,2`".to_owned());
    }
    let number: f64 = word.parse().ok()?;
    let exact = number.fract() == 0.0 && (0.0..1e15).contains(&number);
    exact.then(|| format!("write {number}"))
}

/// What to write for numbers that are not separated by commas.
fn several(word: &str) -> Option<String> {
    let numbers: Vec<_> = word.split(|c: char| !c.is_ascii_digit()).collect();
    let numbers = Some(numbers).filter(|all| all.len() > 1 && all.iter().all(|n| !n.is_empty()))?;
    Some(format!(
        "separate numbers with commas: `{}`",
        joined(&numbers, ",")
    ))
}

/// A number below a limit.
fn read_number(flag: &str, text: &str, limit: usize, unit: &str) -> Outcome<usize> {
    let word = text.trim();
    let start = text.find(word).unwrap_or(0);
    let place = TextSpan::of_argument(flag, text, start..start + word.len());
    match number(word) {
        Some(number) if number < limit => Ok(number),
        Some(_) => {
            let label = match limit {
                0 => format!("the array has no {unit}s"),
                1 => format!("the only {unit} is 0"),
                _ => format!("the last {unit} is {}", limit - 1),
            };
            let has = counted(limit, unit);
            let message =
                format_args!("{unit} {word} lies beyond the end of the array, which has {has}");
            Err(Failure::usage(message).at(place.label(label)))
        }
        None => {
            let what = match word {
                "" => "a number is missing".to_owned(),
                _ => format!("`{word}` is not a whole number from 0 on"),
            };
            let help =
                meant(word).unwrap_or_else(|| match word.contains(',') && flag == "--offset" {
                    true => "a linear index is one number; for an index of several use `--at`"
                        .to_owned(),
                    false => format!(
                        "{unit}s count from 0 to {}",
                        grouped(limit.saturating_sub(1))
                    ),
                });
            Err(Failure::usage(what).at(place).help(help))
        }
    }
}
