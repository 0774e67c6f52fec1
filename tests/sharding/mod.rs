//! Shardings: laws, wrong texts and their errors, hostile texts.
#![cfg(feature = "std")]

mod any;
mod laws;
mod messages;
mod named;
mod sharded_types;

use xlayout::ArrayShape;
use xlayout::shape::{Shape, ShapeIndex};
use xlayout::sharding::{
    MAX_WRITTEN_OUT, ReadErrorKind, Sharding, ShardingErrorKind, SubgroupType, TileAssignment,
};

fn sharding(text: &str) -> Sharding {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn array(text: &str) -> ArrayShape {
    text.parse().expect("the shape is right")
}

/// The shardings that XLA changes to a canonical form.
#[test]
fn canonical_forms() {
    for (text, printed) in [
        // Comments in XLA's code.
        ("{devices=[60]<=[3,4,5]T(0,1,2)}", "{devices=[60]<=[60]}"),
        (
            "{devices=[60]<=[3,4,5]T(2,1,0)}",
            "{devices=[60]<=[3,4,5]T(2,1,0)}",
        ),
        (
            "{devices=[60]<=[3,4,5]T(1,2,0)}",
            "{devices=[60]<=[3,20]T(1,0)}",
        ),
        (
            "{devices=[60]<=[3,4,5]T(2,0,1)}",
            "{devices=[60]<=[12,5]T(1,0)}",
        ),
        (
            "{devices=[60]<=[1,3,1,4,1,5]T(4,3,2,5,1,0)}",
            "{devices=[60]<=[3,20]T(1,0)}",
        ),
        ("{devices=[1,1]<=[1,1]T(1,0)}", "{devices=[1,1]<=[1]}"),
        // One transpose of a square, by three names.
        (
            "{devices=[4]<=[2,1,2]T(2,1,2)}",
            "{devices=[4]<=[2,2]T(1,1)}",
        ),
        ("{devices=[9]<=[3,3]T(0,0)}", "{devices=[9]<=[3,3]T(0,0)}"),
        // Subgroups of one device fall away, those of one kind become one, in XLA's sequence.
        (
            "{devices=[2,1]<=[2] last_tile_dim_replicate}",
            "{devices=[2]<=[2]}",
        ),
        (
            "{devices=[2,1,1]<=[2] last_tile_dims={manual, replicated}}",
            "{devices=[2]<=[2]}",
        ),
        (
            "{devices=[2,2]<=[4] last_tile_dims={replicated}}",
            "{devices=[2,2]<=[4] last_tile_dim_replicate}",
        ),
        (
            "{devices=[2,2,2]<=[8] last_tile_dims={replicated, manual}}",
            "{devices=[2,2,2]<=[2,2,2]T(0,2,1) last_tile_dims={manual, replicated}}",
        ),
        (
            "{devices=[2,2,3]<=[12] last_tile_dims={manual, manual}}",
            "{devices=[2,6]<=[12] last_tile_dims={manual}}",
        ),
        ("{devices=[1,4]<=[4] last_tile_dims={manual}}", "{manual}"),
        (
            "{devices=[1,4]<=[4] last_tile_dims={unreduced}}",
            "{unreduced}",
        ),
        (
            "{devices=[1,2,2]<=[4] last_tile_dims={replicated, replicated}}",
            "{replicated}",
        ),
        (
            "{devices=[2,2]<=[4] last_tile_dims={}}",
            "{devices=[2,2]<=[4]}",
        ),
        // Each group in ascending sequence, by a longer rule where that will do.
        (
            "{devices=[2,4]<=[4,2]T(1,0) last_tile_dim_replicate}",
            "{devices=[2,4]<=[4,2]T(1,0) last_tile_dim_replicate}",
        ),
        (
            "{devices=[4,2]<=[2,2,2]T(0,2,1) last_tile_dim_replicate}",
            "{devices=[4,2]<=[2,2,2]T(0,2,1) last_tile_dim_replicate}",
        ),
        (
            "{devices=[2,4]<=[2,2,2]T(0,2,1) last_tile_dim_replicate}",
            "{devices=[2,4]<=[8] last_tile_dim_replicate}",
        ),
        (
            "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
            "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}",
        ),
        (
            "{devices=[2,4]3,2,1,0,7,6,5,4 last_tile_dim_replicate}",
            "{devices=[2,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}",
        ),
        // A word overrides those that follow it in XLA's sequence.
        ("{manual replicated}", "{replicated}"),
        ("{manual maximal device=1}", "{maximal device=1}"),
        ("{devices=[2]<=[2] unknown}", "{unknown}"),
        (
            "{shard_like 1 replicated shard_as 2}",
            "{replicated shard_as 2}",
        ),
        (
            "{{replicated},{manual},{manual},{manual},{manual},{unknown}}",
            "{{replicated}, {manual}, {manual}, {manual}, {manual}, /*index=5*/{unknown}}",
        ),
    ] {
        assert_eq!(sharding(text).to_string(), printed, "{text}");
        assert_eq!(sharding(printed).to_string(), printed);
    }
}

#[test]
fn metadata_is_read_and_printed() {
    for text in [
        r#"{replicated metadata={op_type="a" op_name="b\"\\\n\303\266" source_file="c" source_line=1 source_end_line=2 source_column=3 source_end_column=4 profile_type={1,2} deduplicated_name="d" scheduling_name="e" stack_frame_id=7}}"#,
        r#"{devices=[2]<=[2] shard_as 3 metadata={{op_name="a"}, {source_line=-2}}}"#,
        "{{manual metadata={}}, {replicated}}",
    ] {
        assert_eq!(format!("{:#}", sharding(text)), text);
        assert_eq!(sharding(text), sharding(text).with_metadata(Vec::new()));
    }
    let text = r#"{manual metadata={op_name="\x41\102\?\u00f6//" , source_line=7}}"#;
    assert_eq!(sharding(text).metadata()[0].op_name, "AB?ö//");
}

#[test]
fn validation() {
    let tuple = "(f32[4], (s32[], token[]))";
    for (text, shape, devices, words) in [
        ("{devices=[2,2]<=[4]}", "f32[5,7]", None, ""),
        ("{devices=[2,2]<=[4]}", "f32[5,7]", Some(4), ""),
        (
            "{devices=[2,2]<=[4]}",
            "f32[5,7]",
            Some(8),
            "the tiles are on 4 devices, but there are 8",
        ),
        (
            "{devices=[2,2]<=[4]}",
            "f32[5]",
            None,
            "the sharding cuts 2 dimensions, but the shape has 1",
        ),
        (
            "{devices=[2,2]<=[4] last_tile_dim_replicate}",
            "f32[5]",
            None,
            "",
        ),
        ("{devices=[2]<=[2]}", "b(f32[5])", None, ""),
        ("{devices=[2]<=[2]}", "token[]", None, ""),
        (
            "{devices=[2]<=[2]}",
            "opaque[]",
            None,
            "the sharding cuts 1 dimension, but the shape has 0",
        ),
        ("{devices=[2]0,-1}", "f32[5]", None, "device -1 is negative"),
        (
            "{devices=[2]0,2}",
            "f32[5]",
            Some(2),
            "device 2 is used, but there are 2 devices",
        ),
        ("{devices=[2]0,0}", "f32[5]", None, "device 0 has two tiles"),
        (
            "{devices=[1]<=[1]}",
            "f32[5]",
            None,
            "all of it is one tile",
        ),
        (
            "{maximal device=2}",
            "f32[5]",
            Some(2),
            "device 2 is used, but there are 2 devices",
        ),
        ("{manual}", "f32[5]", Some(0), ""),
        (
            "{replicated}",
            tuple,
            None,
            "the shape is a tuple, but the sharding is not",
        ),
        (
            "{{replicated}}",
            "f32[5]",
            None,
            "the sharding is a tuple, but the shape is not",
        ),
        ("{{replicated}}", "token[]", None, ""),
        (
            "{{replicated}}",
            tuple,
            None,
            "there is 1 sharding, but the tuple has 3 leaves",
        ),
        (
            "{{devices=[2]<=[2]}, {replicated}, {manual}}",
            tuple,
            None,
            "",
        ),
        (
            "{{devices=[2]<=[2]}, {replicated}, {devices=[2]<=[2]}}",
            tuple,
            None,
            "leaf 2 of the tuple: the sharding cuts 1 dimension, but the shape has 0",
        ),
        ("{}", "()", None, ""),
        ("{{replicated}}", "((), ())", None, ""),
        (
            "{{replicated}, {manual}}",
            "()",
            None,
            "there are 2 shardings, but the tuple has 0 leaves",
        ),
    ] {
        let shape: Shape = shape.parse().expect("the shape is right");
        let found = sharding(text).validate(&shape, devices);
        let found = found.map_or_else(|error| error.message().to_string(), |()| String::new());
        assert_eq!(found, words, "{text} of {shape}");
    }
}

#[test]
fn dynamic_and_padded_shapes() {
    let cut = sharding("{devices=[2,2]<=[4]}");
    let tile = |text| cut.tile_shape(&array(text)).map(|shape| shape.to_string());
    assert_eq!(
        tile("f32[<=5,?]{0,1:T(8)}").as_deref(),
        Ok("f32[<=3,?]{0,1:T(8)}")
    );
    assert_eq!(
        tile("f32[4,4]<0,1>, padded_dimensions = [8,8]").as_deref(),
        Ok("f32[2,2]{0,1}")
    );
    let error = cut.index_ranges(&array("f32[<=5,?]"), 0).unwrap_err();
    assert_eq!(error.kind(), &ShardingErrorKind::Unbounded { dimension: 1 });
    assert_eq!(
        cut.index_ranges(&array("f32[<=5,3]"), 3).unwrap(),
        [3..5, 2..3]
    );
    assert_eq!(
        cut.index_ranges(&array("f32[0,1]"), 3).unwrap(),
        [0..0, 1..1]
    );
    // Not cut, or nobody knows how.
    let shape = array("f32[3,1]");
    let whole = [0..3, 0..1];
    let ranges = |text, device| sharding(text).index_ranges(&shape, device);
    assert_eq!(ranges("{unreduced}", 7).unwrap(), whole);
    assert_eq!(ranges("{maximal device=1}", 1).unwrap(), whole);
    assert!(ranges("{maximal device=1}", 0).is_err());
    assert!(ranges("{manual}", 0).is_err());
    assert!(sharding("{{replicated}}").tile_shape(&shape).is_err());
}

/// Nothing is allocated or counted through that only a number claims.
#[test]
fn hostile_texts() {
    let huge = sharding("{devices=[1000000000,1000000000]<=[1000000000000000000]}");
    let shape = array("f32[9223372036854775807,0]");
    let last = 1_000_000_000_000_000_000 - 1;
    assert_eq!(
        huge.tile_index_for_device(last).unwrap(),
        [999_999_999, 999_999_999]
    );
    let ranges = huge.index_ranges(&shape, last).unwrap();
    assert_eq!(ranges[0].end, i64::MAX);
    assert!(huge.uses_device(last) && !huge.uses_device(last + 1));
    assert_eq!(huge.num_tiles(), Some(last + 1));
    assert_eq!(huge.validate(&"f32[2,2]".parse().unwrap(), None), Ok(()));
    let transposed = sharding("{devices=[1000000000,1000000000]<=[1000000000,1000000000]T(1,0)}");
    assert_ne!(huge, transposed);
    assert_eq!(
        transposed.device_for_tile_index(&[1, 2]).unwrap(),
        2_000_000_001
    );

    // Devices that only a list can put in sequence.
    let text = "{devices=[2000000000,3]<=[3000000,2,1000]T(0,2,1) last_tile_dim_replicate}";
    let kind = ShardingErrorKind::TooManyDevices {
        devices: 6_000_000_000,
    };
    assert_eq!(
        text.parse::<Sharding>().unwrap_err().kind(),
        &ReadErrorKind::Sharding(kind)
    );
    // A prime, for which no search up to its square root may run.
    let prime = 9_223_372_036_854_775_783i64;
    let text =
        format!("{{devices=[{prime},1,1]<=[{prime}] last_tile_dims={{manual, replicated}}}}");
    assert_eq!(
        sharding(&text).to_string(),
        format!("{{devices=[{prime}]<=[{prime}]}}")
    );
    let text =
        "{devices=[2,4294967291,2]<=[2,4294967291,2]T(2,1,0) last_tile_dims={replicated, manual}}";
    assert!(text.parse::<Sharding>().is_ok());

    let error = |text: &str| text.parse::<Sharding>().unwrap_err();
    error("{devices=[1000000000,1000000000]0,1}");
    error("{devices=[9223372036854775807,9223372036854775807]<=[1]}");
    error("{devices=[2]<=[9223372036854775808]}");
    error(&"{".repeat(100_000));
    error(&format!("{{{}", "{replicated},".repeat(10_000)));
    let many = format!("{{{}}}", vec!["{manual}"; 10_000].join(","));
    assert_eq!(
        sharding(&many).tuple_elements().map(<[_]>::len),
        Some(10_000)
    );
    let ones = vec!["1"; 20_000].join(",");
    let perm: Vec<_> = (0..20_000).rev().map(|k| k.to_string()).collect();
    let text = format!("{{devices=[{ones}]<=[{ones}]T({})}}", perm.join(","));
    assert_eq!(
        sharding(&text),
        sharding(&format!("{{devices=[{ones}]<=[1]}}"))
    );
    error(&format!(
        "{{devices=[{ones},2,4]<=[{ones},2,4]T({ones},1,1)}}"
    ));
    let twos = vec!["2"; 62].join(",");
    let perm: Vec<_> = (0..62).rev().map(|k| k.to_string()).collect();
    let text = format!("{{devices=[{twos}]<=[{twos}]T({})}}", perm.join(","));
    assert_eq!(
        sharding(&text).device_for_tile_index(&[1; 62]).unwrap(),
        (1 << 62) - 1
    );
}

#[test]
fn constructors_refuse_what_texts_do() {
    let kind = |tiles: Result<TileAssignment, _>| {
        *Result::<_, xlayout::sharding::ShardingError>::unwrap_err(tiles).kind()
    };
    use ShardingErrorKind as K;
    assert_eq!(kind(TileAssignment::iota(&[])), K::NoDimensions);
    assert_eq!(
        kind(TileAssignment::iota(&[2, 0])),
        K::TileDimension {
            dimension: 1,
            size: 0
        }
    );
    assert_eq!(kind(TileAssignment::iota(&[i64::MAX, 2])), K::Overflow);
    assert_eq!(
        kind(TileAssignment::transposed(&[4], &[2, 2], &[0, -1])),
        K::TransposeRange { entry: -1, rank: 2 }
    );
    assert_eq!(
        kind(TileAssignment::transposed(&[6], &[2, 3], &[1, 1])),
        K::TransposeTwice { entry: 1 }
    );
    assert_eq!(kind(TileAssignment::listed(&[1], &[0])), K::OneDevice);
    let groups = [SubgroupType::Manual; 3];
    let error = Sharding::subgroup(TileAssignment::iota(&[2, 2]).unwrap(), &groups).unwrap_err();
    assert_eq!(
        error.kind(),
        &K::SubgroupRank {
            subgroups: 3,
            dimensions: 2
        }
    );
    let nested = Sharding::tuple(vec![Sharding::manual(), sharding("{}")]).unwrap_err();
    assert_eq!((nested.kind(), nested.leaf()), (&K::NestedTuple, Some(1)));
    const { assert!(MAX_WRITTEN_OUT < 1 << 24) }
}

#[test]
fn parts_of_tuples() {
    let shape: Shape = "((), (f32[2], (s32[], pred[])))".parse().expect("a shape");
    let sharding: Sharding = "{{replicated}, {manual}, {maximal device=1}}"
        .parse()
        .expect("a sharding");
    let part = |path: &[i64]| {
        sharding
            .sub_sharding(&shape, path)
            .map(|part| part.to_string())
            .map_err(|error| error.message().to_string())
    };
    assert_eq!(part(&[]), Ok(sharding.to_string()));
    assert_eq!(part(&[0]), Ok("{}".into()));
    assert_eq!(part(&[1, 0]), Ok("{replicated}".into()));
    let index = ShapeIndex::from(&[1, 1, 1][..]);
    assert_eq!(part(&index), Ok("{maximal device=1}".into()));
    assert_eq!(part(&[1, 1, 2]), Err("the tuple has no member 2".into()));
    assert_eq!(part(&[-1]), Err("the tuple has no member -1".into()));
    assert_eq!(
        part(&[i64::MAX]),
        Err(format!("the tuple has no member {}", i64::MAX))
    );
    assert_eq!(part(&[1, 0, 0]), Err("the tuple has no member 0".into()));

    // As in XLA, a tuple without leaves has one sharding.
    let nil = Shape::Tuple(vec![]);
    let one = Sharding::manual().for_tuple(&nil);
    assert_eq!(one.validate(&nil, None), Ok(()));
    assert_eq!(one.sub_sharding(&nil, &[]), Ok(one.clone()));
}
