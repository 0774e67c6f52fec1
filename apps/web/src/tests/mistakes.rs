//! Where a mistake is, and what is written in its place.

use serde_json::json;

use super::ask;

/// Each mistake is in its field, and each fix is a text that is read.
#[test]
fn mistakes_have_places_and_fixes() {
    for (fields, message, marked, fix) in [
        (
            &[("text", "f33[2,3]")][..],
            "unknown element type `f33`",
            "f33",
            Some("f32[2,3]"),
        ),
        (
            &[("text", "f32(2,3)")],
            "dimensions are written in square brackets",
            "(",
            Some("f32[2,3]"),
        ),
        (
            &[("text", "f32[2x3]")],
            "`2x3` is not one number",
            "2x3",
            Some("f32[2,3]"),
        ),
        (
            &[("text", "f32[2 3]")],
            "expected `,` or `]`",
            "3",
            Some("f32[2 ,3]"),
        ),
        (
            &[("text", "f32[2,3]{0,1")],
            "this `{` is never closed",
            "{",
            Some("f32[2,3]{0,1}"),
        ),
        (
            &[("text", "f32[2,3]{1,2}")],
            "counts dimensions from 1",
            "{1,2}",
            Some("f32[2,3]{0,1}"),
        ),
        (
            &[("text", "f32[2,3]{0}")],
            "lists 1 dimension",
            "{0}",
            Some("f32[2,3]{1,0}"),
        ),
        (
            &[("text", "f32[2,3]{1,0:T[8,128]}")],
            "expected `(` after `T`",
            "[",
            None,
        ),
        (
            &[("text", "f32[2,3]{1,0},")],
            "unexpected `,` after the shape",
            ",",
            None,
        ),
        (
            &[("text", "aBcd16b"), ("sizes", "2,17,5,7")],
            "does not say what the elements are",
            "aBcd16b",
            Some("f32"),
        ),
        (
            &[("text", "f32[2,3]"), ("sizes", "2;3")],
            "`2;3` is not understood",
            "2;3",
            None,
        ),
        (
            &[("text", "f32[4,3]"), ("at", "3x2")],
            "`3x2` is not a whole number",
            "3x2",
            Some("3,2"),
        ),
        (
            &[("text", "f32[2,3]"), ("rows", "0")],
            "--rows cannot be 0",
            "0",
            None,
        ),
        (
            &[("text", "f32[2,3]"), ("rows", "many")],
            "`many` is no number",
            "many",
            None,
        ),
    ] {
        let found = ask("layout", fields);
        let mistake = &found["errors"][0];
        let said = mistake["message"].as_str().unwrap_or_default();
        assert!(said.contains(message), "{fields:?}: {said}");
        assert_eq!(mistake["places"][0]["marked"][1], marked, "{said}");
        let first = &mistake["fixes"][0]["text"];
        if let Some(fix) = fix {
            assert_eq!(first, fix, "{mistake}");
        }
        for fix in mistake["fixes"].as_array().expect("a list") {
            let field = fix["field"].as_str().expect("a field");
            let text = fix["text"].as_str().expect("a text");
            let mut right = fields.to_vec();
            right.retain(|known| known.0 != field);
            right.push((field, text));
            let left = ask("layout", &right);
            assert_ne!(left["errors"][0]["message"], said, "{right:?}");
        }
    }
    // What is not answered is refused.
    let map = [("text", "Sw<3,3,3> o 0 o (8,64):(64,1)"), ("rows", "3")];
    let found = ask("layout", &map);
    let said = "Rows says nothing of a map, which is shown as a whole";
    assert_eq!(found["errors"][0]["message"], said);
    assert_eq!(
        found["errors"][0]["fixes"][0],
        json!({"field": "rows", "name": "Rows", "text": ""})
    );
    let words = ask("layout", &[("text", "aBcd16b")]).to_string();
    assert!(
        words.contains("Sizes 2,17,5,7") && !words.contains("--sizes"),
        "{words}"
    );
}
