//! Formats numbers and names for sentences.

use serde::{Serialize, Serializer};
pub use xlayout::words::{counted, grouped, joined_text as joined};

/// The sum, saturated at the largest number: an input may say that a loop of 2^63 rounds copies
/// 2^63 bytes.
pub fn sum(numbers: impl IntoIterator<Item = u128>) -> u128 {
    numbers.into_iter().fold(0, u128::saturating_add)
}

/// The text, cut to `width` columns. `…` marks the cut.
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

/// Serializes a number; one of more than 64 bits becomes a string of digits.
pub fn number<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    match u64::try_from(*number) {
        Ok(number) => serializer.serialize_u64(number),
        Err(_) => serializer.collect_str(number),
    }
}

/// As [`number`], for a number that may be unknown.
pub fn number_if_any<S: Serializer>(number: &Option<u128>, to: S) -> Result<S::Ok, S::Error> {
    number.map(Number).serialize(to)
}

/// A number that [`number`] serializes.
#[derive(Serialize)]
pub(crate) struct Number(#[serde(serialize_with = "number")] pub(crate) u128);

pub(crate) fn numbers<S: Serializer>(all: &[u128], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(all.iter().map(|&one| Number(one)))
}
