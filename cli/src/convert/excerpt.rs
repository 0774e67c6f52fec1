//! A window of a header around a mistake: headers may be megabytes long, and hold anything.

use std::ops::Range;
use std::path::Path;

use crate::failure::TextSpan;

/// How many characters are shown on either side, at most.
const WINDOW: usize = 60;

/// The part of a file's header that is wrong, on one line.
pub(super) fn place(path: &Path, text: &str, span: Range<usize>, label: String) -> TextSpan {
    let start = floor(text, span.start);
    let end = floor(text, span.end).max(start);
    let before: Vec<char> = text[..start].chars().rev().take(WINDOW).collect();
    let mut shown: String = if before.len() == text[..start].chars().count() {
        ""
    } else {
        "…"
    }
    .to_owned();
    shown.extend(before.into_iter().rev().map(plain));
    let from = shown.len();
    let mut marked = text[start..end].chars();
    shown.extend(marked.by_ref().take(2 * WINDOW).map(plain));
    let cut = marked.next().is_some();
    let to = shown.len();
    let rest = if cut { "" } else { &text[end..] };
    shown.extend(rest.chars().take(WINDOW).map(plain));
    if cut || rest.chars().nth(WINDOW).is_some() {
        let blank = !cut && rest.chars().skip(WINDOW).all(char::is_whitespace);
        shown.push_str(if blank { "" } else { "…" });
    }
    let kept = shown.trim_end().len().max(to);
    shown.truncate(kept);
    TextSpan::of_line(path, 1, &shown, from..to).label(label)
}

/// A character that does not move a terminal's cursor.
fn plain(c: char) -> char {
    match c {
        '\n' | '\t' | '\r' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    }
}

fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at)
        .rev()
        .find(|k| text.is_char_boundary(*k))
        .unwrap_or(0)
}
