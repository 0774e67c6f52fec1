//! `OpSharding` and the newer sharding by the names of a mesh's axes.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::{OpMetadata, ShapeProto};

messages! {
/// Which device holds which part of a value (XLA: `OpSharding`, written by `HloSharding::ToProto`).
///
/// ```
/// use xlayout_proto::{OpSharding, decode, op_sharding::Type, prost::Message};
///
/// // devices=[2,1]0,1
/// let sharding = OpSharding {
///     r#type: Type::Other.into(),
///     tile_assignment_dimensions: vec![2, 1],
///     tile_assignment_devices: vec![0, 1],
///     ..Default::default()
/// };
/// assert_eq!(decode::<OpSharding>(&sharding.encode_to_vec())?, sharding);
/// # Ok::<(), xlayout_proto::ProtoError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct OpSharding {
    /// Which of the other fields count.
    pub r#type: i32 = 1, enumeration = "op_sharding::Type";
    /// The shape of a tile. XLA no longer writes it.
    pub tile_shape: Option<ShapeProto> = 2, message optional;
    /// How many parts each dimension is cut into; then the sizes of the subgroups of devices, see
    /// [`replicate_on_last_tile_dim`](Self::replicate_on_last_tile_dim) and
    /// [`last_tile_dims`](Self::last_tile_dims).
    pub tile_assignment_dimensions: Vec<i64> = 3, int64 repeated;
    /// The device of each part, row-major. Empty where
    /// [`iota_reshape_dims`](Self::iota_reshape_dims) says it.
    pub tile_assignment_devices: Vec<i64> = 4, int64 repeated;
    /// For a tuple the shardings of its leaves, in pre-order.
    pub tuple_shardings: Vec<OpSharding> = 5, message repeated;
    /// Whether the devices along the last tile dimension hold the same part.
    pub replicate_on_last_tile_dim: bool = 6, bool;
    /// Where the sharding comes from.
    pub metadata: Vec<OpMetadata> = 7, message repeated;
    /// What the last tile dimensions, beyond those of the value, mean.
    pub last_tile_dims: Vec<i32> = 8, enumeration = "op_sharding::Type" repeated;
    /// `[4,2]` in `<=[4,2]T(1,0)`: the devices 0, 1, 2, … are reshaped to this, …
    pub iota_reshape_dims: Vec<i64> = 9, int64 repeated;
    /// … and transposed by this, `(1,0)` in `<=[4,2]T(1,0)`.
    pub iota_transpose_perm: Vec<i32> = 10, int32 repeated;
    /// Whether the three fields about a shard group count.
    pub is_shard_group: bool = 11, bool;
    /// The group of values that are sharded alike.
    pub shard_group_id: i64 = 12, int64;
    /// How alike.
    pub shard_group_type: i32 = 13, enumeration = "op_sharding::ShardGroupType";
    /// The newer form. Where it is set, XLA ignores all other fields.
    pub named_sharding: Option<NamedShardingProto> = 14, message optional;
}

/// A sharding by the names of a mesh's axes (XLA: `NamedShardingProto`).
///
/// ```
/// use xlayout_proto::named_sharding_proto::DimensionSharding;
/// use xlayout_proto::{AxisRefProto, MeshProto, NamedShardingProto, decode};
/// use xlayout_proto::{mesh_proto::MeshAxis, prost::Message};
///
/// let axis = MeshAxis { name: "x".into(), size: 2 };
/// let mesh = MeshProto { axes: vec![axis], ..Default::default() };
/// let cut = DimensionSharding { axes: vec![AxisRefProto::default()], ..Default::default() };
/// let sharding = NamedShardingProto {
///     mesh: Some(Box::new(mesh)),
///     dim_shardings: vec![cut],
///     ..Default::default()
/// };
/// assert_eq!(decode::<NamedShardingProto>(&sharding.encode_to_vec())?, sharding);
/// # Ok::<(), xlayout_proto::ProtoError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct NamedShardingProto {
    /// For a tuple the shardings of its leaves; all other fields are ignored then.
    pub tuple_shardings: Vec<NamedShardingProto> = 1, message repeated;
    /// The devices.
    pub mesh: Option<Box<MeshProto>> = 2, message optional boxed;
    /// For each dimension the axes that it is cut along.
    pub dim_shardings: Vec<named_sharding_proto::DimensionSharding> = 3, message repeated;
    /// The axes along which all devices surely hold the same.
    pub replicated_axes: Vec<AxisRefProto> = 4, message repeated;
    /// The axes along which each device holds a summand.
    pub unreduced_axes: Vec<AxisRefProto> = 5, message repeated;
    /// Where the sharding comes from.
    pub metadata: Vec<OpMetadata> = 6, message repeated;
}

/// Devices along named axes (XLA: `MeshProto`).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct MeshProto {
    /// The axes, most major first.
    pub axes: Vec<mesh_proto::MeshAxis> = 1, message repeated;
    /// The devices, row-major; empty is 0, 1, 2, …
    pub device_ids: Vec<i64> = 2, int64 repeated;
}

/// An axis of a mesh, or a part of one (XLA: `AxisRefProto`).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AxisRefProto {
    /// The number of the axis in its mesh.
    pub mesh_axis_index: i64 = 1, int64;
    /// The part of the axis; all of it where it is not set.
    pub sub_axis_info: Option<axis_ref_proto::SubAxis> = 2, message optional;
}
}

/// The enums of [`OpSharding`].
pub mod op_sharding {
    /// The kind of a sharding (XLA: `OpSharding::Type`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
    #[repr(i32)]
    pub enum Type {
        /// Every device holds all of it.
        Replicated = 0,
        /// One device holds all of it.
        Maximal = 1,
        /// A tuple: each leaf has a sharding of its own.
        Tuple = 2,
        /// Cut into tiles.
        Other = 3,
        /// The program itself takes care of its parts.
        Manual = 4,
        /// Not decided yet.
        Unknown = 5,
        /// Each device holds a summand.
        Unreduced = 6,
    }

    /// How alike the members of a shard group are sharded (XLA: `OpSharding::ShardGroupType`).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
    #[repr(i32)]
    pub enum ShardGroupType {
        /// Exactly alike.
        As = 0,
        /// Alike where it can be had.
        Like = 1,
    }
}

/// The messages inside [`NamedShardingProto`].
pub mod named_sharding_proto {
    use alloc::vec::Vec;

    messages! {
    /// How one dimension is cut (XLA: `NamedShardingProto::DimensionSharding`).
    #[derive(Clone, PartialEq, Eq, Hash)]
    pub struct DimensionSharding {
        /// The axes, most major first.
        pub axes: Vec<super::AxisRefProto> = 1, message repeated;
        /// Whether the dimension may not be cut any further.
        pub is_closed: bool = 2, bool;
    }
    }
}

/// The messages inside [`MeshProto`].
pub mod mesh_proto {
    use alloc::string::String;

    messages! {
    /// One axis of a mesh (XLA: `MeshProto::MeshAxis`).
    #[derive(Clone, PartialEq, Eq, Hash)]
    pub struct MeshAxis {
        /// Its name.
        pub name: String = 1, string;
        /// How many devices there are along it.
        pub size: i64 = 2, int64;
    }
    }
}

/// The messages inside [`AxisRefProto`].
pub mod axis_ref_proto {
    messages! {
    /// A part of an axis: a digit of the position along it (XLA: `AxisRefProto::SubAxis`).
    #[derive(Clone, Copy, PartialEq, Eq, Hash)]
    pub struct SubAxis {
        /// The product of the sizes of the more major parts.
        pub pre_size: i64 = 1, int64;
        /// The size of this part.
        pub size: i64 = 2, int64;
    }
    }
}
