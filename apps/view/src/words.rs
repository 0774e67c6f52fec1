//! Numbers and sentences for people.

use std::ops::Range;

pub use xlayout_words::{bytes, counted, exact_bytes, grouped, joined, listed, shortened};

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
