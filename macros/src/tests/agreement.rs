//! Law 4: the macro accepts exactly what reading plus validation accepts, and says the same.
//!
//! Compared on every line of the vectors, except where a line means something else in Rust than in
//! a text; those lines are told apart by [`in_rust`], and checked for what is true of them.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use xlayout_shape::ErrorKind;
use xlayout_shape::text::read_array;

use super::root;
use crate::array::RULES;
use crate::mistake::kind::OTHER_OPTION;
use crate::read::read;
use crate::text::see_through;

/// What a text is to Rust.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum InRust {
    /// The same.
    Same,
    /// A size is a name: a constant to the macro, which core reads as `1`.
    Constant,
    /// A size is `_`, a name in small letters, or an expression such as `16*200`: both refuse it,
    /// in different words.
    Expression,
    /// A word holds `-` or `.`, which is one word to XLA and several tokens to Rust: both refuse
    /// it, at different places.
    Dashed,
    /// Its brackets do not match, so there is no token tree.
    Unbalanced,
    /// It has an odd number of quotes, a backslash, or a digit of another script: no tokens.
    Untokenisable,
}

fn in_rust(text: &str) -> InRust {
    let mut open = Vec::new();
    let balanced = text.chars().all(|c| match c {
        '(' => {
            open.push(')');
            true
        }
        '[' => {
            open.push(']');
            true
        }
        '{' => {
            open.push('}');
            true
        }
        ')' | ']' | '}' => open.pop() == Some(c),
        _ => true,
    });
    let odd_quotes = text.matches('"').count() % 2 == 1;
    let foreign = text.chars().any(|c| !c.is_ascii() && !c.is_alphabetic());
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let letters = |c: char| c.is_ascii_alphabetic() || c == '_';
    let dashed = text.char_indices().any(|(at, c)| {
        let word: String = text[..at]
            .chars()
            .rev()
            .take_while(|&c| is_word(c))
            .collect();
        "-.".contains(c) && word.chars().next_back().is_some_and(letters)
    });
    if !balanced || !open.is_empty() {
        InRust::Unbalanced
    } else if odd_quotes || text.contains('\\') || foreign {
        InRust::Untokenisable
    } else if dashed {
        InRust::Dashed
    } else {
        let mut of_sizes = sizes(text).map(|size| size.trim_start_matches("<="));
        let number = |size: &str| size.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let computed = |size: &str| number(size) && size.contains(['*', '-']);
        let variable = |size: &str| {
            size.starts_with(|c: char| c.is_ascii_lowercase()) && size.chars().all(is_word)
        };
        if of_sizes
            .clone()
            .any(|size| size == "_" || computed(size) || variable(size))
        {
            InRust::Expression
        } else if of_sizes.any(|size| size.starts_with(letters) && size.chars().all(is_word)) {
            InRust::Constant
        } else {
            InRust::Same
        }
    }
}

/// What is between the first brackets and the commas there.
fn sizes(text: &str) -> impl Iterator<Item = &str> + Clone {
    let inside = text.split_once('[').map_or("", |(_, rest)| rest);
    inside.split(']').next().unwrap_or("").split(',')
}

/// The text with `1` in the place of every size that is a name.
fn without_names(text: &str) -> String {
    let Some((before, rest)) = text.split_once('[') else {
        return text.into();
    };
    let Some((inside, after)) = rest.split_once(']') else {
        return text.into();
    };
    let sizes: Vec<_> = inside
        .split(',')
        .map(|size| {
            let name = size.trim_start_matches("<=");
            if name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                "1"
            } else {
                size
            }
        })
        .collect();
    format!("{before}[{}]{after}", sizes.join(","))
}

/// Whether core accepts a text, and all that it says about it.
fn core(text: &str) -> (bool, Vec<String>) {
    let mut said = Vec::new();
    let shape = read_array(text, RULES, &mut |error| {
        let other = match error.kind() {
            ErrorKind::UnknownOption {
                suggestion: None, ..
            } => OTHER_OPTION,
            _ => "",
        };
        said.push(format!(
            "{}\nhelp: {}{other}",
            error.message(),
            error.help()
        ));
    });
    said.sort();
    (shape.is_some(), said)
}

/// The same of the macro; nothing where there are no tokens.
fn front_end(text: &str) -> Option<(bool, Vec<String>)> {
    let tokens: TokenStream = text.parse().ok()?;
    Some(match read(&root(), &see_through(tokens)) {
        Ok(_) => (true, Vec::new()),
        Err(mistakes) => {
            let mut said: Vec<_> = mistakes.into_iter().map(|m| m.message).collect();
            said.sort();
            (false, said)
        }
    })
}

#[test]
fn every_line_of_the_vectors() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/text.jsonl");
    let lines = std::fs::read_to_string(file).expect("the vectors are there");
    let mut counted = BTreeMap::new();
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let text = line["text"].as_str().expect("a line has a text");
        let kind = in_rust(text);
        *counted.entry(kind).or_insert(0) += 1;
        match kind {
            InRust::Same => assert_eq!(front_end(text), Some(core(text)), "{text}"),
            InRust::Constant => {
                assert_eq!(front_end(text), Some(core(&without_names(text))), "{text}");
            }
            InRust::Expression | InRust::Dashed => {
                assert!(!core(text).0, "{text}");
                assert!(!front_end(text).expect("there are tokens").0, "{text}");
            }
            InRust::Unbalanced | InRust::Untokenisable => {
                assert!(!core(text).0, "{text}");
                assert_eq!(front_end(text), None, "{text}");
            }
        }
    }
    // Most lines are compared word for word, and the exceptions are few.
    let count = |kind| counted.get(&kind).copied().unwrap_or(0);
    assert!(count(InRust::Same) > 2000, "{counted:?}");
    assert!(count(InRust::Constant) < 30, "{counted:?}");
    // Most of them are names in small letters, such as `nan`.
    assert!(
        count(InRust::Expression) + count(InRust::Dashed) < 30,
        "{counted:?}"
    );
    assert!(count(InRust::Untokenisable) < 20, "{counted:?}");
}

/// What the vectors have no lines of: our own notation.
#[test]
fn the_extended_notation() {
    for text in [
        "f32[2,3]<0,1>",
        "f32[2,3] <0,1>, padded_dimensions = [3, 5], padding_value = zero",
        "f32[2,3], padding_value = zero",
        "f32[2,3], padded_dimensions = [3, 2]",
        "f32[2,3], padded_dimensions = [3]",
        "f32[2,3], padding = [3, 5]",
        "f32[2,3], padding_value = nought, padding_value = one",
        "f32[2,3] <0,1:T(8)>",
        "f32[2,3] <1,2>",
        "f32[2,3]{0,1}<0,1>",
        "f32[2,3] <0,1",
        "f32[2,3] row_major",
    ] {
        assert_eq!(in_rust(text), InRust::Same);
        assert_eq!(front_end(text), Some(core(text)), "{text}");
    }
}
