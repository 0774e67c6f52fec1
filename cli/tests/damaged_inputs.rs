//! Files of `xlayout hlo` that are cut, damaged or made to use much memory.

mod program;

use std::fs;
use std::io::Write as _;
use std::path::Path;

use program::{command, run};
use serde_json::Value;

/// Writes a file and answers its path.
fn written(folder: &Path, file: &str, bytes: &[u8]) -> String {
    let path = folder.join(file);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The exit code, what is printed, and the error.
fn said(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = run(arguments);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A module with so many arrays of this shape, one of which has a wrong layout.
fn text(name: &str, shape: &str, arrays: usize) -> String {
    let mut text = format!("HloModule {name}\n\nENTRY e {{\n  p = {shape} parameter(0)\n");
    for k in 1..arrays {
        text += &format!("  a{k} = {shape} negate(p), metadata={{op_name=\"{name}/negate\"}}\n");
    }
    text + "  ROOT wrong = f32[2]{7} negate(p)\n}\n"
}

/// The answer names the files that it counts. A file that ends in an error is none of them.
#[test]
fn nothing_of_a_file_that_ends_early_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let good = written(
        folder.path(),
        "good.hlo",
        text("good", "f32[2]{0}", 4).as_bytes(),
    );
    // Two modules, of which the first one is whole.
    let two = text("first", "f32[3]{0}", 5000) + &text("second", "f32[2]{0}", 5000);
    let packed = gzip(two.as_bytes());
    let cut = written(folder.path(), "cut.hlo.gz", &packed[..packed.len() - 9]);
    for by in ["layout", "opcode", "scope"] {
        let alone = said(&["hlo", &good, "--by", by, "--json"]);
        let both = said(&["hlo", &cut, &good, &cut, "--by", by, "--json"]);
        assert_eq!((alone.0, both.0), (Some(1), Some(3)), "{}", both.2);
        assert_eq!(
            serde_json::from_str::<Value>(&alone.1).unwrap(),
            serde_json::from_str::<Value>(&both.1).unwrap(),
            "{by}"
        );
        assert!(
            both.2.contains(&format!("cannot read `{cut}`")),
            "{}",
            both.2
        );
        assert!(
            both.2.contains("1 place in 1 file could not be read"),
            "{}",
            both.2
        );
    }
}
