//! NumPy's type strings: `<f4`.

use core::fmt::{self, Write as _};
use core::str::FromStr;

use super::element_types::{TYPES, row, row_of};
use super::error::{Error, about};
use super::{BoundaryError, Library};
use xlayout_shape::ElementType;
use xlayout_shape::error::Excerpt;

/// NumPy's `typestr`: the sequence of the bytes, a letter for the kind, the bytes of an element.
///
/// ```
/// use xlayout_core::ElementType;
/// use xlayout_interop::TypeStr;
///
/// let f32: TypeStr = "<f4".parse()?;
/// assert_eq!(f32.element_type()?, ElementType::F32);
/// assert_eq!(TypeStr::new(ElementType::Pred)?.to_string(), "|b1");
/// // To NumPy, the types of ml_dtypes are bytes without a meaning.
/// assert_eq!(TypeStr::new(ElementType::Bf16)?.to_string(), "<V2");
/// assert!("<V2".parse::<TypeStr>()?.element_type().is_err());
/// assert_eq!(
///     ">f4".parse::<TypeStr>()?.element_type().unwrap_err().to_string(),
///     "`>f4` has big-endian elements; XLA's are little-endian: copy with \
///      `a.astype(a.dtype.newbyteorder('<'))`",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeStr {
    sequence: char,
    kind: char,
    bytes: u32,
}

impl TypeStr {
    /// What NumPy, with ml_dtypes, calls this type. Elements are not packed there: `s4` takes a
    /// byte.
    ///
    /// ```
    /// use xlayout_core::ElementType;
    /// use xlayout_interop::TypeStr;
    /// assert_eq!(TypeStr::new(ElementType::F32)?.to_string(), "<f4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A type without elements.
    pub fn new(element_type: ElementType) -> Result<Self, Error> {
        let row = row(element_type, Library::Numpy)?;
        // NumPy writes `|` where its own types are one byte, but `<V1` and `<f1`.
        let byte = matches!(row.kind, 'b' | 'i' | 'u') && row.bytes() == 1;
        Ok(Self {
            sequence: if byte { '|' } else { '<' },
            kind: row.kind,
            bytes: row.bytes() as u32,
        })
    }

    /// The element type. `f1` is ml_dtypes' `float8_e5m2`.
    ///
    /// ```
    /// use xlayout_core::ElementType;
    /// use xlayout_interop::TypeStr;
    /// let name: TypeStr = "<u2".parse()?;
    /// assert_eq!(name.element_type()?, ElementType::U16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Big-endian elements, `V` (which several types have; see
    /// [`ArrayInterface::to_shape_of`](super::ArrayInterface::to_shape_of)), and types that XLA
    /// does not have: strings, dates, objects, `f16`.
    pub fn element_type(self) -> Result<ElementType, Error> {
        let found = self.excerpt();
        if self.sequence == '>' && self.bytes > 1 {
            return Err(BoundaryError::BigEndian { found }.into());
        }
        let library = Library::Numpy;
        let bytes = i64::from(self.bytes);
        let mut rows = TYPES.iter();
        let row = rows.find(|row| (row.kind, row.bytes()) == (self.kind, bytes));
        match row {
            _ if self.kind == 'V' => Err(BoundaryError::Void { bytes }.into()),
            Some(row) => Ok(row.element_type),
            None => Err(BoundaryError::UnknownType { library, found }.into()),
        }
    }

    /// `f4`, as programs write it: of the sequence of this machine's bytes, little-endian.
    pub(super) fn unmarked(text: &str) -> Option<Self> {
        let kind = text.chars().next().filter(char::is_ascii_alphabetic)?;
        let digits = &text[1..];
        let plain = digits.bytes().all(|b| b.is_ascii_digit());
        let bytes = digits.parse().ok().filter(|_| plain)?;
        Some(Self {
            sequence: '<',
            kind,
            bytes,
        })
    }

    /// Whether elements of this type may go by this string.
    pub(super) fn may_be(self, element_type: ElementType) -> bool {
        let little = self.sequence != '>' || self.bytes == 1;
        let same = |own: Self| (own.kind, own.bytes) == (self.kind, self.bytes);
        little && Self::new(element_type).is_ok_and(same)
    }

    /// The string, for a message.
    pub(super) fn excerpt(self) -> Excerpt {
        let mut text = Excerpt::new("");
        // There is room for two marks and the digits of 32 bits.
        match write!(text, "{self}") {
            Ok(()) => text,
            Err(_) => unreachable!("writing to an excerpt never fails"),
        }
    }
}

/// As NumPy writes it.
impl fmt::Display for TypeStr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.sequence, self.kind, self.bytes)
    }
}

/// Reads the form: `<`, `>`, `|` or `=`, which is taken for `<`; a letter; a number. Whether XLA
/// has the type, [`element_type`](TypeStr::element_type) says; forms of types that it cannot have,
/// `|O` and `<M8[s]`, are errors here.
impl FromStr for TypeStr {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let library = Library::Numpy;
        let found = Excerpt::new(text);
        let mut error = BoundaryError::TypeString { found };
        let mut chars = text.chars();
        let sequence = match chars.next() {
            Some('=') => Some('<'),
            mark => mark.filter(|mark| matches!(mark, '<' | '>' | '|')),
        };
        if let (Some(sequence), Some('a'..='z' | 'A'..='Z')) = (sequence, chars.next()) {
            let digits = chars.as_str();
            let plain = digits.bytes().all(|b| b.is_ascii_digit());
            let kind = char::from(text.as_bytes()[1]);
            if let Some(bytes) = digits.parse().ok().filter(|_| plain) {
                return Ok(Self {
                    sequence,
                    kind,
                    bytes,
                });
            }
            error = BoundaryError::UnknownType { library, found };
        }
        Err(about(text, text, error))
    }
}

/// What NumPy calls this type, or for types that it does not have, ml_dtypes; JAX calls them
/// the same. `None` for what has no elements.
///
/// ```
/// use xlayout_core::ElementType;
/// use xlayout_interop::{from_numpy_name, numpy_name};
/// assert_eq!(numpy_name(ElementType::F32), Some("float32"));
/// assert_eq!(numpy_name(ElementType::F8e4m3fn), Some("float8_e4m3fn"));
/// assert_eq!(from_numpy_name("bfloat16"), Some(ElementType::Bf16));
/// ```
#[doc(alias("PrimitiveTypeToDtype", "dtype"))]
#[must_use]
pub fn numpy_name(element_type: ElementType) -> Option<&'static str> {
    row_of(element_type).map(|row| row.numpy)
}

/// The type that NumPy or ml_dtypes calls by this name.
///
/// ```
/// use xlayout_core::ElementType;
/// use xlayout_interop::from_numpy_name;
/// assert_eq!(from_numpy_name("bool"), Some(ElementType::Pred));
/// assert_eq!(from_numpy_name("object"), None);
/// ```
#[doc(alias = "DtypeToPrimitiveType")]
#[must_use]
pub fn from_numpy_name(name: &str) -> Option<ElementType> {
    let row = TYPES.iter().find(|row| row.numpy == name)?;
    Some(row.element_type)
}
