//! The messages of XLA's `xla_data.proto` that have to do with shapes, field by field.
//!
//! They hold what is on the wire and check nothing; [`Proto`](crate::Proto) turns them into nouns
//! that are checked. Numbers of enums stay numbers where the enum is the core crate's.
//! `xla_data.proto` beside this crate's sources says the same in protoc's language.

/// Messages. A field has its number, and prost's words for it, behind its type.
macro_rules! messages {
    ($(
        $(#[$of_message:meta])*
        pub struct $name:ident { $(
            $(#[$of_field:meta])*
            pub $field:ident: $type:ty = $number:tt, $kind:ident $(= $enum:tt)? $($how:ident)*;
        )* }
    )*) => {$(
        $(#[$of_message])*
        #[derive(prost::Message)]
        pub struct $name { $(
            $(#[$of_field])*
            #[prost($kind $(= $enum)?, $($how,)* tag = $number)]
            pub $field: $type,
        )* }
    )*};
}

mod metadata;
mod shape;
mod sharding;

pub use metadata::{OpMetadata, op_metadata};
pub use shape::{LayoutProto, ProgramShapeProto, ShapeProto, SplitConfigProto, TileProto};
pub use sharding::{
    AxisRefProto, MeshProto, NamedShardingProto, OpSharding, axis_ref_proto, mesh_proto,
    named_sharding_proto, op_sharding,
};
