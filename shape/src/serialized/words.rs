//! Element types, dimensions, tile entries and padding values: a word or a number.

use core::fmt;

use serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use serde::ser::{Serialize, SerializeTuple, Serializer};

use crate::{Dim, PaddingValue, PrimitiveType, TileDim};

/// Reads a name, and nothing else.
struct Name<T> {
    what: &'static str,
    of: fn(&str) -> Result<T, crate::ParseError>,
}

impl<T> Visitor<'_> for Name<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.of)(text).map_err(|error| super::error(&error))
    }
}

impl Serialize for PrimitiveType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.name())
        } else {
            serializer.serialize_u8(self.number())
        }
    }
}

impl<'de> Deserialize<'de> for PrimitiveType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let what = "the name of an element type, such as `f32`";
        if deserializer.is_human_readable() {
            // Also those that no array has, unlike the text of a shape.
            let of = |text: &str| match Self::all().find(|known| known.name() == text) {
                Some(known) => Ok(known),
                None => text.parse(),
            };
            return deserializer.deserialize_str(Name { what, of });
        }
        let number = u8::deserialize(deserializer)?;
        Self::from_number(number.into()).ok_or_else(|| {
            let last = Self::all().last().map_or(0, Self::number);
            D::Error::custom(format_args!(
                "{number} is the number of no XLA type; they go from 1 to {last}"
            ))
        })
    }
}

impl Serialize for PaddingValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.name())
        } else {
            serializer.serialize_u8(*self as u8)
        }
    }
}

impl<'de> Deserialize<'de> for PaddingValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let what = "a padding value: `zero`, `one`, `lowest`, `highest` or `unknown`";
        if deserializer.is_human_readable() {
            let of = |text: &str| Self::from_name(text).ok_or_else(|| unknown_padding(text));
            return deserializer.deserialize_str(Name { what, of });
        }
        let number = u8::deserialize(deserializer)?;
        let row = usize::from(number).checked_sub(1);
        match row.and_then(|row| Self::NAMES.get(row)) {
            Some((_, value)) => Ok(*value),
            None => Err(D::Error::invalid_value(
                Unexpected::Unsigned(number.into()),
                &"1 to 5",
            )),
        }
    }
}

fn unknown_padding(text: &str) -> crate::ParseError {
    let found = crate::error::Excerpt::new(text);
    let suggestion = crate::text::suggest_padding_value(text);
    let kind = crate::ErrorKind::UnknownPaddingValue { found, suggestion };
    crate::ParseError::new(kind, Some((0, text.len())))
}

/// A number, or one of a few words.
struct NumberOr<T> {
    what: &'static str,
    number: fn(i64) -> Option<T>,
    word: fn(&str) -> Option<T>,
}

impl<T> Visitor<'_> for NumberOr<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        (self.number)(number).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        let known = i64::try_from(number).ok().and_then(self.number);
        known.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        (self.word)(text).ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
    }
}

impl Serialize for Dim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (serializer.is_human_readable(), self) {
            (true, Self::Static(size)) => serializer.serialize_i64(*size),
            (true, _) => serializer.collect_str(self),
            (false, _) => {
                let mut pair = serializer.serialize_tuple(2)?;
                pair.serialize_element(&self.to_xla())?;
                pair.serialize_element(&self.is_dynamic())?;
                pair.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Dim {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(NumberOr {
                what: "the size of a dimension: a number from 0, `<=` and a number, or `?`",
                number: |size| Self::from_xla(size, false),
                word: |text| match text.strip_prefix("<=") {
                    Some(bound) => Self::from_xla(bound.parse().ok()?, true)
                        .filter(|dim| matches!(dim, Self::Bounded(_))),
                    None => (text == "?").then_some(Self::Unbounded),
                },
            });
        }
        let (size, is_dynamic) = <(i64, bool)>::deserialize(deserializer)?;
        Self::from_xla(size, is_dynamic).ok_or_else(|| {
            D::Error::custom(format_args!(
                "a dimension cannot have the negative size {size}; one without a bound is \
                 dynamic and has the size {}",
                Self::UNBOUNDED_SIZE,
            ))
        })
    }
}

impl Serialize for TileDim {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Combine if serializer.is_human_readable() => serializer.serialize_str("*"),
            _ => serializer.serialize_i64(self.to_xla()),
        }
    }
}

impl<'de> Deserialize<'de> for TileDim {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entry = NumberOr {
            what: "an entry of a tile: a number from 0, or `*`",
            number: Self::from_xla,
            word: |text| (text == "*").then_some(Self::Combine),
        };
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(entry)
        } else {
            deserializer.deserialize_i64(entry)
        }
    }
}
