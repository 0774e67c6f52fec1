//! From an index to memory, digit by digit, and back.

use std::collections::BTreeMap;
use std::ops::Range;

use xlayout::shape::Mode;
use xlayout::{ArrayLayout, DynLayout};

use super::Arguments;
use crate::failure::{Code, Failure, Outcome, TextSpan};
use crate::words::{counted, grouped, joined};

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
    let mut found = Vec::new();
    let mut failure: Option<Failure> = None;
    let at = arguments.at.iter().map(|text| at(array, text));
    let offsets = arguments.offset.iter().map(|text| at_offset(array, text));
    let bytes = arguments
        .byte_offset
        .iter()
        .map(|text| at_byte(array, text));
    for answer in at.chain(offsets).chain(bytes) {
        match answer {
            Ok(positions) => found.extend(positions),
            Err(next) => failure = Some(together(failure, next)),
        }
    }
    failure.map_or(Ok(found), Err)
}

fn together(before: Option<Failure>, next: Failure) -> Failure {
    match before {
        Some(before) => before.and(next),
        None => next,
    }
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
        Failure::new(Code::Usage, message).at(TextSpan::of_argument("--at", text, span))
    };
    let inner = inside(text);
    let list = &text[inner.clone()];
    let mut spans = Vec::new();
    let mut start = inner.start;
    for part in list.split(',') {
        let left = start + part.len() - part.trim_start().len();
        spans.push(left..left + part.trim().len());
        start += part.len() + 1;
    }
    // As Python writes a tuple of one: `(3,)`.
    if spans.len() > 1 && spans.last().is_some_and(Range::is_empty) || list.trim().is_empty() {
        spans.pop();
    }
    let sizes = array.dims();
    let mut failure: Option<Failure> = None;
    let mut index = Vec::new();
    for (dimension, span) in spans.iter().enumerate() {
        let word = &text[span.clone()];
        match (coordinate(word), sizes.get(dimension)) {
            (Ok(i), Some(&size)) if i < size => index.push(i),
            (Ok(_), None) => {}
            (Ok(_), Some(&size)) => {
                let label = match size {
                    0 => format!("dimension {dimension} has size 0: there are no elements"),
                    1 => format!("dimension {dimension} has size 1: its only index is 0"),
                    _ => format!(
                        "dimension {dimension} has size {size}: its last index is {}",
                        size - 1
                    ),
                };
                let place = TextSpan::of_argument("--at", text, span.clone()).label(label);
                let message =
                    format_args!("coordinate {word} of dimension {dimension} is out of bounds");
                failure = Some(together(
                    failure,
                    Failure::new(Code::Usage, message).at(place),
                ));
            }
            (Err((message, help)), size) => {
                let mut next = wrong(message, span.clone());
                let end = word.strip_prefix('-').and_then(|n| n.parse::<usize>().ok());
                match (end.zip(size), help) {
                    (Some((back, size)), _) if (1..=*size).contains(&back) => {
                        next = next.help(format_args!(
                            "counted from the end, {word} is index {} of dimension {dimension}",
                            size - back,
                        ));
                    }
                    (_, Some(help)) => next = next.help(help),
                    _ => {}
                }
                failure = Some(together(failure, next));
            }
        }
    }
    if failure.is_none() && spans.len() != sizes.len() {
        let origin: Vec<_> = sizes.iter().map(|_| 0).collect();
        let rank = match sizes.len() {
            0 => "the array is a scalar".to_owned(),
            rank => format!("the array has {}", counted(rank, "dimension")),
        };
        let given = match spans.len() {
            1 => "1 coordinate is given".to_owned(),
            n => format!("{n} coordinates are given"),
        };
        let help = match sizes.len() {
            0 => "write `--at ''`: a scalar has one index, without coordinates".to_owned(),
            _ => format!(
                "write one for each dimension, such as `--at {}`",
                joined(&origin, ",")
            ),
        };
        let help = match index.as_slice() {
            [number] if sizes.len() > 1 => {
                format!("{help}; a linear index is asked for by `--offset {number}`")
            }
            _ => help,
        };
        failure = Some(wrong(format!("{given}, but {rank}"), 0..text.len()).help(help));
    }
    failure.map_or(Ok(index), Err)
}

/// What the brackets hold, if there are some.
fn inside(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    let trimmed = text.trim();
    let pairs = [('[', ']'), ('(', ')'), ('{', '}')];
    let whole = start..start + trimmed.len();
    let closed =
        |&(open, close): &(char, char)| trimmed.starts_with(open) && trimmed.ends_with(close);
    match pairs.iter().any(closed) && trimmed.len() >= 2 {
        true => whole.start + 1..whole.end - 1,
        false => whole,
    }
}

/// A number, or what is wrong with it and what to write instead.
fn coordinate(word: &str) -> Result<usize, (String, Option<String>)> {
    if word.is_empty() {
        return Err(("a coordinate is missing".to_owned(), None));
    }
    if let Ok(number) = word.replace('_', "").parse() {
        return Ok(number);
    }
    if word.bytes().all(|b| b.is_ascii_digit()) {
        // Beyond 64 bits, and so beyond every dimension.
        return Ok(usize::MAX);
    }
    if word
        .strip_prefix('-')
        .is_some_and(|n| n.parse::<u128>().is_ok())
    {
        let help = "indices count from 0, the first one".to_owned();
        return Err((format!("coordinate {word} is negative"), Some(help)));
    }
    let numbers: Vec<_> = word.split(|c: char| !c.is_ascii_digit()).collect();
    let listed = numbers.len() > 1 && numbers.iter().all(|n| !n.is_empty());
    let exact = word
        .parse::<f64>()
        .ok()
        .filter(|n| n.fract() == 0.0 && (0.0..1e15).contains(n));
    let brackets = word.contains(['[', ']', '(', ')', '{', '}']);
    let help = match exact {
        _ if brackets => Some("write the coordinates alone, such as `3,2`".to_owned()),
        Some(number) => Some(format!("write {number}")),
        None if listed => Some(format!(
            "separate numbers with commas: `{}`",
            joined(&numbers, ",")
        )),
        None => None,
    };
    Err((format!("`{word}` is not a whole number"), help))
}

/// A number below a limit.
fn read_number(flag: &str, text: &str, limit: usize, unit: &str) -> Outcome<usize> {
    let word = text.trim();
    let start = text.find(word).unwrap_or(0);
    let place = TextSpan::of_argument(flag, text, start..start + word.len());
    match coordinate(word) {
        Ok(number) if number < limit => Ok(number),
        Ok(_) => {
            let label = match limit {
                0 => format!("the array has no {unit}s"),
                1 => format!("the only {unit} is 0"),
                _ => format!("the last {unit} is {}", limit - 1),
            };
            let has = counted(limit, unit);
            let message =
                format_args!("{unit} {word} lies beyond the end of the array, which has {has}");
            Err(Failure::new(Code::Usage, message).at(place.label(label)))
        }
        Err((_, help)) => {
            let what = match word {
                "" => "a number is missing".to_owned(),
                _ => format!("`{word}` is not a whole number from 0 on"),
            };
            let failure = Failure::new(Code::Usage, what).at(place);
            match help.filter(|help| !help.starts_with("indices") && !help.starts_with("separate"))
            {
                Some(help) => Err(failure.help(help)),
                None if word.contains(',') && flag == "--offset" => Err(failure
                    .help("a linear index is one number; for an index of several use `--at`")),
                None => Err(failure.help(format_args!(
                    "{unit}s count from 0 to {}",
                    grouped(limit.saturating_sub(1)),
                ))),
            }
        }
    }
}
