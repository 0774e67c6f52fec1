//! Layouts, and the equality and compatibility of shapes: recorded answers of XLA, and laws.
#![cfg(feature = "std")]

use std::path::Path;

use crate::conformance::cases::layouts::check;
use proptest::prelude::*;
use serde_json::Value;
use xlayout::shape::{MinorToMajor, Shape, Tiles};
use xlayout::xla::Compare;
use xlayout::xla::layout_util;
use xlayout::xla::shape_util;
use xlayout::{ArrayLayout, ArrayShape, DynLayout, Layout};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

fn read(file: &str) -> String {
    std::fs::read_to_string(Path::new(DATA).join(file)).expect("the data is there")
}

/// How many lines or cases are checked; those of other kinds are not counted.
fn checked<'a>(file: &str, cases: impl Iterator<Item = (&'a str, Value)>) -> usize {
    let answers = cases.filter_map(|(kind, case)| Some((check(kind, &case)?, case)));
    let answers: Vec<_> = answers.collect();
    for (answer, case) in &answers {
        assert_eq!(*answer, Ok(()), "{file}: {case}");
    }
    answers.len()
}

#[test]
fn every_line_of_compare() {
    let text = read("compare.jsonl");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("the line is JSON"));
    assert_eq!(checked("compare", lines.map(|line| ("compare", line))), 377);
}

/// Protos and programs are not asked here, and of `shape_util_test` only the comparisons are.
#[test]
fn every_case_about_layouts() {
    for (file, all, others) in [
        ("layout_util_test", 65, 0),
        ("layout_test", 36, 6),
        ("shape_test", 26, 4),
        ("shape_util_test", 202, 160),
    ] {
        let text = read(&format!("unit_cases/{file}.json"));
        let cases: Value = serde_json::from_str(&text).expect("the file is JSON");
        let cases = cases["cases"].as_array().expect("there are cases");
        assert_eq!(cases.len(), all, "{file}");
        let cases = cases
            .iter()
            .map(|case| (case["op"].as_str().expect("an op"), case.clone()));
        assert_eq!(checked(file, cases), all - others, "{file}");
    }
}

/// A checker that passes everything would prove nothing.
#[test]
fn wrong_answers_fail() {
    for (kind, text, words) in [
        (
            "compare",
            r#"{"a":"f32[2]","b":"f32[2]","eq":0}"#,
            "eq: expected 0, found 1",
        ),
        (
            "compare",
            r#"{"a":"f32[2]","b":"f32[2]"}"#,
            "the line has no answers",
        ),
        (
            "compare",
            r#"{"a":"f32[2]","b":"f32[2]","other":1}"#,
            "the answer `other` is not known",
        ),
        (
            "compare",
            r#"{"a":"f32[]","b":"f32[]","layouts_eq":"crash: gist"}"#,
            "layouts_eq: expected an error (\"crash: gist\"), found 1",
        ),
        (
            "layout_move_dim_to_minor",
            r#"{"in":{"layout":"{1,0}","dim":0},"expect":"{1,0}"}"#,
            "layout_move_dim_to_minor: expected \"{1,0}\", found \"{0,1}\"",
        ),
        (
            "copy_layout",
            r#"{"in":{"src":"f32[2] (no layout)","dst":"f32[2]"},"expect":{"ok":"f32[2]"}}"#,
            "expected Array(",
        ),
        (
            "validate_layout_in_shape",
            r#"{"in":{"tuple":"(f32[9] bogus {0,2,3})","allow_missing_layouts":true},"expect":{"ok":true}}"#,
            "validate_layout_in_shape: expected true, found the error: minor_to_major lists 3",
        ),
        (
            "layout_to_string",
            r#"{"in":{"minor_to_major":[0],"dim_level_types":["COMPRESSED"]},"expect":"{0}"}"#,
            "`{0}`: expected to be refused as sparse, found Ok",
        ),
    ] {
        let case = serde_json::from_str(text).expect("the case is JSON");
        let answer = check(kind, &case).expect("the kind is known");
        let found = answer.expect_err(text);
        assert!(found.starts_with(words), "{found}");
    }
    let sparse = r#"{"in":{"src":"f32[2]{0:D(C)}","dst":"f32[2]"},"expect":{"ok":"gist"}}"#;
    let sparse = serde_json::from_str(sparse).expect("the case is JSON");
    assert_eq!(check("copy_layout", &sparse), Some(Ok(())));
    assert_eq!(
        check("frobnicate", &serde_json::json!({"in": {}, "expect": null})),
        None
    );
}

/// Shapes that share many parts, so that many pairs are equal in some way.
fn shapes() -> impl Strategy<Value = Shape> {
    let dim = prop::sample::select(vec!["2", "3", "<=3", "?"]);
    let attributes = [
        "", ":T(2,2)", ":T(2,4)", ":L(8)", ":E(32)", ":S(1)", ":SC(0:1)", ":M(8)",
    ];
    let array = (
        prop::sample::select(vec!["f32", "bf16", "s32"]),
        prop::collection::vec(dim, 2),
        prop::sample::select(vec!["1,0", "0,1"]),
        prop::sample::select(attributes.to_vec()),
    );
    let array = array.prop_map(|(name, dims, order, attributes)| {
        let text = format!("{name}[{}]{{{order}{attributes}}}", dims.join(","));
        Shape::read_xla(&text).expect("it is valid")
    });
    let leaf = prop_oneof![
        12 => array.clone(),
        2 => array.prop_map(|array| match array {
            Shape::Array(array) => Shape::Buffer(array),
            other => other,
        }),
        1 => Just(Shape::Token),
        1 => Just(Shape::Opaque),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop::collection::vec(inner, 0..3).prop_map(Shape::Tuple)
    })
}

/// The parts that can be ignored, one at a time.
const PARTS: [fn(Compare) -> Compare; 14] = [
    Compare::ignore_tiles,
    Compare::ignore_tail_padding_alignment_in_elements,
    Compare::ignore_index_primitive_type,
    Compare::ignore_pointer_primitive_type,
    Compare::ignore_element_size,
    Compare::ignore_memory_space,
    Compare::ignore_split_configs,
    Compare::ignore_padding,
    Compare::ignore_layout,
    Compare::ignore_element_type,
    Compare::ignore_fp_precision,
    Compare::ignore_dimensions,
    Compare::ignore_dynamic_dimensions,
    Compare::ignore_buffer,
];

fn comparisons() -> impl Strategy<Value = Compare> {
    prop::collection::vec(prop::sample::select(PARTS.to_vec()), 0..8).prop_map(|parts| {
        parts
            .into_iter()
            .fold(Compare::new(), |by, ignore| ignore(by))
    })
}

fn orders() -> impl Strategy<Value = MinorToMajor> {
    (0usize..6)
        .prop_flat_map(|rank| Just((0..rank as i64).collect::<Vec<_>>()).prop_shuffle())
        .prop_map(|order| MinorToMajor::new(&order).expect("it is short"))
}

proptest! {
    /// Every comparison is reflexive and symmetric, and says so in the same words.
    #[test]
    fn comparing_is_reflexive_and_symmetric(a in shapes(), b in shapes(), by in comparisons()) {
        prop_assert!(by.equal(&a, &a));
        prop_assert_eq!(by.equal(&a, &b), by.equal(&b, &a));
        prop_assert_eq!(by.check(&a, &b).is_ok(), by.equal(&a, &b));
    }

    /// Equal layouts stay equal if more is ignored.
    #[test]
    fn ignoring_more_equals_more(a in shapes(), b in shapes(), by in comparisons()) {
        for ignore in PARTS {
            prop_assert!(!by.equal(&a, &b) || ignore(by).equal(&a, &b));
        }
        prop_assert!(!Compare::new().equal(&a, &b) || Compare::compatible().equal(&a, &b));
        prop_assert!(!Compare::compatible().equal(&a, &b) || shape_util::equal_structure(&a, &b));
    }

    /// Copied layouts are equal, and a copy that fails changes nothing.
    #[test]
    fn copied_layouts_are_equal(source in shapes(), destination in shapes()) {
        let mut copy = destination.clone();
        match layout_util::copy_layout_between_shapes(&source, &mut copy) {
            Ok(()) => {
                prop_assert_eq!(Compare::new().layouts_in_shapes(&source, &copy), Ok(true));
                let kept = Compare::new().ignore_layout();
                prop_assert!(kept.equal(&copy, &destination));
            }
            Err(_) => prop_assert_eq!(copy, destination),
        }
    }

    /// A dimension that is moved to one end is there, and the others keep their sequence.
    #[test]
    fn a_moved_dimension_stands_at_the_end(order in orders(), which in any::<prop::sample::Index>()) {
        prop_assume!(!order.is_empty());
        let dimension = which.index(order.len());
        let layout = Layout::new(order.clone());
        let rest = |layout: &Layout| {
            let mut rest = layout.clone();
            layout_util::delete_dimension(&mut rest, dimension).expect("it is listed");
            rest
        };
        let major = layout_util::move_dim_to_major(&layout, dimension).expect("it is listed");
        let minor = layout_util::move_dim_to_minor(&layout, dimension).expect("it is listed");
        prop_assert_eq!(major.minor_to_major.last(), Some(&(dimension as i64)));
        prop_assert_eq!(minor.minor_to_major.first(), Some(&(dimension as i64)));
        prop_assert_eq!(rest(&major), rest(&layout));
        prop_assert_eq!(rest(&minor), rest(&layout));
        prop_assert!(rest(&layout).minor_to_major.is_permutation());
    }

    /// Dimensions are consecutive exactly when their places are.
    #[test]
    fn consecutive_dimensions_have_consecutive_places(order in orders(), taken in 0usize..64) {
        let dims: Vec<i64> = (0..order.len()).filter(|d| taken >> d & 1 == 1).map(|d| d as i64).collect();
        let layout = Layout::new(order.clone());
        let places = layout_util::make_logical_to_physical(&layout).expect("it is a permutation");
        let mut places: Vec<i64> = dims.iter().map(|&d| places[d as usize]).collect();
        places.sort_unstable();
        let consecutive = places.windows(2).all(|two| two[1] - two[0] == 1);
        prop_assert_eq!(layout_util::are_dimensions_consecutive(&layout, &dims), Some(consecutive));
    }

    /// Tiles that change nothing change no linear index, and no allocated size.
    #[test]
    fn untiled_layouts_lie_like_dense_ones(
        dims in prop::collection::vec(1i64..9, 1..4),
        tile in prop::collection::vec(1i64..5, 1..3),
    ) {
        let entries: Vec<_> = tile.iter().map(|&n| xlayout::shape::TileDim::Size(n)).collect();
        let tiles = Tiles::from_tiles(&[&entries]).expect("it is short");
        let dense = ArrayShape::new(xlayout::ElementType::U8, &dims).expect("it is short");
        let mut tiled = dense.clone();
        tiled.layout = tiled.layout.map(|layout| layout.with_tiles(tiles.clone()));
        let [dense, tiled] = [dense, tiled].map(|shape| DynLayout::new(shape).expect("it is valid"));
        let mut same = dense.buffer_len() == tiled.buffer_len();
        dense.for_each_index(|index| {
            same &= dense.linear_index(index) == tiled.linear_index(index);
        });
        prop_assert_eq!(xlayout::xla::layout_util::is_untiled(&tiles, &dims), same);
    }
}
