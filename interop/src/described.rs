//! What a text says of an array beside its shape.

use core::ops::Range;

use super::error::{Error, about};
use super::{BoundaryError, Library, StrideUnit};
use xlayout_shape::ArrayShape;

/// What a text says of an array.
///
/// ```
/// use xlayout_interop::{Given, Notation};
/// let text = "memref<2x3xf32, strided<[8, 1], offset: 5>>";
/// let memref = Notation::with_key("memref").unwrap();
/// memref.read_each(text, &Given::default(), &mut |array| {
///     assert_eq!(array.shape.to_string(), "f32[2,3]{1,0}, padded_dimensions = [2, 8]");
///     assert_eq!(array.offset.unwrap().number, Some(5));
///     Ok(())
/// })?;
/// // A shape alone has no place for the offset.
/// assert!(memref.read(text, &Given::default()).is_err());
/// # Ok::<(), xlayout_interop::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Described {
    /// The array with its layout, from the first element on.
    pub shape: ArrayShape,
    /// Where the first element lies, if this is not the beginning of the memory.
    pub offset: Option<Offset>,
    /// What the text says and the shape does not, or what was assumed.
    pub note: Option<&'static str>,
}

impl From<ArrayShape> for Described {
    fn from(shape: ArrayShape) -> Self {
        Self {
            shape,
            offset: None,
            note: None,
        }
    }
}

impl Described {
    pub(super) fn with_note(self, note: &'static str) -> Self {
        let note = Some(note);
        Self { note, ..self }
    }

    /// The shape, if the array begins where the memory does.
    pub(super) fn at_beginning(self, text: &str, library: Library) -> Result<ArrayShape, Error> {
        match self.offset {
            None => Ok(self.shape),
            Some(offset) => {
                let part = &text[offset.span()];
                Err(about(text, part, BoundaryError::Offset { library }))
            }
        }
    }
}

/// How far the first element lies behind the beginning of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Offset {
    /// The distance; `None` if only the run time knows it.
    pub number: Option<i64>,
    /// What the number counts.
    pub unit: StrideUnit,
    span: (usize, usize),
}

impl Offset {
    /// The offset that a part of the text says.
    pub(super) fn new(text: &str, part: &str, number: Option<i64>, unit: StrideUnit) -> Self {
        let start = part.as_ptr().addr() - text.as_ptr().addr();
        let span = (start, start + part.len());
        Self { number, unit, span }
    }

    /// Where the text says it.
    #[must_use]
    pub const fn span(&self) -> Range<usize> {
        self.span.0..self.span.1
    }
}

pub(super) type Each<'a> = &'a mut dyn FnMut(Described) -> Result<(), Error>;
