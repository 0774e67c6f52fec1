//! Numbers and lists in sentences for people.

use std::fmt::Display;

use xlayout::words;
pub use xlayout::words::{counted, grouped, joined_text as joined};

const UNITS: [&str; 7] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB"];

/// Bytes in three digits: `840 B`, `1.50 KiB`, `12.3 MiB`; exact below 1,024.
pub fn bytes(number: impl TryInto<u128>) -> String {
    let number = number.try_into().unwrap_or(u128::MAX);
    if number < 1024 {
        return format!("{number} B");
    }
    let mut size = number as f64;
    let mut unit = "B";
    for next in UNITS {
        // 1,023.6 would be printed as 1,024.
        if size < 1023.5 {
            break;
        }
        size /= 1024.0;
        unit = next;
    }
    let digits = match size {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{size:.digits$} {unit}")
}

/// The exact number of bytes, and the rounded one if it is large: `8,192 bytes (8.00 KiB)`.
pub fn exact_bytes(number: impl TryInto<u128>) -> String {
    let number = number.try_into().unwrap_or(u128::MAX);
    match number {
        ..1024 => counted(number, "byte"),
        _ => format!("{} ({})", counted(number, "byte"), bytes(number)),
    }
}

/// `a`, `a and b`, `a, b and c`
pub fn listed<T: Display>(items: &[T]) -> String {
    words::listed(items.iter(), "and").to_string()
}

/// `a`, `a or b`, `a, b or c`
pub fn alternatives<T: Display>(items: &[T]) -> String {
    words::listed(items.iter(), "or").to_string()
}

/// A name of a tensor, cut to 60 characters. `…` marks the cut.
pub fn short(name: &str) -> String {
    match name.char_indices().nth(60) {
        None => name.to_owned(),
        Some(_) => name.chars().take(59).chain(['…']).collect(),
    }
}
