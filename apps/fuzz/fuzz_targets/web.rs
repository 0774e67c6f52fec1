//! What a person may write into the fields of the playground: there is an answer or a mistake, as
//! JSON, and nothing panics.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};

const PARTS: [&str; 5] = ["layout", "compare", "algebra", "module", "none"];
const OPERATIONS: [&str; 6] = [
    "compose",
    "divide",
    "complement",
    "invert",
    "equal",
    "conflicts",
];
const FIELDS: [&str; 15] = [
    "text", "a", "b", "sizes", "type", "axes", "mesh", "at", "offset", "slice", "dims", "rows",
    "swizzle", "bytes", "size",
];

fuzz_target!(|input: (u8, u8, Vec<(u8, &str)>, &[u8])| {
    let (part, operation, texts, module) = input;
    let pick = |all: &[&'static str], number: u8| all[usize::from(number) % all.len()];
    let mut fields = Map::new();
    // What an operation needs beside its maps.
    for (name, text) in [
        ("sizes", "4,6"),
        ("type", "f32"),
        ("banks", "8"),
        ("width", "4"),
        ("bytes", "4"),
        ("size", "64"),
    ] {
        fields.insert(name.to_owned(), json!(text));
    }
    fields.insert("operation".to_owned(), json!(pick(&OPERATIONS, operation)));
    for (field, text) in texts.into_iter().take(4) {
        fields.insert(pick(&FIELDS, field).to_owned(), json!(text));
    }
    let mut request = json!({"ask": pick(&PARTS, part), "fields": fields})
        .to_string()
        .into_bytes();
    request.push(b'\n');
    request.extend_from_slice(module);
    let text = xlayout_web::answer(&request);
    let json = text.lines().next().unwrap_or_default();
    let answer: Value = serde_json::from_str(json).expect("the answer is JSON");
    assert!(answer["answer"].is_object() || answer["errors"][0]["message"].is_string());
    // The bytes alone are no request, or one of any text.
    let _ = xlayout_web::answer(module);
});
