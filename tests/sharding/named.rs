//! Shardings by the axes of a mesh.

use xlayout::sharding::{AxisRef, NamedSharding, Sharding};

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

/// XLA's own examples (`hlo_parser_test.cc`, `named_sharding_test.cc`) and Shardy's, as devices and
/// printed again.
#[test]
fn texts() {
    let cases = [
        (
            "{mesh[x=2,y=4], [{x}, {y}]}",
            "{devices=[2,4]<=[8]}",
            "{mesh[x=2,y=4], [{x}, {y}]}",
        ),
        (
            "{mesh['x'=2,'y'=4], [{'y', ?}, {}]}",
            "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
            "{mesh[x=2,y=4], [{y}, {}]}",
        ),
        (
            "{mesh['a'=2,'b'=4,'c'=3,'d'=8], [{'b':(2)2}, {'d':(4)2, 'c'}]}",
            "{devices=[2,6,16]<=[4,2,3,4,2]T(1,4,2,0,3) last_tile_dim_replicate}",
            "{mesh[a=2,b=4,c=3,d=8], [{b:(2)2}, {d:(4)2, c}]}",
        ),
        (
            "{mesh['x'=2,'y'=2], device_ids=(0,2,1,3), [{'x'}]}",
            "{devices=[2,2]0,2,1,3 last_tile_dim_replicate}",
            "{mesh[x=2,y=2], device_ids=(0,2,1,3), [{x}]}",
        ),
        (
            "{mesh[x=2,y=2], device_ids=([2,2]T(1,0)), [{x}]}",
            "{devices=[2,2]0,2,1,3 last_tile_dim_replicate}",
            "{mesh[x=2,y=2], device_ids=(0,2,1,3), [{x}]}",
        ),
        (
            "{mesh[], replicated}",
            "{replicated}",
            "{mesh[], replicated}",
        ),
        (
            "{mesh[a=2,b=4], replicated}",
            "{replicated}",
            "{mesh[a=2,b=4], replicated}",
        ),
        (
            "{mesh[a=2,b=4], manual}",
            "{manual}",
            "{mesh[a=2,b=4], manual}",
        ),
        (
            "{maximal_mesh[device_id=5]}",
            "{maximal device=5}",
            "{maximal_mesh[device_id=5]}",
        ),
        (
            "{mesh['a.b'=2,'<axis> def'=4,'z/w'=2], [{'a.b'}, {'<axis> def':(2)2, 'z/w'}]}",
            "{devices=[2,4,2]<=[2,2,4]T(0,2,1) last_tile_dim_replicate}",
            "{mesh['a.b'=2,'<axis> def'=4,'z/w'=2], [{'a.b'}, {'<axis> def':(2)2, 'z/w'}]}",
        ),
        (
            r#"#sdy.sharding<mesh<["x"=2, "y"=4]>, [{"x", ?}p1, {"y"}], replicated={}>"#,
            "{devices=[2,4]<=[8]}",
            "{mesh[x=2,y=4], [{x}, {y}]}",
        ),
        (
            r#"#sdy.sharding<mesh<["x"=2,"y"=4], device_ids=[7,6,5,4,3,2,1,0]>, [{}, {"y"}], unreduced={"x"}>"#,
            "{devices=[1,4,2]7,3,6,2,5,1,4,0 last_tile_dims={unreduced}}",
            "{mesh[x=2,y=4], device_ids=(7,6,5,4,3,2,1,0), [{}, {y}], unreduced={x}}",
        ),
        (
            r#"#sdy.sharding<mesh<[], device_ids=[3]>, []>"#,
            "{maximal device=3}",
            "{maximal_mesh[device_id=3]}",
        ),
    ];
    for (text, devices, printed) in cases {
        let named: NamedSharding = text
            .parse()
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(named.to_string(), printed);
        assert_eq!(printed.parse(), Ok(named.clone()), "{printed}");
        let sharding: Sharding = text.parse().unwrap();
        assert_eq!(sharding.to_string(), devices, "{text}");
        assert_eq!(named.to_sharding(), Ok(sharding));
        let shardy = format!("{named:#}");
        if named.manual_axes.is_empty() {
            assert_eq!(shardy.parse(), Ok(named), "{shardy}");
        }
    }
    // In a tuple, and with metadata.
    let tuple = r#"{{mesh[x=2], [{x}], metadata={op_name="a"}}, {replicated}}"#;
    let sharding: Sharding = tuple.parse().unwrap();
    assert_eq!(
        format!("{sharding:#}"),
        r#"{{devices=[2]<=[2] metadata={op_name="a"}}, {replicated}}"#
    );
}

proptest::proptest! {
    /// The printed text is read as the same sharding, for any names.
    #[test]
    fn printed_and_read(
        names in proptest::collection::btree_set("[a-zé_][a-z0-9_]{0,3}|[ -&(-\\[\\]-~]{1,4}", 0..5),
        sizes in proptest::array::uniform5(1_i64..5),
        cuts in proptest::collection::vec(0_usize..6, 0..8),
        devices in proptest::collection::vec(0_i64..9, 0..4),
    ) {
        let axis_names: Vec<String> = names.into_iter().filter(|name| !name.contains(['"', '\''])).collect();
        let axes = axis_names.len();
        let mut named = NamedSharding {
            axis_sizes: sizes[..axes].to_vec(),
            axis_names,
            device_ids: devices,
            ..NamedSharding::default()
        };
        for (k, cut) in cuts.into_iter().enumerate() {
            if axes == 0 {
                break;
            }
            let axis = k % axes;
            // A part divides its axis.
            let has_part = cut == 5 && sizes[axis] % 2 == 0;
            let axis = AxisRef { axis, sub_axis: has_part.then_some((1, 2)) };
            match cut {
                0 => named.replicated_axes.push(axis),
                1 => named.unreduced_axes.push(axis),
                _ => named.dim_shardings.push(vec![axis]),
            }
        }
        for text in [format!("{named}"), format!("{named:#}")] {
            let read = text.parse::<NamedSharding>();
            proptest::prop_assert_eq!(read.as_ref(), Ok(&named), "{}", text);
        }
    }
}
