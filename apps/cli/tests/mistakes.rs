//! Mistakes of new users on the command line, and the errors of the program: `mistakes.txt`, as a
//! terminal shows it. A new case is a new line with `$`, and `UPDATE_EXPECT=1` writes what is said;
//! then it is read.

use crate::program::{expect_file, refusal, words};

#[test]
fn mistakes_are_told_with_what_to_do() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mistakes.txt");
    let session = std::fs::read_to_string(file).unwrap();
    let commands: Vec<&str> = session
        .lines()
        .filter(|line| line.starts_with("$ xlayout "))
        .collect();
    assert!(commands.len() >= 40, "{}", commands.len());
    let mut text = String::new();
    for command in commands {
        let words = words(command);
        let arguments: Vec<&str> = words[2..].iter().map(String::as_str).collect();
        let said = refusal(&arguments);
        // All of these are wrong words, not wrong files.
        let said = said.strip_prefix("exit code 2\n").expect(&said);
        text += &format!("{command}\n{said}\n");
    }
    // Users of the program write no Rust.
    for foreign in [
        "layout!",
        "::",
        ".parse",
        "StridedArray",
        "Budget",
        "Map<",
        "DynLayout",
        "xlayout-",
    ] {
        assert!(!text.contains(foreign), "{foreign}");
    }
    expect_file![file].assert_eq(&text);
}
