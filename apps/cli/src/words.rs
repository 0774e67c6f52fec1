//! Numbers and sentences for people.

use std::fmt::Display;
use std::ops::Range;

pub(crate) use xlayout_words::{
    alternatives, bytes, counted, exact_bytes, grouped, joined, listed, shortened, sum,
};

/// Seconds in three digits: `840 ns`, `12.3 µs`, `1.50 ms`, `2.00 s`.
fn duration(seconds: f64) -> String {
    if seconds == 0.0 {
        return "0".to_owned();
    }
    let (mut number, mut unit) = (seconds * 1e9, "ns");
    for next in ["µs", "ms", "s"] {
        // 999.6 would be printed as 1000.
        if number < 999.5 {
            break;
        }
        number /= 1e3;
        unit = next;
    }
    let digits = match number {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{number:.digits$} {unit}")
}

/// A bandwidth in the units of device makers: `819 GB/s`, `1.64 TB/s`.
pub(crate) fn rate(bytes_per_second: u64) -> String {
    let giga = bytes_per_second as f64 / 1e9;
    match giga {
        ..999.5 => format!("{} GB/s", (giga * 100.0).round() / 100.0),
        _ => format!("{} TB/s", (giga / 10.0).round() / 100.0),
    }
}

/// The least and the most seconds: `12.3 µs`, `0 to 12.3 µs`, `at least 12.3 µs`, `not known`.
pub(crate) fn time_range((least, most): (f64, Option<f64>)) -> String {
    match most.map(duration) {
        None if least == 0.0 => "not known".to_owned(),
        None => format!("at least {}", duration(least)),
        Some(most) if most == duration(least) => most,
        Some(most) => format!("{} to {most}", duration(least)),
    }
}

/// A part of a whole: `12.3%`. Only the whole is `100%`, and only 0 is `0%`.
pub(crate) fn percent(part: impl TryInto<u128>, whole: impl TryInto<u128>) -> String {
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

/// Each in the marks of a literal text.
pub(crate) fn in_quotes<T: Display>(items: &[T]) -> Vec<String> {
    items.iter().map(|item| format!("`{item}`")).collect()
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

/// Lines of at most `width` columns, all but the first with `indent` blanks before them. Cut at blanks only.
pub(crate) fn wrapped(text: &str, width: usize, indent: usize) -> String {
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

/// The words for a module's name in an answer; bare instructions have none.
pub(crate) fn module_name(name: &str) -> String {
    match name {
        "" => "no module".to_owned(),
        name => format!("module {name}"),
    }
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
        assert_eq!(joined(&[1, 0], ","), "1,0");
        assert_eq!(wrapped("one two three", 7, 2), "one\n  two\n  three");
        assert_eq!(wrapped("one two three", 9, 0), "one two\nthree");
        assert_eq!(shortened("bf16[2,3]", 9), "bf16[2,3]");
        assert_eq!(shortened("bf16[2,3]", 6), "bf16[…");
    }
}
