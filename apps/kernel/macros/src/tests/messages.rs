//! Every mistake: what is underlined, what is said, and what to write instead.
//!
//! `messages.txt` holds them, for people to read. After a change of wording make it again, with
//! `UPDATE_EXPECT=1 cargo test -p xlayout-kernel-macros messages`, and read what has changed.

use core::fmt::Write;
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

use super::kernel;

/// Writes the mistakes that an expansion reports: what is underlined, the message, the help.
fn write_mistakes(source: &str, expansion: TokenStream, to: &mut String) {
    let tokens: Vec<_> = expansion.into_iter().collect();
    for (k, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let path = k.checked_sub(2).map(|at| &tokens[at]);
        let reports = matches!(path, Some(TokenTree::Ident(name)) if name == "compile_error");
        match path {
            Some(path) if reports => {
                let start = path.span().byte_range().start;
                let end = group.span().byte_range().end;
                let message: serde_json::Value =
                    serde_json::from_str(&group.stream().to_string()).expect("a string");
                let message = message.as_str().expect("a string");
                let mut said = format!("    {}\n", &source[start..end]);
                for line in message.lines() {
                    writeln!(said, "        {line}").expect("a String takes all");
                }
                // As the compiler: the same at the same place is said once.
                let again = to.contains(&said);
                to.extend((!again).then_some(said));
            }
            _ => write_mistakes(source, group.stream(), to),
        }
    }
}

/// The lines of one kernel.
fn entry(line: &str) -> String {
    let mut lines = format!("{line}\n");
    let (options, item) = kernel(line);
    write_mistakes(line, crate::expand(options, item), &mut lines);
    lines
}

#[test]
fn every_mistake() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/messages.txt");
    let expected = std::fs::read_to_string(&file).expect("the messages are there");
    let kernels = expected.lines().filter(|line| line.starts_with('#'));
    let found: String = kernels.map(entry).collect();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&file, &found).expect("the messages can be written");
        return;
    }
    for (expected, found) in expected.lines().zip(found.lines()) {
        assert_eq!(found, expected, "see the first lines of this test's file");
    }
    assert_eq!(found.lines().count(), expected.lines().count());
    assert!(
        expected
            .lines()
            .filter(|line| line.starts_with("   "))
            .count()
            > 200
    );
}
