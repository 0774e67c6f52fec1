//! `ShapeProto`, `LayoutProto` and what they consist of.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

messages! {
/// Any shape (XLA: `ShapeProto`). [`element_type`](Self::element_type) says which of the other
/// fields count.
///
/// ```
/// use xlayout_core::ArrayShape;
/// use xlayout_proto::{LayoutProto, Proto, ShapeProto, TileProto};
///
/// let message = ShapeProto {
///     element_type: 11,
///     dimensions: vec![2, 3],
///     layout: Some(Box::new(LayoutProto {
///         minor_to_major: vec![1, 0],
///         tiles: vec![TileProto { dimensions: vec![8, 128] }],
///         ..Default::default()
///     })),
///     ..Default::default()
/// };
/// assert_eq!(ArrayShape::from_proto(&message)?.to_string(), "f32[2,3]{1,0:T(8,128)}");
/// # Ok::<(), xlayout_proto::ProtoError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ShapeProto {
    /// The number of a [`ElementType`](xlayout_core::ElementType): that of the elements of an
    /// array, or tuple, token, opaque or buffer. 0 is none.
    pub element_type: i32 = 2, int32;
    /// For an array the size of each dimension: the bound of a dynamic one, `i64::MIN` for one
    /// without a bound.
    pub dimensions: Vec<i64> = 3, int64 repeated;
    /// The members of a tuple, or the one array of a buffer.
    pub tuple_shapes: Vec<ShapeProto> = 4, message repeated;
    /// For an array, how it lies in memory.
    pub layout: Option<Box<LayoutProto>> = 5, message optional boxed;
    /// For each dimension of an array whether its size is known at run time only; empty is "no
    /// dimension". XLA always writes one for each dimension.
    pub is_dynamic_dimension: Vec<bool> = 6, bool repeated;
}

/// How the elements of an array lie in memory (XLA: `LayoutProto`).
///
/// ```
/// use xlayout_core::Layout;
/// use xlayout_proto::{LayoutProto, Proto};
///
/// let message = "{1,0:T(8,128)E(4)S(5)}".parse::<Layout>()?.to_proto();
/// assert_eq!(message.minor_to_major, [1, 0]);
/// assert_eq!((message.element_size_in_bits, message.memory_space), (4, 5));
/// assert_eq!(message.tail_padding_alignment_in_elements, 1); // as XLA writes it
/// let default = Layout::from_proto(&LayoutProto::default())?;
/// assert_eq!(default, Layout::default());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct LayoutProto {
    /// Dimension numbers, the one that varies fastest first.
    pub minor_to_major: Vec<i64> = 1, int64 repeated;
    /// Retired: the allocated width of each dimension, dimension 0 first; empty is "no padding".
    /// XLA skips it.
    pub padded_dimensions: Vec<i64> = 2, int64 repeated;
    /// Retired: the number of a [`PaddingValue`](xlayout_core::PaddingValue), 0 is none. XLA skips
    /// it.
    pub padding_value: i32 = 3, int32;
    /// Retired: 1 is dense, 2 sparse. XLA skips it.
    pub format: Option<i32> = 4, int32 optional;
    /// Retired, of sparse arrays: the room for elements. XLA skips it.
    pub max_sparse_elements: i64 = 5, int64;
    /// The tiles, the first applied first.
    pub tiles: Vec<TileProto> = 6, message repeated;
    /// The bits that one element takes; 0 is "whole bytes, as wide as the type".
    pub element_size_in_bits: i64 = 7, int64;
    /// Which memory of the device; 0 is the default one. XLA keeps it in an `int8`.
    pub memory_space: i64 = 8, int64;
    /// Of sparse arrays: how each dimension is stored. 0 is dense, 1 compressed, 2 singleton,
    /// 3 loosely compressed.
    pub dim_level_types: Vec<i32> = 9, int32 repeated;
    /// Of sparse arrays: the shape of what is stored.
    pub physical_shape: Option<Box<ShapeProto>> = 10, message optional boxed;
    /// Of sparse arrays: the type of indices, as the number of a
    /// [`ElementType`](xlayout_core::ElementType); 0 is none.
    pub index_primitive_type: i32 = 11, int32;
    /// Of sparse arrays: the type of pointers, as the number of a
    /// [`ElementType`](xlayout_core::ElementType); 0 is none.
    pub pointer_primitive_type: i32 = 12, int32;
    /// Of sparse arrays; always true for a dense dimension.
    pub dim_unique: Vec<bool> = 13, bool repeated;
    /// Of sparse arrays; always true for a dense dimension.
    pub dim_ordered: Vec<bool> = 14, bool repeated;
    /// The bytes of the header with the dynamic sizes that comes before the data.
    pub dynamic_shape_metadata_prefix_bytes: i64 = 15, int64;
    /// Elements are appended until their number is a multiple of this; 0 counts as 1, which is
    /// what XLA writes.
    pub tail_padding_alignment_in_elements: i64 = 16, int64;
    /// Where the array is cut into parts for several memories.
    pub split_configs: Vec<SplitConfigProto> = 17, message repeated;
}

/// One tile (XLA: `TileProto`).
///
/// ```
/// use xlayout_core::TileDim::{self, Combine, Size};
/// use xlayout_proto::TileProto;
///
/// let tile = TileProto::from(&[Combine, Size(8)][..]);
/// assert_eq!(tile.dimensions, [i64::MIN, 8]);
/// assert_eq!(Vec::<TileDim>::try_from(&tile)?, [Combine, Size(8)]);
/// # Ok::<(), xlayout_proto::ProtoError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct TileProto {
    /// The entries, major to minor; `i64::MIN` means `*`.
    pub dimensions: Vec<i64> = 1, int64 repeated;
}

/// One split (XLA: `SplitConfigProto`).
///
/// ```
/// use xlayout_core::SplitConfig;
/// use xlayout_proto::SplitConfigProto;
///
/// let split = SplitConfig { dimension: 1, split_indices: &[40, 130] };
/// assert_eq!(SplitConfig::from(&SplitConfigProto::from(split)), split);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SplitConfigProto {
    /// The PHYSICAL dimension, 0 the most major one.
    pub dimension: i64 = 1, int64;
    /// The indices at which a new part begins.
    pub split_indices: Vec<i64> = 2, int64 repeated;
}

/// The signature of a program (XLA: `ProgramShapeProto`).
///
/// ```
/// use xlayout_proto::{ProgramShape, ProgramShapeProto, Proto};
///
/// let shape = "f32[2]".parse::<xlayout_core::Shape>()?.to_proto();
/// let message = ProgramShapeProto {
///     parameters: vec![shape.clone()],
///     result: Some(shape),
///     parameter_names: vec!["x".into()],
/// };
/// assert_eq!(ProgramShape::from_proto(&message)?.to_string(), "(x: f32[2]) -> f32[2]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ProgramShapeProto {
    /// The shapes of the parameters.
    pub parameters: Vec<ShapeProto> = 1, message repeated;
    /// The shape of what the program returns.
    pub result: Option<ShapeProto> = 2, message optional;
    /// The names of the parameters, one for each.
    pub parameter_names: Vec<String> = 3, string repeated;
}
}
