//! Numbers of more than 64 bits, which JSON's readers do not take.

use serde::{Serialize, Serializer};

/// Serializes a number; one of more than 64 bits becomes a string of digits.
///
/// # Errors
/// Those of the serializer.
pub fn number<S: Serializer>(number: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    match u64::try_from(*number) {
        Ok(number) => serializer.serialize_u64(number),
        Err(_) => serializer.collect_str(number),
    }
}

/// As [`number`], for a number that may be unknown.
///
/// # Errors
/// Those of the serializer.
pub fn number_if_any<S: Serializer>(number: &Option<u128>, to: S) -> Result<S::Ok, S::Error> {
    number.map(Number).serialize(to)
}

/// As [`number`], for a list.
///
/// # Errors
/// Those of the serializer.
pub fn numbers<S: Serializer>(numbers: &[u128], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(numbers.iter().map(|&number| Number(number)))
}

/// A number that [`number`] serializes.
struct Number(u128);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        number(&self.0, serializer)
    }
}
