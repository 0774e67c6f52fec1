//! What may be wrong, each with its message and its help.

use core::fmt::Display;

use crate::Library;
use xlayout_shape::error::{Attribute, Excerpt, Found};
use xlayout_shape::words::{Counted, are, from_fn};
use xlayout_shape::{ElementType, ErrorKind};

/// What strides count in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StrideUnit {
    /// NumPy's strides, and XLA's `ByteStrides`.
    Bytes,
    /// The strides of DLPack, MLIR and CuTe, and ours.
    Elements,
}

impl StrideUnit {
    /// `1 byte`, `12 elements`
    fn amount(self, number: i64) -> impl Display {
        let unit = match self {
            Self::Bytes => "byte",
            Self::Elements => "element",
        };
        from_fn(move |f| match number {
            -1 => write!(f, "-1 {unit}"),
            _ => Counted(number, unit).fmt(f),
        })
    }
}

/// What to do where no layout has such strides.
const NO_LAYOUT: &str = "make a dense copy: no minor_to_major and no padding gives these strides";

/// What to do with elements that NumPy knows by their width only.
const fn of_void(bytes: i64) -> &'static str {
    match bytes {
        2 => "ml_dtypes' bfloat16 is one: name the type, `to_shape_of(ElementType::Bf16)`",
        1 => {
            "ml_dtypes' int4 and float8_e4m3fn are some: name the type, `to_shape_of(ElementType::S4)`"
        }
        _ => "no element type of XLA's goes by it; view it as another type first",
    }
}

xlayout_shape::error_table! {
/// What another library's description of an array says that no layout can, or the reverse. Found
/// as the kind of an [`Error`](super::Error).
///
/// ```
/// use xlayout_interop::{BoundaryError, StridedArray, StrideUnit};
/// use xlayout_core::ElementType;
///
/// let every_second = StridedArray::new(ElementType::F32, &[2, 3], &[48, 8]).unwrap_err();
/// let kind = BoundaryError::ElementGap {
///     dimension: 1,
///     stride: 8,
///     element: 4,
///     unit: StrideUnit::Bytes,
/// };
/// assert_eq!(every_second.kind(), &kind);
/// assert_eq!(
///     every_second.to_string(),
///     "dimension 1 varies fastest and steps by 8 bytes, where an element takes 4 bytes; make a \
///      dense copy: no minor_to_major and no padding gives these strides",
/// );
/// ```
///
/// ```
/// use xlayout_interop::{BoundaryError, StridedArray};
/// use xlayout_core::ElementType;
///
/// let error = StridedArray::new(ElementType::F32, &[2, 3], &[12, 5]).unwrap_err();
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
    Shape(error: ErrorKind) => (error)
    /// There are more or fewer strides than dimensions.
    StridesLength { listed: usize, rank: usize } => [
        "there {} {}, but {}", are(*listed), Counted(*listed, "stride"), Counted(*rank, "dimension");
        "list one stride for each dimension"
    ]
    /// More dimensions than [`MAX_RANK`](crate::MAX_RANK).
    TooManyDimensions { limit: usize } => [
        "there are more than {limit} dimensions"; "merge dimensions until their number is allowed"
    ]
    /// A dimension runs backwards in memory.
    NegativeStride { dimension: usize, stride: i64, unit: StrideUnit } => [
        "dimension {dimension} runs backwards: it steps by {}", unit.amount(*stride);
        "make a copy, or use `StridedArray`: `stored` is the array the other way round"
    ]
    /// All indices of a dimension lie at one place: it is broadcast.
    ZeroStride { dimension: usize, size: i64 } => [
        "dimension {dimension} is broadcast: its stride is 0, so that its {size} indices share one \
         place";
        "make a copy, or use `StridedArray`: `stored` is the array before the broadcast"
    ]
    /// A dimension steps farther than in a dense array.
    Gap { dimension: usize, stride: i64, dense: i64, unit: StrideUnit } => [
        "dimension {dimension} steps by {} where a dense array steps by {dense}", unit.amount(*stride);
        "make a dense copy, or take the padded layout that `StridedArray::padded` gives"
    ]
    /// The elements of the dimension that varies fastest have gaps between them.
    ElementGap { dimension: usize, stride: i64, element: i64, unit: StrideUnit } => { match (unit) {
        StrideUnit::Bytes => [
            "dimension {dimension} varies fastest and steps by {}, where an element takes {}",
            unit.amount(*stride), unit.amount(*element);
            "{NO_LAYOUT}"
        ]
        StrideUnit::Elements => [
            "dimension {dimension} varies fastest and steps by {}, not by 1", unit.amount(*stride);
            "{NO_LAYOUT}"
        ]
    } }
    /// A stride is no multiple of the one below it.
    Uneven { dimension: usize, stride: i64, inner: usize, inner_stride: i64, unit: StrideUnit } => [
        "dimension {dimension} steps by {}, which is no multiple of the {inner_stride} that \
         dimension {inner} steps by", unit.amount(*stride);
        "{NO_LAYOUT}"
    ]
    /// A dimension steps by less than what a more minor one spans.
    Overlap { dimension: usize, stride: i64, inner: usize, span: i128, unit: StrideUnit } => [
        "dimension {dimension} steps by {}, but dimension {inner} spans {span}: their elements \
         overlap or interleave", unit.amount(*stride);
        "make a dense copy: in a layout each element has its own place"
    ]
    /// A byte stride is no multiple of the element's bytes.
    PartOfElement { dimension: usize, stride: i64, bytes: i64 } => [
        "dimension {dimension} steps by {}, which is no multiple of the {} of an element",
        StrideUnit::Bytes.amount(*stride), StrideUnit::Bytes.amount(*bytes);
        "make a dense copy: the elements of a layout lie whole elements apart"
    ]
    /// A tiled layout has no strides.
    Tiled => [
        "the layout is tiled, so that its dimensions have no strides";
        "convert to a layout without tiles, or describe the tiles, too: `MemRef::physical`, \
         `CuteLayout`"
    ]
    /// Elements that are no whole bytes have no byte strides.
    PackedView { bits: i64 } => [
        "an element takes {}, so that its dimensions have no strides in whole bytes", Counted(*bits, "bit");
        "take elements of whole bytes: leave out `E(n)`"
    ]
    /// The notation has no place for a part of the layout.
    NoPlace { library: Library, part: LayoutPart } => [
        "{} has no place for {}", library.notation(), part.words();
        "take it out of the layout first"
    ]
    /// The notation has no place for an attribute of the layout.
    NoAttribute { library: Library, attribute: Attribute, words: &'static str } => [
        "{} has no place for the {words} `{}(n)`", library.notation(), attribute.name();
        "take it out of the layout first"
    ]
    /// The notation has no name for an element type.
    NoType { library: Library, element_type: ElementType } => [
        "{} has no type `{element_type}`", library.name();
        "convert the elements to a type that {} has", library.name()
    ]
    /// The layout gives an element a width that the notation has no word for.
    ElementBits { library: Library, bits: i64 } => [
        "{} has no word for elements that take {} each", library.notation(), Counted(*bits, "bit");
        "leave out `E(n)`, or give it the width of the type"
    ]
    /// The notation's name is no element type.
    UnknownType { library: Library, found: Excerpt } => [
        "XLA has no element type that {} calls {}", library.name(), Found(*found);
        "{}", library.types()
    ]
    /// A NumPy type string that several element types have, or none.
    Void { bytes: i64 } => [
        "`V{bytes}` says only that an element takes {}", StrideUnit::Bytes.amount(*bytes);
        "{}", of_void(*bytes)
    ]
    /// NumPy's `order=` with another letter.
    MemoryOrder { found: Excerpt } => [
        "expected `C` or `F`, found {}", Found(*found);
        "write `C` (row-major) or `F` (column-major); `A` and `K` depend on the array that is \
         copied"
    ]
    /// Elements of this type do not go by this type string.
    OtherType { element_type: ElementType, found: Excerpt } => [
        "elements of type `{element_type}` do not go by {}", Found(*found);
        "name the type that the array has"
    ]
    /// The bytes of an element are in the other sequence.
    BigEndian { found: Excerpt } => [
        "{} has big-endian elements", Found(*found);
        "XLA's are little-endian: copy with `a.astype(a.dtype.newbyteorder('<'))`"
    ]
    /// DLPack's vector types.
    Lanes { lanes: u16 } => [
        "an element is a vector of {lanes} lanes; XLA's elements have one";
        "make the lanes a dimension of their own, the most minor one"
    ]
    /// A DLPack type that no element type is.
    DlType { code: u8, bits: u8 } => { match (crate::codes::name(*code)) {
        Some(name) => [
            "XLA has no element type of {name} with {bits} bits";
            "convert the elements to a type that XLA has"
        ]
        None => ["DLPack has no type code {code}"; "convert the elements to a type that XLA has"]
    } }
    /// A size that only the run time knows.
    RunTimeSize { dimension: usize } => [
        "only the run time knows the size of dimension {dimension}";
        "write the number in place of `?`"
    ]
    /// A stride that only the run time knows.
    RunTimeStride { dimension: usize } => [
        "only the run time knows the stride of dimension {dimension}";
        "write the number in place of `?`"
    ]
    /// The sizes of a CuTe layout are not those of the array.
    CuteSize { dimension: usize, size: i64, cute: i64 } => [
        "dimension {dimension} has size {size}, which a CuTe layout does not write as {cute}";
        "sizes are rounded up to whole tiles there: pass the sizes of the array, or those of the \
         CuTe layout"
    ]
    /// A CuTe layout has another number of dimensions than the array.
    CuteRank { rank: usize, cute: usize } => [
        "there are {rank} sizes, but the CuTe layout has {cute} dimensions";
        "list one size for each dimension"
    ]
    /// The digits of a coordinate do not lie in the sequence of their weight.
    CuteDigits { dimension: usize } => [
        "the modes of dimension {dimension} do not lie in memory in their sequence";
        "only layouts whose modes lie fastest first within each dimension are read"
    ]
    /// No layout was found that has this memory map.
    NoLayout => [
        "no layout was found that puts the elements there";
        "make a copy in a layout that XLA has"
    ]
    /// The text has no sizes, and none are given.
    NoSizes { library: Library } => [
        "{} has no sizes", library.notation(); "give the sizes of the array, dimension 0 first"
    ]
    /// The text has no type of the elements, and none is given.
    NoElementType { library: Library } => [
        "{} does not say what the elements are", library.notation(); "give the type of the elements"
    ]
    /// TVM's layouts say where an axis lies, not which dimension it is.
    NoAxes => [
        "a layout of TVM's does not say which dimension each axis is";
        "give the axes from dimension 0 on, such as `NCHW`"
    ]
    /// The text says other sizes, or another type, than those that are given.
    OtherGiven { library: Library, what: &'static str } => [
        "{} says another {what} than the one that is given", library.notation();
        "leave out what is given, or correct one of them"
    ]
    /// A layout for another number of dimensions.
    OtherRank { rank: usize, given: usize } => [
        "the layout is for {}, but the array has {given}", Counted(*rank, "dimension");
        "give one size for each dimension of the layout"
    ]
    /// A block of a dimension that the layout does not have, or of no elements.
    WrongBlock { dimension: usize, size: i64 } => [
        "there is no block of {size} of dimension {dimension}";
        "write blocks above 0 of the dimensions that the layout has"
    ]
    /// A rank for which the notation has no letters.
    TagRank { library: Library, limit: usize } => [
        "{} has 1 to {limit} dimensions", library.notation();
        "merge dimensions, or for TVM give a capital letter for each axis"
    ]
    /// A layout that is not defined for elements of this width.
    NamedType { element_type: ElementType, found: Excerpt } => [
        "{} is not defined for elements of type `{element_type}`", Found(*found);
        "its blocks hold 32 bytes: give a type of 8 or 16 bits, or write the blocks as a tag of \
         oneDNN"
    ]
    /// None of the layouts with a name.
    NoName => ["no layout that has a name is this one"; "write it as a tag of oneDNN"]
    /// The lists of `linalg.pack` do not fit together.
    PackLists { rank: usize } => [
        "the lists do not fit an array of {}", Counted(*rank, "dimension");
        "list every dimension once in `outer_dims_perm`, no dimension twice in `inner_dims_pos`, \
         and one size for each of these in `inner_tiles`"
    ]
    /// The result type of `linalg.pack` differs from that of the packed array.
    PackResult => [
        "the type of the result is not that of the packed array";
        "correct it, or leave out both types"
    ]
    /// The tiles of Mosaic do not lie one behind the other.
    TileStrides => [
        "the strides of the tiles leave gaps between tiles, or let them overlap";
        "a layout of XLA's has its tiles one behind the other: make a copy"
    ]
    /// The first element lies behind the beginning of the memory.
    Offset { library: Library } => [
        "the first element lies behind the beginning of the memory, which a layout cannot say";
        "for the layout of the elements from the first one on, leave out the offset"
    ]
    /// A text that says by bits which element is where.
    NoMemory { library: Library } => [
        "{} says by bits which element is where, which no layout of XLA's does", library.notation();
        "the program `xlayout` explains, draws and compares such maps; `xlayout-algebra` has them \
         as `Bits` and `Swizzle`"
    ]
    /// A notation that is printed and not read.
    OnlyPrinted { library: Library } => [
        "this text of {} is printed, not read", library.name();
        "write the layout in another notation"
    ]
    /// A notation that is read and not printed.
    OnlyRead { library: Library } => [
        "this text of {} is read, not printed", library.name();
        "print a single layout"
    ]
    /// A text describes several arrays where one is asked for.
    SeveralArrays { arrays: usize } => [
        "the text describes {}", Counted(*arrays, "array");
        "give one of them: `src_f32::blocked:aBcd16b::f0 2x17x5x7`"
    ]
    /// Something else is where the notation needs something.
    Expected { library: Library, expected: &'static str, found: Excerpt } => [
        "expected {expected}, found {}", Found(*found);
        "{} reads {}", library.notation(), library.example()
    ]
    /// A number is no integer from `least` to `i64::MAX`.
    Number { library: Library, found: Excerpt, least: i64 } => [
        "{} is no integer from {least} to {}", Found(*found), i64::MAX;
        "{} reads {}", library.notation(), library.example()
    ]
    /// Something else is where NumPy's type string is needed.
    TypeString { found: Excerpt } => [
        "expected a type string such as `<f4`, found {}", Found(*found);
        "{}", Library::Numpy.types()
    ]
    /// A key or a parameter is given again.
    Twice { library: Library, found: Excerpt } => [
        "{} is given twice", Found(*found);
        "leave one of them out"
    ]
    /// A key or a parameter is missing.
    Missing { library: Library, name: &'static str } => [
        "{} needs {name}", library.notation(); "{} reads {}", library.notation(), library.example()
    ]
    /// A form of the notation that is not read.
    Unread { library: Library, form: &'static str, found: Excerpt } => { match (library) {
        Library::MemRef => [
            "{} is {form}", Found(*found);
            "write sizes, `strided<[…]>` and a number for the memory space"
        ]
        Library::Tensor => [
            "{} is {form}", Found(*found);
            "write the sizes, and where there is a layout, write it as XLA does: `f32[2,3]{{0,1}}`"
        ]
        Library::Cute => [
            "{} is {form}", Found(*found);
            "write a shape and a stride of known integers: `(2,3):(1,2)`"
        ]
        _ => ["{} is {form}", Found(*found); "{} reads {}", library.notation(), library.example()]
    } }
    /// Shape and stride of a CuTe layout are nested differently.
    CuteProfile { found: Excerpt } => [
        "the stride is nested differently from the shape: found {}", Found(*found);
        "write a number of the stride for each number of the shape"
    ]
}
}

xlayout_shape::worded! {
    /// A part of a layout.
    pub enum LayoutPart, words: &'static str {
        /// `SC(…)`
        Splits => "the splits `SC(…)`";
        /// `padded_dimensions`
        Padding => "`padded_dimensions`";
        /// Coordinates that a `*` in a tile merges, or tiles that do not divide each other.
        MergedCoordinates => "coordinates that the tiles merge from several dimensions";
        /// A tile that is no divisor of the one before it, or has more dimensions than the array.
        UnevenTiles => "tiles that do not divide each other";
        /// Two blocks of one dimension, the finer of which is more major.
        BlockSequence => "blocks of a dimension of which the finer one is more major";
        /// Blocks within blocks.
        NestedBlocks => "blocks within blocks of one dimension";
        /// A layout without tiles.
        NoTiles => "a layout without tiles";
        /// A memory space.
        MemorySpace => "this memory space";
    }
}
