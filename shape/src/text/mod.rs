//! The text of shapes and layouts: XLA's, and our own beside it.
//!
//! [`ArrayShape`], [`Layout`] and `Shape` read with [`FromStr`] in the extended notation and print
//! with [`Display`](core::fmt::Display) as XLA prints. Law 2 of the crate: `read(print(x)) == x`
//! for every valid `x`, and `print(read(text))` is what XLA prints.
//!
//! The reader is strict where XLA's is lenient by accident: `{1,0:T}` or an unclosed `T(8` is an
//! error. Sources: `hlo_lexer.cc`, `hlo_parser.cc` (`ParseShape`, `ParseLayout`), `layout.cc`
//! (`Layout::Print`), `shape_util.cc` (`PrintHumanStringWithLayout`).

#[doc(hidden)]
pub mod lex;
mod misplaced;
mod own;
#[doc(hidden)]
pub mod print;
#[doc(hidden)]
pub mod read;
mod read_array;
mod read_attribute;
mod read_dims;
mod read_layout;
mod read_list;
#[cfg(feature = "alloc")]
mod read_shape;
mod rules;

use core::str::FromStr;

use crate::element_type::ElementType;
use crate::error::{ErrorKind, ParseError};
use crate::layout::Layout;
use crate::shape::ArrayShape;
#[cfg(feature = "alloc")]
use crate::shape::Shape;

#[cfg(all(test, feature = "std"))]
mod tests;

#[cfg(feature = "serde")]
pub(crate) use own::suggest_value as suggest_padding_value;
use read::Reader;
pub use rules::{Notation, Rules};

/// How deeply tuples may be nested.
pub const MAX_DEPTH: usize = 128;

/// Reads the shape of one array and checks it, reporting *all* mistakes, each once.
///
/// After a mistake the reader goes on after it; what follows only from an earlier mistake is not
/// reported. At most 32 are. `Some` only if nothing was reported; a text without a layout gets the
/// default one.
///
/// ```
/// use xlayout_shape::text::{Rules, read_array};
///
/// let mut mistakes = 0;
/// let shape = read_array("fp32[2.3]{0,0}", Rules::default(), &mut |_| mistakes += 1);
/// assert_eq!(shape, None);
/// assert_eq!(mistakes, 3);
/// ```
pub fn read_array(
    text: &str,
    rules: Rules,
    report: &mut dyn FnMut(ParseError),
) -> Option<ArrayShape> {
    Reader::new(text, rules, true, report).whole_array()
}

/// Calls a reader that reports, and keeps what it reports first.
fn first<T>(read: impl FnOnce(&mut dyn FnMut(ParseError)) -> Option<T>) -> Result<T, ParseError> {
    let mut first = None;
    match read(&mut |error| {
        first.get_or_insert(error);
    }) {
        Some(value) => Ok(value),
        None => Err(match first {
            Some(error) => error,
            None => unreachable!("a reader that answers nothing has reported why"),
        }),
    }
}

const EXTENDED: Rules = Rules {
    notation: Notation::Extended,
    addressable: false,
};
#[doc(hidden)]
pub const XLA: Rules = Rules {
    notation: Notation::Xla,
    addressable: false,
};

/// Reads and validates; the error is the first mistake. See [`read_array`] for all of them.
impl FromStr for ArrayShape {
    type Err = ParseError;
    #[inline]
    fn from_str(text: &str) -> Result<Self, ParseError> {
        first(|report| read_array(text, EXTENDED, report))
    }
}

impl ArrayShape {
    /// Reads XLA's own text of one array and validates it (XLA: `ParseShape`, then
    /// `ShapeUtil::ValidateShape`).
    ///
    /// ```
    /// use xlayout_shape::ArrayShape;
    /// let shape = ArrayShape::read_xla("bf16[16,256]{1,0:T(8,128)(2,1)}").unwrap();
    /// assert_eq!(shape.to_string(), "bf16[16,256]{1,0:T(8,128)(2,1)}");
    /// assert!(ArrayShape::read_xla("f32[2,3]<0,1>").is_err());
    /// ```
    ///
    /// # Errors
    /// The first mistake in the text, or the first rule of XLA's that the shape breaks.
    #[doc(alias = "ParseShape")]
    #[inline]
    pub fn read_xla(text: &str) -> Result<Self, ParseError> {
        first(|report| read_array(text, XLA, report))
    }
}

/// Reads a layout without a shape: `{1,0:T(8,128)}`, `<0,1>`. Its shape is not known, so what
/// depends on a shape is not checked; see [`Layout::validate_for`].
impl FromStr for Layout {
    type Err = ParseError;
    #[inline]
    fn from_str(text: &str) -> Result<Self, ParseError> {
        first(|report| Reader::new(text, EXTENDED, false, report).whole_layout())
    }
}

impl Layout {
    /// Reads XLA's own text of a layout without a shape (XLA: `ParseLayout`). Like XLA's, the
    /// reader checks the form only: `{1,1}` is read.
    ///
    /// ```
    /// use xlayout_shape::Layout;
    /// let layout = Layout::read_xla("{ 1 , 0 : T(8,128) E(0) }").unwrap();
    /// assert_eq!(layout.to_string(), "{1,0:T(8,128)}");
    /// ```
    ///
    /// # Errors
    /// The first mistake in the text.
    #[doc(alias = "ParseLayout")]
    #[inline]
    pub fn read_xla(text: &str) -> Result<Self, ParseError> {
        first(|report| Reader::new(text, XLA, false, report).whole_layout())
    }
}

/// Reads and validates; the error is the first mistake.
#[cfg(feature = "alloc")]
impl FromStr for Shape {
    type Err = ParseError;
    #[inline]
    fn from_str(text: &str) -> Result<Self, ParseError> {
        first(|report| Reader::new(text, EXTENDED, true, report).whole_shape())
    }
}

#[cfg(feature = "alloc")]
impl Shape {
    /// Reads XLA's own text of any shape and validates it (XLA: `ParseShape`, then
    /// `ShapeUtil::ValidateShape`).
    ///
    /// ```
    /// use xlayout_shape::Shape;
    /// let shape = Shape::read_xla("(f32[2,3], token[])").unwrap();
    /// assert_eq!(shape.to_string(), "(f32[2,3]{1,0}, token[])");
    /// ```
    ///
    /// # Errors
    /// The first mistake in the text, or the first rule of XLA's that the shape breaks.
    #[doc(alias = "ParseShape")]
    #[inline]
    pub fn read_xla(text: &str) -> Result<Self, ParseError> {
        first(|report| Reader::new(text, XLA, true, report).whole_shape())
    }

    /// Reads XLA's own text of any shape without validating it, as XLA's `ParseShape` alone does:
    /// the form must be right and minor_to_major as long as the rank, but `f32[2,3]{1,1}` is read.
    ///
    /// # Errors
    /// The first mistake in the form of the text.
    #[inline]
    pub fn read_xla_unvalidated(text: &str) -> Result<Self, ParseError> {
        first(|report| Reader::new(text, XLA, false, report).whole_shape())
    }
}

/// Reads the shape at the beginning of a longer text, such as an HLO instruction, and says at
/// which byte it ends. XLA's own text; validated.
///
/// ```
/// use xlayout_shape::text::read_shape_prefix;
/// let (shape, end) = read_shape_prefix("f32[2,3]{1,0} add(x, y)").unwrap();
/// assert_eq!(shape.to_string(), "f32[2,3]{1,0}");
/// assert_eq!(end, 13);
/// ```
///
/// # Errors
/// The first mistake in the shape.
#[cfg(feature = "alloc")]
#[inline]
pub fn read_shape_prefix(text: &str) -> Result<(Shape, usize), ParseError> {
    first(|report| Reader::new(text, XLA, true, report).prefix())
}

/// Reads the name of an element type: `f32` (XLA: `StringToPrimitiveType`).
impl FromStr for ElementType {
    type Err = ParseError;
    #[inline]
    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::from_name(text).ok_or_else(|| {
            let found = crate::error::Excerpt::new(text);
            let suggestion = crate::error::suggest_type(text);
            ParseError::new(
                ErrorKind::UnknownType { found, suggestion },
                Some((0, text.len())),
            )
        })
    }
}
