//! Random shardings of all kinds, for the laws here and for those of protos.

use proptest::prelude::*;
use xlayout_sharding::{
    OpMetadata, ShardGroup, Sharding, ShardingKind, SubgroupType, TileAssignment,
};

pub(crate) const TYPES: [SubgroupType; 4] = [
    SubgroupType::Maximal,
    SubgroupType::Manual,
    SubgroupType::Unreduced,
    SubgroupType::Replicated,
];

fn assignment() -> impl Strategy<Value = TileAssignment> {
    let sizes = prop::collection::vec(1i64..5, 1..5);
    sizes.prop_flat_map(|grid| {
        let total: i64 = grid.iter().product();
        let order = Just((0..total).collect::<Vec<_>>()).prop_shuffle();
        let perm = Just((0..grid.len() as i64).collect::<Vec<_>>()).prop_shuffle();
        (Just(grid), order, perm, 0..3).prop_map(|(grid, order, perm, which)| {
            let made = match which {
                0 => TileAssignment::listed(&grid, &order),
                1 => TileAssignment::transposed(&grid, &grid, &perm),
                _ => TileAssignment::iota(&grid),
            };
            made.unwrap_or_else(|_| TileAssignment::iota(&grid).expect("the grid is right"))
        })
    })
}

fn leaf() -> impl Strategy<Value = Sharding> {
    let tiled = (
        assignment(),
        prop::collection::vec(prop::sample::select(&TYPES[..]), 0..3),
    )
        .prop_map(|(tiles, groups)| {
            let groups = &groups[..groups.len().min(tiles.dimensions().len())];
            Sharding::subgroup(tiles, groups).expect("it is small")
        });
    let kind = prop_oneof![
        Just(ShardingKind::Replicated),
        Just(ShardingKind::Manual),
        Just(ShardingKind::Unknown),
        Just(ShardingKind::Unreduced),
        any::<i64>().prop_map(ShardingKind::Maximal),
    ];
    let plain = kind.prop_map(Sharding::from);
    let group = prop::option::of((any::<bool>(), 0i64..9).prop_map(|(as_, id)| match as_ {
        true => ShardGroup::As(id),
        false => ShardGroup::Like(id),
    }));
    let metadata = (
        any::<String>(),
        any::<i32>(),
        prop::collection::vec(any::<i32>(), 0..3),
    );
    let metadata = metadata.prop_map(|(op_name, source_line, profile_type)| OpMetadata {
        op_name,
        source_line,
        profile_type,
        ..OpMetadata::default()
    });
    let metadata = prop::collection::vec(metadata, 0..3);
    (prop_oneof![tiled, plain], group, metadata)
        .prop_map(|(sharding, group, from)| sharding.with_shard_group(group).with_metadata(from))
}

pub(crate) fn any_sharding() -> impl Strategy<Value = Sharding> {
    let tuple = prop::collection::vec(leaf(), 0..8)
        .prop_map(|elements| Sharding::tuple(elements).expect("no tuple is among them"));
    prop_oneof![leaf(), tuple]
}
