//! The messages of XLA's `xla_data.proto` that have to do with shapes, field by field.
//!
//! They hold what is on the wire and check nothing; [`Proto`](crate::Proto) turns them into nouns
//! that are checked. Numbers of enums stay numbers where the enum is the core crate's.
//! `xla_data.proto` beside this crate's sources says the same in protoc's language.

mod metadata;
mod shape;
mod sharding;

pub use metadata::{OpMetadata, op_metadata};
pub use shape::{LayoutProto, ProgramShapeProto, ShapeProto, SplitConfigProto, TileProto};
pub use sharding::{
    AxisRefProto, MeshProto, NamedShardingProto, OpSharding, axis_ref_proto, mesh_proto,
    named_sharding_proto, op_sharding,
};
