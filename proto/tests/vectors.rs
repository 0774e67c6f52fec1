//! Against what real XLA wrote: the serialised protos among the facade's test data.

#[path = "../../tests/conformance/cases/proto.rs"]
mod cases;

use std::path::PathBuf;

use serde_json::Value;

fn data(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../tests/data")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Checks each line of a file; at least `least` must be about protos.
fn lines(kind: &str, least: usize) {
    let (mut checked, mut wrong) = (0, Vec::new());
    for (line, text) in (1..).zip(data(&format!("{kind}.jsonl")).lines()) {
        let case: Value = serde_json::from_str(text).unwrap();
        if let Some(answer) = cases::check(kind, &case) {
            checked += 1;
            wrong.extend(
                answer
                    .err()
                    .map(|what| format!("{kind}.jsonl:{line}: {what}")),
            );
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {checked} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        checked >= least,
        "only {checked} lines of {kind} are about protos"
    );
}

#[test]
fn shapes() {
    lines("text", 1400);
}

#[test]
fn layouts() {
    lines("layout_text", 100);
}

/// The cases of XLA's unit tests about protos.
#[test]
fn unit_cases() {
    let cases = r#"[
        {"op": "shape_proto_roundtrip", "in": {"shape": "token[]"}, "expect": "token[]"},
        {"op": "shape_proto_roundtrip", "in": {"shape": "u32[1,2]{1,0}"}, "expect": "u32[1,2]{1,0}"},
        {"op": "shape_proto_roundtrip", "in": {"shape": "s32[3,4]{0,1}"}, "expect": "s32[3,4]{0,1}"},
        {"op": "shape_proto_roundtrip",
         "in": {"shape": "(token[], u32[1,2]{1,0}, s32[3,4]{0,1})"},
         "expect": "(token[], u32[1,2]{1,0}, s32[3,4]{0,1})"},
        {"op": "layout_proto_roundtrip", "in": {"layout": "{}"}, "expect": "{}"},
        {"op": "layout_proto_roundtrip", "in": {"layout": "{1,3,2,0}"}, "expect": "{1,3,2,0}"},
        {"op": "layout_proto_roundtrip", "in": {"layout": "{3,2,1,0:T(42,123)(4,5)}"},
         "expect": "{3,2,1,0:T(42,123)(4,5)}"},
        {"op": "layout_proto_roundtrip", "in": {"layout": "{0,1:T(123)SC(0:3)(1:0,4)}"},
         "expect": "{0,1:T(123)SC(0:3)(1:0,4)}"},
        {"op": "layout_proto_roundtrip", "expect": "unchanged", "in": {"layout_fields":
         {"minor_to_major": [1, 0], "dim_level_types": ["DENSE", "COMPRESSED"],
          "physical_shape": "s32[10,10]{1,0}"}}},
        {"op": "layout_proto_roundtrip", "expect": "unchanged", "in": {"layout_fields":
         {"minor_to_major": [1, 0], "tiles": [[8, "*"]], "tail_padding_alignment_in_elements": 4,
          "split_configs": [{"dimension": 1, "split_indices": [3]}], "memory_space": 1,
          "index_primitive_type": "U32"}}},
        {"op": "layout_from_proto", "expect": "{0}",
         "in": {"minor_to_major": [0], "tail_padding_alignment_in_elements": 0}},
        {"op": "layout_from_proto", "expect": {"error": ""},
         "in": {"minor_to_major": [0], "tail_padding_alignment_in_elements": -1}},
        {"op": "validate_shape_proto", "expect": {"error": ""}, "in": {"textproto":
         "element_type: TUPLE tuple_shapes { element_type: S8 dimensions: 137438953472 layout { minor_to_major: 0 dim_level_types: DIM_COMPRESSED physical_shape { element_type: TUPLE tuple_shapes {} } } is_dynamic_dimension: false }"}},
        {"op": "validate_shape_proto", "expect": {"ok": true}, "in": {"textproto":
         "element_type: TUPLE tuple_shapes { element_type: S8 dimensions: [2, 3] layout { minor_to_major: [0, 1] dim_level_types: DIM_DENSE dim_level_types: DIM_DENSE tiles { dimensions: 2 } } is_dynamic_dimension: [false, true] }"}},
        {"op": "validate_shape_proto", "expect": {"error": ""}, "in": {"textproto":
         "element_type: F32 dimensions: 2 dimensions: 3 layout { minor_to_major: 1 minor_to_major: 1 }"}}
    ]"#;
    for case in serde_json::from_str::<Vec<Value>>(cases).unwrap() {
        let op = case["op"].as_str().unwrap();
        assert_eq!(cases::check(op, &case), Some(Ok(())), "{case}");
    }
}

#[test]
fn other_lines_are_not_ours() {
    assert_eq!(cases::check("linear", &Value::Null), None);
    assert_eq!(
        cases::check(
            "text",
            &serde_json::json!({"text": "f32", "expect": "reject"})
        ),
        None
    );
}
