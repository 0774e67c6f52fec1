//! How shapes and layouts are written and read by [serde] (the feature `serde`).
//!
//! # Formats for people
//! In JSON, YAML, TOML and whatever else calls itself human-readable, an array, a shape, a layout
//! and an element type are their canonical text, `"f32[2,3]{0,1}"`. Reading takes whatever
//! [`text`](crate::text) reads, our own notation included, checks it by the same rules and says
//! the same words about a mistake.
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
//! # Binary formats
//! Formats that are not human-readable get numbers: no text is printed or read. The structure is a
//! part of this crate's interface, and changes with an incompatible version only.
//!
//! | type | structure |
//! |---|---|
//! | [`PrimitiveType`](crate::PrimitiveType) | `u8`, XLA's number |
//! | [`Dim`](crate::Dim) | `(i64, bool)`: the size or the bound as XLA keeps it ([`UNBOUNDED_SIZE`](crate::Dim::UNBOUNDED_SIZE) for `?`), and whether it is dynamic |
//! | [`TileDim`](crate::TileDim) | `i64`, `i64::MIN` for `*` |
//! | [`PaddingValue`](crate::PaddingValue) | `u8`, the number of the old proto |
//! | [`List`](crate::List), and with it [`Dims`](crate::Dims) | a sequence |
//! | [`MinorToMajor`](crate::MinorToMajor), [`MajorToMinor`](crate::MajorToMinor), `ShapeIndex` | a sequence of `i64` |
//! | [`Tiles`](crate::Tiles) | a sequence of sequences of `TileDim` |
//! | [`SplitConfig`](crate::SplitConfig) (written only: it borrows) | `(i64, sequence of i64)`: the dimension, the indices |
//! | [`SplitConfigs`](crate::SplitConfigs) | a sequence of `SplitConfig` |
//! | [`Layout`](crate::Layout) | a tuple of its 11 fields, in the sequence in which they are declared |
//! | [`ArrayShape`](crate::ArrayShape) | `(PrimitiveType, Dims, Option<Layout>)` |
//! | `Shape` | a sequence of `(PrimitiveType, Dims, Option<Layout>, u64)`, one for each shape inside: a tuple, which has this number of members, comes before them, a buffer (1) before its array |
//! | `ShapeLayout` | as the `Shape` |
//! | `DynCoordinates` | a sequence of `usize` |
//! | `DynLayout`, `StaticLayout`, `MixedLayout` | as the `ArrayShape` |
//! | `StridedLayout` | `((PrimitiveType, i64), sizes, strides, (usize, bool))`: the bits of an element, strides with signs, the length of the memory, whether gaps are padding; for people, too |
//!
//! # In both
//! * The lists (minor_to_major, tiles, splits, a path) are lists for people, too: `[0,1]`,
//!   `[[8,128],[2,1]]`; there `*` is `"*"`, and a dynamic dimension is `"<=8"` or `"?"`.
//! * What has no text is its structure for people, too, so that nothing is lost: an array
//!   without a layout, since text without one means the default layout.
//! * What is read is checked: a shape by XLA's validation (a layout may be missing), a `DynLayout` and
//!   the typed layouts for addressability. A typed layout must be the layout of its type; what
//!   counts is memory, as in `FromDynLayout`.
//! * Lengths are not believed: memory grows with what has really been read. A member of a tuple takes
//!   about 1.2 KB and four bytes can say one, so limit the bytes that you take if you do not know
//!   where they come from. Tuples are nested [`MAX_DEPTH`](crate::text::MAX_DEPTH) deep at most.
//!
//! ```
//! use xlayout_shape::{ArrayShape, Shape, Tiles};
//!
//! let tiles: Tiles = serde_json::from_str(r#"[[8,128],["*",2]]"#)?;
//! assert_eq!(tiles.to_string(), "(8,128)(*,2)");
//!
//! let mut array: ArrayShape = "f32[2,<=3]".parse()?;
//! array.layout = None;
//! let text = serde_json::to_string(&Shape::Tuple(vec![array.into()]))?;
//! assert_eq!(text, r#"[["tuple",[],null,1],["f32",[2,"<=3"],null,0]]"#);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod layout;
mod lists;
mod shape;
#[cfg(feature = "alloc")]
mod tree;
mod words;

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};

/// What is a text in formats for people, and a tuple of fields in others.
trait Written: Sized {
    /// What is expected, in words.
    const WHAT: &'static str;
    /// How many fields there are; `None` for a list.
    const FIELDS: Option<usize>;

    fn from_text<E: Error>(text: &str) -> Result<Self, E>;

    fn from_fields<'de, A: SeqAccess<'de>>(fields: &mut Fields<A>) -> Result<Self, A::Error>;
}

/// Reads what is written as text or as fields.
fn read<'de, T: Written, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    if deserializer.is_human_readable() {
        // What has no text is fields there, too.
        return deserializer.deserialize_any(Either(PhantomData));
    }
    match T::FIELDS {
        Some(fields) => deserializer.deserialize_tuple(fields, Either(PhantomData)),
        None => deserializer.deserialize_seq(Either(PhantomData)),
    }
}

struct Either<T>(PhantomData<T>);

impl<'de, T: Written> Visitor<'de> for Either<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::WHAT)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        T::from_text(text)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
        T::from_fields(&mut Fields {
            fields,
            read: 0,
            what: T::WHAT,
        })
    }
}

/// The fields of a structure, one after the other.
struct Fields<A> {
    fields: A,
    read: usize,
    what: &'static str,
}

impl<'de, A: SeqAccess<'de>> Fields<A> {
    fn next<T: Deserialize<'de>>(&mut self) -> Result<T, A::Error> {
        let field = self.fields.next_element()?;
        let what = self.what;
        let found = self.read;
        self.read += 1;
        field.ok_or_else(|| A::Error::invalid_length(found, &what))
    }

    /// Nothing of this kind may follow.
    #[cfg(feature = "alloc")]
    fn end<T: Deserialize<'de>>(&mut self) -> Result<(), A::Error> {
        match self.fields.next_element::<T>()? {
            None => Ok(()),
            Some(_) => Err(A::Error::invalid_length(self.read + 1, &self.what)),
        }
    }
}

/// An error of ours about a text, without the word `error` that the format puts before it.
fn text_error<E: Error>(error: &crate::ParseError, text: &str) -> E {
    E::custom(error.render_plain(text))
}

/// An error of ours about a structure, with its help.
#[doc(hidden)]
pub fn error<E: Error>(error: &crate::ParseError) -> E {
    E::custom(error)
}
