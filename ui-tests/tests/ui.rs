//! Compiles every file of `good` and of `bad`.
//!
//! What the compiler prints about a mistake depends on the compiler, so `bad` is compared under the
//! one that the `.stderr` files were made with. To make them again after a change of wording:
//! `TRYBUILD=overwrite cargo test -p xlayout-ui-tests`, and read what has changed.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// The compiler of the `.stderr` files. `rust-toolchain.toml` says `stable`, and not this number,
/// so that nothing is downloaded where the compiler is installed under that name only.
const PINNED: &str = "1.95.";

#[test]
fn good_compiles_and_bad_says_what_it_said() {
    let cases = trybuild::TestCases::new();
    cases.pass("good/*.rs");
    match compiler() {
        version if version.starts_with(PINNED) => cases.compile_fail("bad/*.rs"),
        version => {
            // Past the test harness, which would keep it to itself.
            let _ = writeln!(
                std::io::stderr(),
                "LEFT OUT: the mistakes in `bad`. Their messages are those of Rust {PINNED}x, and \
                 this is {version}. (The words of the macros themselves are tested in \
                 `xlayout-macros`, with every compiler.)",
            );
        }
    }
}

/// The version of the compiler that trybuild will call.
fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc)
        .arg("--version")
        .output()
        .expect("rustc runs");
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace()
        .nth(1)
        .unwrap_or("unknown")
        .to_owned()
}

#[test]
fn every_mistake_has_its_message_and_every_message_its_mistake() {
    let names = |extension: &str| -> BTreeSet<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("bad");
        let files = folder.read_dir().expect("the folder of mistakes is there");
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
    assert!(mistakes.len() >= 80, "only {} mistakes", mistakes.len());
}
