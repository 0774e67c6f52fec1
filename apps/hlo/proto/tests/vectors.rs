//! Against what real XLA wrote: the serialised protos among the library's test data.

#[path = "conformance.rs"]
mod conformance;

use std::path::PathBuf;

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../../tests/data")
        .join(name)
}

/// Checks what a file says about protos, which is at least so much.
#[track_caller]
fn check(name: &str, least: usize) {
    let outcome = conformance::check_file(&data(name)).unwrap();
    let wrong = outcome.wrong.join("\n");
    assert!(outcome.wrong.is_empty(), "{name}:\n{wrong}");
    assert!(
        outcome.passed >= least,
        "{name}: only {} are about protos",
        outcome.passed
    );
}

#[test]
fn shapes() {
    check("text.jsonl", 1400);
}

#[test]
fn layouts() {
    check("layout_text.jsonl", 100);
}

#[test]
fn shardings() {
    check("sharding.jsonl", 150);
    check("sharding_jaxlib.jsonl", 100);
}

/// The cases of XLA's unit tests about protos.
#[test]
fn unit_cases() {
    check("unit_cases/shape_test.json", 1);
    check("unit_cases/layout_test.json", 1);
    check("unit_cases/shape_util_test.json", 1);
}

#[test]
fn wrong_answers_fail() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        conformance::check_file(&path).unwrap()
    };
    let wrong = check(
        "sharding_jaxlib.jsonl",
        r#"{"t":"{manual}","s":"{manual}","p":"0805"}"#,
    );
    let [message] = &wrong.wrong[..] else {
        panic!()
    };
    assert!(
        message.ends_with(r#"bytes of `{manual}`: expected "0805", found "0804""#),
        "{message}"
    );
    let other = check("text.jsonl", r#"{"text": "f32", "expect": "reject"}"#);
    assert_eq!((other.passed, other.wrong.len()), (0, 0));
}
