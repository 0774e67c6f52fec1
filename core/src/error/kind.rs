//! What can be wrong, with the numbers that were found.

use core::fmt;

use super::suggest::Suggestion;
use crate::primitive::PrimitiveType;

/// The beginning of a text that was found, held without a heap.
///
/// Longer texts end in `…`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Excerpt {
    bytes: [u8; Self::LEN],
    len: u8,
    cut: bool,
}

impl Excerpt {
    const LEN: usize = 24;

    /// The first 24 bytes of `text`, or fewer so that no character is cut in two.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let len = (0..=text.len().min(Self::LEN))
            .rev()
            .find(|&k| text.is_char_boundary(k));
        let len = len.unwrap_or(0);
        let mut bytes = [0; Self::LEN];
        bytes[..len].copy_from_slice(&text.as_bytes()[..len]);
        Self {
            bytes,
            len: len as u8,
            cut: len < text.len(),
        }
    }

    /// What is held.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or("")
    }

    /// Whether the text was longer.
    #[must_use]
    pub const fn is_cut(&self) -> bool {
        self.cut
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())?;
        f.write_str(if self.cut { "…" } else { "" })
    }
}

impl fmt::Debug for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

/// What a number or an entry of a list stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Item {
    /// An entry of `[…]` behind the element type.
    Dimension,
    /// The number behind `<=`.
    Bound,
    /// An entry of minor_to_major.
    MinorToMajor,
    /// An entry of a tile.
    Tile,
    /// An entry of `padded_dimensions`.
    Padded,
    /// The physical dimension of `SC(d:…)`.
    SplitDimension,
    /// A cut of `SC(…:i,j)`.
    SplitIndex,
    /// The number of `L(…)`, `E(…)`, `S(…)`, `M(…)`.
    Argument,
    /// A member of a tuple.
    Member,
    /// A level of `D(…)`.
    Level,
}

/// What is wrong with the form of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NumberFlaw {
    /// `2.3`
    Fraction,
    /// `1e3`
    Exponent,
    /// `3usize`
    Suffix,
    /// `1_000`
    Underscore,
    /// `0x10`
    Radix,
    /// `2x3`
    Times,
    /// `+1`
    Plus,
    /// `3rd`
    Letters,
}

/// A layout attribute, in the only sequence in which XLA reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Attribute {
    /// `D(…)`: the levels of sparse layouts.
    Levels,
    /// `T(…)…`: the tiles.
    Tiles,
    /// `L(n)`: the tail padding alignment.
    TailAlignment,
    /// `#(type)`: the index type of sparse layouts.
    IndexType,
    /// `*(type)`: the pointer type of sparse layouts.
    PointerType,
    /// `E(n)`: the element size in bits.
    ElementSize,
    /// `S(n)`: the memory space.
    MemorySpace,
    /// `SC(…)…`: the split configurations.
    Splits,
    /// `P(…)`: the physical shape of sparse layouts.
    PhysicalShape,
    /// `M(n)`: the bytes of dynamic shape metadata.
    Metadata,
}

impl Attribute {
    /// All of them, in their sequence, with how they are written.
    pub(crate) const ALL: [(Self, &'static str); 10] = [
        (Self::Levels, "D"),
        (Self::Tiles, "T"),
        (Self::TailAlignment, "L"),
        (Self::IndexType, "#"),
        (Self::PointerType, "*"),
        (Self::ElementSize, "E"),
        (Self::MemorySpace, "S"),
        (Self::Splits, "SC"),
        (Self::PhysicalShape, "P"),
        (Self::Metadata, "M"),
    ];

    /// How the text writes it, without what follows in parentheses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

/// What a reader expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// `:` between the dimension of a split and its indices.
    SplitColon,
    /// `=` behind the name of an option.
    Equals,
    /// `[` and the list of `padded_dimensions`.
    PaddedList,
    /// A name behind `padding_value =`.
    PaddingValue,
    /// The name of an option behind a comma.
    OptionName,
    /// `)` behind what stands in parentheses.
    CloseParenthesis,
    /// `{` at the beginning of a layout.
    Layout,
    /// `:` or `}` behind minor_to_major.
    LayoutEnd,
    /// The name of an attribute or `}`.
    Attribute,
}

/// What stands where one array is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotAnArray {
    /// `(…)`
    Tuple,
    /// `token[]`
    Token,
    /// `opaque[]`
    Opaque,
    /// `b(…)`
    Buffer,
}

/// What text behind a whole shape probably means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// Nothing is known.
    Remove,
    /// `(0,1)`: a layout in the wrong brackets.
    Parentheses,
    /// `[…]`: more dimensions.
    Brackets,
    /// `, f32[3]`: another shape.
    Comma,
    /// A bracket that closes nothing.
    Close,
}

/// A product that does not fit, exact up to 128 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product(Option<u128>);

impl Product {
    pub(crate) const ONE: Self = Self(Some(1));

    #[must_use]
    pub(crate) const fn times(self, factor: u128) -> Self {
        match self.0 {
            Some(value) => Self(value.checked_mul(factor)),
            None => Self(None),
        }
    }

    /// The product; `None` where it needs more than 128 bits.
    #[must_use]
    pub const fn value(self) -> Option<u128> {
        self.0
    }
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(value) => write!(f, "{value}"),
            None => f.write_str("more than 10^38"),
        }
    }
}

/// Which dimensions a list lacks (of the first 64).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing(u64);

impl Missing {
    /// Those of `0..rank` that do not stand in `listed`.
    pub(crate) fn new(listed: &[i64], rank: usize) -> Self {
        let missing = |d: &usize| !listed.contains(&(*d as i64));
        Self(
            (0..rank.min(64))
                .filter(missing)
                .fold(0, |mask, d| mask | 1 << d),
        )
    }

    /// The dimensions, the lowest first.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |d| self.0 >> d & 1 == 1)
    }
}

/// A minor_to_major list of up to 16 dimensions, to propose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortOrder {
    entries: [u8; 16],
    len: u8,
}

impl ShortOrder {
    /// `listed` with 1 taken from each entry, if that is an order.
    pub(crate) fn from_one_based(listed: &[i64]) -> Option<Self> {
        if listed.len() > 16 || !(1..=listed.len() as i64).all(|d| listed.contains(&d)) {
            return None;
        }
        let mut entries = [0; 16];
        for (entry, &d) in entries.iter_mut().zip(listed) {
            *entry = (d - 1) as u8;
        }
        Some(Self {
            entries,
            len: listed.len() as u8,
        })
    }

    /// The dimensions, the most minor first.
    #[must_use]
    pub fn as_slice(&self) -> &[u8] {
        &self.entries[..usize::from(self.len)]
    }
}

/// What is wrong with a text, a shape or a layout.
///
/// New mistakes may be told apart later: match with a `_` arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields are the numbers that the line above them names"
)]
pub enum ErrorKind {
    /// There is no text.
    Empty,
    /// No element type has this name.
    UnknownType {
        found: Excerpt,
        suggestion: Suggestion,
    },
    /// Something else stands where an element type is needed.
    MissingType { found: Excerpt },
    /// No `[` follows the element type.
    MissingDimensions {
        element_type: PrimitiveType,
        found: Excerpt,
    },
    /// The dimensions stand in other brackets: `f32(2,3)`.
    WrongBracket {
        element_type: PrimitiveType,
        open: char,
        inside: Excerpt,
    },
    /// A number is not written in plain decimal digits.
    Number {
        item: Item,
        found: Excerpt,
        flaw: NumberFlaw,
    },
    /// A number does not fit in 64 bits with a sign.
    NumberTooLarge { item: Item, found: Excerpt },
    /// A dimension has a negative size.
    NegativeDimension { dimension: usize, size: i64 },
    /// `<` without `=` before a bound.
    BoundSign { found: Excerpt },
    /// Something else stands where an entry of a list is needed.
    ExpectedItem { item: Item, found: Excerpt },
    /// Nothing stands before a comma.
    MissingItem { item: Item },
    /// A comma stands behind the last entry.
    TrailingComma { item: Item },
    /// No comma stands between two entries.
    MissingComma {
        item: Item,
        close: char,
        found: Excerpt,
    },
    /// A bracket is never closed.
    Unclosed { open: char, close: char },
    /// A bracket is closed by one of another kind.
    WrongClose {
        open: char,
        close: char,
        found: char,
    },
    /// One thing is needed and another found.
    Unexpected { expected: Expected, found: Excerpt },
    /// Something stands behind the whole shape.
    Trailing { found: Excerpt, hint: Hint },
    /// Quotes stand in the text.
    Quoted { found: Excerpt },
    /// A `/*` has no `*/`.
    UnterminatedComment,
    /// Tuples are nested too deeply.
    TooDeep { limit: usize },
    /// A list is longer than this build can hold (the feature `alloc` is off).
    TooMany { item: Item, limit: usize },
    /// A tuple, a token, … where one array is needed.
    NotAnArray { found: NotAnArray },
    /// A tuple, a token, … inside `b(…)`.
    BufferOfNonArray { found: NotAnArray },
    /// `token[2]`: it has no dimensions.
    NoDimensions { element_type: PrimitiveType },
    /// `token[]{0}`: it has no layout.
    NoLayout { element_type: PrimitiveType },
    /// An array whose elements are tuples, tokens, …
    InvalidElementType { element_type: PrimitiveType },

    /// `{}` behind a shape.
    EmptyLayout { rank: usize },
    /// A second layout.
    LayoutTwice,
    /// `{…}` and `<…>` together.
    TwoNotations,
    /// `<…>` or a named option in XLA's own text.
    NotXla { found: Excerpt },
    /// Attributes inside `<…>`.
    AttributesInAngles { inside: Excerpt },
    /// An attribute without the `:` before it.
    MissingColon { found: Excerpt },
    /// An array has no layout, and one is needed.
    MissingLayout,
    /// minor_to_major is shorter or longer than the rank.
    MinorToMajorLength { listed: usize, rank: usize },
    /// minor_to_major lists a dimension again.
    DuplicateDimension { dimension: i64, missing: Missing },
    /// minor_to_major lists a dimension that the shape does not have.
    DimensionOutOfRange { dimension: i64, rank: usize },
    /// minor_to_major counts from 1.
    OneBased { suggestion: ShortOrder },

    /// No attribute has this name.
    UnknownAttribute { found: Excerpt },
    /// An attribute in lower case.
    AttributeCase {
        found: Excerpt,
        attribute: Attribute,
    },
    /// An attribute stands behind one that it must precede.
    AttributeSequence {
        attribute: Attribute,
        after: Attribute,
    },
    /// An attribute is given again.
    AttributeTwice { attribute: Attribute },
    /// A comma between attributes.
    AttributeComma,
    /// An attribute without parentheses.
    AttributeArgument {
        attribute: Attribute,
        found: Excerpt,
    },
    /// A tile without its `T`.
    UnnamedTile { inside: Excerpt },
    /// A tile with no entry.
    EmptyTile,
    /// A tile entry of 0.
    ZeroTile,
    /// A negative tile entry.
    NegativeTile { size: i64 },
    /// A `*` at the end of a tile has nothing to merge into.
    TrailingCombine,
    /// A tail padding alignment below 1.
    TailAlignment { alignment: i64 },
    /// A negative element size.
    ElementSize { bits: i64 },
    /// A memory space that does not fit in 8 bits with a sign.
    MemorySpace { space: i64 },
    /// `SC(…)` inside a tuple.
    SplitsInTuple,
    /// An attribute of sparse layouts, which XLA no longer has.
    Sparse { attribute: Attribute },

    /// The elements cannot be counted in 64 bits; `prefix` dimensions already are too many.
    ElementsOverflow {
        product: Product,
        prefix: usize,
        rank: usize,
        padded: bool,
    },
    /// The bytes cannot be counted in 64 bits.
    BytesOverflow {
        elements: i64,
        bits: i64,
        bytes: Product,
        padded: bool,
    },

    /// No option has this name.
    UnknownOption {
        found: Excerpt,
        suggestion: Option<&'static str>,
    },
    /// An option is given again.
    OptionTwice { name: &'static str },
    /// No padding value has this name.
    UnknownPaddingValue {
        found: Excerpt,
        suggestion: Option<&'static str>,
    },
    /// `padded_dimensions` is shorter or longer than the rank.
    PaddedLength { listed: usize, rank: usize },
    /// A padded width is below the size of its dimension.
    PaddedBelow {
        dimension: usize,
        padded: i64,
        size: i64,
    },
    /// `padded_dimensions` and tiles together.
    PaddedTiles,
}
