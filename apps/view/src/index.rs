//! Reads indices and numbers that people write, and reports mistakes in them.

use std::ops::Range;

use crate::error::{Error, Outcome, TextSpan};
use crate::words::{counted, entries, grouped, joined};

/// A coordinate for each dimension: `3,2`, `[3, 2]`, `(3,2)`; with `open` also `:`, which is none.
///
/// # Errors
/// All mistakes, each with carets.
pub(crate) fn coordinates(
    flag: &str,
    text: &str,
    sizes: &[usize],
    open: bool,
) -> Outcome<Vec<Option<usize>>> {
    let wrong = |message: String, span: Range<usize>| {
        Error::new(message).at(TextSpan::of_argument(flag, text, span))
    };
    let mut spans = entries(text, inside(text));
    // A comma at the end, as in Python's `(3,)`, or an empty list.
    if spans.last().is_some_and(Range::is_empty) {
        spans.pop();
    }
    let mut index = Vec::new();
    let mut failure = None;
    for (dimension, span) in spans.iter().enumerate() {
        let word = &text[span.clone()];
        let size = sizes.get(dimension).copied();
        let next = match (number(word), size) {
            _ if open && word == ":" => {
                index.push(None);
                continue;
            }
            (Some(i), Some(size)) if i < size => {
                index.push(Some(i));
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
                let place = TextSpan::of_argument(flag, text, span.clone()).label(label);
                Error::new(format_args!(
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
                            "counted from the end, {word} is index {from_start} of dimension \
                             {dimension}"
                        ))
                    }
                    _ if negative.is_some() => {
                        Some("indices count from 0, the first one".to_owned())
                    }
                    _ => meant(word).or_else(|| several(word)).or_else(|| {
                        open.then(|| {
                            "write an index or `:` for each dimension of the slice".to_owned()
                        })
                    }),
                };
                let next = wrong(what, span.clone());
                help.into_iter().fold(next, Error::help)
            }
        };
        failure = Error::both(failure, Some(next));
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
        // In a slice, two dimensions are `:`.
        let entry = |dimension| {
            if open && dimension + 2 >= sizes.len() {
                ":"
            } else {
                "0"
            }
        };
        let zeros = joined((0..sizes.len()).map(entry), ",");
        let mut help = match sizes.len() {
            0 => format!("write `{flag} ''`: a scalar has one index, without coordinates"),
            _ => format!("write one for each dimension, such as `{flag} {zeros}`"),
        };
        if let (&[Some(number)], 2.., false) = (index.as_slice(), sizes.len(), open) {
            help += &format!("; a linear index is asked for by `--offset {number}`");
        }
        failure = Some(wrong(format!("{given}, but {rank}"), 0..text.len()).help(help));
    }
    failure.map_or(Ok(index), Err)
}

/// The range inside the brackets, or the whole text.
fn inside(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    let trimmed = text.trim();
    let pairs = [('[', ']'), ('(', ')'), ('{', '}')];
    let closed =
        |&(open, close): &(char, char)| trimmed.starts_with(open) && trimmed.ends_with(close);
    let bracket = usize::from(pairs.iter().any(closed) && trimmed.len() >= 2);
    start + bracket..start + trimmed.len() - bracket
}

/// Reads a number. One that is too large for `usize` becomes `usize::MAX`, which is above every
/// limit.
fn number(word: &str) -> Option<usize> {
    let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.replace('_', "").parse().ok();
    number.or(digits.then_some(usize::MAX))
}

/// Suggests what to write instead of a word that is not a number.
fn meant(word: &str) -> Option<String> {
    if word.contains(['[', ']', '(', ')', '{', '}']) {
        return Some("write the coordinates alone, such as `3,2`".to_owned());
    }
    let number: f64 = word.parse().ok()?;
    let exact = number.fract() == 0.0 && (0.0..1e15).contains(&number);
    exact.then(|| format!("write {number}"))
}

/// Suggests what to write for numbers that are not separated by commas.
fn several(word: &str) -> Option<String> {
    let numbers: Vec<_> = word.split(|c: char| !c.is_ascii_digit()).collect();
    let numbers = Some(numbers).filter(|all| all.len() > 1 && all.iter().all(|n| !n.is_empty()))?;
    Some(format!(
        "separate numbers with commas: `{}`",
        joined(&numbers, ",")
    ))
}

/// A number below a limit.
///
/// # Errors
/// The text is not a number below the limit; the error has carets.
pub(crate) fn below(flag: &str, text: &str, limit: usize, unit: &str) -> Outcome<usize> {
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
            Err(Error::new(message).at(place.label(label)))
        }
        None => {
            let what = match word {
                "" => "a number is missing".to_owned(),
                _ => format!("`{word}` is not a whole number from 0 on"),
            };
            let help = meant(word).unwrap_or_else(|| {
                if word.contains(',') && flag == "--offset" {
                    "a linear index is one number; for an index of several use `--at`".to_owned()
                } else {
                    format!(
                        "{unit}s count from 0 to {}",
                        grouped(limit.saturating_sub(1))
                    )
                }
            });
            Err(Error::new(what).at(place).help(help))
        }
    }
}
