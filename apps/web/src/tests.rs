//! Every part of the page, every notation, and input that is wrong.

mod layouts;
mod maps;
mod mistakes;
mod modules;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::answer;
use crate::request::FIELDS;

fn ask(part: &str, fields: &[(&str, &str)]) -> Value {
    with_bytes(part, fields, b"")
}

fn with_bytes(part: &str, fields: &[(&str, &str)], bytes: &[u8]) -> Value {
    let fields: serde_json::Map<_, _> = fields
        .iter()
        .map(|&(name, text)| (name.to_owned(), json!(text)))
        .collect();
    let mut request = json!({"ask": part, "fields": fields})
        .to_string()
        .into_bytes();
    request.push(b'\n');
    request.extend(bytes);
    read(&answer(&request))
}

fn read(answer: &str) -> Value {
    let (json, text) = answer.split_once('\n').unwrap_or((answer, ""));
    let mut found: Value = serde_json::from_str(json).expect("the answer is JSON");
    if let Some(key) = found["behind"].as_str().map(str::to_owned) {
        found["answer"][key] = json!(text);
    }
    found
}

/// The answer to a request without mistakes.
fn shown(part: &str, fields: &[(&str, &str)]) -> Value {
    let mut found = ask(part, fields);
    assert_eq!(found["errors"], Value::Null, "{fields:?}");
    found["answer"].take()
}

#[test]
fn a_request_that_is_none_is_answered() {
    for request in [
        &b""[..],
        b"{}",
        b"[1]",
        b"\xff",
        b"{\"ask\": 1}",
        b"{\"ask\": \"all\"}",
        b"{\"ask\": \"layout\", \"fields\": {\"text\": 1}}",
    ] {
        let found = read(&answer(request));
        assert!(found["errors"][0]["message"].is_string(), "{found}");
    }
}

/// Pieces of texts, so that many of them are read.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "f32",
        "bf16[",
        "[2,3]",
        "{1,0",
        ":T(8,128)",
        "(2,1)",
        "}",
        "]",
        ")",
        "(",
        ",",
        "0,1",
        "<=8",
        "?",
        ":(",
        "Sw<3,3,3> o ",
        "memref<",
        "xf32",
        ">",
        "aBcd16b",
        "NCHW",
        "shape=(2, 3)",
        "Out of memory while trying to allocate 6291456 bytes. ",
        "sharding={devices=[2,1]<=[2]}",
        "`",
        "\u{e4}",
        "\n",
        "\"",
        " ",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Whatever is in the fields, there is an answer or an error, and no panic.
    #[test]
    fn any_text_has_an_answer_or_an_error(
        part in prop::sample::select(vec!["layout", "compare", "algebra", "module"]),
        operation in prop::sample::select(vec!["compose", "divide", "invert", "conflicts"]),
        pieces in prop::collection::vec(
            (0..FIELDS.len(), prop::collection::vec(piece(), 1..6)),
            1..4,
        ),
    ) {
        let texts = pieces.into_iter().map(|(field, all)| (field, all.concat()));
        let texts: Vec<(usize, String)> = texts.collect();
        let mut fields = vec![("operation", operation)];
        fields.extend(texts.iter().map(|(field, text)| (FIELDS[*field].1, text.as_str())));
        let bytes = texts[0].1.as_bytes();
        let found = with_bytes(part, &fields, bytes);
        prop_assert!(found["answer"].is_object() || found["errors"][0]["message"].is_string());
    }
}
