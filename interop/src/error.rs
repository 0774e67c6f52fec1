//! What does not cross the boundary, and what to do about it.

use super::Library;
use xlayout_core::{DynLayout, LayoutError};
use xlayout_shape::error::{self, ErrorKind, Excerpt};
use xlayout_shape::list::CapacityError;
use xlayout_shape::modes::LowerError;
use xlayout_shape::primitive::PrimitiveType;
use xlayout_shape::shape::ArrayShape;

/// What strides count in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StrideUnit {
    /// NumPy's strides, and XLA's `ByteStrides`.
    Bytes,
    /// The strides of DLPack, MLIR and CuTe, and ours.
    Elements,
}

/// What another library's description of an array says that no layout can, or the reverse. Found
/// as the kind of an [`Error`].
///
/// ```
/// use xlayout_interop::{BoundaryError, StridedArray, StrideUnit};
/// use xlayout_core::PrimitiveType;
///
/// let every_second = StridedArray::new(PrimitiveType::F32, &[2, 3], &[48, 8]).unwrap_err();
/// let kind = BoundaryError::ElementGap {
///     dimension: 1,
///     stride: 8,
///     element: 4,
///     unit: StrideUnit::Bytes,
/// };
/// assert_eq!(every_second.kind(), &kind);
/// assert_eq!(
///     every_second.to_string(),
///     "dimension 1 varies fastest and steps by 8 bytes, where an element takes 4 bytes",
/// );
/// ```
///
/// ```
/// use xlayout_interop::{BoundaryError, StridedArray};
/// use xlayout_core::PrimitiveType;
///
/// let error = StridedArray::new(PrimitiveType::F32, &[2, 3], &[12, 5]).unwrap_err();
/// assert!(matches!(error.kind(), BoundaryError::PartOfElement { dimension: 1, stride: 5, .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "the fields are the numbers that the line above them names"
)]
pub enum BoundaryError {
    /// The shape or the layout itself is wrong.
    Shape(ErrorKind),
    /// There are more or fewer strides than dimensions.
    StridesLength { listed: usize, rank: usize },
    /// More dimensions than [`MAX_RANK`](super::MAX_RANK).
    TooManyDimensions { limit: usize },
    /// A dimension runs backwards in memory.
    NegativeStride {
        dimension: usize,
        stride: i64,
        unit: StrideUnit,
    },
    /// All indices of a dimension lie at one place: it is broadcast.
    ZeroStride { dimension: usize, size: i64 },
    /// A dimension steps farther than in a dense array.
    Gap {
        dimension: usize,
        stride: i64,
        dense: i64,
        unit: StrideUnit,
    },
    /// The elements of the dimension that varies fastest have gaps between them.
    ElementGap {
        dimension: usize,
        stride: i64,
        element: i64,
        unit: StrideUnit,
    },
    /// A stride is no multiple of the one below it.
    Uneven {
        dimension: usize,
        stride: i64,
        inner: usize,
        inner_stride: i64,
        unit: StrideUnit,
    },
    /// A dimension steps by less than what a more minor one spans.
    Overlap {
        dimension: usize,
        stride: i64,
        inner: usize,
        span: i128,
        unit: StrideUnit,
    },
    /// A byte stride is no multiple of the element's bytes.
    PartOfElement {
        dimension: usize,
        stride: i64,
        bytes: i64,
    },
    /// A tiled layout has no strides.
    Tiled,
    /// Elements that are no whole bytes have no byte strides.
    PackedView { bits: i64 },
    /// The notation has no place for a part of the layout.
    NoPlace { library: Library, part: LayoutPart },
    /// The notation has no name for an element type.
    NoType {
        library: Library,
        element_type: PrimitiveType,
    },
    /// The layout gives an element a width that the notation has no word for.
    ElementBits { library: Library, bits: i64 },
    /// The notation's name is no element type.
    UnknownType { library: Library, found: Excerpt },
    /// A NumPy type string that several element types have, or none.
    Void { bytes: i64 },
    /// NumPy's `order=` with another letter.
    MemoryOrder { found: Excerpt },
    /// Elements of this type do not go by this type string.
    OtherType {
        element_type: PrimitiveType,
        found: Excerpt,
    },
    /// The bytes of an element are in the other sequence.
    BigEndian { found: Excerpt },
    /// DLPack's vector types.
    Lanes { lanes: u16 },
    /// A DLPack type that no element type is.
    DlType { code: u8, bits: u8 },
    /// A size that only the run time knows.
    RunTimeSize { dimension: usize },
    /// A stride that only the run time knows.
    RunTimeStride { dimension: usize },
    /// The sizes of a CuTe layout are not those of the array.
    CuteSize {
        dimension: usize,
        size: i64,
        cute: i64,
    },
    /// A CuTe layout has another number of dimensions than the array.
    CuteRank { rank: usize, cute: usize },
    /// The digits of a coordinate do not lie in the sequence of their weight.
    CuteDigits { dimension: usize },
    /// No layout was found that has this memory map.
    NoLayout,
    /// Something else is where the notation needs something.
    Expected {
        library: Library,
        expected: &'static str,
        found: Excerpt,
    },
    /// A number is no integer from `least` to `i64::MAX`.
    Number {
        library: Library,
        found: Excerpt,
        least: i64,
    },
    /// Something else is where NumPy's type string is needed.
    TypeString { found: Excerpt },
    /// A key or a parameter is given again.
    Twice { library: Library, found: Excerpt },
    /// A key or a parameter is missing.
    Missing {
        library: Library,
        name: &'static str,
    },
    /// A form of the notation that is not read.
    Unread {
        library: Library,
        form: &'static str,
        found: Excerpt,
    },
    /// Shape and stride of a CuTe layout are nested differently.
    CuteProfile { found: Excerpt },
}

/// A part of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayoutPart {
    /// `SC(…)`
    Splits,
    /// `M(n)`
    Metadata,
    /// `L(n)`
    TailAlignment,
    /// `padded_dimensions`
    Padding,
    /// Coordinates that a `*` in a tile merges, or tiles that do not divide each other.
    MergedCoordinates,
}

use BoundaryError as B;

/// What is wrong in or with another library's description of an array.
pub type Error = error::ParseError<BoundaryError>;

/// What validation says of a shape.
pub(super) fn invalid(error: error::ParseError) -> Error {
    error.map(B::Shape)
}

/// A list that cannot grow: more dimensions than this build holds.
pub(super) fn full(_: CapacityError) -> Error {
    let limit = xlayout_shape::dims::INLINE_RANK;
    B::TooManyDimensions { limit }.into()
}

/// The shape lowered: it is validated, then lowered, and each of both has its own errors.
pub(super) fn lowered(shape: &ArrayShape) -> Result<DynLayout, Error> {
    DynLayout::new(shape.clone()).map_err(|layout_error| match layout_error {
        LayoutError::Invalid(error) => invalid(error),
        LayoutError::Lower(error) => B::Shape(ErrorKind::Lower(error)).into(),
        other => unreachable!("a shape is validated, then lowered: {other}"),
    })
}

/// Strides or sizes that come to more than 64 bits count.
pub(super) fn too_large() -> Error {
    B::Shape(ErrorKind::Lower(LowerError::TooLarge)).into()
}
