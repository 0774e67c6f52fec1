//! The words of [`BoundaryError`]: what is wrong, and what to do about it.

use core::fmt::{Display, Formatter, Result};

use super::BoundaryError as B;
use super::{BoundaryError, LayoutPart, Library, StrideUnit};
use xlayout_shape::error::{Excerpt, Explain};

/// `1 byte`, `12 elements`.
struct Amount(i128, StrideUnit);

impl Display for Amount {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let unit = match self.1 {
            StrideUnit::Bytes => "byte",
            StrideUnit::Elements => "element",
        };
        let plural = if matches!(self.0, 1 | -1) { "" } else { "s" };
        write!(f, "{} {unit}{plural}", self.0)
    }
}

/// What was found, in backquotes.
struct Found(Excerpt);

impl Display for Found {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.0.as_str() {
            "" => f.write_str("the end of the text"),
            _ => write!(f, "`{}`", self.0),
        }
    }
}

impl Explain for BoundaryError {
    fn message(&self, f: &mut Formatter<'_>) -> Result {
        match *self {
            B::Shape(kind) => kind.message(f),
            B::StridesLength { listed, rank } => write!(
                f,
                "there {} {listed} stride{}, but {rank} dimension{}",
                if listed == 1 { "is" } else { "are" },
                if listed == 1 { "" } else { "s" },
                if rank == 1 { "" } else { "s" },
            ),
            B::TooManyDimensions { limit } => write!(f, "there are more than {limit} dimensions"),
            B::NegativeStride {
                dimension,
                stride,
                unit,
            } => write!(
                f,
                "dimension {dimension} runs backwards: it steps by {}",
                Amount(stride.into(), unit),
            ),
            B::ZeroStride { dimension, size } => write!(
                f,
                "dimension {dimension} is broadcast: its stride is 0, so that its {size} indices \
                 share one place",
            ),
            B::Gap {
                dimension,
                stride,
                dense,
                unit,
            } => write!(
                f,
                "dimension {dimension} steps by {} where a dense array steps by {dense}",
                Amount(stride.into(), unit),
            ),
            B::ElementGap {
                dimension,
                stride,
                element,
                unit,
            } => {
                write!(
                    f,
                    "dimension {dimension} varies fastest and steps by {}",
                    Amount(stride.into(), unit),
                )?;
                match unit {
                    StrideUnit::Bytes => {
                        write!(
                            f,
                            ", where an element takes {}",
                            Amount(element.into(), unit)
                        )
                    }
                    StrideUnit::Elements => f.write_str(", not by 1"),
                }
            }
            B::Uneven {
                dimension,
                stride,
                inner,
                inner_stride,
                unit,
            } => write!(
                f,
                "dimension {dimension} steps by {}, which is no multiple of the {inner_stride} \
                 that dimension {inner} steps by",
                Amount(stride.into(), unit),
            ),
            B::Overlap {
                dimension,
                stride,
                inner,
                span,
                unit,
            } => write!(
                f,
                "dimension {dimension} steps by {}, but dimension {inner} spans {span}: their \
                 elements overlap or interleave",
                Amount(stride.into(), unit),
            ),
            B::PartOfElement {
                dimension,
                stride,
                bytes,
            } => write!(
                f,
                "dimension {dimension} steps by {}, which is no multiple of the {} of an element",
                Amount(stride.into(), StrideUnit::Bytes),
                Amount(bytes.into(), StrideUnit::Bytes),
            ),
            B::Tiled => f.write_str("the layout is tiled, so that its dimensions have no strides"),
            B::PackedView { bits } => write!(
                f,
                "an element takes {bits} bit{}, so that its dimensions have no strides in whole \
                 bytes",
                if bits == 1 { "" } else { "s" },
            ),
            B::NoPlace { library, part } => write!(
                f,
                "{} has no place for {}",
                library.notation(),
                match part {
                    LayoutPart::Splits => "the splits `SC(…)`",
                    LayoutPart::Metadata => "the metadata `M(n)` before the data",
                    LayoutPart::TailAlignment => "the tail padding alignment `L(n)`",
                    LayoutPart::Padding => "`padded_dimensions`",
                    LayoutPart::MergedCoordinates => {
                        "coordinates that the tiles merge from several dimensions"
                    }
                }
            ),
            B::NoType {
                library,
                element_type,
            } => {
                write!(f, "{} has no type `{element_type}`", library.name())
            }
            B::ElementBits { library, bits } => write!(
                f,
                "{} has no word for elements that take {bits} bit{} each",
                library.notation(),
                if bits == 1 { "" } else { "s" },
            ),
            B::UnknownType { library, found } => write!(
                f,
                "XLA has no element type that {} calls {}",
                library.name(),
                Found(found),
            ),
            B::Void { bytes } => write!(
                f,
                "`V{bytes}` says only that an element takes {}",
                Amount(bytes.into(), StrideUnit::Bytes),
            ),
            B::MemoryOrder { found } => write!(f, "expected `C` or `F`, found {}", Found(found)),
            B::OtherType {
                element_type,
                found,
            } => {
                write!(
                    f,
                    "elements of type `{element_type}` do not go by {}",
                    Found(found)
                )
            }
            B::BigEndian { found } => {
                write!(f, "{} has big-endian elements", Found(found))
            }
            B::Lanes { lanes } => {
                write!(
                    f,
                    "an element is a vector of {lanes} lanes; XLA's elements have one"
                )
            }
            B::DlType { code, bits } => match super::dlpack::code_name(code) {
                Some(name) => write!(f, "XLA has no element type of {name} with {bits} bits"),
                None => write!(f, "DLPack has no type code {code}"),
            },
            B::RunTimeSize { dimension } => {
                write!(
                    f,
                    "only the run time knows the size of dimension {dimension}"
                )
            }
            B::RunTimeStride { dimension } => {
                write!(
                    f,
                    "only the run time knows the stride of dimension {dimension}"
                )
            }
            B::CuteSize {
                dimension,
                size,
                cute,
            } => write!(
                f,
                "dimension {dimension} has size {size}, which a CuTe layout does not write as \
                 {cute}",
            ),
            B::CuteRank { rank, cute } => write!(
                f,
                "there are {rank} sizes, but the CuTe layout has {cute} dimensions",
            ),
            B::CuteDigits { dimension } => write!(
                f,
                "the modes of dimension {dimension} do not lie in memory in their sequence",
            ),
            B::NoLayout => f.write_str("no layout was found that puts the elements there"),
            B::Expected {
                expected, found, ..
            } => {
                write!(f, "expected {expected}, found {}", Found(found))
            }
            B::Number { found, least, .. } => {
                write!(
                    f,
                    "{} is no integer from {least} to {}",
                    Found(found),
                    i64::MAX
                )
            }
            B::TypeString { found } => {
                write!(
                    f,
                    "expected a type string such as `<f4`, found {}",
                    Found(found)
                )
            }
            B::Twice { found, .. } => write!(f, "{} is given twice", Found(found)),
            B::Missing { library, name } => {
                write!(f, "{} needs {name}", library.notation())
            }
            B::Unread { form, found, .. } => write!(f, "{} is {form}", Found(found)),
            B::CuteProfile { found } => write!(
                f,
                "the stride is nested differently from the shape: found {}",
                Found(found),
            ),
        }
    }

    fn has_help(&self) -> bool {
        match self {
            B::Shape(kind) => kind.has_help(),
            _ => true,
        }
    }

    fn help(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match *self {
            B::Shape(kind) => return kind.help(f),
            B::StridesLength { .. } => "list one stride for each dimension",
            B::TooManyDimensions { .. } => "merge dimensions until their number is allowed",
            B::NegativeStride { .. } => {
                "make a copy, or use `StridedArray`: `stored` is the array the other way round"
            }
            B::ZeroStride { .. } => {
                "make a copy, or use `StridedArray`: `stored` is the array before the broadcast"
            }
            B::Gap { .. } => {
                "make a dense copy, or take the padded layout that `StridedArray::padded` gives"
            }
            B::ElementGap { .. } | B::Uneven { .. } => {
                "make a dense copy: no minor_to_major and no padding gives these strides"
            }
            B::Overlap { .. } => "make a dense copy: in a layout each element has its own place",
            B::PartOfElement { .. } => {
                "make a dense copy: the elements of a layout lie whole elements apart"
            }
            B::Tiled => {
                "convert to a layout without tiles, or describe the tiles, too: \
                 `MemRef::physical`, `CuteLayout`"
            }
            B::PackedView { .. } => "take elements of whole bytes: leave out `E(n)`",
            B::NoPlace { .. } => "take it out of the layout first",
            B::NoType { library, .. } => {
                return write!(
                    f,
                    "convert the elements to a type that {} has",
                    library.name()
                );
            }
            B::ElementBits { .. } => "leave out `E(n)`, or give it the width of the type",
            B::UnknownType { library, .. } => library.types(),
            B::TypeString { .. } => Library::Numpy.types(),
            B::Void { bytes: 2 } => {
                "ml_dtypes' bfloat16 is one: name the type, `to_shape_of(PrimitiveType::Bf16)`"
            }
            B::Void { bytes: 1 } => {
                "ml_dtypes' int4 and float8_e4m3fn are some: name the type, \
                 `to_shape_of(PrimitiveType::S4)`"
            }
            B::Void { .. } => "no element type of XLA's goes by it; view it as another type first",
            B::MemoryOrder { .. } => {
                "write `C` (row-major) or `F` (column-major); `A` and `K` depend on the array that is \
                 copied"
            }
            B::OtherType { .. } => "name the type that the array has",
            B::BigEndian { .. } => {
                "XLA's are little-endian: copy with `a.astype(a.dtype.newbyteorder('<'))`"
            }
            B::Lanes { .. } => "make the lanes a dimension of their own, the most minor one",
            B::DlType { .. } => "convert the elements to a type that XLA has",
            B::RunTimeSize { .. } | B::RunTimeStride { .. } => "write the number in place of `?`",
            B::CuteSize { .. } => {
                "sizes are rounded up to whole tiles there: pass the sizes of the array, or those \
                 of the CuTe layout"
            }
            B::CuteRank { .. } => "list one size for each dimension",
            B::CuteDigits { .. } => {
                "only layouts whose modes lie fastest first within each dimension are read"
            }
            B::NoLayout => "make a copy in a layout that XLA has",
            B::Expected { library, .. }
            | B::Number { library, .. }
            | B::Missing { library, .. } => {
                return write!(f, "{} reads {}", library.notation(), library.example());
            }
            B::Twice { .. } => "leave one of them out",
            B::Unread {
                library: Library::MemRef,
                ..
            } => "write sizes, `strided<[…]>` and a number for the memory space",
            B::Unread {
                library: Library::Cute,
                ..
            } => "write a shape and a stride of known integers: `(2,3):(1,2)`",
            B::Unread { library, .. } => {
                return write!(f, "{} reads {}", library.notation(), library.example());
            }
            B::CuteProfile { .. } => "write a number of the stride for each number of the shape",
        })
    }
}
