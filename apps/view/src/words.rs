//! Numbers and sentences for people.

use std::fmt::Display;
use std::ops::Range;

/// `1,234,567`
pub fn grouped(number: impl TryInto<u128>) -> String {
    let digits = number.try_into().unwrap_or(u128::MAX).to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 byte`, `2,000 bytes`
pub fn counted(number: impl TryInto<u128>, noun: &str) -> String {
    match number.try_into().unwrap_or(u128::MAX) {
        1 => format!("1 {noun}"),
        number => format!("{} {noun}s", grouped(number)),
    }
}

/// Items with a text between each two of them.
pub fn joined<T: Display>(items: impl IntoIterator<Item = T>, between: &str) -> String {
    let texts = items.into_iter().map(|item| item.to_string());
    texts.collect::<Vec<_>>().join(between)
}

/// `a`, `a and b`, `a, b and c`
pub fn listed<T: Display>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [only] => only.to_string(),
        [before @ .., last] => format!("{} and {last}", joined(before, ", ")),
    }
}

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

/// The text, cut to `width` columns. `…` marks the cut.
pub fn shortened(text: &str, width: usize) -> String {
    use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
    if text.width() <= width {
        return text.to_owned();
    }
    let mut column = 0;
    let fits = |c: &char| {
        column += c.width().unwrap_or(0);
        column < width
    };
    text.chars().take_while(fits).chain(['…']).collect()
}

/// A part of a whole: `12.3%`. Only the whole is `100%`, and only 0 is `0%`.
pub fn percent(part: impl TryInto<u128>, whole: impl TryInto<u128>) -> String {
    let part = part.try_into().unwrap_or(u128::MAX);
    let whole = whole.try_into().unwrap_or(u128::MAX);
    if part == 0 || whole == 0 {
        return "0%".to_owned();
    }
    if part == whole {
        return "100%".to_owned();
    }
    match part as f64 / whole as f64 * 100.0 {
        ..0.05 => "<0.1%".to_owned(),
        p @ 99.95..100.0 => format!(">{:.1}%", p.min(99.9)),
        p => format!("{p:.1}%"),
    }
}

/// The ranges of the entries of a list with commas, without blanks around them.
pub(crate) fn entries(text: &str, list: Range<usize>) -> Vec<Range<usize>> {
    let mut start = list.start;
    let entry = |entry: &str| {
        let at = start + entry.len() - entry.trim_start().len();
        start += entry.len() + 1;
        at..at + entry.trim().len()
    };
    text[list].split(',').map(entry).collect()
}

/// Lines of at most `width` columns, all but the first with `indent` blanks before them. Cut at
/// blanks only.
pub fn wrapped(text: &str, width: usize, indent: usize) -> String {
    let mut all = String::new();
    for (k, line) in text.split('\n').enumerate() {
        if k > 0 {
            all.push('\n');
            all.extend(std::iter::repeat_n(' ', indent));
        }
        let mut column = indent;
        for (j, word) in line.split(' ').enumerate() {
            let long = unicode_width::UnicodeWidthStr::width(word);
            if j > 0 && column + 1 + long > width {
                all.push('\n');
                all.extend(std::iter::repeat_n(' ', indent));
                column = indent;
            } else if j > 0 {
                all.push(' ');
                column += 1;
            }
            all.push_str(word);
            column += long;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let numbers = [0_u64, 7, 999, 1000, 1_234_567, u64::MAX].map(grouped);
        let expected = [
            "0",
            "7",
            "999",
            "1,000",
            "1,234,567",
            "18,446,744,073,709,551,615",
        ];
        assert_eq!(numbers, expected);
        let sizes = [0, 1023, 1024, 1536, 10_239, 1_048_000, 1_048_576, u64::MAX].map(bytes);
        let expected = [
            "0 B", "1023 B", "1.00 KiB", "1.50 KiB", "10.0 KiB", "1023 KiB", "1.00 MiB", "16.0 EiB",
        ];
        assert_eq!(sizes, expected);
        assert_eq!(exact_bytes(1_u8), "1 byte");
        assert_eq!(exact_bytes(8192_u64), "8,192 bytes (8.00 KiB)");
        assert_eq!(counted(1_u8, "tile"), "1 tile");
        assert_eq!(counted(2000_u64, "tile"), "2,000 tiles");
    }

    #[test]
    fn a_part_is_never_called_the_whole() {
        let parts = [(0, 5), (5, 5), (1, 3), (1, 100_000), (99_999, 100_000)];
        let texts = parts.map(|(part, whole): (u32, u32)| percent(part, whole));
        assert_eq!(texts, ["0%", "100%", "33.3%", "<0.1%", ">99.9%"]);
    }

    #[test]
    fn sentences_are_joined_and_cut() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(joined([1, 0], ","), "1,0");
        assert_eq!(wrapped("one two three", 7, 2), "one\n  two\n  three");
        assert_eq!(wrapped("one two three", 9, 0), "one two\nthree");
        assert_eq!(shortened("bf16[2,3]", 9), "bf16[2,3]");
        assert_eq!(shortened("bf16[2,3]", 6), "bf16[…");
    }
}
