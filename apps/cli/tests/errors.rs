//! A crate of the apps has at most one public type of errors.

use std::fs;
use std::path::Path;

use crate::program::PACKAGE;

fn sources(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn a_crate_has_one_type_of_errors() {
    let apps = Path::new(PACKAGE).join("..");
    let mut with_errors = 0;
    for folder in [
        "checkpoints",
        "cli",
        "command",
        "hlo",
        "hlo/proto",
        "kernel",
        "words",
    ] {
        let mut text = String::new();
        sources(&apps.join(folder).join("src"), &mut text);
        let errors: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("impl") && line.contains("error::Error for "))
            .collect();
        assert!(errors.len() <= 1, "{folder}: {errors:?}");
        with_errors += errors.len();
    }
    assert!(with_errors >= 3, "only {with_errors} crates have errors");
}
