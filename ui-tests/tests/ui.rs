//! Compiles every file of `good` (those that need a crate of their own; `tests/good` has the others), of `bad` and of
//! `bad_when_built`.
//!
//! Most mistakes are found by `cargo check`: trybuild checks all of `bad` at once. Those that the compiler finds
//! only when it makes code are in `bad_when_built`: trybuild builds these, and the files of `good`, one by one.
//!
//! What the compiler prints about a mistake depends on the compiler, so mistakes are compared under the
//! one that the `.stderr` files were made with. Another compiler leaves them out and says so; with
//! `XLAYOUT_REQUIRE_UI=1`, which CI sets, that is a failure. To make them again after a change of wording:
//! `TRYBUILD=overwrite cargo test -p xlayout-ui-tests`, and read what has changed.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// The compiler of the `.stderr` files. `rust-toolchain.toml` says `stable`, and not this number,
/// so that nothing is downloaded where the compiler is installed under that name only.
const PINNED: &str = "1.95.";

/// CI sets this to 1: a run that leaves `bad` out fails.
const REQUIRE: &str = "XLAYOUT_REQUIRE_UI";

/// The folders of mistakes.
const MISTAKES: [&str; 2] = ["bad", "bad_when_built"];

#[test]
fn cases_that_are_checked() {
    if compares() {
        trybuild::TestCases::new().compile_fail("bad/*.rs");
    }
}

#[test]
fn cases_that_are_built() {
    let cases = trybuild::TestCases::new();
    cases.pass("good/*.rs");
    if compares() {
        cases.compile_fail("bad_when_built/*.rs");
    }
}

/// Whether the messages of this compiler are compared. It says so if they are not, and panics if they have to be.
fn compares() -> bool {
    let required = std::env::var_os(REQUIRE).is_some_and(|v| v == "1");
    match left_out(&compiler(), required) {
        Ok(None) => true,
        Ok(Some(line)) => {
            // `eprintln!` would give it to the test harness, which shows it for failures only.
            writeln!(std::io::stderr(), "{line}").expect("stderr takes a line");
            false
        }
        Err(required) => panic!("{required}"),
    }
}

/// What to say where the messages of this compiler cannot be compared, if they cannot; an error
/// where they have to be.
fn left_out(version: &str, required: bool) -> Result<Option<String>, String> {
    if version.starts_with(PINNED) {
        return Ok(None);
    }
    let line = format!(
        "LEFT OUT: the compiler's messages in ui-tests are those of Rust {PINNED}x, and this is \
         {version}; the macros' own words are compared in their crates"
    );
    match required {
        true => Err(format!("{line}; {REQUIRE}=1 asks for them")),
        false => Ok(Some(line)),
    }
}

#[test]
fn messages_that_are_left_out_are_said_or_refused() {
    assert_eq!(left_out("1.95.0", false), Ok(None));
    assert_eq!(left_out("1.95.1", true), Ok(None));
    for version in ["1.96.0", "1.9.5", "unknown"] {
        let line = left_out(version, false)
            .expect("not required")
            .expect("left out");
        assert!(
            line.starts_with("LEFT OUT: ") && line.contains(version),
            "{line}"
        );
        assert!(!line.contains('\n'), "{line}");
        assert!(left_out(version, true).is_err());
    }
}

/// The version of the compiler that trybuild will call.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .arg("--version")
        .output()
        .expect("rustc runs");
    let text = String::from_utf8(output.stdout).expect("the version is text");
    let version = text.split_whitespace().nth(1);
    version.expect("rustc says its version").to_owned()
}

#[test]
fn every_mistake_has_its_message_and_every_message_its_mistake() {
    let names = |extension: &str| -> BTreeSet<String> {
        let folders = MISTAKES.map(|folder| Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        // Kernels have none that are found when they are built.
        let folders = folders.iter().filter(|folder| folder.is_dir());
        let files = folders.flat_map(|folder| folder.read_dir().expect("it can be read"));
        files
            .map(|file| file.expect("the folder can be listed").path())
            .filter(|path| path.extension().is_some_and(|e| e == extension))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
            .collect()
    };
    let (mistakes, messages) = (names("rs"), names("stderr"));
    let without: Vec<_> = mistakes.difference(&messages).collect();
    let orphans: Vec<_> = messages.difference(&mistakes).collect();
    assert!(without.is_empty(), "without a .stderr: {without:?}");
    assert!(orphans.is_empty(), ".stderr without a mistake: {orphans:?}");
    assert!(mistakes.len() >= 40, "only {} mistakes", mistakes.len());
}

/// The compiler shows lines of the standard library only where its source is installed.
#[test]
fn no_message_shows_the_standard_library() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = MISTAKES.map(|folder| root.join(folder));
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        for file in folder.read_dir().expect("it can be read") {
            let path = file.expect("the folder can be listed").path();
            let text = std::fs::read_to_string(&path).expect("it is text");
            assert!(!text.contains("$RUST"), "{}", path.display());
        }
    }
}
