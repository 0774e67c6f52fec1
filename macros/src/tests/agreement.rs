//! Law 4: the macro accepts exactly what reading plus validation accepts, and says the same.

use proc_macro2::TokenStream;
use xlayout_core::text::read_array;

use super::root;
use crate::read::{RULES, read};
use crate::text::see_through;

#[test]
fn scan() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/text.jsonl");
    let lines = std::fs::read_to_string(file).expect("the vectors are there");
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
        let text = line["text"].as_str().expect("a line has a text");
        if text.parse::<TokenStream>().is_err() {
            let mut open = vec![];
            let mut bad = false;
            for c in text.chars() { match c { '('|'['|'{' => open.push(c), ')' => bad |= open.pop() != Some('('), ']' => bad |= open.pop() != Some('['), '}' => bad |= open.pop() != Some('{'), _=>{}}}
            if !bad && open.is_empty() { println!("NT {text:?}"); }
        }
    }
}
