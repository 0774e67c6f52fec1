//! What can be wrong, with the numbers that were found.

use super::parts::{
    Attribute, Excerpt, Expected, Hint, Item, Missing, NotAnArray, NumberFlaw, OrderAdvice,
    Product, ShortOrder,
};
use super::suggest::Suggestion;
use crate::primitive::PrimitiveType;

/// What is wrong with a text, a shape or a layout.
///
/// New mistakes may be told apart later: match with a `_` arm.
///
/// ```
/// use xlayout_shape::{ArrayShape, ErrorKind};
/// let error = "f32[2,3]{1,0:T(8,0)}".parse::<ArrayShape>().unwrap_err();
/// assert!(matches!(error.kind(), ErrorKind::ZeroTile));
/// // Words of the text are kept short, without a heap.
/// let error = "float[2]".parse::<ArrayShape>().unwrap_err();
/// let ErrorKind::UnknownType { found, .. } = error.kind() else { unreachable!() };
/// assert_eq!(found.as_str(), "float");
/// ```
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
    /// The whole text is one word, which is no element type.
    WordAlone { found: Excerpt },
    /// Something else is written where an element type is needed.
    MissingType { found: Excerpt },
    /// No `[` follows the element type.
    MissingDimensions {
        element_type: PrimitiveType,
        found: Excerpt,
    },
    /// The dimensions are in other brackets: `f32(2,3)`.
    WrongBracket {
        element_type: PrimitiveType,
        open: char,
        inside: Excerpt,
    },
    /// Dimensions are in brackets of their own: `f32[(2,3)]`.
    NestedDimensions { inside: Excerpt },
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
    /// A size that is known at run time only has a name, as in `?M`: in `layout!` that documents it,
    /// in a text nothing would read it.
    NamedRunTimeSize { found: Excerpt },
    /// Something else is where an entry of a list is needed.
    ExpectedItem { item: Item, found: Excerpt },
    /// Nothing comes before a comma.
    MissingItem { item: Item },
    /// A comma comes after the last entry.
    TrailingComma { item: Item },
    /// No comma is between two entries.
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
    /// Something comes after the whole shape.
    Trailing { found: Excerpt, hint: Hint },
    /// Quotes are in the text.
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

    /// `{}` after a shape.
    EmptyLayout { rank: usize },
    /// minor_to_major is said in another way than as a list in braces: `row_major`, `order = C`,
    /// `major_to_minor = [0,1]`.
    OrderInWords { found: Excerpt, advice: OrderAdvice },
    /// Attributes are outside the braces of the layout: `f32[2,3]:T(8,128)`.
    AttributesOutside {
        found: Excerpt,
        attributes: Excerpt,
        order: Option<ShortOrder>,
    },
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
    UnknownAttribute {
        found: Excerpt,
        suggestion: Option<&'static str>,
    },
    /// An attribute in lower case.
    AttributeCase {
        found: Excerpt,
        attribute: Attribute,
    },
    /// An attribute comes after one that it must precede.
    AttributeSequence {
        attribute: Attribute,
        after: Attribute,
    },
    /// An attribute is given again; `joined` is one attribute with the arguments of both.
    AttributeTwice {
        attribute: Attribute,
        joined: Option<Excerpt>,
    },
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
    /// A split inside a tuple, of a physical dimension that the array does not have.
    SplitDimension { dimension: i64, rank: usize },
    /// A second split of one physical dimension, inside a tuple.
    SplitTwice { dimension: i64 },
    /// A split inside a tuple, at an index outside of 1 to the size less 1. The size of `?` is none.
    SplitIndex { index: i64, size: Option<i64> },
    /// The indices of a split inside a tuple do not rise.
    SplitSequence { index: i64, before: i64 },
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
    /// Index arithmetic cannot work with the layout, although XLA's validation passes it.
    Lower(crate::modes::LowerError),
}
