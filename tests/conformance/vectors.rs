//! Recorded results of XLA: every file in `tests/data`, checked by the example `conformance`.
#![cfg(feature = "std")]

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::conformance::{Outcome, check_file};
use xlayout::shape::Dim;
use xlayout::shape::text::{Rules, read_array};
use xlayout::{ArrayShape, DynLayout};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// Arrays of many millions of elements.
const LARGE: &str = "unit_cases/transpose_test_large.json";

/// Every file of results, and the least number of results in it.
const FILES: [(&str, usize); 29] = [
    ("algebra.jsonl", 3058),
    ("text.jsonl", 3044),
    ("layout_text.jsonl", 191),
    ("memory.jsonl", 259),
    ("packed.jsonl", 47),
    ("tpu_sizes.jsonl", 2676),
    ("sizes.jsonl", 592),
    ("strides.jsonl", 182),
    ("linear.jsonl", 423),
    ("notations.jsonl", 1028),
    ("types.json", 35),
    ("unit_cases/hlo_parser_test.json", 17),
    ("unit_cases/layout_test.json", 36),
    ("unit_cases/index_util_test.json", 39),
    ("unit_cases/docs_and_tiling.json", 21),
    ("facts.jsonl", 174),
    ("compare.jsonl", 377),
    ("bitcast.jsonl", 236),
    ("permute.jsonl", 172),
    ("make_shape_jaxlib.jsonl", 22),
    ("transpose.jsonl", 302),
    ("sharding.jsonl", 209),
    ("sharding_jaxlib.jsonl", 159),
    ("unit_cases/layout_util_test.json", 65),
    ("unit_cases/shape_test.json", 26),
    ("unit_cases/shape_util_test.json", 202),
    ("unit_cases/transpose_test.json", 23),
    (LARGE, 2),
    ("unit_cases/more_ops.json", 9),
];

fn shown(path: &Path, outcome: &Outcome) -> String {
    let lines = outcome.findings.iter().map(|finding| {
        let line = finding
            .line
            .map_or(String::new(), |line| format!(":{line}"));
        format!("{}{line}: {}", path.display(), finding.what)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_answer_of_xla() {
    for (file, least) in FILES {
        if file == LARGE && cfg!(debug_assertions) {
            // Past the harness, which shows what a test prints only if it fails.
            let said = writeln!(
                std::io::stderr(),
                "LEFT OUT: {LARGE}; `cargo test --release -p xlayout --test main vectors::` has it"
            );
            said.expect("the standard error output can be written to");
            continue;
        }
        let path = Path::new(DATA).join(file);
        let outcome = check_file(&path);
        println!(
            "{file}: {} passed, {} failed",
            outcome.passed,
            outcome.findings.len()
        );
        assert!(outcome.findings.is_empty(), "{}", shown(&path, &outcome));
        assert!(
            outcome.passed + outcome.of_protos >= least,
            "{file}: {} and {} of {least}",
            outcome.passed,
            outcome.of_protos
        );
    }
}

/// Exactly the shapes that the rule `addressable` accepts can be lowered.
#[test]
fn addressable_is_what_can_be_lowered() {
    let lines = std::fs::read_to_string(Path::new(DATA).join("text.jsonl")).expect("it is there");
    let mut counts = [0, 0];
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let text = line["text"].as_str().expect("a line has a text");
        let Ok(array) = text.parse::<ArrayShape>() else {
            continue;
        };
        let rules = Rules {
            addressable: true,
            ..Rules::default()
        };
        let addressable = read_array(text, rules, &mut |_| {}).is_some();
        counts[usize::from(addressable)] += 1;
        if !array.dims.contains(&Dim::Unbounded) {
            assert_eq!(DynLayout::new(array).is_ok(), addressable, "{text}");
        }
    }
    assert!(counts[0] > 20 && counts[1] > 1000, "{counts:?}");
}

#[test]
fn every_file_is_checked() {
    for directory in [DATA.into(), Path::new(DATA).join("unit_cases")] {
        let files = std::fs::read_dir(&directory).expect("the data is there");
        for path in files.map(|file| file.expect("a file can be listed").path()) {
            let name = path
                .strip_prefix(DATA)
                .expect("it is inside")
                .to_str()
                .expect("it is UTF-8");
            let known = FILES.iter().any(|(file, _)| *file == name);
            assert!(
                known || path.is_dir() || name.ends_with("README.md"),
                "{name}"
            );
        }
    }
}

/// The result of the checker for a file with this name and text.
fn checked(name: &str, text: &[u8]) -> Outcome {
    // Tests run side by side: a directory for each.
    static DIRECTORIES: AtomicUsize = AtomicUsize::new(0);
    let number = DIRECTORIES.fetch_add(1, Ordering::Relaxed);
    let process = std::process::id();
    let directory = std::env::temp_dir().join(format!("xlayout-vectors-{process}-{number}"));
    let path = directory.join(name);
    std::fs::create_dir_all(&directory).expect("there is room for a file");
    std::fs::write(&path, text).expect("there is room for a file");
    let outcome = check_file(&path);
    std::fs::remove_dir_all(&directory).expect("it was written");
    outcome
}

/// A checker that passes everything would prove nothing.
#[test]
fn wrong_answers_fail() {
    for (name, text, words) in [
        (
            "text.jsonl",
            r#"{"text":"f32[2,3]","expect":"accept","printed":"f32[2,3]{0,1}"}"#,
            r#"printed: expected "f32[2,3]{0,1}", found "f32[2,3]{1,0}""#,
        ),
        (
            "text.jsonl",
            r#"{"text":"f32[2,3]","expect":"reject"}"#,
            "`f32[2,3]`: expected an error, found that it is read as f32[2,3]{1,0}",
        ),
        (
            "text.jsonl",
            r#"{"text":"f32[]","expect":"accept","printed":"f32[]","printed_without_layout":"f32[]","size":{"elements":2}}"#,
            "elements: expected 2, found 1",
        ),
        (
            "memory.jsonl",
            r#"{"shape":"s32[2,2]{0,1}","memory_order":[0,1,2,3]}"#,
            "the element at place 1: expected Some(1), found Some(2)",
        ),
        (
            "packed.jsonl",
            r#"{"dtype":"int4","dims":[3],"minor_to_major":[0],"bits":4,"bytes_hex":"0102"}"#,
            "bytes: expected [1, 2], found [16, 2]",
        ),
        (
            "tpu_sizes.jsonl",
            r#"{"shape":"bf16[100]{0:T(256)(128)(2,1)}","bytes":200}"#,
            "bytes: expected 200, found 512",
        ),
        (
            "sizes.jsonl",
            r#"{"t":"f32[3,5]{1,0:T(8,128)}","array":60}"#,
            "array: expected 60, found 4096",
        ),
        (
            "sizes.jsonl",
            r#"{"t":"f32[3,5]"}"#,
            "the line has no answers",
        ),
        (
            "strides.jsonl",
            r#"{"t":"f32[3,5,7]","bs":[4,28,140]}"#,
            "ByteStrides: expected Some([4, 28, 140]), found Some([140, 28, 4])",
        ),
        (
            "linear.jsonl",
            r#"{"t":"f32[2,2]","lin":[0,2,1,3],"inv":1}"#,
            "LayoutUtil::LinearIndex of [0, 1]: expected Some(2), found Some(1)",
        ),
        (
            "linear.jsonl",
            r#"{"t":"f32[2,2]","lin":[0,1,2],"inv":1}"#,
            "elements: expected Some(3), found Some(4)",
        ),
        (
            "layout_text.jsonl",
            r#"{"t":"{1,0}","err":"gist"}"#,
            "`{1,0}`: expected an error, found",
        ),
        (
            "teleport.jsonl",
            r#"{"t":"f32[2]"}"#,
            "the kind of vectors `teleport` is not known",
        ),
        (
            "transpose.jsonl",
            r#"{"elem":1,"dims":"3","perm":"0","it":"-","st":"-","ot":"-","in":3,"out":[3,2,1]}"#,
            "the bytes of slot 0: expected Some([3]), found Some([1])",
        ),
        (
            "sharding.jsonl",
            r#"{"t":"{devices=[2]<=[2]}","shape":"f32[3]","s":"{devices=[2]<=[2]}","p":"08031a01024a0102520100","v":"","tile":"f32[2]{0}","n":2,"dev":{"0":[[0],[0],[2]],"1":[[1],[2],[4]]}}"#,
            "TileOffsetForDevice and TileLimitForDevice of device 1: expected [2..4], found [2..3]",
        ),
        (
            "sharding.jsonl",
            r#"{"t":"{devices=[2]<=[2]}","shape":"f32[3]","err":"gist"}"#,
            "`{devices=[2]<=[2]}`: expected an error, found {devices=[2]<=[2]}",
        ),
        (
            "types.json",
            r#"{"S8":[2,"s8",8,2]}"#,
            "bytes: expected Some(2), found Some(1)",
        ),
        (
            "unit.json",
            r#"{"cases":[{"op":"bump","in":{"shape":"f32[2,3]","index":[0,2]},"expect":[true,[0,3]]}]}"#,
            "bump: expected [true,[0,3]], found [true,[1,0]]",
        ),
        (
            "unit.json",
            r#"{"cases":[{"op":"parse_shape","in":{"text":"f32[2]"},"expect":{"error":"gist"}}]}"#,
            "parse_shape: expected an error",
        ),
        (
            "unit.json",
            r#"{"cases":[{"op":"frobnicate","in":{},"expect":null}]}"#,
            "the op `frobnicate` is not known",
        ),
        (
            "unit.json",
            r#"{"cases":[{"op":"multi_to_linear","in":{"shape":"f32[2]"},"expect":1}]}"#,
            "multi_to_linear: expected 1, found the error: the field `index` is missing",
        ),
    ] {
        let outcome = checked(name, text.as_bytes());
        assert_eq!((outcome.passed, outcome.findings.len()), (0, 1), "{text}");
        let finding = &outcome.findings[0];
        assert!(finding.what.starts_with(words), "{}", finding.what);
        assert_eq!((finding.line, finding.unusable), (Some(1), false));
    }
}

#[test]
fn files_that_cannot_be_used_are_failures() {
    let missing = check_file(Path::new("no/such/file.jsonl"));
    assert!(
        missing.findings[0]
            .what
            .starts_with("the file cannot be read: ")
    );
    for (name, text, line, words) in [
        (
            "text.jsonl",
            &b"{\"text\":"[..],
            Some(1),
            "the line is no JSON: ",
        ),
        ("text.jsonl", b"\n\n[1]", Some(3), "the line is no object"),
        ("text.jsonl", b"\xff\xfe", None, "the file is not UTF-8: "),
        ("text.csv", b"", None, "the extension is `csv`; "),
        (
            "unit.json",
            b"{\"meta\": 1}",
            None,
            "the file holds no list of `cases`: ",
        ),
        (
            "unit.json",
            b"{\"cases\": [\n1]}",
            Some(2),
            "the case is no object",
        ),
        (
            "types.json",
            b"[]",
            Some(1),
            "the file is no table of types: ",
        ),
    ] {
        let outcome = checked(name, text);
        assert_eq!(
            (outcome.passed, outcome.findings.len()),
            (0, 1),
            "{name} {words}"
        );
        let finding = &outcome.findings[0];
        assert!(finding.what.starts_with(words), "{}", finding.what);
        assert_eq!((finding.line, finding.unusable), (line, true));
    }
}
