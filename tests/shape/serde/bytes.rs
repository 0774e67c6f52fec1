//! Binary formats have the same text, and nothing in the input is trusted.

use xlayout::shape::text::MAX_DEPTH;
use xlayout::shape::{List, MinorToMajor, PaddingValue, Shape, ShapeIndex};
use xlayout::xla::shape_util;
use xlayout::{ArrayShape, DynLayout, ElementType, Layout};

use super::through_bytes;

fn bytes<T: serde::Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).expect("postcard can write a text")
}

fn read<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// The bytes of postcard for a text: its length, seven bits in a byte, then its bytes.
fn text_bytes(text: &str) -> Vec<u8> {
    postcard::to_allocvec(text).expect("postcard can write a text")
}

/// The next version reads the bytes of this one, so these bytes do not change.
#[test]
fn the_bytes_are_those_of_the_text() {
    let text = "bf16[1000,<=3]{0,1:T(*,8)(2)L(4)E(16)S(-3)SC(1:5,7)M(8)}";
    let array: ArrayShape = text.parse().expect(text);
    assert_eq!(bytes(&array), [&[56], text.as_bytes()].concat());
    assert_eq!(
        bytes(&DynLayout::new(array.clone()).expect("it can be addressed")),
        text_bytes(text)
    );
    let layout = array.layout.clone().expect("it has one");
    assert_eq!(
        bytes(&layout),
        text_bytes("{0,1:T(*,8)(2)L(4)E(16)S(-3)SC(1:5,7)M(8)}")
    );
    assert_eq!(bytes(&ElementType::Bf16), [&[4], &b"bf16"[..]].concat());
    assert_eq!(bytes(&PaddingValue::Zero), [&[4], &b"zero"[..]].concat());
    let tuple = Shape::Tuple(vec![
        Shape::Buffer(array),
        Shape::Opaque,
        Shape::Tuple(vec![]),
    ]);
    let inside = text_bytes(&format!("(b({text}), opaque[], ())"));
    assert_eq!(bytes(&tuple), inside);
    assert_eq!(read(&inside), Some(tuple));
    assert_eq!(bytes(&ShapeIndex::from([1, 0])), [2, 2, 0]);
}

#[test]
fn what_is_wrong_is_refused() {
    for name in ["", "float", "F32", "f32 "] {
        assert_eq!(read::<ElementType>(&text_bytes(name)), None, "{name}");
        assert_eq!(read::<PaddingValue>(&text_bytes(name)), None, "{name}");
    }
    let layout = |text: &str| read::<Layout>(&text_bytes(text));
    assert!(layout("{0,1:L(2)}").is_some());
    for text in ["", "{", "{0,1:L(0)}", "{0,1}}"] {
        assert_eq!(layout(text), None, "{text}");
    }
    for text in [
        "token[]",
        "f32[2,3]{0,0}",
        "f32[2,3]{0}",
        "f32[2,3]{1,2}",
        "f32[2,3]{0,1:L(-1)}",
        "f32[-1]",
    ] {
        assert_eq!(read::<ArrayShape>(&text_bytes(text)), None, "{text}");
        let tuple = format!("(pred[], {text}{{}})");
        assert_eq!(read::<Shape>(&text_bytes(&tuple)), None, "{tuple}");
    }
    // A buffer of what is not an array, a member too many, a tuple that is not closed.
    for text in ["b(())", "b(token[])", "(token[]) token[]", "((token[])", ""] {
        assert_eq!(read::<Shape>(&text_bytes(text)), None, "{text}");
    }
    // A number where a text is expected, and bytes that are no text.
    assert_eq!(read::<Shape>(&[5]), None);
    assert_eq!(read::<Shape>(&[2, 0xff, 0xfe]), None);
}

/// Without a layout the text means another array, so it is not written.
#[test]
fn a_missing_layout_is_not_written() {
    let mut array: ArrayShape = "f32[2,3]{0,1}".parse().expect("it is one");
    array.layout = None;
    assert!(postcard::to_allocvec(&array).is_err());
    let buffer = Shape::Buffer(array.clone());
    assert!(postcard::to_allocvec(&Shape::Tuple(vec![Shape::Token, buffer])).is_err());
    let error = serde_json::to_string(&Shape::Tuple(vec![array.into()])).expect_err("it has none");
    assert_eq!(
        error.to_string(),
        "the array `f32[2,3]` has no layout, and its text would mean the default one; give it a layout, or \
         write `to_string()`"
    );
}

#[test]
fn claimed_lengths_are_not_believed() {
    let huge = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1];
    assert_eq!(read::<MinorToMajor>(&huge), None);
    assert_eq!(read::<ShapeIndex>(&huge), None);
    assert_eq!(read::<Layout>(&huge), None);
    assert_eq!(read::<ArrayShape>(&huge), None);
    assert_eq!(read::<Shape>(&huge), None);
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| {
        text_bytes(&["(".repeat(depth), "token[]".into(), ")".repeat(depth)].concat())
    };
    let shape: Shape = read(&nested(MAX_DEPTH)).expect("not too deep");
    assert_eq!(through_bytes(&shape).as_ref(), Ok(&shape));
    assert_eq!(super::through_json(&shape), Ok(shape));
    for depth in [MAX_DEPTH + 1, 1_000_000] {
        assert_eq!(read::<Shape>(&nested(depth)), None);
    }
}

/// Nested tuples take no stack: neither in binary formats nor in JSON.
#[test]
fn a_small_stack_is_enough() {
    let test = || {
        let text = format!(
            "{}f32[2,3]{{0,1}}{}",
            "(".repeat(MAX_DEPTH),
            ")".repeat(MAX_DEPTH)
        );
        let shape: Shape = text.parse().expect("it is not too deep");
        assert_eq!(through_bytes(&shape).as_ref(), Ok(&shape));
        assert_eq!(super::through_json(&shape).as_ref(), Ok(&shape));
        let wrong = "[".repeat(100_000);
        assert!(serde_json::from_str::<Shape>(&wrong).is_err());
        let wrong = format!("\"{}", "(".repeat(100_000));
        assert!(serde_json::from_str::<Shape>(&wrong).is_err());
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
        assert_eq!(shape_util::subshapes(&shape).count(), MAX_DEPTH + 1);
        assert!(shape_util::equal_structure(&shape, &other));
        assert!(!Compare::new().equal(&shape, &other));
        let difference = Compare::new()
            .difference(&shape, &other)
            .expect("they differ");
        assert_eq!(difference.path(), [0; 6]);
        assert_eq!(Compare::new().layouts_in_shapes(&shape, &other), Ok(false));
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
        let changed = shape_util::change_element_type(&shape, ElementType::S8);
        assert_eq!(
            changed.map(|shape| shape.to_string()),
            Ok(text("s8[2,3]{0,1}"))
        );
        assert_eq!(shape_util::elements_in_recursive(&shape), Some(6));
        assert!(shape_util::has_primitive_type(&shape, ElementType::F32));
        assert!(!shape_util::are_all_leaves_integers(&shape));
        assert!(layout_util::has_layout(&shape) && layout_util::has_any_layout(&shape));
        assert!(layout_util::validate_layout_in_shape(&shape, false).is_ok());
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let thread = thread.spawn(test).expect("the system has threads");
    thread.join().expect("the test passes");
}

/// Many dimensions, tiles or members take no more work than their bytes justify.
#[test]
fn much_is_read_in_time() {
    let many = 100_000;
    let array = ArrayShape::new(ElementType::U8, &vec![1; many]).expect("there is a heap");
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
    let array = ArrayShape::new(ElementType::F32, &vec![1; rank]).expect("there is a heap");
    assert_eq!(through_bytes(&array).as_ref(), Ok(&array));
    assert_eq!(super::through_json(&array), Ok(array));
    let numbers: List<u64, 4> = List::try_from_iter(0..1000).expect("there is a heap");
    assert_eq!(through_bytes(&numbers), Ok(numbers));
}
