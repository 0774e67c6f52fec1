//! What differs, in words.

use std::cmp::Ordering;

use xlayout_words::bytes;

use crate::diff::{Changed, ChangedArray, Diff};

/// The compared sums of A and of B.
pub(crate) fn sums(diff: &Diff) -> Vec<(&'static str, u128, u128)> {
    let a = diff.a.figures;
    let b = diff.b.figures;
    let mut sums = vec![
        ("copies", a.copied, b.copied),
        ("moves between memory spaces", a.moved, b.moved),
    ];
    let known = [
        ("padding in ENTRY", a.padding.zip(b.padding)),
        ("memory at the peak", a.peak.zip(b.peak)),
    ];
    sums.extend(known.into_iter().filter_map(|(what, sums)| {
        let (a, b) = sums?;
        Some((what, a, b))
    }));
    sums
}

/// The difference from A to B in words.
pub(crate) fn change(a: u128, b: u128) -> String {
    match b.cmp(&a) {
        Ordering::Equal => "the same".to_owned(),
        Ordering::Greater => format!("{} more", bytes(b - a)),
        Ordering::Less => format!("{} less", bytes(a - b)),
    }
}

/// The name of the changed array.
pub(crate) fn place(changed: &Changed) -> String {
    match &changed.place {
        ChangedArray::Parameter { parameter } => format!("parameter {parameter}"),
        ChangedArray::Result { result } => format!("result {result}"),
        ChangedArray::Instruction {
            instruction: a,
            instruction_b: b,
            ..
        } => {
            if a == b {
                format!("%{a}")
            } else {
                format!("%{a}, in B %{b}")
            }
        }
    }
}
