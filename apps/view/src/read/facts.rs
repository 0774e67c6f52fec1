//! Texts in no notation that name the parts of an array, in words or fields of any tool: the
//! question which array is meant.
//!
//! ```text
//! name   a word of NAMES, also inside of another word: `smemShape`, `strides_of_a`, `x.dtype`
//! value  behind it, past marks, classes and words such as `of`: a list, a type, a letter
//! list   [2, 3]   {2, 3}   torch.Size([2, 3])   2 x 3   3, 2 and 1
//! ```
//!
//! As many lists without a name as names without a value belong to each other: a program, and
//! below it what it printed. Nothing is guessed: each array that the parts may describe is a
//! command to run.

use xlayout::interop::{Given, StridedArray};
use xlayout::{DynLayout, ElementType};

use super::known;
use crate::error::{Error, TextSpan};
use crate::words::joined;
use found::{Fact, NAMES, ORDERS, Part, Value, found, of_parts};

/// The longest text that is searched, and the most commands that are told.
const LONGEST: usize = 16 << 10;
const MOST: usize = 4;

/// Which array is meant?
pub(super) struct Question {
    pub(super) error: Error,
    /// Whether the text says sizes and how they lie.
    pub(super) says_both: bool,
    /// Of how many arrays.
    pub(super) arrays: usize,
}

/// The question of a text; `None` if it names neither sizes nor how they lie.
pub(super) fn question(origin: &str, text: &str, given: &Given<'_>) -> Option<Question> {
    let facts = match text.len() {
        ..LONGEST => found(text, given.sizes),
        _ => Vec::new(),
    };
    let failure = |what: &str, shown: &[&Fact], help: &str| {
        let mut error = Error::new(what);
        for fact in shown.iter().take(2 * MOST) {
            let place = TextSpan::of_argument(origin, text, fact.at.clone());
            let name = NAMES.iter().find(|row| row.0 == fact.part);
            error = error.at(place.label(name.map_or("", |row| row.1)));
        }
        error.help(help)
    };
    let [own, strides, orders, types, left_out] = [
        &[Part::Sizes][..],
        &[Part::Strides],
        ORDERS,
        &[Part::Type],
        &[Part::LeftOut],
    ]
    .map(|parts| of_parts(&facts, parts));
    for list in [&own, &strides] {
        if !list.is_empty() && !list.iter().any(|fact| fact.is_known()) {
            let error = failure(known::NAMES, list, known::NUMBERS);
            return Some(Question {
                error,
                says_both: true,
                arrays: 1,
            });
        }
    }
    if own.is_empty() && strides.is_empty() && orders.is_empty() {
        return None;
    }
    let is_strided = !strides.is_empty();
    let lies = if is_strided { strides } else { orders };
    let shown = [&own[..], &lies, &types].concat();
    let mut sizes: Vec<&[i64]> = own.iter().map(|fact| fact.numbers()).collect();
    if let (Some(given), []) = (given.sizes, &own[..]) {
        sizes.push(given);
    }
    if sizes.is_empty() {
        let (what, help) = if is_strided {
            (
                "the text says strides and no sizes",
                "write all: `torch.Size([2, 3]), stride=(3, 1)` in elements, or `shape=(2, 3), \
                 strides=(12, 4), dtype='float32'` in bytes",
            )
        } else {
            (
                "the text says an order and no sizes",
                "write both: `f32[2,3]{1,0}` is row-major, `f32[2,3]{0,1}` column-major",
            )
        };
        let error = failure(what, &shown, help);
        return Some(Question {
            error,
            says_both: false,
            arrays: 0,
        });
    }
    let element_type = given.element_type.or(match types[..] {
        [
            Fact {
                value: Value::Type(only),
                ..
            },
        ] => Some(*only),
        _ => None,
    });
    // As many sizes as orders belong to each other, and one belongs to all.
    let is_paired = |k: usize, n: usize| match lies.len() {
        all if all == sizes.len() => k == n,
        all => all == 1 || sizes.len() == 1,
    };
    let mut arrays: Vec<(&str, String)> = Vec::new();
    let mut reason = None;
    for (k, sizes) in sizes.iter().enumerate() {
        let mut read = Vec::new();
        if lies.is_empty() {
            read = meanings(sizes, element_type, None);
        }
        for (n, fact) in lies.iter().enumerate() {
            if is_paired(k, n) {
                read.extend(meanings(sizes, element_type, Some(fact)));
            }
        }
        for (meaning, array) in read {
            match array {
                Err(error) => reason = reason.or(Some(error)),
                Ok(array) if arrays.iter().any(|own| own.1 == array) => {}
                Ok(array) => arrays.push((meaning, array)),
            }
        }
    }
    let mut help = match (&arrays[..], reason) {
        ([], Some(reason)) => format!("no array has them: {reason}"),
        ([], None) => "give one array alone".to_owned(),
        _ => "run what is meant: ".to_owned(),
    };
    for (k, (of, array)) in arrays.iter().take(MOST).enumerate() {
        let between = if k == 0 { "" } else { "; " };
        help += &format!("{between}`xlayout explain '{array}'` ({of})");
    }
    if element_type.is_none() && !arrays.is_empty() {
        help += "; the text does not say the type: write it in place of that one";
    }
    if left_out.iter().any(|fact| fact.numbers() != [0]) {
        help += "; the offset, the tiles or the padding that it names are left out";
    }
    let names = ["layout:", "layout=", "order:", "order="];
    if lies.is_empty() && names.iter().any(|name| text.contains(name)) {
        help += "; the layout or the order that it names is not read";
    }
    let what = "the text is in no notation that is known, but names parts of an array";
    let says_both = !lies.is_empty();
    Some(Question {
        error: failure(what, &shown, &help),
        says_both,
        arrays: if says_both { arrays.len() } else { 0 },
    })
}

/// What an array of these sizes may be, in XLA's notation, or why it is none.
fn meanings(
    sizes: &[i64],
    element_type: Option<ElementType>,
    lies: Option<&Fact>,
) -> Vec<(&'static str, Result<String, String>)> {
    let of_elements = element_type.unwrap_or(ElementType::F32);
    let ascending: Vec<i64> = (0..sizes.len() as i64).collect();
    let turned = |order: &[i64]| order.iter().rev().copied().collect::<Vec<_>>();
    let numbers = lies.map_or(&[][..], Fact::numbers);
    let orders = match lies.map(|fact| fact.part) {
        None => vec![("row-major: the text does not say it", turned(&ascending))],
        Some(Part::RowMajor) => vec![("row-major", turned(&ascending))],
        Some(Part::ColumnMajor) => vec![("column-major", ascending)],
        Some(Part::MinorToMajor) => vec![("minor_to_major", numbers.to_vec())],
        Some(Part::MajorToMinor) => vec![("major_to_minor", turned(numbers))],
        Some(Part::Order) => vec![
            ("the list as minor_to_major", numbers.to_vec()),
            ("the list as major_to_minor", turned(numbers)),
        ],
        Some(_) => Vec::new(),
    };
    let mut all = Vec::new();
    for (meaning, order) in orders {
        let [sizes, order] = [sizes, &order[..]].map(|list| joined(list, ","));
        let array = format!("{of_elements}[{sizes}]{{{order}}}").parse::<DynLayout>();
        let no_order = |_| "the list is no minor_to_major of these sizes".to_owned();
        all.push((
            meaning,
            array.map(|array| array.to_string()).map_err(no_order),
        ));
    }
    if !all.is_empty() {
        return all;
    }
    // Where no type is said, the least stride in bytes is that of an element.
    let used = sizes.iter().zip(numbers).filter(|(size, _)| **size > 1);
    let of_bytes = element_type.unwrap_or(match used.map(|(_, stride)| *stride).min() {
        Some(1) => ElementType::U8,
        Some(2) => ElementType::F16,
        Some(8) => ElementType::F64,
        _ => ElementType::F32,
    });
    for (meaning, array) in [
        (
            "strides in elements",
            StridedArray::from_element_strides(of_elements, sizes, numbers),
        ),
        (
            "strides in bytes",
            StridedArray::new(of_bytes, sizes, numbers),
        ),
    ] {
        let array = array.and_then(|array| array.padded());
        let array = array.map(|array| array.to_string());
        let is_read = array.is_ok();
        all.push((meaning, array.map_err(|error| error.message().to_string())));
        // Of some type, strides in elements are also those in bytes.
        if is_read && element_type.is_none() {
            break;
        }
    }
    all
}

mod found;
#[cfg(test)]
mod tests;
