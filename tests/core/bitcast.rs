//! Bitcasts: XLA's own answers against recorded ones, ours against laws. `bitcast_brute_force.rs`
//! has the other tests.
#![cfg(feature = "std")]

mod known_at_compile_time;
mod laws;

use serde_json::{Value, json};
use xlayout::ArrayShape;
use xlayout::bitcast;
use xlayout::bitcast::ElementTypes;
use xlayout::xla::shape_util;

use crate::conformance::as_xla::bitcast as as_xla;
use crate::conformance::cases::bitcast as cases;

fn lines(text: &str) -> impl Iterator<Item = Value> + '_ {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line of vectors is JSON"))
}

fn report(findings: Vec<String>) {
    assert!(
        findings.is_empty(),
        "{} differ:\n{}",
        findings.len(),
        findings.join("\n")
    );
}

#[test]
fn vectors_of_bitcasts() {
    let findings = lines(include_str!("../data/bitcast.jsonl")).filter_map(|case| {
        cases::check("bitcast", &case)?
            .err()
            .map(|e| format!("{case}: {e}"))
    });
    report(findings.collect());
}

#[test]
fn vectors_of_transposes() {
    let findings = lines(include_str!("../data/permute.jsonl")).filter_map(|case| {
        cases::check("permute", &case)?
            .err()
            .map(|e| format!("{case}: {e}"))
    });
    report(findings.collect());
}

/// As many as there are cases of these ops; more of the same ops may come.
const UNIT_CASES: usize = 23;

#[test]
fn cases_of_xlas_own_tests() {
    let file: Value = serde_json::from_str(include_str!("../data/unit_cases/shape_util_test.json"))
        .expect("JSON");
    let mut findings = Vec::new();
    let mut checked = 0;
    for case in file["cases"].as_array().expect("a list") {
        let op = case["op"].as_str().expect("an op");
        let Some(answer) = cases::check(op, case) else {
            continue;
        };
        checked += 1;
        findings.extend(answer.err().map(|error| format!("{case}: {error}")));
    }
    report(findings);
    assert!(checked >= UNIT_CASES, "only {checked} cases were checked");
}

/// A checker that passes everything would prove nothing.
#[test]
fn wrong_answers_fail() {
    let line = r#"{"a":"f32[2,3]{1,0}","b":"f32[6]{0}","reshape":1,"rt":1,"deduce":null,"align":"f32[6]{0}","unmodified":[],"trt":{"t1":[0,1],"s1":"f32[2,3]{1,0}","r":"f32[6]{0}","t2":[0]}}"#;
    let right: Value = serde_json::from_str(line).unwrap();
    assert_eq!(cases::check("bitcast", &right), Some(Ok(())));
    for (key, wrong) in [
        ("reshape", json!(0)),
        ("rt", json!(0)),
        ("deduce", json!([0])),
        ("align", Value::Null),
        ("unmodified", json!([[0, 0]])),
        ("ones", json!({"del": [0], "ins": []})),
        ("trt", Value::Null),
        ("reshape", json!({"crash": 1})),
        ("another", json!(1)),
    ] {
        let mut case = right.clone();
        case[key] = wrong;
        assert!(cases::check("bitcast", &case).unwrap().is_err(), "{case}");
    }
    let permute = json!({"a": "f32[2,3]{1,0}", "b": "f32[3,2]{0,1}", "perm": [1, 0], "bitcast": 0});
    assert!(cases::check("permute", &permute).unwrap().is_err());
    let unit = json!({"in": {"input": "f32[2]", "output": "f32[2]"}, "expect": false});
    assert!(cases::check("reshape_is_bitcast", &unit).unwrap().is_err());
    let logical = json!({
        "in": {"input": "f32[2,3]", "output": "f32[3,2]", "dimensions": [1, 0]},
        "expect": {"dims": [1, 3, 2], "permutation": [0, 1, 2]},
    });
    assert!(
        cases::check("normalized_logical_transpose_shape", &logical)
            .unwrap()
            .is_err()
    );
    assert_eq!(cases::check("array_size", &unit), None);
}

/// Law 4: where nothing but sizes and minor_to_major is set, ours is XLA's answer.
#[test]
fn dense_shapes_have_xlas_answer() {
    for case in lines(include_str!("../data/bitcast.jsonl")) {
        let shape = |key: &str| -> ArrayShape { case[key].as_str().unwrap().parse().unwrap() };
        let a = shape("a");
        let b = shape("b");
        let types = ElementTypes::Compared;
        assert_eq!(
            shape_util::reshape_is_bitcast(&a, &b, types),
            Ok(case["reshape"] == 1),
            "{case}"
        );
        // XLA misses transposes that are not their own inverse, and those around dimensions of 1.
        let ours = shape_util::is_reshape_or_transpose_bitcast(&a, &b, types).unwrap();
        assert!(ours || case["rt"] == 0, "{case}");
        let deduced = bitcast::deduce_transpose_dimensions_for_bitcast(&a, &b).unwrap();
        assert!(deduced.is_some() || case["deduce"].is_null(), "{case}");
        let aligned = shape_util::align_layouts(&a, &b).unwrap();
        let aligned = json!(aligned.map(|shape| shape.to_string()));
        assert_eq!(aligned, case["align"], "{case}");
        let trt = shape_util::decompose_bitcast_to_trt(&a, &b).unwrap();
        assert_eq!(json!(trt.map(cases::trt)), case["trt"], "{case}");
    }
}

/// The cases of XLA's tests that ask for more than a value, or that the file leaves out.
#[test]
fn more_of_xlas_own_tests() {
    let shape = |text: &str| -> ArrayShape { text.parse().unwrap() };
    let aligned = |a: &str, b: &str| {
        let aligned = shape_util::align_layouts(&shape(a), &shape(b)).unwrap();
        aligned.expect("there is such a layout")
    };
    let a = "f32[3,8,5,7,11]{3,2,1,0,4}";
    assert_eq!(
        aligned(a, "f32[3,2,4,35,11]").to_string(),
        "f32[3,2,4,35,11]{3,2,1,0,4}"
    );
    for (a, b) in [
        (
            "f32[1,3,8,1,5,7,1,11,1,1]{5,0,4,2,1,3,6,7,9,8}",
            "f32[1,4,1,3,2,7,5,11,1]",
        ),
        ("f32[1,1,1,1]{0,1,3,2}", "f32[1,1,1,1,1]"),
    ] {
        let aligned = aligned(a, b);
        assert_eq!(
            shape_util::reshape_is_bitcast(&shape(a), &aligned, ElementTypes::Compared),
            Ok(true)
        );
    }
    let normalized = |a: &str, b: &str, permutation| {
        shape_util::get_normalized_transpose_shape(&shape(a), &shape(b), permutation)
    };
    let simple = ("f32[8,16]{1,0}", "f32[8,16]{0,1}");
    assert_eq!(normalized(simple.0, simple.1, [2, 1, 0]), Some([16, 1, 8]));
    assert_eq!(normalized(simple.0, simple.1, [0, 2, 1]), Some([1, 16, 8]));
    assert_eq!(
        normalized("f32[128,64]{1,0}", "f32[64,128]{0,1}", [0, 2, 1]),
        None
    );
    let batched = normalized("f32[32,3,64]{2,1,0}", "f32[32,3,64]{1,0,2}", [0, 2, 1]);
    assert_eq!(batched, Some([1, 64, 96]));
    let a = shape("f32[32,3,64]");
    let logical =
        shape_util::get_normalized_logical_transpose_shape(&a, &shape("f32[64,32,3]"), &[2, 0, 1])
            .unwrap();
    assert_eq!(
        (&logical.dims[..], &logical.permutation[..]),
        (&[64, 96][..], &[1, 0][..])
    );
    let one = shape_util::reshape_is_bitcast(
        &shape("f32[3,2,2]{0,1,2}"),
        &shape("f32[6,2]{0,1}"),
        ElementTypes::Compared,
    );
    assert_eq!(one, Ok(false));
}

/// The work does not grow with the elements, and neither rank nor tiles have a limit.
#[test]
fn large_shapes() {
    let shape = |text: &str| -> ArrayShape { text.parse().unwrap() };
    let is_bitcast = |a: &ArrayShape, b: &ArrayShape| {
        let answer = shape_util::reshape_is_bitcast(a, b, ElementTypes::Compared).unwrap();
        assert_eq!(
            shape_util::reshape_is_bitcast(b, a, ElementTypes::Compared),
            Ok(answer)
        );
        answer
    };
    let a = shape("u8[1073741824,1073741824]{1,0:T(8,128)}");
    assert!(is_bitcast(
        &a,
        &shape("u8[134217728,8,8388608,128]{3,1,2,0}")
    ));
    assert!(!is_bitcast(
        &a,
        &shape("u8[134217728,8,8388608,128]{3,2,1,0}")
    ));
    assert!(is_bitcast(
        &a,
        &shape("u8[2,536870912,1073741824]{2,1,0:T(8,128)}")
    ));

    let largest = shape("u8[2,4611686018427387903]{0,1}");
    assert!(is_bitcast(&largest, &largest));

    // 40 dimensions of size 2.
    let twos = ["2"; 40].join(",");
    let descending = (0..40)
        .rev()
        .map(|d| d.to_string())
        .collect::<Vec<_>>()
        .join(",");
    let a = shape(&format!("u8[{twos}]{{{descending}}}"));
    assert!(is_bitcast(&a, &shape("u8[1048576,1048576]")));
    assert!(!is_bitcast(&a, &shape("u8[1048576,1048576]{0,1}")));
    assert!(
        as_xla::reshape_is_bitcast(&a, &shape("u8[1048576,1048576]"), ElementTypes::Compared)
            .unwrap()
    );
    assert_eq!(
        shape_util::dimensions_unmodified_by_reshape(&a, &a)
            .unwrap()
            .len(),
        40
    );

    // A long stack of tiles that do not divide each other: merged coordinates of merged ones.
    let tiles: String = (1..60).rev().map(|n| format!("({n})")).collect();
    let a = shape(&format!("u8[7,9]{{1,0:T(60){tiles}}}"));
    assert!(is_bitcast(&a, &a.clone()));
    assert!(!is_bitcast(&a, &shape("u8[63]")));
}

/// Shapes that nothing has checked are answered, not trusted.
#[test]
fn broken_shapes() {
    let types = ElementTypes::Compared;
    let good: ArrayShape = "f32[2,3]".parse().unwrap();
    let broken = [
        "f32[2,3]{1,1}",
        "f32[2,3]{7,0}",
        "f32[-1,3]{1,0}",
        "f32[?,3]",
        "f32[2,3]{1,0:T(0)}",
    ];
    for text in broken {
        let Ok(xlayout::shape::Shape::Array(bad)) =
            xlayout::shape::Shape::read_xla_unvalidated(text)
        else {
            continue;
        };
        for (a, b) in [(&good, &bad), (&bad, &good), (&bad, &bad)] {
            assert!(
                shape_util::reshape_is_bitcast(a, b, types).is_err(),
                "{text}"
            );
            assert!(shape_util::decompose_bitcast(a, b).is_err(), "{text}");
            assert!(
                bitcast::deduce_transpose_dimensions_for_bitcast(a, b).is_err(),
                "{text}"
            );
            assert!(
                shape_util::transpose_is_bitcast(a, b, &[0, 5], types).is_err(),
                "{text}"
            );
            let _ = shape_util::align_layouts(a, b);
            let _ = shape_util::inserted_or_deleted_1_sized_dimensions(a, b);
            let _ = shape_util::get_normalized_logical_transpose_shape(a, b, &[1, 0]);
            let _ = shape_util::get_normalized_transpose_shape(a, b, [0, 2, 1]);
        }
    }
    let mut none = good.clone();
    none.layout = None;
    assert_eq!(as_xla::reshape_is_bitcast(&none, &good, types), None);
    assert_eq!(
        shape_util::is_reshape_or_transpose_bitcast(&none, &none, types),
        Ok(true)
    );
    assert_eq!(
        shape_util::reshape_is_bitcast(&none, &good, types),
        Ok(true)
    );
    assert_eq!(
        shape_util::dimensions_unmodified_by_reshape(&good, &"f32[7]".parse().unwrap()),
        None
    );
    let huge = ArrayShape::new(xlayout::ElementType::U8, &[i64::MAX, i64::MAX, 2]).unwrap();
    assert_eq!(
        shape_util::dimensions_unmodified_by_reshape(&huge, &good),
        None
    );
    assert!(shape_util::reshape_is_bitcast(&huge, &huge, types).is_err());
}
