//! `OpSharding` and `Sharding`.

use alloc::boxed::Box;
use alloc::vec::Vec;

use xlayout_sharding::{
    self as sharding, AxisRef, NamedSharding, ProfileInfo, ShardGroup, Sharding, ShardingError,
    ShardingErrorKind, ShardingKind, SubgroupType, TileAssignment,
};

use crate::error::{ProtoError, ProtoErrorKind as Kind};
use crate::op_metadata;
use crate::op_sharding::{ShardGroupType, Type};
use crate::{AxisRefProto, NamedShardingProto, OpMetadata, OpSharding, Proto};

/// In both directions as XLA's `HloSharding::ToProto` and `HloSharding::FromProto`.
///
/// Whether it fits a shape is a question for [`Sharding::validate`]. The newer form, by the axes of
/// a mesh, is read as the devices that it means, and written as such.
///
/// ```
/// use xlayout_sharding::Sharding;
/// use xlayout_proto::Proto;
///
/// let sharding: Sharding = "{devices=[2,2]<=[4]}".parse()?;
/// let bytes = sharding.to_proto_bytes();
/// assert_eq!(bytes, b"\x08\x03\x1a\x02\x02\x02\x4a\x01\x04\x52\x01\x00");
/// assert_eq!(Sharding::from_proto_bytes(&bytes)?, sharding);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Proto for Sharding {
    type Message = OpSharding;

    fn to_proto(&self) -> OpSharding {
        let mut message = OpSharding {
            metadata: self.metadata().iter().map(metadata_to_proto).collect(),
            ..OpSharding::default()
        };
        let kind = match self.kind() {
            ShardingKind::Replicated => Type::Replicated,
            ShardingKind::Manual => Type::Manual,
            ShardingKind::Unreduced => Type::Unreduced,
            ShardingKind::Maximal(device) => {
                message.tile_assignment_devices.push(*device);
                Type::Maximal
            }
            ShardingKind::Tiled(tiling) => {
                let tiles = tiling.tile_assignment();
                message.tile_assignment_dimensions = tiles.dimensions().to_vec();
                // One of both: a list, or dimensions that count the devices.
                if let Some(devices) = tiles.device_list() {
                    message.tile_assignment_devices = devices.to_vec();
                }
                if let Some((reshape_dims, transpose_perm)) = tiles.iota_dims() {
                    message.iota_reshape_dims = reshape_dims.to_vec();
                    let entry = |&entry: &usize| {
                        let Ok(entry) = i32::try_from(entry) else {
                            unreachable!("sizes above 1 multiply to 64 bits: at most 63 entries");
                        };
                        entry
                    };
                    message.iota_transpose_perm = transpose_perm.iter().map(entry).collect();
                }
                message.replicate_on_last_tile_dim = tiling.replicate_on_last_tile_dim();
                let number =
                    |subgroup: &SubgroupType| match SUBGROUPS.iter().find(|row| row.0 == *subgroup)
                    {
                        Some(row) => row.1 as i32,
                        None => unreachable!("a type that this crate does not know: {subgroup:?}"),
                    };
                message.last_tile_dims = tiling.subgroup_types().iter().map(number).collect();
                Type::Other
            }
            ShardingKind::Tuple(elements) => {
                message.tuple_shardings = elements.iter().map(Self::to_proto).collect();
                Type::Tuple
            }
            ShardingKind::Unknown => Type::Unknown,
            other => unreachable!("a kind that this crate does not know: {other:?}"),
        };
        message.set_type(kind);
        if let Some(group) = self.shard_group()
            && self.is_shard_group()
        {
            message.is_shard_group = true;
            let (group, kind) = match group {
                ShardGroup::As(group) => (group, ShardGroupType::As),
                ShardGroup::Like(group) => (group, ShardGroupType::Like),
            };
            message.shard_group_id = group;
            message.set_shard_group_type(kind);
        }
        message
    }

    fn from_proto(message: &OpSharding) -> Result<Self, ProtoError> {
        if let Some(named) = &message.named_sharding {
            return named_sharding(named).map_err(|error| error.within("named_sharding"));
        }
        let number = message.r#type;
        let unknown = |_| Kind::unknown("OpSharding.Type", number).at("type");
        let kind = Type::try_from(number).map_err(unknown)?;
        if kind == Type::Tuple {
            if !message.metadata.is_empty() {
                return Err(wrong("metadata", ShardingErrorKind::TupleMetadata));
            }
            let is_tuple = |message: &Self::Message| message.r#type == Type::Tuple as i32;
            return tuple(&message.tuple_shardings, is_tuple, Self::from_proto);
        }
        let sharding = match kind {
            Type::Replicated => Self::replicated(),
            Type::Manual => Self::manual(),
            Type::Unreduced => Self::unreduced(),
            Type::Unknown => Self::unknown(),
            Type::Maximal => match message.tile_assignment_devices[..] {
                [device] => Self::maximal(device),
                ref devices => {
                    let devices = devices.len();
                    let kind = ShardingErrorKind::MaximalDevices { devices };
                    return Err(wrong("tile_assignment_devices", kind));
                }
            },
            Type::Other | Type::Tuple => tiled(message)?,
        };
        let group = match message.shard_group_type {
            _ if !message.is_shard_group => None,
            // The mark of no group.
            _ if message.shard_group_id == -1 => None,
            0 => Some(ShardGroup::As(message.shard_group_id)),
            1 => Some(ShardGroup::Like(message.shard_group_id)),
            number => {
                return Err(Kind::unknown("ShardGroupType", number).at("shard_group_type"));
            }
        };
        let metadata = message.metadata.iter().map(metadata_from_proto).collect();
        Ok(sharding.with_shard_group(group).with_metadata(metadata))
    }
}

/// The subgroups, and the types that stand for them.
const SUBGROUPS: [(SubgroupType, Type); 4] = [
    (SubgroupType::Maximal, Type::Maximal),
    (SubgroupType::Manual, Type::Manual),
    (SubgroupType::Unreduced, Type::Unreduced),
    (SubgroupType::Replicated, Type::Replicated),
];

fn wrong(field: &str, kind: ShardingErrorKind) -> ProtoError {
    Kind::Sharding(kind).at(field)
}

fn tuple<M>(
    messages: &[M],
    is_tuple: impl Fn(&M) -> bool,
    read: impl Fn(&M) -> Result<Sharding, ProtoError>,
) -> Result<Sharding, ProtoError> {
    let mut elements = Vec::with_capacity(messages.len());
    for (k, message) in messages.iter().enumerate() {
        if is_tuple(message) {
            let kind = Kind::Sharding(ShardingErrorKind::NestedTuple);
            return Err(kind.at_item("tuple_shardings", k));
        }
        elements.push(read(message).map_err(|error| error.within_item("tuple_shardings", k))?);
    }
    Sharding::tuple(elements).map_err(in_field("tuple_shardings"))
}

fn in_field(field: &str) -> impl Fn(ShardingError) -> ProtoError + '_ {
    move |error| wrong(field, *error.kind())
}

fn tiled(message: &OpSharding) -> Result<Sharding, ProtoError> {
    let dimensions = &message.tile_assignment_dimensions;
    let devices = &message.tile_assignment_devices;
    let reshape = &message.iota_reshape_dims;
    let (field, assignment) = if reshape.is_empty() {
        if devices.is_empty() {
            return Err(wrong("tile_assignment_devices", ShardingErrorKind::NoTiles));
        }
        // As XLA does; of the grid nothing is asked then.
        if devices.len() == 1 {
            return Ok(Sharding::replicated());
        }
        let assignment = TileAssignment::listed(dimensions, devices);
        ("tile_assignment_devices", assignment)
    } else {
        if !devices.is_empty() {
            return Err(wrong(
                "tile_assignment_devices",
                ShardingErrorKind::TwoOrders,
            ));
        }
        let perm: Vec<i64> = message
            .iota_transpose_perm
            .iter()
            .map(|&entry| entry.into())
            .collect();
        if perm.len() == reshape.len() && reshape.iter().all(|n| *n == 1) {
            return Ok(Sharding::replicated());
        }
        let assignment = TileAssignment::transposed(dimensions, reshape, &perm);
        ("iota_reshape_dims", assignment)
    };
    let assignment = assignment.map_err(|error| {
        let field = match error.kind() {
            ShardingErrorKind::NoDimensions => "tile_assignment_dimensions",
            ShardingErrorKind::TileDimension { size, .. } if dimensions.contains(size) => {
                "tile_assignment_dimensions"
            }
            ShardingErrorKind::TransposeLength { .. }
            | ShardingErrorKind::TransposeRange { .. }
            | ShardingErrorKind::TransposeTwice { .. } => "iota_transpose_perm",
            _ => field,
        };
        in_field(field)(error)
    })?;
    if message.replicate_on_last_tile_dim {
        if !message.last_tile_dims.is_empty() {
            return Err(wrong("last_tile_dims", ShardingErrorKind::TwoSubgroups));
        }
        return Sharding::partial_tile(assignment).map_err(in_field(field));
    }
    let mut types = Vec::with_capacity(message.last_tile_dims.len());
    for (k, &number) in message.last_tile_dims.iter().enumerate() {
        let known = SUBGROUPS.iter().find(|row| row.1 as i32 == number);
        let unknown =
            || Kind::unknown("OpSharding.Type of a subgroup", number).at_item("last_tile_dims", k);
        types.push(known.ok_or_else(unknown)?.0);
    }
    Sharding::subgroup(assignment, &types).map_err(in_field("last_tile_dims"))
}

/// The newer form, by the axes of a mesh; its names say nothing here.
fn named_sharding(message: &NamedShardingProto) -> Result<Sharding, ProtoError> {
    if !message.tuple_shardings.is_empty() {
        let is_tuple = |message: &NamedShardingProto| !message.tuple_shardings.is_empty();
        return tuple(&message.tuple_shardings, is_tuple, named_sharding);
    }
    let mesh = message.mesh.as_deref();
    let mesh_axes = mesh.map_or(&[][..], |mesh| &mesh.axes);
    let axes = |field: &str, axes: &[AxisRefProto]| {
        let axes: Result<Vec<_>, _> = axes.iter().map(axis_ref).collect();
        axes.map_err(|kind| wrong(field, kind))
    };
    let mut dim_shardings = Vec::with_capacity(message.dim_shardings.len());
    for dimension in &message.dim_shardings {
        dim_shardings.push(axes("dim_shardings", &dimension.axes)?);
    }
    let named = NamedSharding {
        axis_names: mesh_axes.iter().map(|axis| axis.name.clone()).collect(),
        axis_sizes: mesh_axes.iter().map(|axis| axis.size).collect(),
        device_ids: mesh.map_or(Vec::new(), |mesh| mesh.device_ids.clone()),
        dim_shardings,
        replicated_axes: axes("replicated_axes", &message.replicated_axes)?,
        unreduced_axes: axes("unreduced_axes", &message.unreduced_axes)?,
        manual_axes: Vec::new(),
    };
    let sharding = named.to_sharding().map_err(in_field("mesh"))?;
    Ok(sharding.with_metadata(message.metadata.iter().map(metadata_from_proto).collect()))
}

fn axis_ref(message: &AxisRefProto) -> Result<AxisRef, ShardingErrorKind> {
    let axis = message.mesh_axis_index;
    let axis = usize::try_from(axis).map_err(|_| ShardingErrorKind::Axis { axis })?;
    let sub_axis = message.sub_axis_info.map(|part| (part.pre_size, part.size));
    Ok(AxisRef { axis, sub_axis })
}

/// The conversions of metadata in both directions: the fields have the same names here and there.
macro_rules! same_fields {
    (OpMetadata: $($field:ident)*; ProfileInfo: $($info:ident)*) => {
        fn metadata_to_proto(metadata: &sharding::OpMetadata) -> OpMetadata {
            let sharding::OpMetadata { profile_info, $($field),* } = metadata.clone();
            let info = |info: ProfileInfo| op_metadata::ProfileInfo { $($info: info.$info),* };
            OpMetadata { profile_info: profile_info.map(info).map(Box::new), $($field),* }
        }

        fn metadata_from_proto(message: &OpMetadata) -> sharding::OpMetadata {
            let OpMetadata { profile_info, $($field),* } = message.clone();
            let info = |info: Box<op_metadata::ProfileInfo>| ProfileInfo { $($info: info.$info),* };
            sharding::OpMetadata { profile_info: profile_info.map(info), $($field),* }
        }
    };
}

same_fields! {
    OpMetadata: op_type op_name source_file source_line source_end_line source_column source_end_column profile_type
        deduplicated_name scheduling_name stack_frame_id size_of_generated_code_in_bytes size_of_memory_working_set_in_bytes;
    ProfileInfo: profile_type relative_speedup profile_source compilation_event profile_generation_strategy
}
