//! The structure of binary formats: what is where, and what is refused.

use xlayout::shape::text::MAX_DEPTH;
use xlayout::shape::{
    Dim, MinorToMajor, PaddingValue, Shape, ShapeIndex, SplitConfigs, TileDim, Tiles,
};
use xlayout::xla::shape_util;
use xlayout::{ArrayShape, DynLayout, Layout, PrimitiveType};

use super::through_bytes;

fn bytes<T: serde::Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("postcard can write sequences of known length")
}

fn read<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// What was written by one version is read by the next: these bytes do not change. In postcard a
/// signed number is twice itself, or twice its distance to -1 and 1; a length precedes a sequence.
#[test]
fn the_structure_does_not_change() {
    let text = "bf16[1000,<=3]{0,1:T(*,8)(2)L(4)E(16)S(-3)SC(1:5,7)M(8)}";
    let array: ArrayShape = text.parse().expect(text);
    let layout = [
        &[2, 0, 2][..], // minor_to_major
        &[2, 2],        // tiles: two, the first with the number of `*` …
        &[0xff; 9],
        &[1, 16],           // … and 8,
        &[1, 4],            // the second with 2
        &[8],               // tail_padding_alignment_in_elements
        &[0, 0],            // neither index_primitive_type nor pointer_primitive_type
        &[32],              // element_size_in_bits
        &[0xfd],            // memory_space, a byte
        &[1, 2, 2, 10, 14], // split_configs: one, of dimension 1, at 5 and 7
        &[16],              // dynamic_shape_metadata_prefix_bytes
        &[0, 0],            // no padded_dimensions, no padding_value
    ]
    .concat();
    assert_eq!(bytes(&array.layout), [&[1], &layout[..]].concat());
    let expected = [&[16, 2, 0xd0, 0x0f, 0, 6, 1, 1][..], &layout].concat();
    assert_eq!(bytes(&array), expected);
    assert_eq!(
        bytes(&DynLayout::new(array.clone()).expect("it can be addressed")),
        expected
    );
    let members = [(13, 0), (17, 0)].map(|(kind, members)| vec![1, kind, 0, 0, members]);
    assert_eq!(bytes(&shape_util::nil()), members[0]);
    assert_eq!(bytes(&Shape::Token), members[1]);
    let buffer = Shape::Buffer(array.clone());
    assert_eq!(
        bytes(&buffer),
        [&[2, 34, 0, 0, 1][..], &expected, &[0]].concat()
    );
    let tuple = Shape::Tuple(vec![buffer, Shape::Opaque]);
    let inside = [
        &[4, 13, 0, 0, 2, 34, 0, 0, 1][..],
        &expected,
        &[0, 14, 0, 0, 0],
    ]
    .concat();
    assert_eq!(bytes(&tuple), inside);
    assert_eq!(read(&inside), Some(tuple));
    // Inside a tuple splits are validated, as in text: physical dimension 1 has size 1000.
    let mut beyond = array.clone();
    if let Some(layout) = &mut beyond.layout {
        layout.split_configs = SplitConfigs::new();
        layout
            .split_configs
            .push(1, &[1000])
            .expect("there is a heap");
    }
    assert_eq!(read(&bytes(&beyond)), Some(beyond.clone()));
    assert_eq!(
        read::<Shape>(&bytes(&Shape::Tuple(vec![beyond.into()]))),
        None
    );
    let tuple = Shape::Tuple(vec![Shape::Opaque, shape_util::nil()]);
    assert_eq!(
        read(&[3, 13, 0, 0, 2, 14, 0, 0, 0, 13, 0, 0, 0]),
        Some(tuple)
    );
    let mut padded: Layout = "{0}, padded_dimensions = [3], padding_value = highest"
        .parse()
        .expect("it is one");
    assert_eq!(bytes(&padded), [1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1, 6, 1, 4]);
    padded.index_primitive_type = Some(PrimitiveType::U8);
    assert_eq!(
        bytes(&padded),
        [1, 0, 0, 2, 1, 6, 0, 0, 0, 0, 0, 1, 6, 1, 4]
    );
    assert_eq!(through_bytes(&padded), Ok(padded));
    assert_eq!(bytes(&ShapeIndex::from([1, 0])), [2, 2, 0]);
}

#[test]
fn what_is_wrong_is_refused() {
    assert_eq!(read::<PrimitiveType>(&[0]), None);
    assert_eq!(read::<PrimitiveType>(&[37]), None);
    assert_eq!(read::<PaddingValue>(&[0]), None);
    assert_eq!(read::<PaddingValue>(&[6]), None);
    assert_eq!(read::<Dim>(&[1, 0]), None); // -1
    assert_eq!(read::<Dim>(&[1, 1]), None); // <=-1
    assert_eq!(read::<TileDim>(&[1]), None);
    let invalid = [
        "13, 0, 0",           // an array of tuples
        "11, 1 4 0, 1 2 0 2", // two numbers for one dimension, and the rest is missing
    ];
    for text in invalid {
        let numbers = text.split([',', ' ']).filter_map(|n| n.parse().ok());
        assert_eq!(
            read::<ArrayShape>(&numbers.collect::<Vec<u8>>()),
            None,
            "{text}"
        );
    }
    let layout = |order: &[i64], alignment: i64| {
        let mut layout = Layout::new(MinorToMajor::new(order).expect("there is a heap"));
        layout.tail_padding_alignment_in_elements = alignment;
        layout
    };
    assert!(
        through_bytes(&layout(&[0, 0], 1)).is_ok(),
        "a layout alone has no rank"
    );
    assert!(through_bytes(&layout(&[0, 1], 0)).is_err());
    for (order, alignment) in [(&[0, 0][..], 1), (&[0], 1), (&[1, 2], 1), (&[0, 1], -1)] {
        let mut array = ArrayShape::new(PrimitiveType::F32, &[2, 3]).expect("there is a heap");
        array.layout = Some(layout(order, alignment));
        assert!(through_bytes(&array).is_err());
        assert!(through_bytes(&Shape::Tuple(vec![Shape::Array(array)])).is_err());
    }
    // A buffer of what is not an array; a token with a member; an array with one; a tuple with a size.
    let nil = [13, 0, 0, 0];
    for wrong in [[34, 0, 0, 1], [17, 0, 0, 1], [11, 0, 0, 1]] {
        assert_eq!(read::<Shape>(&[&[2], &wrong[..], &nil].concat()), None);
    }
    assert_eq!(read::<Shape>(&[1, 34, 0, 0, 0]), None);
    assert_eq!(read::<Shape>(&[1, 13, 1, 2, 0, 0, 0]), None);
    // A shape after the whole one; a tuple that lacks a member; no shape.
    assert!(read::<Shape>(&[&[1], &nil[..]].concat()).is_some());
    assert_eq!(read::<Shape>(&[&[2], &nil[..], &nil].concat()), None);
    assert_eq!(read::<Shape>(&[1, 13, 0, 0, 1]), None);
    assert_eq!(read::<Shape>(&[0]), None);
}

#[test]
fn claimed_lengths_are_not_believed() {
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
    assert_eq!(read::<MinorToMajor>(&huge), None);
    assert_eq!(read::<Tiles>(&huge), None);
    assert_eq!(read::<SplitConfigs>(&huge), None);
    assert_eq!(read::<ShapeIndex>(&huge), None);
    assert_eq!(read::<Layout>(&huge), None);
    assert_eq!(read::<ArrayShape>(&[&[11][..], &huge].concat()), None);
    assert_eq!(read::<Shape>(&[&[1, 13, 0, 0][..], &huge].concat()), None);
    assert_eq!(read::<Shape>(&huge), None);
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| {
        let nodes = depth + 1;
        let length = postcard::to_allocvec(&nodes).expect("postcard writes numbers");
        [length, [13, 0, 0, 1].repeat(depth), vec![17, 0, 0, 0]].concat()
    };
    let shape: Shape = read(&nested(MAX_DEPTH)).expect("not too deep");
    assert_eq!(through_bytes(&shape).as_ref(), Ok(&shape));
    assert_eq!(super::through_json(&shape), Ok(shape));
    for depth in [MAX_DEPTH + 1, 1_000_000] {
        assert_eq!(read::<Shape>(&nested(depth)), None);
    }
}

/// Nested tuples take no stack: neither in binary formats nor in JSON, as text or as a structure.
#[test]
fn a_small_stack_is_enough() {
    let test = || {
        let text = format!(
            "{}f32[2,3]{{0,1}}{}",
            "(".repeat(MAX_DEPTH),
            ")".repeat(MAX_DEPTH)
        );
        let mut shape: Shape = text.parse().expect("it is not too deep");
        for _ in 0..2 {
            assert_eq!(through_bytes(&shape).as_ref(), Ok(&shape));
            assert_eq!(super::through_json(&shape).as_ref(), Ok(&shape));
            // Without a layout it has no text.
            xlayout::xla::layout_util::any::clear_layout(&mut shape);
        }
        for wrong in [
            "[".repeat(100_000),
            "[[\"tuple\",[],null,1],".repeat(100_000),
        ] {
            assert!(serde_json::from_str::<Shape>(&wrong).is_err());
        }
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let thread = thread.spawn(test).expect("the system has threads");
    thread.join().expect("the test passes");
}

/// The functions of XLA's names walk through nested tuples without recursion.
#[test]
fn walks_take_no_stack_for_each_tuple() {
    use xlayout::xla::{Compare, layout_util};
    let test = || {
        let text =
            |inner: &str| ["(".repeat(MAX_DEPTH), inner.into(), ")".repeat(MAX_DEPTH)].concat();
        let read = |inner: &str| text(inner).parse::<Shape>().expect("it is not too deep");
        let shape = read("f32[2,3]{0,1}");
        let mut other = read("f32[2,3]{1,0}");
        assert_eq!(shape_util::subshape_count(&shape), MAX_DEPTH + 1);
        assert!(shape_util::equal_structure(&shape, &other));
        assert!(!Compare::new().equal(&shape, &other));
        let difference = Compare::new()
            .difference(&shape, &other)
            .expect("they differ");
        assert_eq!(difference.path(), [0; 6]);
        assert_eq!(
            layout_util::layouts_in_shapes_equal(&shape, &other),
            Ok(false)
        );
        assert!(shape_util::dynamic_shape_is_compatible(&shape, &other));
        assert_eq!(
            layout_util::copy_layout_between_shapes(&shape, &mut other),
            Ok(())
        );
        assert_eq!(other, shape);
        let error = layout_util::copy_layout_between_shapes(&shape, &mut read("f32[2]"));
        assert!(
            error
                .expect_err("the ranks differ")
                .to_string()
                .contains("{0,0,0,0,0,0")
        );
        let paths: Vec<_> = shape_util::subshapes_post_order(&shape)
            .map(|(path, _)| path)
            .collect();
        assert!(
            paths
                .iter()
                .map(|path| path.len())
                .eq((0..=MAX_DEPTH).rev())
        );
        for path in paths {
            let shape = shape_util::subshape_mut(&mut other, &path).expect("it is there");
            if let Shape::Tuple(members) = shape {
                *shape = members.remove(0);
            }
        }
        assert_eq!(other.to_string(), "f32[2,3]{0,1}");
        let changed = shape_util::any::change_element_type(&shape, PrimitiveType::S8);
        assert_eq!(
            changed.map(|shape| shape.to_string()),
            Ok(text("s8[2,3]{0,1}"))
        );
        assert_eq!(shape_util::elements_in_recursive(&shape), Some(6));
        assert!(shape_util::has_primitive_type(&shape, PrimitiveType::F32));
        assert!(!shape_util::are_all_leaves_integers(&shape));
        assert!(layout_util::has_layout(&shape) && layout_util::has_any_layout(&shape));
        assert!(layout_util::any::validate_layout_in_shape(&shape, false).is_ok());
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let thread = thread.spawn(test).expect("the system has threads");
    thread.join().expect("the test passes");
}

/// Many dimensions, tiles or members take no more work than their bytes justify.
#[test]
fn much_is_read_in_time() {
    let many = 100_000;
    let array = ArrayShape::new(PrimitiveType::U8, &vec![1; many]).expect("there is a heap");
    assert_eq!(
        through_bytes(&DynLayout::new(array.clone()).expect("it is valid")).map(|l| l.dims().len()),
        Ok(many)
    );
    let mut wrong = array.clone();
    let layout = wrong.layout.as_mut().expect("it has one");
    layout.minor_to_major = MinorToMajor::new(&vec![0; many]).expect("there is a heap");
    assert!(through_bytes(&wrong).is_err());
    let tuple = Shape::Tuple(vec![Shape::Token; many]);
    assert_eq!(through_bytes(&tuple), Ok(tuple));
}

#[test]
fn long_lists() {
    let rank = 1000;
    let array = ArrayShape::new(PrimitiveType::F32, &vec![1; rank]).expect("there is a heap");
    assert_eq!(through_bytes(&array).as_ref(), Ok(&array));
    assert_eq!(super::through_json(&array), Ok(array));
    let mut tiles = Tiles::new();
    for k in 1..100 {
        tiles
            .push(&vec![TileDim::Size(1); k])
            .expect("there is a heap");
    }
    assert_eq!(through_bytes(&tiles), Ok(tiles));
}
