//! An evaluator of MLIR's affine maps, written from the language's reference.
//!
//! ```text
//! map     = "#" name "= affine_map<(" names ") -> (" sum, … ")>"
//! sum     = product { "+" product | "-" product }
//! product = atom { "*" atom | "floordiv" atom | "mod" atom }
//! atom    = number | name | "(" sum ")"
//! ```

use std::collections::HashMap;

/// An affine map.
pub(crate) struct Map {
    names: Vec<String>,
    results: Vec<String>,
}

/// The maps of a text, by name.
pub(crate) fn read(text: &str) -> HashMap<String, Map> {
    let lines = text.lines().filter(|line| line.starts_with('#'));
    let maps = lines.map(|line| {
        let (name, rest) = line[1..].split_once(" = affine_map<(").unwrap();
        let (names, rest) = rest.split_once(") -> (").unwrap();
        let results = rest.strip_suffix(")>").unwrap();
        let split = |text: &str| {
            text.split(", ")
                .filter(|t| !t.is_empty())
                .map(Into::into)
                .collect()
        };
        let map = Map {
            names: split(names),
            results: split(results),
        };
        (name.to_owned(), map)
    });
    maps.collect()
}

impl Map {
    /// The results, for these values of the dimensions.
    pub(crate) fn at(&self, values: &[u64]) -> Vec<u64> {
        assert_eq!(values.len(), self.names.len());
        let names = self
            .names
            .iter()
            .cloned()
            .zip(values.iter().copied())
            .collect();
        let value = |text: &String| {
            let spaced = text.replace('(', " ( ").replace(')', " ) ");
            let mut words: Vec<&str> = spaced.split_whitespace().rev().collect();
            let value = sum(&mut words, &names);
            assert!(words.is_empty(), "{text}");
            value
        };
        self.results.iter().map(value).collect()
    }
}

/// Reads from the end of `words`, which are in reverse.
fn sum(words: &mut Vec<&str>, names: &HashMap<String, u64>) -> u64 {
    let mut value = product(words, names);
    while let Some(&operator @ ("+" | "-")) = words.last() {
        words.pop();
        let next = product(words, names);
        value = if operator == "+" {
            value + next
        } else {
            value - next
        };
    }
    value
}

fn product(words: &mut Vec<&str>, names: &HashMap<String, u64>) -> u64 {
    let mut value = atom(words, names);
    while let Some(&operator @ ("*" | "floordiv" | "mod")) = words.last() {
        words.pop();
        let next = atom(words, names);
        value = match operator {
            "*" => value * next,
            "mod" => value.checked_rem(next).unwrap(),
            _ => value.checked_div(next).unwrap(),
        };
    }
    value
}

fn atom(words: &mut Vec<&str>, names: &HashMap<String, u64>) -> u64 {
    match words.pop().unwrap() {
        "(" => {
            let value = sum(words, names);
            assert_eq!(words.pop(), Some(")"));
            value
        }
        word => names
            .get(word)
            .copied()
            .unwrap_or_else(|| word.parse().unwrap()),
    }
}
