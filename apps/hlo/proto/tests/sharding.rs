//! Shardings as protos: wrong ones give errors that name the field, the newer form is read.

#[path = "../../../../tests/sharding/any.rs"]
mod any;

use crate::wire::{bytes, shown};
use proptest::prelude::*;
use xlayout_proto::{
    AxisRefProto, MeshProto, NamedShardingProto, OpMetadata, OpSharding, Proto, axis_ref_proto,
    mesh_proto, named_sharding_proto, prost::Message,
};
use xlayout_sharding::Sharding;

/// What is read, or the words of the error.
fn read(message: &OpSharding) -> String {
    match Sharding::from_proto(message) {
        Ok(sharding) => format!("{sharding:#}"),
        Err(error) => shown(&error),
    }
}

fn other(grid: &[i64], devices: &[i64], reshape: &[i64], perm: &[i32]) -> OpSharding {
    OpSharding {
        r#type: 3,
        tile_assignment_dimensions: grid.to_vec(),
        tile_assignment_devices: devices.to_vec(),
        iota_reshape_dims: reshape.to_vec(),
        iota_transpose_perm: perm.to_vec(),
        ..OpSharding::default()
    }
}

fn tuple(tuple_shardings: Vec<OpSharding>) -> OpSharding {
    OpSharding {
        r#type: 2,
        tuple_shardings,
        ..OpSharding::default()
    }
}

#[test]
fn messages() {
    let plain = OpSharding::default();
    let table = vec![
        (plain.clone(), "{replicated}"),
        (
            OpSharding {
                r#type: 7,
                ..plain.clone()
            },
            "`type` is 7, but no OpSharding.Type has this number",
        ),
        (
            OpSharding {
                r#type: 1,
                ..plain.clone()
            },
            "`tile_assignment_devices`: a maximal sharding is on 1 device, but has 0",
        ),
        (
            OpSharding {
                r#type: 1,
                tile_assignment_devices: vec![1, 2],
                ..plain.clone()
            },
            "`tile_assignment_devices`: a maximal sharding is on 1 device, but has 2",
        ),
        (
            other(&[2], &[], &[], &[]),
            "`tile_assignment_devices`: the sharding says neither its kind nor its tiles",
        ),
        // As XLA has it, one device is no cut.
        (other(&[], &[5], &[], &[]), "{replicated}"),
        (other(&[1], &[], &[1, 1], &[0, 1]), "{replicated}"),
        (
            other(&[2], &[0, 1], &[2], &[0]),
            "`tile_assignment_devices`: the devices are listed, and given by a rule, too",
        ),
        (
            other(&[], &[0, 1], &[], &[]),
            "`tile_assignment_dimensions`: the grid of tiles has no dimensions",
        ),
        (
            other(&[2, -2], &[0, 1], &[], &[]),
            "`tile_assignment_dimensions`: dimension 1 of the grid has -2 parts",
        ),
        (
            other(&[3], &[0, 1], &[], &[]),
            "`tile_assignment_devices`: there are 3 tiles, but 2 devices",
        ),
        (
            other(&[4], &[], &[2], &[0]),
            "`iota_reshape_dims`: there are 4 tiles, but 2 devices",
        ),
        (
            other(&[4], &[], &[4], &[]),
            "`iota_transpose_perm`: the transpose lists 0 dimensions, but there is 1",
        ),
        (
            other(&[4], &[], &[2, 2], &[0, 2]),
            "`iota_transpose_perm`: the transpose lists 2, but there are 2 dimensions",
        ),
        (
            other(&[8], &[], &[2, 4], &[0, 0]),
            "`iota_transpose_perm`: the transpose lists 0 again",
        ),
        (
            other(&[4], &[], &[4], &[1]),
            "`iota_transpose_perm`: the transpose lists 1, but there is 1 dimension",
        ),
        (other(&[1 << 40, 1 << 40], &[], &[1], &[0]), "{replicated}"),
        (
            other(&[1 << 40, 1 << 40], &[], &[2], &[0]),
            "`iota_reshape_dims`: there are more than 2^63 - 1 devices",
        ),
        (
            OpSharding {
                last_tile_dims: vec![4, 5],
                ..other(&[2, 2], &[], &[4], &[0])
            },
            "`last_tile_dims[1]` is 5, but no OpSharding.Type of a subgroup has this number",
        ),
        (
            OpSharding {
                last_tile_dims: vec![4, 4],
                ..other(&[2], &[], &[2], &[0])
            },
            "`last_tile_dims`: there are 2 subgroups, but the grid has 1 dimension",
        ),
        (
            OpSharding {
                last_tile_dims: vec![4],
                replicate_on_last_tile_dim: true,
                ..other(&[2, 2], &[], &[4], &[0])
            },
            "`last_tile_dims`: `last_tile_dim_replicate` and `last_tile_dims` exclude each other",
        ),
        (
            OpSharding {
                is_shard_group: true,
                shard_group_type: 2,
                ..plain.clone()
            },
            "`shard_group_type` is 2, but no ShardGroupType has this number",
        ),
        (
            OpSharding {
                is_shard_group: true,
                shard_group_id: 4,
                shard_group_type: 1,
                ..plain.clone()
            },
            "{replicated shard_like 4}",
        ),
        (
            OpSharding {
                is_shard_group: true,
                shard_group_id: -1,
                ..plain.clone()
            },
            "{replicated}",
        ),
        (tuple(vec![]), "{}"),
        (
            tuple(vec![plain.clone(), tuple(vec![])]),
            "`tuple_shardings[1]`: a tuple of shardings holds another tuple",
        ),
        (
            tuple(vec![
                plain.clone(),
                OpSharding {
                    r#type: -1,
                    ..plain.clone()
                },
            ]),
            "`tuple_shardings[1].type` is -1, but no OpSharding.Type has this number",
        ),
        (
            OpSharding {
                metadata: vec![OpMetadata::default()],
                ..tuple(vec![])
            },
            "`metadata`: a tuple of shardings has metadata of its own",
        ),
    ];
    for (message, words) in table {
        assert_eq!(read(&message), words, "{message:?}");
    }
    assert_eq!(
        shown(&Sharding::from_proto_bytes(&bytes(3, b"\x80")).unwrap_err()),
        "the bytes are no OpSharding: `tile_assignment_dimensions`: invalid varint"
    );
}

#[test]
fn the_newer_form() {
    let axis = |mesh_axis_index, sub: Option<(i64, i64)>| AxisRefProto {
        mesh_axis_index,
        sub_axis_info: sub.map(|(pre_size, size)| axis_ref_proto::SubAxis { pre_size, size }),
    };
    let mesh_axis = |name: &str, size| mesh_proto::MeshAxis {
        name: name.into(),
        size,
    };
    let cut = |axes: Vec<AxisRefProto>| named_sharding_proto::DimensionSharding {
        axes,
        is_closed: true,
    };
    let named = NamedShardingProto {
        mesh: Some(Box::new(MeshProto {
            axes: vec![mesh_axis("x", 2), mesh_axis("y", 4)],
            device_ids: vec![],
        })),
        dim_shardings: vec![cut(vec![axis(1, Some((1, 2)))]), cut(vec![])],
        metadata: vec![OpMetadata {
            op_name: "a".into(),
            ..OpMetadata::default()
        }],
        ..NamedShardingProto::default()
    };
    let shown_of = |named: NamedShardingProto| {
        read(&OpSharding {
            named_sharding: Some(named),
            ..OpSharding::default()
        })
    };
    assert_eq!(
        shown_of(named.clone()),
        "{devices=[2,1,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate metadata={op_name=\"a\"}}"
    );
    let pair = NamedShardingProto {
        tuple_shardings: vec![NamedShardingProto::default(), named.clone()],
        ..NamedShardingProto::default()
    };
    assert_eq!(
        shown_of(pair.clone()),
        "{{replicated}, {devices=[2,1,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate metadata={op_name=\"a\"}}}"
    );
    for (wrong, words) in [
        (
            NamedShardingProto {
                dim_shardings: vec![cut(vec![axis(-1, None)])],
                ..named.clone()
            },
            "`named_sharding.dim_shardings`: the mesh has no axis -1, or this axis no such part",
        ),
        (
            NamedShardingProto {
                unreduced_axes: vec![axis(2, None)],
                ..named.clone()
            },
            "`named_sharding.mesh`: the mesh has no axis 2, or this axis no such part",
        ),
        (
            NamedShardingProto {
                unreduced_axes: vec![axis(1, None)],
                ..named.clone()
            },
            "`named_sharding.mesh`: two parts of axis 1 share devices",
        ),
        (
            NamedShardingProto {
                tuple_shardings: vec![pair],
                ..named
            },
            "`named_sharding.tuple_shardings[0]`: a tuple of shardings holds another tuple",
        ),
    ] {
        assert_eq!(shown_of(wrong), words);
    }
}

/// A deep message stops without recursion of ours.
#[test]
fn deep_messages() {
    let deep = (0..10_000).fold(OpSharding::default(), |inner, _| tuple(vec![inner]));
    assert_eq!(
        read(&deep),
        "`tuple_shardings[0]`: a tuple of shardings holds another tuple"
    );
    // Dropping it recurses, in prost's messages: keep it from the stack of the test.
    std::mem::forget(deep);
}

proptest! {
    /// Numbers of all kinds in all fields: an error in words, or a sharding that is written and
    /// read.
    #[test]
    fn any_message(
        kind in -1i32..8,
        grid in prop::collection::vec(-1i64..5, 0..4),
        devices in prop::collection::vec(-1i64..9, 0..5),
        reshape in prop::collection::vec(0i64..5, 0..4),
        perm in prop::collection::vec(-1i32..4, 0..4),
        types in prop::collection::vec(-1i32..8, 0..3),
        replicate: bool,
        big in prop::option::of(any::<i64>()),
    ) {
        let mut message = OpSharding {
            r#type: if kind < 0 { 3 } else { kind },
            replicate_on_last_tile_dim: replicate,
            last_tile_dims: types,
            ..other(&grid, &devices, &reshape, &perm)
        };
        message.tile_assignment_dimensions.extend(big);
        match Sharding::from_proto_bytes(&message.encode_to_vec()) {
            Ok(sharding) => {
                let written = sharding.to_proto_bytes();
                prop_assert_eq!(Sharding::from_proto_bytes(&written), Ok(sharding));
            }
            Err(error) => prop_assert!(!shown(&error).is_empty()),
        }
    }
    #[test]
    fn protos_say_the_same(sharding in any::any_sharding()) {
        let is_on_one_device = |sharding: &Sharding| {
            let tiling = sharding.as_tiled();
            tiling.is_some_and(|tiling| tiling.tile_assignment().num_devices() == 1)
        };
        let elements = sharding.tuple_elements().unwrap_or(std::slice::from_ref(&sharding));
        // XLA takes tiles on one device for a replicated sharding there.
        prop_assume!(!elements.iter().any(is_on_one_device));
        let bytes = sharding.to_proto_bytes();
        let again = Sharding::from_proto_bytes(&bytes).unwrap();
        prop_assert_eq!(&again, &sharding);
        prop_assert_eq!(again.to_proto_bytes(), bytes);
        let message = sharding.to_proto();
        prop_assert_eq!(Sharding::from_proto(&message), Ok(sharding));
    }
}
