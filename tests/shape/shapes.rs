//! Shapes: recorded answers of XLA, and laws.
#![cfg(feature = "std")]

mod laws;

use std::path::Path;

use crate::conformance::cases::shapes::check;
use serde_json::Value;
use xlayout::shape::Shape;
use xlayout::xla::shape_util;
use xlayout::xla::shape_util::IterationSpace;
use xlayout::{ArrayShape, ElementType};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

fn read(file: &str) -> String {
    std::fs::read_to_string(Path::new(DATA).join(file)).expect("the data is there")
}

#[test]
fn every_line() {
    for (kind, lines) in [("facts", 174), ("permute", 172), ("make_shape_jaxlib", 22)] {
        let text = read(&format!("{kind}.jsonl"));
        let mut checked = 0;
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).expect("the line is JSON");
            assert_eq!(check(kind, &line), Some(Ok(())), "{kind}: {line}");
            checked += 1;
        }
        assert_eq!(checked, lines, "{kind}");
    }
}

/// Comparisons, reshapes, transposes and protos are asked elsewhere.
#[test]
fn every_case_about_shapes() {
    let text = read("unit_cases/shape_util_test.json");
    let file: Value = serde_json::from_str(&text).expect("the file is JSON");
    let mut checked = 0;
    for case in file["cases"].as_array().expect("there are cases") {
        if let Some(answer) = check(case["op"].as_str().expect("an op"), case) {
            assert_eq!(answer, Ok(()), "{case}");
            checked += 1;
        }
    }
    assert_eq!(checked, 136);
}

/// A checker that passes everything would prove nothing.
#[test]
fn wrong_answers_fail() {
    for (kind, text, words) in [
        (
            "facts",
            r#"{"t":"f32[2]","leaves":2}"#,
            "leaves: expected 2, found 1",
        ),
        (
            "facts",
            r#"{"t":"f32[2]","other":2}"#,
            "other: expected 2, found the error: `other`",
        ),
        ("facts", r#"{"t":"f32[2]"}"#, "the line has no answers"),
        (
            "facts",
            r#"{"t":"f32[2]","drop1":"crash: gist"}"#,
            "drop1: expected \"crash: gist\", ",
        ),
        (
            "permute",
            r#"{"a":"f32[2]","b":"f32[2]","perm":[0],"bitcast":0}"#,
            "bitcast: expected 0",
        ),
        (
            "make_shape_jaxlib",
            r#"{"ty":"F32","dims":["2"],"r":{"err":""}}"#,
            "r: expected",
        ),
        (
            "make_shape_jaxlib",
            r#"{"ty":"F32","dims":["-2"],"r":"f32[2]"}"#,
            "r: expected",
        ),
        (
            "get_dimension",
            r#"{"in":{"shape":"f32[2]","dim":0},"expect":3}"#,
            "get_dimension: ",
        ),
        (
            "get_dimension",
            r#"{"in":{"shape":"f32[2]"},"expect":2}"#,
            "get_dimension: ",
        ),
    ] {
        let case = serde_json::from_str(text).expect("the case is JSON");
        let answer = check(kind, &case).expect("the kind is known");
        let found = answer.expect_err(text);
        assert!(found.starts_with(words), "{text}: {found}");
    }
    assert_eq!(check("frobnicate", &Value::Null), None);
}

/// Every error says what was found and what to do.
#[test]
fn errors_in_words() {
    let array = |text: &str| text.parse::<ArrayShape>().expect("it is a shape");
    let shape = |text: &str| text.parse::<Shape>().expect("it is a shape");
    let matrix = array("f32[2,3]");
    let mut bare = matrix.clone();
    bare.layout = None;
    let space = |base: &[i64], count: &[i64], step: &[i64]| {
        let space = IterationSpace::new(base, count, step)?;
        shape_util::indices_in(&matrix, &space).map(drop)
    };
    for (error, words) in [
        (
            shape_util::permute_dimensions(&matrix, &[0]).map(drop),
            "the permutation has 1 entry, but the shape has 2 dimensions; list one entry for each",
        ),
        (
            shape_util::permute_dimensions(&matrix, &[1, 1]).map(drop),
            "dimension 1 is listed more than once; list each one once",
        ),
        (
            shape_util::permute_dimensions(&matrix, &[1, -1]).map(drop),
            "there is no dimension -1: the shape has 2 dimensions; dimensions count from 0",
        ),
        (
            shape_util::delete_dimensions(&matrix, &[1, 1]).map(drop),
            "dimension 1 is listed more than once; list each one once",
        ),
        (
            shape_util::append_minor_dimension(&matrix, -4).map(drop),
            "a dimension cannot have the negative size -4; a size without a bound is \
             `Dim::Unbounded`",
        ),
        (
            shape_util::to_static(&array("f32[?]")).map(drop),
            "dimension 0 has no bound, and a size is needed here; set one first",
        ),
        (
            shape_util::copy_dynamic_dimensions(&mut matrix.clone(), &array("f32[2]")),
            "the shape has 2 dimensions, but the other one has 1; give shapes with equally many dimensions",
        ),
        (
            shape_util::validated(ElementType::F32, &[1 << 62, 0]).map(drop),
            "the bytes of the first 1 dimension exceed 9223372036854775807; XLA refuses that, \
             although a later size of 0 leaves no element: use smaller sizes",
        ),
        (
            shape_util::indices(&bare).map(drop),
            "the array has no layout; set one, for example the default layout",
        ),
        (
            shape_util::change_element_type(&matrix, ElementType::Tuple).map(drop),
            "`tuple` is not the type of an element; use one like `f32` or `s8`",
        ),
        (
            shape_util::move_dim_to_major(&Shape::Token, 0).map(drop),
            "expected an array, found a token; give an array such as `f32[2,3]`",
        ),
        (
            shape_util::subshape_mut(&mut shape("(f32[])"), &[1]).map(drop),
            "there is no subshape {1}: at {} is a tuple with 1 member; members count from 0",
        ),
        (
            space(&[0, 0], &[2, 3], &[1, 0]),
            "dimension 1 cannot go 3 far in steps of 0; give a count of at least 0, and where it \
             is more an increment of at least 1",
        ),
        (
            space(&[0, 1], &[2, 3], &[1, 1]),
            "the iteration reaches index 3 of dimension 1, which has size 3; iterate over indices from \
             0 up to the size",
        ),
        (
            space(&[0], &[2], &[1]),
            "the iteration space has 1 entry, but the shape has 2 dimensions; list one entry for \
             each",
        ),
        (
            shape_util::validated(ElementType::Token, &[]).map(drop),
            "an array cannot have elements of type `token`; write a type of numbers such as `f32`, \
             or `pred`",
        ),
    ] {
        assert_eq!(error.expect_err(words).to_string(), words);
    }
}
