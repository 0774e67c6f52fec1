//! `from_proto(to_proto(x)) == x`, and the conversions say what the trait says.

use proptest::collection::vec;
use proptest::prelude::*;
use xlayout_core::{
    ArrayShape, Dim, ElementType, Layout, List, MinorToMajor, PaddingValue, Shape, SplitConfig,
    TileDim,
};
use xlayout_proto::{
    LayoutProto, OpSharding, Parameter, ProgramShape, Proto, ShapeProto, SplitConfigProto,
    TileProto, decode, op_sharding, prost::Message,
};

fn any_type() -> impl Strategy<Value = ElementType> {
    let arrays: Vec<_> = ElementType::all().filter(|t| t.is_array()).collect();
    proptest::sample::select(arrays)
}

fn any_dim() -> impl Strategy<Value = Dim> {
    prop_oneof![
        1 => (0..=i64::MAX).prop_map(Dim::Static),
        6 => (0i64..9).prop_map(Dim::Static),
        1 => (0..=i64::MAX).prop_map(Dim::Bounded),
        2 => (0i64..9).prop_map(Dim::Bounded),
        1 => Just(Dim::Unbounded),
    ]
}

fn any_tile() -> impl Strategy<Value = Vec<TileDim>> {
    vec(
        prop_oneof![
            (0..=i64::MAX).prop_map(TileDim::Size),
            (0i64..300).prop_map(TileDim::Size),
            Just(TileDim::Combine)
        ],
        0..6,
    )
}

/// Any layout for so many dimensions, valid or not.
fn any_layout(rank: usize) -> impl Strategy<Value = Layout> {
    let padding_value = prop_oneof![
        Just(None),
        proptest::sample::select(PaddingValue::NAMES.to_vec()).prop_map(|(_, value)| Some(value)),
    ];
    let padded = prop_oneof![Just(0), Just(rank)].prop_flat_map(|n| vec(any::<i64>(), n));
    let order = prop_oneof![
        Just((0..rank as i64).collect::<Vec<_>>()).prop_shuffle(),
        vec(any::<i64>(), rank),
    ];
    let sparse_type = || proptest::option::weighted(0.2, any_type());
    (
        order,
        vec(any_tile(), 0..6),
        1..=i64::MAX,
        (sparse_type(), sparse_type()),
        (
            prop_oneof![0i64..64, any::<i64>()],
            any::<i8>(),
            any::<i64>(),
        ),
        vec((any::<i64>(), vec(any::<i64>(), 0..5)), 0..4),
        (padded, padding_value),
    )
        .prop_map(
            |(order, tiles, tail, types, (bits, space, prefix), splits, (padded, value))| {
                let mut layout = Layout::new(MinorToMajor::new(&order).unwrap());
                for tile in tiles {
                    layout.tiles.push(&tile).unwrap();
                }
                layout.tail_padding_alignment_in_elements = tail;
                (layout.index_primitive_type, layout.pointer_primitive_type) = types;
                layout.element_size_in_bits = bits;
                layout.memory_space = space;
                layout.dynamic_shape_metadata_prefix_bytes = prefix;
                for (dimension, at) in splits {
                    layout.split_configs.push(dimension, &at).unwrap();
                }
                layout.padded_dimensions = List::try_from_iter(padded).unwrap();
                layout.padding_value = value;
                layout
            },
        )
}

fn any_array() -> impl Strategy<Value = ArrayShape> {
    prop_oneof![0usize..5, 0usize..40].prop_flat_map(|rank| {
        (
            any_type(),
            vec(any_dim(), rank),
            proptest::option::of(any_layout(rank)),
        )
            .prop_map(|(element_type, dims, layout)| {
                ArrayShape::from_parts(element_type, List::try_from_iter(dims).unwrap(), layout)
            })
    })
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        4 => any_array().prop_map(Shape::Array),
        1 => any_array().prop_map(Shape::Buffer),
        1 => Just(Shape::Token),
        1 => Just(Shape::Opaque),
    ];
    leaf.prop_recursive(5, 24, 6, |inner| vec(inner, 0..6).prop_map(Shape::Tuple))
}

proptest! {
    #[test]
    fn shapes(shape in any_shape()) {
        let bytes = shape.to_proto_bytes();
        let again = Shape::from_proto_bytes(&bytes).unwrap();
        prop_assert_eq!(&again, &shape);
        prop_assert_eq!(again.to_proto_bytes(), bytes);
        let message = ShapeProto::from(&shape);
        prop_assert_eq!(&message, &shape.to_proto());
        prop_assert_eq!(Shape::try_from(&message), Ok(shape.clone()));
        match shape {
            Shape::Array(array) => prop_assert_eq!(ArrayShape::try_from(&message), Ok(array)),
            _ => prop_assert!(ArrayShape::try_from(&message).is_err()),
        }
    }

    #[test]
    fn layouts(layout in any_layout(3)) {
        let message = LayoutProto::from(&layout);
        prop_assert_eq!(Layout::try_from(&message), Ok(layout.clone()));
        prop_assert_eq!(Layout::from_proto_bytes(&message.encode_to_vec()), Ok(layout));
    }

    #[test]
    fn programs(shapes in vec(("[a-z.0-9]{0,8}", any_shape()), 0..4), result in any_shape()) {
        let parameters = shapes.into_iter().map(|(name, shape)| Parameter { name, shape }).collect();
        let program = ProgramShape { parameters, result };
        prop_assert_eq!(ProgramShape::from_proto_bytes(&program.to_proto_bytes()), Ok(program));
    }

    /// What is valid says the same by way of its bytes and by way of its text. (A negative metadata
    /// prefix has no text.)
    #[test]
    fn texts(mut array in any_array()) {
        let Some(layout) = &mut array.layout else { return Ok(()) };
        let prefix = &mut layout.dynamic_shape_metadata_prefix_bytes;
        *prefix = (*prefix).max(0);
        let shape = Shape::Array(array);
        if shape.validate().is_ok() {
            let by_text = shape.to_string().parse::<Shape>();
            prop_assert_eq!(by_text, Ok(Shape::from_proto_bytes(&shape.to_proto_bytes()).unwrap()));
        }
    }
}

#[test]
fn tiles_and_splits() {
    let tile = [TileDim::Combine, TileDim::Size(8)];
    let message = TileProto::from(&tile[..]);
    assert_eq!(message.dimensions, [i64::MIN, 8]);
    assert_eq!(Vec::try_from(&message), Ok(tile.to_vec()));

    let split = SplitConfig {
        dimension: 1,
        split_indices: &[40, 130],
    };
    let message = SplitConfigProto::from(split);
    assert_eq!(
        message,
        SplitConfigProto {
            dimension: 1,
            split_indices: vec![40, 130]
        }
    );
    assert_eq!(SplitConfig::from(&message), split);
}

/// Bytes that XLA wrote for shardings, and what they say.
#[test]
fn shardings_keep_their_bytes() {
    use op_sharding::Type::{Manual, Maximal, Other, Replicated, Tuple};
    let cases: [(&[u8], op_sharding::Type); 6] = [
        (b"", Replicated),
        (b"\x08\x04", Manual),
        (b"\x08\x01\x22\x01\x03", Maximal),
        (b"\x08\x02", Tuple),
        // {devices=[2,2]0,1,2,3}
        (b"\x08\x03\x1a\x02\x02\x02\x22\x04\x00\x01\x02\x03", Other),
        // {devices=[2,2]<=[4] metadata={op_name="a"}}
        (
            b"\x08\x03\x1a\x02\x02\x02\x3a\x03\x12\x01\x61\x4a\x01\x04\x52\x01\x00",
            Other,
        ),
    ];
    for (bytes, kind) in cases {
        let sharding: OpSharding = decode(bytes).unwrap();
        assert_eq!(sharding.r#type(), kind);
        assert_eq!(sharding.encode_to_vec(), bytes);
    }
}
