//! Numbers and names in sentences for people, and errors with the texts that they are about.
//!
//! ```
//! use xlayout_words::{alternatives, bytes, counted, nearest};
//!
//! assert_eq!(counted(2000_u32, "copy"), "2,000 copies");
//! assert_eq!(bytes(12_900_000_u32), "12.3 MiB");
//! assert_eq!(alternatives(&["text", "json", "csv"]), "text, json or csv");
//! assert_eq!(nearest("jsn", ["text", "json"]), Some("json"));
//! ```

pub mod callers;
pub mod error;

use std::fmt::{Display, Write as _};

const UNITS: [&str; 7] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB"];

/// `1,234,567`
pub fn grouped(number: impl TryInto<u128>) -> String {
    let digits = number.try_into().unwrap_or(u128::MAX).to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 byte`, `2,000 bytes`
pub fn counted(number: impl TryInto<u128>, noun: &str) -> String {
    match number.try_into().unwrap_or(u128::MAX) {
        1 => format!("1 {noun}"),
        number => format!("{} {}", grouped(number), plural(noun)),
    }
}

/// The plural of a noun: `dimensions`, `entries`, `copies`, `leaves`.
#[must_use]
pub fn plural(noun: &str) -> String {
    const ENDS: [(&str, &str); 4] = [
        ("try", "tries"),
        ("py", "pies"),
        ("leaf", "leaves"),
        ("index", "indices"),
    ];
    for (singular, plural) in ENDS {
        if let Some(stem) = noun.strip_suffix(singular) {
            return format!("{stem}{plural}");
        }
    }
    format!("{noun}s")
}

/// Bytes in three digits: `840 B`, `1.50 KiB`, `12.3 MiB`; exact below 1,024.
pub fn bytes(number: impl TryInto<u128>) -> String {
    let number = number.try_into().unwrap_or(u128::MAX);
    if number < 1024 {
        return format!("{number} B");
    }
    three_digits(number as f64, "B", &UNITS, 1024.0)
}

/// A size in three digits: `1.50 ms`, in the unit or in one of the larger ones, each `step` times
/// the one before.
#[must_use]
pub fn three_digits<'u>(mut size: f64, mut unit: &'u str, larger: &[&'u str], step: f64) -> String {
    for next in larger {
        // 1,023.6 would be printed as 1,024.
        if size < step - 0.5 {
            break;
        }
        size /= step;
        unit = next;
    }
    let digits = match size {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{size:.digits$} {unit}")
}

/// The exact number of bytes, and the rounded one if it is large: `8,192 bytes (8.00 KiB)`.
pub fn exact_bytes(number: impl TryInto<u128>) -> String {
    let number = number.try_into().unwrap_or(u128::MAX);
    match number {
        ..1024 => counted(number, "byte"),
        _ => format!("{} ({})", counted(number, "byte"), bytes(number)),
    }
}

/// `a`, `a and b`, `a, b and c`
pub fn listed<T: Display>(items: &[T]) -> String {
    with_last_word(items, "and")
}

/// `a`, `a or b`, `a, b or c`
pub fn alternatives<T: Display>(items: &[T]) -> String {
    with_last_word(items, "or")
}

fn with_last_word<T: Display>(items: &[T], word: &str) -> String {
    match items {
        [] => String::new(),
        [item] => item.to_string(),
        [before @ .., last] => format!("{} {word} {last}", joined(before, ", ")),
    }
}

/// Items with a text between each two of them.
pub fn joined<T: Display>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    let mut text = String::new();
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            text += between;
        }
        // A text takes everything.
        let _ = write!(text, "{item}");
    }
    text
}

/// The sum, saturated at the largest number: an input may say that a loop of 2^63 rounds copies
/// 2^63 bytes.
pub fn sum(numbers: impl IntoIterator<Item = u128>) -> u128 {
    numbers.into_iter().fold(0, u128::saturating_add)
}

/// A name of a tensor, cut to 60 characters. `…` marks the cut.
pub fn short(name: &str) -> String {
    match name.char_indices().nth(60) {
        None => name.to_owned(),
        Some(_) => name.chars().take(59).chain(['…']).collect(),
    }
}

/// The last boundary of a character that is not after this byte.
#[must_use]
pub fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    // The beginning of a text is a boundary.
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first boundary of a character that is not before this byte, or the end.
#[must_use]
pub fn ceil_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    // The end of a text is a boundary.
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// The choice that differs from `name` in the fewest letters, if they are few for its length; of
/// equally near ones those that begin alike win, then the first.
pub fn nearest<'a>(name: &str, choices: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match name.len() {
        0 | 1 => return None,
        2..=4 => 1,
        5..=7 => 2,
        _ => 3,
    };
    let far = |choice: &&str| {
        let distance = strsim::osa_distance(name, choice);
        let begins_otherwise = name.as_bytes().first() != choice.as_bytes().first();
        // Where half of the letters differ it is another word: `str32` is no `s32`.
        let is_near = distance <= limit && 2 * distance <= choice.len();
        is_near.then_some(2 * distance + usize::from(begins_otherwise))
    };
    let near = choices
        .into_iter()
        .filter_map(|choice| Some((far(&choice)?, choice)));
    near.min_by_key(|(far, _)| *far).map(|(_, choice)| choice)
}

/// The text, cut to `width` columns. `…` marks the cut.
#[cfg(feature = "width")]
#[must_use]
pub fn shortened(text: &str, width: usize) -> String {
    use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
    if text.width() <= width {
        return text.to_owned();
    }
    let mut column = 0;
    let fits = |c: &char| {
        column += c.width().unwrap_or(0);
        column < width
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// How a number of more than 64 bits is written in serde's formats: as a string of digits.
#[cfg(feature = "serde")]
mod numbers;
#[cfg(feature = "serde")]
pub use numbers::{number, number_if_any, numbers};

#[cfg(test)]
mod tests {
    use super::{alternatives, counted, grouped, joined, listed, nearest};

    #[test]
    fn numbers_and_lists_read_well() {
        assert_eq!(counted(1_u8, "copy"), "1 copy");
        assert_eq!(counted(2000_u64, "copy"), "2,000 copies");
        assert_eq!(counted(0_u64, "index"), "0 indices");
        assert_eq!(
            [0, 999, 1_234_567_u64].map(grouped),
            ["0", "999", "1,234,567"]
        );
        let lists = [0, 1, 2, 4].map(|n| listed(&(0..n).collect::<Vec<_>>()));
        assert_eq!(lists, ["", "0", "0 and 1", "0, 1, 2 and 3"]);
        assert_eq!(alternatives(&[1, 2]), "1 or 2");
        assert_eq!(joined([1, 0], ", "), "1, 0");
    }

    #[test]
    fn a_name_that_is_far_is_not_meant() {
        assert_eq!(nearest("h10", ["A100", "H100", "h100"]), Some("h100"));
        assert_eq!(nearest("str32", ["s32"]), None);
        assert_eq!(nearest("x", ["y"]), None);
        assert_eq!(nearest("layuot", ["layer", "layout"]), Some("layout"));
    }
}
