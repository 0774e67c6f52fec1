//! What can be wrong, with the numbers that were found, and the words for it: one row for each
//! kind.

use super::number::{number_fault, number_help};
use super::parts::ATTRIBUTES;
use super::write::{dimensions, from_the_end, orders, padded_word, width};
use super::{
    Attribute, Excerpt, Expected, Found, Hint, Item, Missing, NotLowered, NumberFlaw, OrderAdvice,
    Product, ShortOrder, Suggestion,
};
use crate::element_type::ElementType;
use crate::words::{Counted, kind_of, listed};

error_table! {
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
    Empty => ["expected a shape, found nothing"; "write one such as `f32[2,3]{{1,0}}`"]
    /// No element type has this name.
    UnknownType { found: Excerpt, suggestion: Suggestion } => { match (suggestion) {
        Suggestion::Tuple | Suggestion::Buffer => [
            "`{found}` is not the name of an element type";
            "{suggestion}"
        ]
        _ => ["unknown element type `{found}`"; "{suggestion}"]
    } }
    /// The whole text is one word, which is no element type.
    WordAlone { found: Excerpt } => [
        "`{found}` is a name and not a shape";
        "write a shape: `f32[2,3]{{1,0}}`; a layout that has a name is used without `layout!`, and \
         a text that is known at run time only is read with `.parse::<DynLayout>()`"
    ]
    /// Something else is written where an element type is needed.
    MissingType { found: Excerpt } => [
        "expected an element type, found {}", Found(*found);
        "a shape begins with the type of its elements: `f32[2,3]`"
    ]
    /// No `[` follows the element type.
    MissingDimensions { element_type: ElementType, found: Excerpt } => [
        "expected `[` and the dimensions after `{element_type}`, found {}", Found(*found);
        match (element_type.is_array()) {
            true => ["write `{element_type}[2,3]`, or `{element_type}[]` for a scalar"]
            false => ["write `{element_type}[]`"]
        }
    ]
    /// The dimensions are in other brackets: `f32(2,3)`.
    WrongBracket { element_type: ElementType, open: char, inside: Excerpt } => [
        "dimensions are written in square brackets, found `{open}`";
        match (open) {
            '{' => ["write `{element_type}[{inside}]`, or the dimensions before this layout"]
            _ => ["write `{element_type}[{inside}]`"]
        }
    ]
    /// Dimensions are in brackets of their own: `f32[(2,3)]`.
    NestedDimensions { inside: Excerpt } => [
        "dimensions are listed in one pair of brackets, found another inside of it";
        "write `{inside}`, without brackets around it"
    ]
    /// A number is not written in plain decimal digits.
    Number { item: Item, found: Excerpt, flaw: NumberFlaw } => [
        "{}", number_fault(*item, *found, *flaw); "{}", number_help(*item, *found, *flaw)
    ]
    /// A number does not fit in 64 bits with a sign.
    NumberTooLarge { item: Item, found: Excerpt } => [
        "the {} `{found}` is too {}", item.one(), if found.as_str().starts_with('-') { "small" } else { "large" };
        "numbers go from {} to {}", i64::MIN, i64::MAX
    ]
    /// A dimension has a negative size.
    NegativeDimension { dimension: usize, size: i64 } => [
        "dimension {dimension} has the negative size {size}";
        "write 0 or more; `<=8` for a size that is known at run time and at most 8, `?` for one \
         without a bound"
    ]
    /// `<` without `=` before a bound.
    BoundSign { found: Excerpt } => [
        "{}, found {}",
        if found.as_str().as_bytes().contains(&b'?') { "a size is a bound or `?`, not both" } else { "expected `<=` before a bound" },
        Found(*found);
        "write `<=8` for a size that is known at run time and at most 8, `?` for one \
         without a bound"
    ]
    /// A size that is known at run time only has a name, as in `?M`: in `layout!` that documents
    /// it, in a text nothing would read it.
    NamedRunTimeSize { found: Excerpt } => [
        "`?` has no name in the text of a shape, found {}", Found(*found);
        "write `?` alone: names such as `?M` are for `layout!`"
    ]
    /// Something else is where an entry of a list is needed.
    ExpectedItem { item: Item, found: Excerpt } => [
        "expected a {}, found {}", item.one(), Found(*found); "{}", item.help()
    ]
    /// Nothing comes before a comma.
    MissingItem { item: Item } => [
        "a {} is missing before this comma", item.one();
        "write the {}, or remove the comma", item.one()
    ]
    /// A comma comes after the last entry.
    TrailingComma { item: Item } => ["a comma follows the last {}", item.one(); "remove the comma"]
    /// No comma is between two entries.
    MissingComma { item: Item, close: char, found: Excerpt } => [
        "expected `,` or `{close}`, found {}", Found(*found); "separate {} with commas", item.many()
    ]
    /// A bracket is never closed.
    Unclosed { open: char, close: char } => [
        "this `{open}` is never closed";
        "write `{close}` where it ends"
    ]
    /// A bracket is closed by one of another kind.
    WrongClose { open: char, close: char, found: char } => [
        "`{found}` does not close `{open}`";
        "write `{close}`"
    ]
    /// One thing is needed and another found.
    Unexpected { expected: Expected, found: Excerpt } => [
        "expected {}, found {}", expected.words()[0], Found(*found); "{}", expected.words()[1]
    ]
    /// Something comes after the whole shape.
    Trailing { found: Excerpt, hint: Hint } => { match (hint) {
        Hint::Close => ["`{found}` closes nothing"; "remove `{found}`"]
        _ => ["unexpected {} after the shape", Found(*found); "{}", hint.help()]
    } }
    /// Quotes are in the text.
    Quoted { found: Excerpt } => ["quotes do not belong in a shape"; "remove the quotes"]
    /// A `/*` has no `*/`.
    UnterminatedComment => ["this comment is never closed"; "write `*/` where it ends"]
    /// Tuples are nested too deeply.
    TooDeep { limit: usize } => [
        "tuples are nested more than {limit} levels deep";
        "flatten the tuple"
    ]
    /// A list is longer than this build can hold (the feature `alloc` is off).
    TooMany { item: Item, limit: usize } => [
        "more than {limit} {}", item.many(); "turn on the feature `alloc` for longer lists"
    ]
    /// A tuple, a token, … where one array is needed.
    NotAnArray { found: ElementType } => [
        "expected one array, found {}", kind_of(*found);
        match (found) {
            ElementType::Tuple | ElementType::Buffer => [
                "write the array alone, without parentheses: `f32[2,3]`"
            ]
            _ => ["write an array such as `f32[2,3]`"]
        }
    ]
    /// A tuple, a token, … inside `b(…)`.
    BufferOfNonArray { found: ElementType } => [
        "a buffer holds one array, found {}", kind_of(*found); "write an array such as `f32[2,3]`"
    ]
    /// `token[2]`: it has no dimensions.
    NoDimensions { element_type: ElementType } => [
        "`{element_type}` has no dimensions";
        "write `{element_type}[]`"
    ]
    /// `token[]{0}`: it has no layout.
    NoLayout { element_type: ElementType } => { match (element_type) {
        ElementType::Tuple | ElementType::Buffer => [
            "{} has no layout of its own", kind_of(*element_type);
            "write layouts at the arrays inside: `(f32[2,3]{{0,1}}, s32[])`"
        ]
        _ => ["`{element_type}` has no layout"; "write `{element_type}[]`"]
    } }
    /// An array whose elements are tuples, tokens, …
    InvalidElementType { element_type: ElementType } => [
        "an array cannot have elements of type `{element_type}`";
        "write a type of numbers such as `f32`, or `pred`"
    ]

    /// `{}` after a shape.
    EmptyLayout { rank: usize } => [
        "the layout `{{}}` lists no dimensions";
        "{}{}", orders(*rank), if *rank == 0 { "" } else { ", or leave it out for row-major" }
    ]
    /// minor_to_major is said in another way than as a list in braces: `row_major`, `order = C`,
    /// `major_to_minor = [0,1]`.
    OrderInWords { found: Excerpt, advice: OrderAdvice } => [
        "minor_to_major is a list in braces directly after the dimensions, found {}", Found(*found);
        "{advice}"
    ]
    /// Attributes are outside the braces of the layout: `f32[2,3]:T(8,128)`.
    AttributesOutside { found: Excerpt, attributes: Excerpt, order: Option<ShortOrder> } => [
        "attributes belong in the braces of the layout, found {}", Found(*found);
        match (order) {
            Some(order) => ["write them in the braces: `{{{order}:{attributes}}}`"]
            None => ["write them in the braces, after the dimensions: `{{1,0:{attributes}}}`"]
        }
    ]
    /// A second layout.
    LayoutTwice => ["a second layout"; "keep one of them"]
    /// `{…}` and `<…>` together.
    TwoNotations => [
        "minor_to_major is given twice, in `{{…}}` and in `<…>`";
        "keep one of them; only `{{…}}` can hold tiles and other attributes"
    ]
    /// `<…>` or a named option in XLA's own text.
    NotXla { found: Excerpt } => [
        "{} is not XLA's own text", Found(*found);
        "{}",
        if found.as_str().starts_with('<') {
            "write minor_to_major in braces: `{0,1}`"
        } else {
            "XLA has no text for padding; read it in the extended notation"
        }
    ]
    /// Attributes inside `<…>`.
    AttributesInAngles { inside: Excerpt } => [
        "attributes are not allowed in `<…>`"; "write minor_to_major in braces: `{{{inside}}}`"
    ]
    /// An attribute without the `:` before it.
    MissingColon { found: Excerpt } => [
        "expected `:` before the attribute, found {}", Found(*found);
        "list the dimensions, then `:` and attributes: `{{1,0:T(8,128)}}`"
    ]
    /// An array has no layout, and one is needed.
    MissingLayout => ["the array has no layout"; "set its layout; row-major is the default"]
    /// minor_to_major is shorter or longer than the rank.
    MinorToMajorLength { listed: usize, rank: usize } => [
        "minor_to_major lists {}, but the shape has {rank}", Counted(*listed, "dimension");
        "{}", orders(*rank)
    ]
    /// minor_to_major lists a dimension again.
    DuplicateDimension { dimension: i64, missing: Missing } => { match (missing.count()) {
        0 => [
            "minor_to_major lists dimension {dimension} more than once";
            "list every dimension once, the one that varies fastest first"
        ]
        n => [
            "minor_to_major lists dimension {dimension} more than once and lacks dimension{} {}",
            if n == 1 { "" } else { "s" }, listed(missing.iter(), "and");
            "list every dimension once, the one that varies fastest first"
        ]
    } }
    /// minor_to_major lists a dimension that the shape does not have.
    DimensionOutOfRange { dimension: i64, rank: usize } => [
        "minor_to_major lists dimension {dimension}, but the shape has {}", dimensions(*rank);
        "{}", from_the_end(*dimension, *rank)
    ]
    /// minor_to_major counts from 1.
    OneBased { suggestion: ShortOrder } => [
        "minor_to_major counts dimensions from 1";
        "dimensions count from 0: did you mean `{{{suggestion}}}`?"
    ]

    /// No attribute has this name.
    UnknownAttribute { found: Excerpt, suggestion: Option<&'static str> } => { match (suggestion) {
        Some(example) => ["unknown layout attribute {}", Found(*found); "write `{example}`"]
        None => ["unknown layout attribute {}", Found(*found); "{ATTRIBUTES}"]
    } }
    /// An attribute in lower case.
    AttributeCase { found: Excerpt, attribute: Attribute } => [
        "unknown layout attribute {}", Found(*found);
        "attributes are upper case: write `{}`", attribute.name()
    ]
    /// An attribute comes after one that it must precede.
    AttributeSequence { attribute: Attribute, after: Attribute } => [
        "the attribute `{}` must come before `{}`", attribute.name(), after.name();
        "the sequence is `T`, `L`, `E`, `S`, `SC`, `M`"
    ]
    /// An attribute is given again; `joined` is one attribute with the arguments of both.
    AttributeTwice { attribute: Attribute, joined: Option<Excerpt> } => [
        "the attribute `{}` is given twice", attribute.name();
        match ((joined, attribute)) {
            (Some(joined), _) => ["write `{joined}`"]
            (None, Attribute::Tiles) => [
                "write one `T`, then one tile after the other: `T(8,128)(2,1)`"
            ]
            (None, Attribute::Splits) => [
                "write one `SC`, then one split after the other: `SC(0:30)(1:40)`"
            ]
            _ => ["keep one of them"]
        }
    ]
    /// A comma between attributes.
    AttributeComma => [
        "attributes follow each other without a comma";
        "remove the comma: `T(8,128)S(1)`"
    ]
    /// An attribute without parentheses.
    AttributeArgument { attribute: Attribute, found: Excerpt } => [
        "expected `(` after `{}`, found {}", attribute.name(), Found(*found);
        "write `{}`", attribute.example()
    ]
    /// A tile without its `T`.
    UnnamedTile { inside: Excerpt } => ["this tile lacks its `T`"; "write `T({inside})`"]
    /// A tile with no entry.
    EmptyTile => [
        "this tile has no entries";
        "write its sizes, the most minor one last: `T(8,128)`"
    ]
    /// A tile entry of 0.
    ZeroTile => [
        "a tile entry is 0";
        "write 1 or more, or `*` to merge a dimension with the next more minor one"
    ]
    /// A negative tile entry.
    NegativeTile { size: i64 } => [
        "a tile entry is negative: {size}";
        "write 1 or more, or `*` to merge a dimension with the next more minor one"
    ]
    /// A `*` at the end of a tile has nothing to merge into.
    TrailingCombine => [
        "a `*` at the end of a tile has no dimension to merge into";
        "`*` merges a dimension with the next more minor one; end the tile with a number"
    ]
    /// A tail padding alignment below 1.
    TailAlignment { alignment: i64 } => [
        "the tail padding alignment is {alignment}";
        "write 1 or more elements, or leave `L(…)` out for none"
    ]
    /// A negative element size.
    ElementSize { bits: i64 } => [
        "the element size is {bits} bits";
        "write 1 or more bits, or leave `E(…)` out for the whole bytes of the type"
    ]
    /// A memory space that does not fit in 8 bits with a sign.
    MemorySpace { space: i64 } => [
        "the memory space {space} is outside -128 to 127";
        "XLA keeps it in 8 bits: 0 is the default memory, 1 the fast one, 5 the host's"
    ]
    /// A split inside a tuple, of a physical dimension that the array does not have.
    SplitDimension { dimension: i64, rank: usize } => [
        "a split is of physical dimension {dimension}, but the array has {}", Counted(*rank, "dimension");
        match (rank) {
            0 => ["a scalar has no dimension to split: leave `SC(…)` out"]
            1 => ["write 0, the only dimension; XLA checks this inside tuples"]
            _ => [
                "write 0 for the most major dimension, up to {} for the most minor one; XLA checks \
                 this inside tuples",
                rank - 1
            ]
        }
    ]
    /// A second split of one physical dimension, inside a tuple.
    SplitTwice { dimension: i64 } => [
        "physical dimension {dimension} has more than one split";
        "write all indices of a dimension in one split, as in `SC(0:30,40)`; XLA checks \
         this inside tuples"
    ]
    /// A split inside a tuple at an index that is not from 1 to the size - 1. `?` has no size.
    SplitIndex { index: i64, size: Option<i64> } => { match (size) {
        Some(size @ 2..) => [
            "a split at {index} is not inside of its physical dimension, which has size {size}";
            "write an index from 1 to {}; physical dimension 0 is the most major one", size - 1
        ]
        Some(size) => [
            "a split at {index} is not inside of its physical dimension, which has size {size}";
            "a dimension of this size has no parts: leave the split out"
        ]
        None => [
            "a split at {index} is of a physical dimension without a size, `?`";
            "write a size or a bound, as in `<=200`, or leave the split out"
        ]
    } }
    /// The indices of a split inside a tuple do not rise.
    SplitSequence { index: i64, before: i64 } => [
        "the indices of a split do not rise: {index} follows {before}";
        "write each index once, the smallest first"
    ]
    /// An attribute of sparse layouts, which XLA no longer has.
    Sparse { attribute: Attribute } => [
        "`{}(…)` belongs to sparse layouts, which XLA no longer has", attribute.name();
        "leave it out"
    ]

    /// The elements cannot be counted in 64 bits; `prefix` dimensions already are too many.
    ElementsOverflow { product: Product, prefix: usize, rank: usize, padded: bool } => { match (prefix < rank) {
        true => [
            "the first {prefix} {}dimensions alone multiply to {product} elements, more than {}",
            padded_word(*padded), i64::MAX;
            "XLA counts elements and bytes in 64 bits with a sign"
        ]
        false => [
            "the {}dimensions multiply to {product} elements, more than {}", padded_word(*padded), i64::MAX;
            "XLA counts elements and bytes in 64 bits with a sign"
        ]
    } }
    /// The bytes cannot be counted in 64 bits.
    BytesOverflow { elements: i64, bits: i64, bytes: Product, padded: bool } => [
        "the {}array takes {bytes} bytes ({elements} elements of {}), more than {}",
        padded_word(*padded), width(*bits), i64::MAX;
        "XLA counts elements and bytes in 64 bits with a sign"
    ]

    /// No option has this name.
    UnknownOption { found: Excerpt, suggestion: Option<&'static str> } => { match (suggestion) {
        Some(name) => ["unknown option {}", Found(*found); "did you mean `{name}`?"]
        None => [
            "unknown option {}", Found(*found);
            "the options are `padded_dimensions` and `padding_value`"
        ]
    } }
    /// An option is given again.
    OptionTwice { name: &'static str } => ["the option `{name}` is given twice"; "keep one of them"]
    /// No padding value has this name.
    UnknownPaddingValue { found: Excerpt, suggestion: Option<&'static str> } => { match (suggestion) {
        Some(name) => ["unknown padding value {}", Found(*found); "did you mean `{name}`?"]
        None => [
            "unknown padding value {}", Found(*found);
            "write `zero`, `one`, `lowest`, `highest` or `unknown`"
        ]
    } }
    /// `padded_dimensions` is shorter or longer than the rank.
    PaddedLength { listed: usize, rank: usize } => [
        "padded_dimensions lists {}, but the shape has {rank}", Counted(*listed, "dimension");
        "list the allocated width of every dimension, dimension 0 first"
    ]
    /// A padded width is below the size of its dimension.
    PaddedBelow { dimension: usize, padded: i64, size: i64 } => [
        "the padded width of dimension {dimension} is {padded}, below its size {size}";
        "write {size} or more"
    ]
    /// `padded_dimensions` and tiles together.
    PaddedTiles => [
        "padded_dimensions and tiles cannot be used together";
        "use one of them: a tile pads each dimension to a multiple of its entry"
    ]
    /// Index arithmetic cannot work with the layout, although XLA's validation passes it.
    Lower(error: NotLowered) => (error)
}
}
