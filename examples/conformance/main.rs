//! Compares this crate with recorded answers of real XLA.
//!
//! ```sh
//! cargo run --release --example conformance -- tests/data/*.jsonl tests/data/types.json tests/data/unit_cases/*.json
//! ```
//!
//! Takes vectors (`.jsonl`, an object a line; the file's stem says what they are about: text,
//! layout_text, memory, packed, tpu_sizes, sizes, strides, linear, algebra, notations),
//! `types.json`, and the cases of XLA's unit tests (`.json`). Prints each mismatch with its file
//! and line, and at the end `N passed, M failed`; the exit code is 1 if any failed. What is not
//! known counts as failed. Cases about protos are only counted:
//! `cargo run --manifest-path apps/Cargo.toml --example proto_conformance -- FILE…` compares them.

#[path = "../../tests/conformance/mod.rs"]
mod conformance;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("error: no files are given");
        eprintln!("usage: cargo run --release --example conformance -- FILE…");
        eprintln!(
            "  FILE: vectors (.jsonl; the stem names the kind), types.json, or unit cases (.json)"
        );
        return ExitCode::from(2);
    }
    let mut passed = 0;
    let mut failed = 0;
    let mut of_protos = 0;
    for file in files {
        let path = Path::new(&file);
        let outcome = conformance::check_file(path);
        passed += outcome.passed;
        failed += outcome.findings.len();
        of_protos += outcome.of_protos;
        for finding in outcome.findings {
            let line = finding
                .line
                .map_or(String::new(), |line| format!(":{line}"));
            let place = format!("{}{line}", path.display());
            // The output may be closed; the exit code says the result, too.
            let _ = if finding.unusable {
                writeln!(std::io::stderr(), "error: {place}: {}", finding.what)
            } else {
                writeln!(std::io::stdout(), "{place}: {}", finding.what)
            };
        }
    }
    let _ = writeln!(std::io::stdout(), "{passed} passed, {failed} failed");
    if of_protos > 0 {
        let _ = writeln!(
            std::io::stderr(),
            "not compared here: {of_protos} cases about protos"
        );
    }
    if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
