//! What to write instead.

use core::fmt::{Display, Formatter, Result};

use super::kind::ErrorKind;
use super::message::{item, items};
use super::number::number_help;
use super::parts::{Attribute, Expected, Hint, Item, NotAnArray, OrderAdvice};
use super::suggest::Suggestion;
use crate::primitive::PrimitiveType;

pub(super) struct Help<'a>(pub(super) &'a ErrorKind);

/// `{2,1,0}` or `{0,1,2}`; long ones with `…` in the middle.
struct MinorToMajorText {
    rank: usize,
    row_major: bool,
}

impl Display for MinorToMajorText {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str("{")?;
        let elided = self.rank > 10;
        for k in 0..self.rank {
            if elided && k == 3 {
                f.write_str(",…")?;
            }
            if elided && 3 <= k && k < self.rank - 2 {
                continue;
            }
            let d = if self.row_major { self.rank - 1 - k } else { k };
            write!(f, "{}{d}", if k == 0 { "" } else { "," })?;
        }
        f.write_str("}")
    }
}

/// The lists that are right for a rank, with their directions.
fn orders(f: &mut Formatter<'_>, rank: usize) -> Result {
    match rank {
        0 => f.write_str("leave the layout out: a scalar has no dimensions"),
        1 => f.write_str("write `{0}`"),
        _ => write!(
            f,
            "write `{}` (row-major) or `{}` (column-major); \
             the dimension that varies fastest comes first",
            MinorToMajorText {
                rank,
                row_major: true
            },
            MinorToMajorText {
                rank,
                row_major: false
            },
        ),
    }
}

/// An attribute with an argument, to copy.
const fn example(attribute: Attribute) -> &'static str {
    match attribute {
        Attribute::Levels => "D(D,D)",
        Attribute::Tiles => "T(8,128)",
        Attribute::TailAlignment => "L(100)",
        Attribute::IndexType => "#(u32)",
        Attribute::PointerType => "*(u32)",
        Attribute::ElementSize => "E(4)",
        Attribute::MemorySpace => "S(1)",
        Attribute::Splits => "SC(0:30)",
        Attribute::PhysicalShape => "P(f32[2])",
        Attribute::Metadata => "M(16)",
    }
}

/// Whether there is anything to say beyond the message.
pub(super) const fn has_help(kind: &ErrorKind) -> bool {
    !matches!(kind, ErrorKind::InvalidElementType { .. })
}

impl Display for Help<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        use ErrorKind as K;
        match *self.0 {
            K::Empty => f.write_str("write one such as `f32[2,3]{1,0}`"),
            K::UnknownType { suggestion, .. } => type_help(f, suggestion),
            K::WordAlone { .. } => f.write_str(
                "write a shape: `f32[2,3]{1,0}`; a layout that has a name is used without \
                 `layout!`, and a text that is known at run time only is read with `.parse::<DynLayout>()`",
            ),
            K::MissingType { .. } => {
                f.write_str("a shape begins with the type of its elements: `f32[2,3]`")
            }
            K::MissingDimensions { element_type, .. } if element_type.is_array() => {
                write!(
                    f,
                    "write `{element_type}[2,3]`, or `{element_type}[]` for a scalar"
                )
            }
            K::MissingDimensions { element_type, .. } => write!(f, "write `{element_type}[]`"),
            K::WrongBracket {
                element_type,
                open: '{',
                inside,
            } => write!(
                f,
                "write `{element_type}[{inside}]`, or the dimensions before this layout"
            ),
            K::WrongBracket {
                element_type,
                inside,
                ..
            } => {
                write!(f, "write `{element_type}[{inside}]`")
            }
            K::NestedDimensions { inside } => {
                write!(f, "write `{inside}`, without brackets around it")
            }
            K::Number { item, found, flaw } => number_help(f, item, found, flaw),
            K::NumberTooLarge { .. } => {
                write!(f, "numbers go from {} to {}", i64::MIN, i64::MAX)
            }
            K::NegativeDimension { .. } => f.write_str(
                "write 0 or more; `<=8` for a size that is known at run time and at most 8, \
                 `?` for one without a bound",
            ),
            K::BoundSign { .. } => f.write_str(
                "write `<=8` for a size that is known at run time and at most 8, \
                 `?` for one without a bound",
            ),
            K::NamedRunTimeSize { .. } => {
                f.write_str("write `?` alone: names such as `?M` are for `layout!`")
            }
            K::ExpectedItem { item, .. } => f.write_str(match item {
                Item::Dimension => {
                    "write a size such as `3`; `<=8` for one that is known at run time and at most \
                     8, `?` for one without a bound"
                }
                Item::Bound => "write the largest size, such as `<=8`",
                Item::MinorToMajorEntry => {
                    "list the numbers of the dimensions, counted from 0, \
                     the one that varies fastest first: `{1,0}`"
                }
                Item::Tile => "write a number such as `128`, or `*` to merge into the next entry",
                Item::Padded => "write how wide the dimension is allocated, such as `128`",
                Item::SplitDimension => "write the number of a physical dimension: `SC(0:30)`",
                Item::SplitIndex => "write where the dimension is cut: `SC(0:30)`",
                Item::Argument => "write a number in plain decimal digits",
                Item::WholeTile => "write a tile such as `(8,128)`",
                Item::WholeSplit => "write a split such as `(0:30)`",
                Item::Member => "write a shape such as `f32[2,3]`",
                Item::Level => "write `D` for each dimension: only dense levels are left in XLA",
                Item::TileDimension => {
                    "write into how many parts each dimension is cut: `devices=[2,4]<=[8]`"
                }
                Item::Device => {
                    "list the devices, `[2,2]0,1,2,3`, or write `[2,2]<=[4]` for 0, 1, 2, …"
                }
                Item::IotaDimension => "write how many devices there are: `<=[8]`",
                Item::IotaTranspose => {
                    "list each dimension of `<=[…]` once, counted from 0: `<=[4,2]T(1,0)`"
                }
                Item::ShardGroup => "write the number of the group: `shard_as 1`",
            }),
            K::MissingItem { item: i } => write!(f, "write the {}, or remove the comma", item(i)),
            K::TrailingComma { .. } => f.write_str("remove the comma"),
            K::MissingComma { item, .. } => write!(f, "separate {} with commas", items(item)),
            K::Unclosed { close, .. } => write!(f, "write `{close}` where it ends"),
            K::WrongClose { close, .. } => write!(f, "write `{close}`"),
            K::Unexpected { expected, .. } => f.write_str(match expected {
                Expected::SplitColon => "write `SC(0:30)`: dimension 0 is cut at 30",
                Expected::Equals => "write `padded_dimensions = [3, 5]` or `padding_value = zero`",
                Expected::PaddedList => "write `padded_dimensions = [3, 5]`",
                Expected::PaddingValue => "write `zero`, `one`, `lowest`, `highest` or `unknown`",
                Expected::Type => "write a type such as `u32`",
                Expected::CloseParenthesis => "these parentheses contain one value",
                Expected::Layout => {
                    "write one such as `{1,0}`, the dimension that varies fastest first"
                }
                Expected::Attribute => ATTRIBUTES_HELP,
            }),
            K::Trailing { found, hint } => match hint {
                Hint::Remove => f.write_str("remove it"),
                Hint::Parentheses => f.write_str("write a layout in braces directly after the dimensions: `f32[2,3]{1,0}`"),
                Hint::Brackets => f.write_str("write all dimensions in one list: `f32[2,3]`"),
                Hint::Comma => f.write_str("write several shapes as a tuple: `(f32[2], f32[3])`"),
                Hint::Option => f.write_str("write a comma before it"),
                Hint::Close => write!(f, "remove `{found}`"),
            },
            K::Quoted { .. } => f.write_str("remove the quotes"),
            K::UnterminatedComment => f.write_str("write `*/` where it ends"),
            K::TooDeep { .. } => f.write_str("flatten the tuple"),
            K::TooMany { .. } => f.write_str("turn on the feature `alloc` for longer lists"),
            K::NotAnArray {
                found: NotAnArray::Tuple | NotAnArray::Buffer,
            } => f.write_str("write the array alone, without parentheses: `f32[2,3]`"),
            K::NotAnArray { .. } | K::BufferOfNonArray { .. } => {
                f.write_str("write an array such as `f32[2,3]`")
            }
            K::NoDimensions { element_type } => write!(f, "write `{element_type}[]`"),
            K::NoLayout {
                element_type: PrimitiveType::Tuple | PrimitiveType::Buffer,
            } => f.write_str("write layouts at the arrays inside: `(f32[2,3]{0,1}, s32[])`"),
            K::NoLayout { element_type } => write!(f, "write `{element_type}[]`"),
            K::InvalidElementType { .. } => Ok(()),
            K::EmptyLayout { rank } => {
                orders(f, rank)?;
                f.write_str(if rank == 0 {
                    ""
                } else {
                    ", or leave it out for row-major"
                })
            }
            K::OrderInWords { advice, .. } => match advice {
                OrderAdvice::List(order) => write!(
                    f,
                    "write `{{{order}}}`; the dimension that varies fastest comes first"
                ),
                OrderAdvice::Braces => {
                    f.write_str("write the braces alone")
                }
                OrderAdvice::Remove => {
                    f.write_str("remove it: the layout before it lists the dimensions")
                }
                OrderAdvice::OfRank(rank) => orders(f, rank),
                OrderAdvice::Unknown => f.write_str(
                    "list the dimensions, the one that varies fastest first: \
                     for rank 2, `{1,0}` is row-major and `{0,1}` column-major",
                ),
            },
            K::AttributesOutside {
                attributes,
                order: Some(order),
                ..
            } => write!(f, "write them in the braces: `{{{order}:{attributes}}}`"),
            K::AttributesOutside { attributes, .. } => write!(
                f,
                "write them in the braces, after the dimensions: `{{1,0:{attributes}}}`"
            ),
            K::LayoutTwice => f.write_str("keep one of them"),
            K::TwoNotations => {
                f.write_str("keep one of them; only `{…}` can hold tiles and other attributes")
            }
            K::NotXla { found } if found.as_str().starts_with('<') => {
                f.write_str("write minor_to_major in braces: `{0,1}`")
            }
            K::NotXla { .. } => {
                f.write_str("XLA has no text for padding; read it in the extended notation")
            }
            K::AttributesInAngles { inside } => {
                write!(f, "write minor_to_major in braces: `{{{inside}}}`")
            }
            K::MissingColon { .. } => {
                f.write_str("list the dimensions, then `:` and attributes: `{1,0:T(8,128)}`")
            }
            K::MissingLayout => f.write_str("set its layout; row-major is the default"),
            K::MinorToMajorLength { rank, .. } => orders(f, rank),
            K::DuplicateDimension { .. } => {
                f.write_str("list every dimension once, the one that varies fastest first")
            }
            K::DimensionOutOfRange { dimension, rank } if dimension < 0 => {
                f.write_str("dimensions count from 0")?;
                match dimension.checked_add(rank as i64) {
                    Some(d @ 0..) => {
                        write!(f, "; counted from the end, {dimension} is dimension {d}")
                    }
                    _ => Ok(()),
                }
            }
            K::DimensionOutOfRange { rank, .. } => {
                f.write_str("dimensions count from 0; ")?;
                orders(f, rank)
            }
            K::OneBased { suggestion } => {
                write!(f, "dimensions count from 0: did you mean `{{{suggestion}}}`?")
            }
            K::UnknownAttribute {
                suggestion: Some(example),
                ..
            } => write!(f, "write `{example}`"),
            K::UnknownAttribute { .. } => f.write_str(ATTRIBUTES_HELP),
            K::AttributeCase { attribute, .. } => {
                write!(f, "attributes are upper case: write `{}`", attribute.name())
            }
            K::AttributeSequence { .. } => {
                f.write_str("the sequence is `T`, `L`, `E`, `S`, `SC`, `M`")
            }
            K::AttributeTwice {
                joined: Some(joined),
                ..
            } => write!(f, "write `{joined}`"),
            K::AttributeTwice {
                attribute: Attribute::Tiles,
                ..
            } => f.write_str("write one `T`, then one tile after the other: `T(8,128)(2,1)`"),
            K::AttributeTwice {
                attribute: Attribute::Splits,
                ..
            } => f.write_str("write one `SC`, then one split after the other: `SC(0:30)(1:40)`"),
            K::AttributeTwice { .. } => f.write_str("keep one of them"),
            K::AttributeComma => f.write_str("remove the comma: `T(8,128)S(1)`"),
            K::AttributeArgument { attribute, .. } => write!(f, "write `{}`", example(attribute)),
            K::UnnamedTile { inside } => write!(f, "write `T({inside})`"),
            K::EmptyTile => f.write_str("write its sizes, the most minor one last: `T(8,128)`"),
            K::ZeroTile | K::NegativeTile { .. } => f.write_str(
                "write 1 or more, or `*` to merge a dimension with the next more minor one",
            ),
            K::TrailingCombine => f.write_str(
                "`*` merges a dimension with the next more minor one; end the tile with a number",
            ),
            K::TailAlignment { .. } => {
                f.write_str("write 1 or more elements, or leave `L(…)` out for none")
            }
            K::ElementSize { .. } => f.write_str(
                "write 1 or more bits, or leave `E(…)` out for the whole bytes of the type",
            ),
            K::MemorySpace { .. } => f.write_str(
                "XLA keeps it in 8 bits: 0 is the default memory, 1 the fast one, 5 the host's",
            ),
            K::SplitDimension { rank: 0, .. } => {
                f.write_str("a scalar has no dimension to split: leave `SC(…)` out")
            }
            K::SplitDimension { rank: 1, .. } => {
                f.write_str("write 0, the only dimension; XLA checks this inside tuples")
            }
            K::SplitDimension { rank, .. } => write!(
                f,
                "write 0 for the most major dimension, up to {} for the most minor one; XLA checks this inside tuples",
                rank - 1
            ),
            K::SplitTwice { .. } => f.write_str(
                "write all indices of a dimension in one split, as in `SC(0:30,40)`; XLA checks this inside tuples",
            ),
            K::SplitIndex {
                size: Some(size @ 2..),
                ..
            } => write!(
                f,
                "write an index from 1 to {}; physical dimension 0 is the most major one",
                size - 1
            ),
            K::SplitIndex { size: Some(_), .. } => {
                f.write_str("a dimension of this size has no parts: leave the split out")
            }
            K::SplitIndex { size: None, .. } => {
                f.write_str("write a size or a bound, as in `<=200`, or leave the split out")
            }
            K::SplitSequence { .. } => f.write_str("write each index once, the smallest first"),
            K::Sparse { .. } => f.write_str("leave it out"),
            K::ElementsOverflow { .. } | K::BytesOverflow { .. } => {
                f.write_str("XLA counts elements and bytes in 64 bits with a sign")
            }
            K::UnknownOption {
                suggestion: Some(name),
                ..
            } => write!(f, "did you mean `{name}`?"),
            K::UnknownOption { .. } => {
                f.write_str("the options are `padded_dimensions` and `padding_value`, in `layout!` also `sharding`")
            }
            K::OptionTwice { .. } => f.write_str("keep one of them"),
            K::UnknownPaddingValue {
                suggestion: Some(name),
                ..
            } => {
                write!(f, "did you mean `{name}`?")
            }
            K::UnknownPaddingValue { .. } => {
                f.write_str("write `zero`, `one`, `lowest`, `highest` or `unknown`")
            }
            K::PaddedLength { .. } => {
                f.write_str("list the allocated width of every dimension, dimension 0 first")
            }
            K::PaddedBelow { size, .. } => write!(f, "write {size} or more"),
            K::PaddedTiles => f.write_str(
                "use one of them: a tile pads each dimension to a multiple of its entry",
            ),
            K::Lower(error) => f.write_str(error.help()),
        }
    }
}

const ATTRIBUTES_HELP: &str = "the attributes are, in this sequence, `T` (tiles), \
                               `L` (tail padding alignment), `E` (element size in bits), \
                               `S` (memory space), `SC` (splits), `M` (metadata bytes)";

fn type_help(f: &mut Formatter<'_>, suggestion: Suggestion) -> Result {
    let names = |f: &mut Formatter<'_>, types: &[PrimitiveType]| {
        for (k, t) in types.iter().enumerate() {
            write!(f, "{}`{t}`", if k == 0 { "" } else { ", " })?;
        }
        Ok(())
    };
    match suggestion {
        Suggestion::Alias(t) => write!(f, "write `{t}`"),
        Suggestion::Case(t) => write!(f, "names of types are lower case: write `{t}`"),
        Suggestion::Near(t) => write!(f, "did you mean `{t}`?"),
        Suggestion::Widest(t) => write!(f, "the widest type of this kind is `{t}`"),
        Suggestion::Among(types) => {
            f.write_str("write which one: ")?;
            names(f, types)
        }
        Suggestion::Tuple => f.write_str("write a tuple in parentheses: `(f32[2], s32[])`"),
        Suggestion::Buffer => f.write_str("write a buffer with its array: `b(f32[2])`"),
        Suggestion::None => f.write_str(
            "the element types are pred; s1, s2, s4, s8, s16, s32, s64; u1, u2, u4, u8, u16, \
                 u32, u64; f16, bf16, f32, f64; c64, c128; f8e5m2, f8e4m3fn, f8e4m3, f8e3m4, \
                 f8e4m3b11fnuz, f8e5m2fnuz, f8e4m3fnuz, f8e8m0fnu; f6e2m3fn, f6e3m2fn; f4e2m1fn",
        ),
    }
}
