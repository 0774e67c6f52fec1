//! JSON: numbers of any size, and objects made of two.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// A number; a string of digits if it has more than 64 bits.
#[must_use]
pub fn number(number: u128) -> Value {
    u64::try_from(number).map_or_else(|_| json!(number.to_string()), |number| json!(number))
}

/// As [`number`], of a field that serde writes.
pub(crate) fn of_field<S: Serializer>(field: &u128, to: S) -> Result<S::Ok, S::Error> {
    number(*field).serialize(to)
}

/// As [`number`], of a field that may be unknown.
pub(crate) fn of_field_if_any<S: Serializer>(
    field: &Option<u128>,
    to: S,
) -> Result<S::Ok, S::Error> {
    field.map(number).serialize(to)
}

/// Adds the entries of another object after those of this one.
#[must_use]
pub fn with(mut object: Value, more: Value) -> Value {
    if let (Value::Object(object), Value::Object(more)) = (&mut object, more) {
        object.extend(more);
    }
    object
}
