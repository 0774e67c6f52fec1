//! What is wrong, in one line.

use core::fmt::{Display, Formatter, Result};

use super::kind::ErrorKind;
use super::parts::{Excerpt, Expected, Hint, Item, NotAnArray, NumberFlaw};
use super::suggest::Suggestion;
use super::whole_part;
use crate::primitive::PrimitiveType;

pub(super) struct Message<'a>(pub(super) &'a ErrorKind);

/// What was found, in backquotes, or words for the end of the text.
struct Found(Excerpt);

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0.as_str() {
            "" => f.write_str("the end of the text"),
            "`" => f.write_str("a backquote"),
            _ => write!(f, "`{}`", self.0),
        }
    }
}

/// `1 dimension`, `2 dimensions`.
struct Dimensions(usize);

impl Display for Dimensions {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(
            f,
            "{} dimension{}",
            self.0,
            if self.0 == 1 { "" } else { "s" }
        )
    }
}

/// Joins with commas, and `and` before the last.
fn listing<T: Display>(f: &mut Formatter<'_>, items: impl Iterator<Item = T>) -> Result {
    let mut items = items.peekable();
    let mut first = true;
    while let Some(item) = items.next() {
        match (first, items.peek().is_some()) {
            (true, _) => write!(f, "{item}")?,
            (false, true) => write!(f, ", {item}")?,
            (false, false) => write!(f, " and {item}")?,
        }
        first = false;
    }
    Ok(())
}

/// What an entry is called.
pub(super) const fn item(item: Item) -> &'static str {
    match item {
        Item::Dimension => "dimension",
        Item::Bound => "bound",
        Item::MinorToMajorEntry => "minor_to_major entry",
        Item::Tile => "tile entry",
        Item::WholeTile => "tile",
        Item::Padded => "padded width",
        Item::SplitDimension => "split dimension",
        Item::SplitIndex => "split index",
        Item::WholeSplit => "split",
        Item::Argument => "number",
        Item::Member => "shape",
        Item::Level => "level",
        Item::TileDimension => "number of parts",
        Item::Device => "device",
        Item::IotaDimension => "dimension of the devices",
        Item::IotaTranspose => "transposed dimension",
        Item::ShardGroup => "shard group number",
    }
}

const fn not_an_array(found: NotAnArray) -> &'static str {
    match found {
        NotAnArray::Tuple => "a tuple",
        NotAnArray::Token => "a token",
        NotAnArray::Opaque => "an opaque value",
        NotAnArray::Buffer => "a buffer",
    }
}

impl Display for Message<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        use ErrorKind as K;
        match *self.0 {
            K::Empty => f.write_str("expected a shape, found nothing"),
            K::UnknownType {
                found,
                suggestion: Suggestion::Tuple | Suggestion::Buffer,
            } => {
                write!(f, "`{found}` is not the name of an element type")
            }
            K::UnknownType { found, .. } => write!(f, "unknown element type `{found}`"),
            K::WordAlone { found } => write!(f, "`{found}` is a name and not a shape"),
            K::MissingType { found } => {
                write!(f, "expected an element type, found {}", Found(found))
            }
            K::MissingDimensions {
                element_type,
                found,
            } => write!(
                f,
                "expected `[` and the dimensions after `{element_type}`, found {}",
                Found(found)
            ),
            K::WrongBracket { open, .. } => {
                write!(
                    f,
                    "dimensions are written in square brackets, found `{open}`"
                )
            }
            K::NestedDimensions { .. } => f.write_str(
                "dimensions are listed in one pair of brackets, found another inside of it",
            ),
            K::Number {
                item: i,
                found,
                flaw,
            } => match flaw {
                NumberFlaw::Fraction if whole_part(found.as_str()).is_some() => {
                    write!(f, "the {} `{found}` has a decimal point", item(i))
                }
                NumberFlaw::Fraction => write!(f, "`{found}` is not a whole number"),
                NumberFlaw::Suffix => write!(f, "the {} `{found}` has a type suffix", item(i)),
                NumberFlaw::Underscore => write!(f, "the {} `{found}` has an underscore", item(i)),
                NumberFlaw::Plus => write!(f, "the {} `{found}` has a plus sign", item(i)),
                NumberFlaw::Times => write!(f, "`{found}` is not one number"),
                _ => write!(
                    f,
                    "the {} `{found}` is not in plain decimal digits",
                    item(i)
                ),
            },
            K::NumberTooLarge { item: i, found } => {
                let size = if found.as_str().starts_with('-') {
                    "small"
                } else {
                    "large"
                };
                write!(f, "the {} `{found}` is too {size}", item(i))
            }
            K::NegativeDimension { dimension, size } => {
                write!(f, "dimension {dimension} has the negative size {size}")
            }
            K::BoundSign { found } if found.as_str().as_bytes().contains(&b'?') => {
                write!(
                    f,
                    "a size is a bound or `?`, not both, found {}",
                    Found(found)
                )
            }
            K::BoundSign { found } => {
                write!(f, "expected `<=` before a bound, found {}", Found(found))
            }
            K::NamedRunTimeSize { found } => {
                write!(
                    f,
                    "`?` has no name in the text of a shape, found {}",
                    Found(found)
                )
            }
            K::ExpectedItem { item: i, found } => {
                write!(f, "expected a {}, found {}", item(i), Found(found))
            }
            K::MissingItem { item: i } => write!(f, "a {} is missing before this comma", item(i)),
            K::TrailingComma { item: i } => write!(f, "a comma follows the last {}", item(i)),
            K::MissingComma { close, found, .. } => {
                write!(f, "expected `,` or `{close}`, found {}", Found(found))
            }
            K::Unclosed { open, .. } => write!(f, "this `{open}` is never closed"),
            K::WrongClose { open, found, .. } => write!(f, "`{found}` does not close `{open}`"),
            K::Unexpected { expected, found } => {
                let expected = match expected {
                    Expected::SplitColon => "`:` after the dimension of a split",
                    Expected::Equals => "`=` after the name of an option",
                    Expected::PaddedList => "`[` and a width for each dimension",
                    Expected::PaddingValue => "a padding value",
                    Expected::Type => "the name of a type",
                    Expected::CloseParenthesis => "`)`",
                    Expected::Layout => "a layout in braces",
                    Expected::Attribute => "an attribute or `}`",
                };
                write!(f, "expected {expected}, found {}", Found(found))
            }
            K::Trailing {
                found,
                hint: Hint::Close,
            } => {
                write!(f, "`{found}` closes nothing")
            }
            K::Trailing { found, .. } => {
                write!(f, "unexpected {} after the shape", Found(found))
            }
            K::Quoted { .. } => f.write_str("quotes do not belong in a shape"),
            K::UnterminatedComment => f.write_str("this comment is never closed"),
            K::TooDeep { limit } => write!(f, "tuples are nested more than {limit} levels deep"),
            K::TooMany { item: i, limit } => write!(f, "more than {limit} {}", items(i)),
            K::NotAnArray { found } => {
                write!(f, "expected one array, found {}", not_an_array(found))
            }
            K::BufferOfNonArray { found } => {
                write!(f, "a buffer holds one array, found {}", not_an_array(found))
            }
            K::NoDimensions { element_type } => {
                write!(f, "`{element_type}` has no dimensions")
            }
            K::NoLayout {
                element_type: PrimitiveType::Tuple,
            } => f.write_str("a tuple has no layout of its own"),
            K::NoLayout {
                element_type: PrimitiveType::Buffer,
            } => f.write_str("a buffer has no layout of its own"),
            K::NoLayout { element_type } => write!(f, "`{element_type}` has no layout"),
            K::InvalidElementType { element_type } => {
                write!(f, "an array cannot have elements of type `{element_type}`")
            }
            K::EmptyLayout { .. } => f.write_str("the layout `{}` lists no dimensions"),
            K::OrderInWords { found, .. } => {
                write!(
                    f,
                    "minor_to_major is a list in braces directly after the dimensions, found {}",
                    Found(found)
                )
            }
            K::AttributesOutside { found, .. } => write!(
                f,
                "attributes belong in the braces of the layout, found {}",
                Found(found)
            ),
            K::LayoutTwice => f.write_str("a second layout"),
            K::TwoNotations => f.write_str("minor_to_major is given twice, in `{…}` and in `<…>`"),
            K::NotXla { found } => write!(f, "{} is not XLA's own text", Found(found)),
            K::AttributesInAngles { .. } => f.write_str("attributes are not allowed in `<…>`"),
            K::MissingColon { found } => {
                write!(
                    f,
                    "expected `:` before the attribute, found {}",
                    Found(found)
                )
            }
            K::MissingLayout => f.write_str("the array has no layout"),
            K::MinorToMajorLength { listed, rank } => write!(
                f,
                "minor_to_major lists {}, but the shape has {rank}",
                Dimensions(listed)
            ),
            K::DuplicateDimension { dimension, missing } => {
                write!(
                    f,
                    "minor_to_major lists dimension {dimension} more than once"
                )?;
                match missing.count() {
                    0 => Ok(()),
                    n => {
                        write!(f, " and lacks dimension{} ", if n == 1 { "" } else { "s" })?;
                        listing(f, missing.iter())
                    }
                }
            }
            K::DimensionOutOfRange { dimension, rank: 1 } => write!(
                f,
                "minor_to_major lists dimension {dimension}, but the shape has dimension 0 only"
            ),
            K::DimensionOutOfRange { dimension, rank } => write!(
                f,
                "minor_to_major lists dimension {dimension}, but the shape has dimensions 0 {} {}",
                if rank == 2 { "and" } else { "to" },
                rank.saturating_sub(1)
            ),
            K::OneBased { .. } => f.write_str("minor_to_major counts dimensions from 1"),
            K::UnknownAttribute { found, .. } | K::AttributeCase { found, .. } => {
                write!(f, "unknown layout attribute {}", Found(found))
            }
            K::AttributeSequence { attribute, after } => write!(
                f,
                "the attribute `{}` must come before `{}`",
                attribute.name(),
                after.name()
            ),
            K::AttributeTwice { attribute, .. } => {
                write!(f, "the attribute `{}` is given twice", attribute.name())
            }
            K::AttributeComma => f.write_str("attributes follow each other without a comma"),
            K::AttributeArgument { attribute, found } => {
                write!(
                    f,
                    "expected `(` after `{}`, found {}",
                    attribute.name(),
                    Found(found)
                )
            }
            K::UnnamedTile { .. } => f.write_str("this tile lacks its `T`"),
            K::EmptyTile => f.write_str("this tile has no entries"),
            K::ZeroTile => f.write_str("a tile entry is 0"),
            K::NegativeTile { size } => write!(f, "a tile entry is negative: {size}"),
            K::TrailingCombine => {
                f.write_str("a `*` at the end of a tile has no dimension to merge into")
            }
            K::TailAlignment { alignment } => {
                write!(f, "the tail padding alignment is {alignment}")
            }
            K::ElementSize { bits } => write!(f, "the element size is {bits} bits"),
            K::MemorySpace { space } => {
                write!(f, "the memory space {space} is outside -128 to 127")
            }
            K::SplitDimension { dimension, rank } => {
                let s = if rank == 1 { "" } else { "s" };
                write!(
                    f,
                    "a split is of physical dimension {dimension}, but the array has {rank} dimension{s}"
                )
            }
            K::SplitTwice { dimension } => {
                write!(f, "physical dimension {dimension} has more than one split")
            }
            K::SplitIndex {
                index,
                size: Some(size),
            } => write!(
                f,
                "a split at {index} is not inside of its physical dimension, which has size {size}"
            ),
            K::SplitIndex { index, size: None } => write!(
                f,
                "a split at {index} is of a physical dimension without a size, `?`"
            ),
            K::SplitSequence { index, before } => write!(
                f,
                "the indices of a split do not rise: {index} follows {before}"
            ),
            K::Sparse { attribute } => write!(
                f,
                "`{}(…)` belongs to sparse layouts, which XLA no longer has",
                attribute.name()
            ),
            K::ElementsOverflow {
                product,
                prefix,
                rank,
                padded,
            } => {
                let what = if padded {
                    "padded dimensions"
                } else {
                    "dimensions"
                };
                if prefix < rank {
                    write!(
                        f,
                        "the first {prefix} {what} alone multiply to {product} elements"
                    )?;
                } else {
                    write!(f, "the {what} multiply to {product} elements")?;
                }
                write!(f, ", more than {}", i64::MAX)
            }
            K::BytesOverflow {
                elements,
                bits,
                bytes,
                padded,
            } => {
                let what = if padded { "padded array" } else { "array" };
                write!(f, "the {what} takes {bytes} bytes ({elements} elements of ")?;
                if bits % 8 == 0 {
                    write!(f, "{} bytes", bits / 8)?
                } else {
                    write!(f, "{bits} bits")?
                }
                write!(f, "), more than {}", i64::MAX)
            }
            K::UnknownOption { found, .. } => write!(f, "unknown option {}", Found(found)),
            K::OptionTwice { name } => write!(f, "the option `{name}` is given twice"),
            K::UnknownPaddingValue { found, .. } => {
                write!(f, "unknown padding value {}", Found(found))
            }
            K::PaddedLength { listed, rank } => write!(
                f,
                "padded_dimensions lists {}, but the shape has {rank}",
                Dimensions(listed)
            ),
            K::PaddedBelow {
                dimension,
                padded,
                size,
            } => write!(
                f,
                "the padded width of dimension {dimension} is {padded}, below its size {size}"
            ),
            K::PaddedTiles => f.write_str("padded_dimensions and tiles cannot be used together"),
            K::Lower(error) => f.write_str(error.message()),
        }
    }
}

/// What several entries are called.
pub(super) const fn items(i: Item) -> &'static str {
    match i {
        Item::Dimension => "dimensions",
        Item::Bound => "bounds",
        Item::MinorToMajorEntry => "minor_to_major entries",
        Item::Tile => "tile entries",
        Item::WholeTile => "tiles",
        Item::Padded => "padded widths",
        Item::SplitDimension => "split dimensions",
        Item::SplitIndex => "split indices",
        Item::WholeSplit => "splits",
        Item::Argument => "numbers",
        Item::Member => "shapes",
        Item::Level => "levels",
        Item::TileDimension => "numbers of parts",
        Item::Device => "devices",
        Item::IotaDimension | Item::IotaTranspose => "dimensions",
        Item::ShardGroup => "shard group numbers",
    }
}
