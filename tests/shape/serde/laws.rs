//! `read(write(x)) == x` in both kinds of formats, for whatever is valid; the rest is refused.

use proptest::collection::vec;
use proptest::prelude::*;
use xlayout::shape::{
    Dim, List, MinorToMajor, PaddingValue, Shape, ShapeIndex, SplitConfigs, TileDim, Tiles,
};
use xlayout::{ArrayLayout, ArrayShape, DynLayout, ElementType, Layout};

use super::{through_bytes, through_json};

fn dim() -> impl Strategy<Value = Dim> {
    prop_oneof![
        6 => (0i64..6).prop_map(Dim::Static),
        1 => (0..=i64::MAX).prop_map(Dim::Static),
        2 => (0i64..6).prop_map(Dim::Bounded),
        1 => Just(Dim::Unbounded),
    ]
}

fn tiles() -> impl Strategy<Value = Vec<Vec<TileDim>>> {
    let entry = prop_oneof![
        6 => (1i64..200).prop_map(TileDim::Size),
        1 => (0..=i64::MAX).prop_map(TileDim::Size),
        1 => Just(TileDim::Combine),
    ];
    vec(vec(entry, 0..5), 0..4)
}

/// Any layout for so many dimensions; most are valid.
fn layouts(rank: usize) -> impl Strategy<Value = Layout> {
    let order = prop_oneof![
        9 => Just((0..rank as i64).collect::<Vec<_>>()).prop_shuffle(),
        1 => vec(any::<i64>(), rank),
    ];
    let padded = prop_oneof![3 => Just(Vec::new()), 1 => vec(0..9_i64, rank)];
    let sparse = proptest::option::weighted(0.05, Just(ElementType::U32));
    let value = proptest::option::of(proptest::sample::select(PaddingValue::NAMES.to_vec()));
    let splits = vec((any::<i64>(), vec(any::<i64>(), 0..4)), 0..3);
    let numbers = (1..300_i64, 0..65_i64, any::<i8>(), -2..300_i64);
    (order, tiles(), padded, (sparse, value, splits), numbers).prop_map(
        |(order, tiles, padded, (sparse, value, splits), numbers)| {
            let heap = "there is a heap";
            let mut layout = Layout::new(MinorToMajor::new(&order).expect(heap));
            if padded.is_empty() {
                let tiles: Vec<_> = tiles.iter().map(Vec::as_slice).collect();
                layout.tiles = Tiles::from_tiles(&tiles).expect(heap);
            }
            layout.padded_dimensions = List::try_from_iter(padded).expect(heap);
            layout.index_primitive_type = sparse;
            layout.padding_value = value.map(|(_, value)| value);
            layout.split_configs = SplitConfigs::new();
            for (dimension, at) in splits {
                layout.split_configs.push(dimension, &at).expect(heap);
            }
            layout.tail_padding_alignment_in_elements = numbers.0;
            layout.element_size_in_bits = numbers.1;
            layout.memory_space = numbers.2;
            layout.dynamic_shape_metadata_prefix_bytes = numbers.3;
            layout
        },
    )
}

fn arrays() -> impl Strategy<Value = ArrayShape> {
    let types: Vec<_> = ElementType::all().filter(|t| t.is_array()).collect();
    let parts = vec(dim(), 0..5).prop_flat_map(|dims| {
        let layout = proptest::option::weighted(0.8, layouts(dims.len()));
        (Just(dims), layout)
    });
    (proptest::sample::select(types), parts).prop_map(|(element_type, (dims, layout))| {
        ArrayShape::from_parts(
            element_type,
            List::try_from_iter(dims).expect("there is a heap"),
            layout,
        )
    })
}

fn trees() -> impl Strategy<Value = Shape> {
    let leaf = prop_oneof![
        6 => arrays().prop_map(|mut array| {
            // Not allowed in a tuple.
            if let Some(layout) = &mut array.layout {
                layout.split_configs = SplitConfigs::new();
            }
            Shape::Array(array)
        }),
        2 => arrays().prop_map(Shape::Buffer),
        1 => Just(Shape::Token),
        1 => Just(Shape::Opaque),
    ];
    leaf.prop_recursive(4, 20, 7, |inner| vec(inner, 0..7).prop_map(Shape::Tuple))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn shapes(shape in trees()) {
        let complete = shape.leaves().filter_map(Shape::as_array_or_buffer).all(|a| a.layout.is_some());
        let json = serde_json::to_string(&shape);
        prop_assert_eq!(json.is_ok(), complete);
        prop_assert_eq!(postcard::to_allocvec(&shape).is_ok(), complete);
        if let Ok(json) = json {
            prop_assert_eq!(json, format!("\"{shape}\""));
            // The result of reading equals the text.
            let expected: Option<Shape> = shape.to_string().parse().ok();
            prop_assert!(through_json(&shape).ok() == expected);
            prop_assert!(through_bytes(&shape).ok() == expected);
            if shape.validate_with_optional_layout().is_err() {
                prop_assert_eq!(expected, None);
            }
        }
    }

    #[test]
    fn arrays_and_their_layouts(array in arrays()) {
        if let Some(layout) = &array.layout {
            let valid = array.validate_with_optional_layout().is_ok();
            // The text has no prefix below 0, which means none.
            let mut expected = array.clone();
            let mut printed = layout.clone();
            printed.dynamic_shape_metadata_prefix_bytes = layout.dynamic_shape_metadata_prefix_bytes.max(0);
            expected.layout = Some(printed);
            prop_assert_eq!(through_json(&array).is_ok(), valid);
            prop_assert_eq!(through_bytes(&array).is_ok(), valid);
            if valid {
                prop_assert!(through_json(&array).as_ref() == Ok(&expected));
                prop_assert!(through_bytes(&array).as_ref() == Ok(&expected));
            }
            // Some forms have no text in XLA: a tile with nothing in it, a split at nothing.
            if let Ok(read) = through_json(layout) {
                prop_assert_eq!(Some(&read), expected.layout.as_ref());
                prop_assert_eq!(through_bytes(layout), Ok(read));
            }
            prop_assert!(through_json(&layout.minor_to_major).as_ref() == Ok(&layout.minor_to_major));
        }
        if let Ok(layout) = DynLayout::new(array) {
            for read in [through_json(&layout), through_bytes(&layout)] {
                let read = read.expect("it was one");
                prop_assert_eq!(&read.to_string(), &layout.to_string());
                prop_assert!(read.modes().eq(layout.modes()));
            }
        }
    }

    #[test]
    fn paths(entries in vec(any::<i64>(), 0..9)) {
        let index: ShapeIndex = entries.into_iter().collect();
        prop_assert!(through_json(&index).as_ref() == Ok(&index));
        prop_assert_eq!(through_bytes(&index), Ok(index));
    }

    /// Whatever the bytes are, nothing panics; what is read is valid and is written again.
    #[test]
    fn any_bytes(
        shape in trees(),
        noise in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in any::<prop::sample::Index>(),
        random in vec(prop_oneof![any::<u8>(), b' '..b'~'], 0..60),
    ) {
        let mut bytes = postcard::to_allocvec(&shape.to_string()).expect("it can be written");
        let whole = bytes.len();
        let cut_short = &bytes[..cut.index(whole)];
        prop_assert!(postcard::from_bytes::<Shape>(cut_short).is_err());
        for (at, byte) in noise {
            bytes[at.index(whole)] = byte;
        }
        for bytes in [&bytes, &random] {
            if let Ok(shape) = postcard::from_bytes::<Shape>(bytes) {
                prop_assert_eq!(shape.validate_with_optional_layout(), Ok(()));
                prop_assert_eq!(through_bytes(&shape), Ok(shape));
            }
            if let Ok(layout) = postcard::from_bytes::<Layout>(bytes) {
                prop_assert_eq!(through_bytes(&layout), Ok(layout));
            }
            let _ = postcard::from_bytes::<DynLayout>(bytes);
        }
    }
}
