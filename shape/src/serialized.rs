//! How shapes and layouts are written and read by [serde] (the feature `serde`).
//!
//! In every format, for people or binary, a shape, an array, a layout, an element type and a
//! padding value are their canonical text, `"f32[2,3]{0,1}"`. Reading takes whatever
//! [`text`](crate::text) reads, our own notation included, checks it by the same rules and says the
//! same words about a mistake.
//!
//! ```
//! use xlayout_shape::{ArrayShape, Shape};
//!
//! let shape: Shape = "(f32[2,3]{0,1}, token[])".parse()?;
//! assert_eq!(serde_json::to_string(&shape)?, r#""(f32[2,3]{0,1}, token[])""#);
//!
//! let read: ArrayShape = serde_json::from_str(r#""f32[2,3]<0,1>, padded_dimensions = [3, 5]""#)?;
//! assert_eq!(read.to_string(), "f32[2,3]{0,1}, padded_dimensions = [3, 5]");
//!
//! let error = serde_json::from_str::<ArrayShape>(r#""f32[2,3]{0}""#).unwrap_err();
//! assert!(error.to_string().starts_with(
//!     "minor_to_major lists 1 dimension, but the shape has 2\n\
//!      \x20 f32[2,3]{0}\n\
//!      \x20         ^^^\n\
//!      help: write `{1,0}` (row-major) or `{0,1}` (column-major); ",
//! ));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Text without a layout means the default layout, so an array whose layout is missing cannot be
//! written:
//!
//! ```
//! let mut array: xlayout_shape::ArrayShape = "f32[2,3]".parse()?;
//! array.layout = None;
//! assert_eq!(
//!     serde_json::to_string(&array).unwrap_err().to_string(),
//!     "the array `f32[2,3]` has no layout, and its text would mean the default one; give it a \
//!      layout, or write `to_string()`",
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The other types:
//!
//! | type | form |
//! |---|---|
//! | [`List`] | a sequence of its items |
//! | [`MinorToMajor`], `ShapeIndex`, `DynCoordinates` | a sequence of numbers |
//! | `DynLayout`, `StaticLayout`, `MixedLayout` | as their `ArrayShape` |
//! | `StridedLayout`, which has no text | `((ElementType, i64), sizes, strides, (usize, bool))`: the bits of an element, strides with signs, the length of the memory, whether gaps are padding |
//! | an array | `layout` and `elements`; the elements row-major |
//!
//! * What is read is checked: a shape by XLA's validation, a `DynLayout` and an array also by
//!   whether it can be addressed. A typed layout is read only where the input is the layout of the
//!   type.
//! * The length of a sequence in the input is not trusted. Tuples are nested
//!   [`MAX_DEPTH`](crate::text::MAX_DEPTH) deep at most.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::element_type::ElementType;
use crate::error::{ErrorKind, Excerpt, ParseError};
use crate::layout::{Layout, PaddingValue};
use crate::list::List;
use crate::order::MinorToMajor;
use crate::shape::ArrayShape;
#[cfg(feature = "alloc")]
use crate::shape::{Shape, ShapeIndex};

/// Reads a text by a parser.
struct Text<T> {
    what: &'static str,
    parse: fn(&str) -> Result<T, ParseError>,
}

impl<T> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        (self.parse)(text).map_err(|error| E::custom(error.render_plain(text)))
    }
}

/// Implements both traits for types with a text: what is expected, what is checked before writing,
/// and the parser.
macro_rules! as_text {
    ($($type:ty: $what:literal, $check:expr, $parse:expr;)*) => {$(
        /// As its text.
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let check: fn(&Self) -> Result<(), S::Error> = $check;
                check(self)?;
                serializer.collect_str(self)
            }
        }

        /// Parses its text.
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Text { what: $what, parse: $parse })
            }
        }
    )*};
}

as_text! {
    ElementType: "the name of an element type, such as `f32`", |_| Ok(()), parse_element_type;
    PaddingValue: "a padding value: `zero`, `one`, `lowest`, \
                   `highest` or `unknown`", |_| Ok(()), parse_padding_value;
    Layout: "a layout such as `{1,0:T(8,128)}`", |_| Ok(()), str::parse;
    ArrayShape: "the shape of an array, such as `f32[2,3]{1,0}`", has_layout, str::parse;
}
#[cfg(feature = "alloc")]
as_text! {
    Shape: "a shape such as `f32[2,3]{1,0}` or `(f32[2], token[])`",
        |shape| shape.leaves().filter_map(Shape::as_array_or_buffer).try_for_each(has_layout),
        str::parse;
}

fn has_layout<E: serde::ser::Error>(array: &ArrayShape) -> Result<(), E> {
    if array.layout.is_none() {
        return Err(E::custom(format_args!(
            "the array `{array}` has no layout, and its text would mean the default one; give it a \
             layout, or write `to_string()`"
        )));
    }
    Ok(())
}

/// Unlike the text of a shape, also the types that no array has.
fn parse_element_type(text: &str) -> Result<ElementType, ParseError> {
    match ElementType::all().find(|known| known.name() == text) {
        Some(known) => Ok(known),
        None => text.parse(),
    }
}

fn parse_padding_value(text: &str) -> Result<PaddingValue, ParseError> {
    PaddingValue::from_name(text).ok_or_else(|| {
        let found = Excerpt::new(text);
        let suggestion = crate::text::suggest_padding_value(text);
        let kind = ErrorKind::UnknownPaddingValue { found, suggestion };
        ParseError::new(kind, Some((0, text.len())))
    })
}

impl<T: Copy + Serialize, const N: usize> Serialize for List<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_slice().serialize(serializer)
    }
}

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Deserialize<'de> for List<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ItemsVisitor(PhantomData))
    }
}

struct ItemsVisitor<T, const N: usize>(PhantomData<T>);

impl<'de, T: Copy + Default + Deserialize<'de>, const N: usize> Visitor<'de>
    for ItemsVisitor<T, N>
{
    type Value = List<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<List<T, N>, A::Error> {
        // The length that the input claims is not trusted: nothing is allocated for it.
        let mut list = List::default();
        while let Some(item) = items.next_element()? {
            list.try_push(item).map_err(A::Error::custom)?;
        }
        Ok(list)
    }
}

/// As a list of dimension numbers, the one that varies fastest first.
impl Serialize for MinorToMajor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MinorToMajor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        List::deserialize(deserializer).map(Self::from_list)
    }
}

/// As a list of members, the outermost tuple's first.
#[cfg(feature = "alloc")]
impl Serialize for ShapeIndex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self[..].serialize(serializer)
    }
}

#[cfg(feature = "alloc")]
impl<'de> Deserialize<'de> for ShapeIndex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries: List<i64, 4> = List::deserialize(deserializer)?;
        Ok(entries.iter().copied().collect())
    }
}
