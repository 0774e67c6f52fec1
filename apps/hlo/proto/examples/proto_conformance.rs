//! Compares what files of recorded answers of real XLA say about protos.
//!
//! ```sh
//! cargo run --example proto_conformance -- ../tests/data/*.jsonl ../tests/data/unit_cases/*.json
//! ```
//!
//! Prints each difference with its file and line, and at the end `N passed, M failed`; the exit
//! code is 1 if any failed.

#[path = "../tests/conformance.rs"]
mod conformance;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    if files.is_empty() {
        eprintln!("usage: cargo run --example proto_conformance -- FILE…");
        return ExitCode::from(2);
    }
    let mut passed = 0;
    let mut failed = 0;
    for file in files {
        match conformance::check_file(Path::new(&file)) {
            Ok(outcome) => {
                passed += outcome.passed;
                failed += outcome.wrong.len();
                outcome.wrong.iter().for_each(|what| println!("{what}"));
            }
            Err(error) => {
                eprintln!("error: {error}");
                failed += 1;
            }
        }
    }
    println!("{passed} passed, {failed} failed");
    match failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}
