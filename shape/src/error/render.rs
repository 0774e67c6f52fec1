//! Shows an error with the line of text that it is about, and carets below the place.

use core::fmt;

use crate::explain::{Explain, help, message};
use crate::words::{ceil_boundary, floor_boundary, from_fn};

/// How many characters of a line are shown at most.
const WIDTH: usize = 96;
/// How many characters stay visible before the place when a line is cut.
const WIDTH_BEFORE: usize = 32;

/// The message after `head`, such as `error: `, the line of `text` that it is about, and the help.
pub(super) fn render<'a>(
    error: &'a impl Explain,
    text: &'a str,
    head: &'static str,
) -> impl fmt::Display + 'a {
    from_fn(move |f| {
        write!(f, "{head}{}", message(error))?;
        if let Some(span) = error.span() {
            // A span of another text must not panic: bring it inside this one.
            let start = floor_boundary(text, span.start);
            let end = ceil_boundary(text, span.end.max(start));
            underline(f, text, start, end)?;
        }
        write!(f, "\nhelp: {}", help(error))
    })
}

/// Writes the line that holds `start`, and carets below `start..end`.
#[inline]
fn underline(f: &mut fmt::Formatter<'_>, text: &str, start: usize, end: usize) -> fmt::Result {
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let line = text[line_start..line_end].trim_end_matches('\r');
    let mark_start = (start - line_start).min(line.len());
    let mark_end = (end - line_start).clamp(mark_start, line.len());

    let (shown_start, shown_end) = window(line, mark_start, mark_end);
    let shown = &line[shown_start..shown_end];
    let mark_end = mark_end.min(shown_end);
    let cut_before = shown_start > 0;
    let cut_after = shown_end < line.len();

    f.write_str("\n  ")?;
    if text.trim_end().as_bytes().contains(&b'\n') {
        // One of several lines: write its number, and as many blanks before the carets.
        let number = text[..start].matches('\n').count() + 1;
        write!(f, "{number} | ")?;
        write_line(f, shown, cut_before, cut_after)?;
        f.write_str("\n  ")?;
        blanks(f, digits(number))?;
        f.write_str(" | ")?;
    } else {
        write_line(f, shown, cut_before, cut_after)?;
        f.write_str("\n  ")?;
    }
    if cut_before {
        f.write_str(" ")?;
    }
    for c in line[shown_start..mark_start].chars() {
        if c == '\t' {
            f.write_str("\t")?
        } else {
            blanks(f, columns(c))?
        }
    }
    let carets: usize = line[mark_start..mark_end].chars().map(columns).sum();
    for _ in 0..carets.max(1) {
        f.write_str("^")?;
    }
    Ok(())
}

#[inline]
fn write_line(
    f: &mut fmt::Formatter<'_>,
    shown: &str,
    cut_before: bool,
    cut_after: bool,
) -> fmt::Result {
    use fmt::Write;
    if cut_before {
        f.write_char('…')?;
    }
    for c in shown.chars() {
        // Control characters would move the cursor of a terminal.
        f.write_char(if c.is_control() && c != '\t' {
            '\u{fffd}'
        } else {
            c
        })?;
    }
    if cut_after {
        f.write_char('…')?;
    }
    Ok(())
}

/// The part of a line to show, around the marked part. A line that is short enough is shown whole.
#[inline]
fn window(line: &str, mark_start: usize, mark_end: usize) -> (usize, usize) {
    if line.chars().count() <= WIDTH {
        return (0, line.len());
    }
    let backwards = line[..mark_start].char_indices().rev();
    let first = backwards.take(WIDTH_BEFORE).last();
    let start = first.map_or(mark_start, |(at, _)| at);
    let first_after = line[start..].char_indices().nth(WIDTH);
    let end = first_after.map_or(line.len(), |(at, _)| start + at);
    debug_assert!(start <= mark_start && mark_start <= mark_end);
    (start, end)
}

#[inline]
fn blanks(f: &mut fmt::Formatter<'_>, count: usize) -> fmt::Result {
    for _ in 0..count {
        f.write_str(" ")?;
    }
    Ok(())
}

#[inline]
fn digits(number: usize) -> usize {
    number.checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// The columns that a character takes in a terminal: two for the wide scripts of East Asia and
/// for emoji, none for marks that combine. An estimate: the exact table is large.
#[inline]
fn columns(c: char) -> usize {
    match c as u32 {
        0x300..=0x36f | 0x200b..=0x200f | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}
