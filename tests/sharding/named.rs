//! Shardings by the axes of a mesh.

use xlayout::sharding::{AxisRef, NamedSharding};

#[test]
fn named_shardings() {
    let part = |axis, pre, size| AxisRef {
        axis,
        sub_axis: Some((pre, size)),
    };
    let x = AxisRef::from(0);
    let y = AxisRef::from(1);
    let named = |dims: &[&[AxisRef]]| NamedSharding {
        axis_sizes: vec![2, 4],
        dim_shardings: dims.iter().map(|axes| axes.to_vec()).collect(),
        ..NamedSharding::default()
    };
    let shown = |named: NamedSharding| match named.to_sharding() {
        Ok(sharding) => sharding.to_string(),
        Err(error) => error.to_string(),
    };
    let cases: &[(&[&[AxisRef]], &str)] = &[
        (&[], "{replicated}"),
        (&[&[], &[]], "{replicated}"),
        (&[&[x], &[y]], "{devices=[2,4]<=[8]}"),
        (&[&[y], &[x]], "{devices=[4,2]<=[2,4]T(1,0)}"),
        (&[&[x, y], &[]], "{devices=[8,1]<=[8]}"),
        (&[&[y, x]], "{devices=[8]<=[2,4]T(1,0)}"),
        (
            &[&[x], &[]],
            "{devices=[2,1,4]<=[8] last_tile_dim_replicate}",
        ),
        (
            &[&[y]],
            "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
        ),
        (
            &[&[part(1, 2, 2)], &[x]],
            "{devices=[2,2,2]<=[4,2]T(1,0) last_tile_dim_replicate}",
        ),
        (
            &[&[part(1, 1, 2)], &[x, part(1, 2, 2)]],
            "{devices=[2,4]<=[2,2,2]T(1,0,2)}",
        ),
        (
            &[&[x], &[x]],
            "two parts of axis 0 share devices; use each part of an axis once",
        ),
        (
            &[&[y], &[part(1, 2, 2)]],
            "two parts of axis 1 share devices; use each part of an axis once",
        ),
        (
            &[&[part(1, 2, 4)]],
            "the mesh has no axis 1, or this axis no such part; axes count from 0; a part begins at the product of the \
             sizes of the more major parts, and all of them multiply to the size of the axis",
        ),
        (
            &[&[AxisRef::from(2)]],
            "the mesh has no axis 2, or this axis no such part; axes count from 0; a part begins at the \
             product of the sizes of the more major parts, and all of them multiply to the size of the axis",
        ),
    ];
    for &(dims, expected) in cases {
        assert_eq!(shown(named(dims)), expected, "{dims:?}");
        // Listed devices in the same sequence mean the same.
        let listed = NamedSharding {
            device_ids: (0..8).collect(),
            ..named(dims)
        };
        assert_eq!(listed.to_sharding(), named(dims).to_sharding());
    }
    let more = NamedSharding {
        unreduced_axes: vec![x],
        device_ids: vec![7, 6, 5, 4, 3, 2, 1, 0],
        ..named(&[&[part(1, 1, 2)]])
    };
    assert_eq!(
        shown(more.clone()),
        "{devices=[2,2,2]6,7,2,3,4,5,0,1 last_tile_dims={unreduced, replicated}}"
    );
    let manual = NamedSharding {
        manual_axes: vec![x, y],
        unreduced_axes: vec![],
        ..more.clone()
    };
    assert_eq!(
        shown(manual),
        "two parts of axis 1 share devices; use each part of an axis once"
    );
    let manual = NamedSharding {
        manual_axes: vec![x, y],
        ..named(&[&[], &[]])
    };
    assert_eq!(shown(manual), "{manual}");
    let few = NamedSharding {
        device_ids: vec![0, 1],
        ..more
    };
    assert_eq!(
        shown(few),
        "there are 8 tiles, but 2 devices; the numbers in `devices=[…]` multiply to the number of tiles, subgroups included; each has one device"
    );
    let maximal = NamedSharding {
        device_ids: vec![3],
        ..NamedSharding::default()
    };
    assert_eq!(shown(maximal), "{maximal device=3}");
    let one = NamedSharding {
        axis_sizes: vec![1, 1],
        dim_shardings: vec![vec![x], vec![y]],
        ..NamedSharding::default()
    };
    assert_eq!(shown(one), "{replicated}");
    for axis_sizes in [vec![0], vec![-1], vec![i64::MAX, i64::MAX]] {
        let wrong = NamedSharding {
            dim_shardings: vec![vec![x]],
            axis_sizes,
            ..NamedSharding::default()
        };
        assert!(wrong.to_sharding().is_err());
    }
}
