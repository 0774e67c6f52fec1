//! What an error says to a program in Rust, and on the command line.

use std::fs;
use std::path::Path;

use xlayout_checkpoints::{
    Draft, Error, Format, Input, Means, OutputFile, PlanOptions, Stop, run_units,
};

/// The errors of this crate, each with what its help says in Rust and on the command line.
fn errors(folder: &Path) -> Vec<(Error, &'static str, &'static str)> {
    let at = |name: &str| folder.join(name);
    let dictionary = "{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }";
    let header = format!("{dictionary:117}\n");
    let array = [b"\x93NUMPY\x01\x00\x76\x00", header.as_bytes(), &[0; 2]].concat();
    for (name, bytes) in [
        ("src/a.npy", &array[..]),
        ("b.npy", b"text"),
        ("spec.toml", b""),
    ] {
        fs::create_dir_all(at("src")).expect("a folder");
        fs::write(at(name), bytes).expect("a file");
    }
    let options = PlanOptions {
        units: 1,
        object_bytes: 1,
        memory: 1,
    };
    let stop = Stop::default();
    let means = Means {
        threads: 1,
        memory: None,
        stop: &stop,
        progress: &|_| {},
    };
    let open = |name: &str, format| Input::open(&at(name), format, None).unwrap_err();
    let draft = Draft::new(&at("src"), &at("out"), &at("spec.toml"), options);
    vec![
        (
            OutputFile::new(&at("b.npy"), false).unwrap_err(),
            "let `OutputFile::new` replace it: `force` is true",
            "`--force`",
        ),
        (
            open("b.npy", Format::Raw),
            "`layout` of `Said` is `Some`",
            "--from 'f32[2,3]{0,1}'",
        ),
        (
            open("b.npy", Format::Npy),
            "as `Format::Raw` with a `Said`",
            "`--input-format raw`",
        ),
        (
            open("src/a.npy", Format::Npy),
            "whose `element_type` is `Some(ElementType::Bf16)`",
            "`--from bf16`",
        ),
        // An entry of the specification is the same for both.
        (
            draft.unwrap_err(),
            "in its entry of the specification: `type = \"bf16\"`",
            "`type = ",
        ),
        (
            run_units(&at("spec.toml"), None, means).unwrap_err(),
            "`Draft::write`",
            "`xlayout reshard plan`",
        ),
    ]
}

#[test]
fn help_is_in_the_language_of_its_caller() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    for (error, rust, command) in errors(folder.path()) {
        let in_rust = error.to_string();
        let in_command = error.in_command();
        assert!(in_rust.contains(rust), "{in_rust}");
        assert!(
            !in_rust.contains("--") && !in_rust.contains("xlayout re"),
            "{in_rust}"
        );
        assert!(in_command.contains(command), "{in_command}");
    }
}
