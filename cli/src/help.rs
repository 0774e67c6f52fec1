//! The texts of `xlayout --help`. Each command writes its own beside its arguments.

use std::fmt::Write;

use anstyle::Style;

use crate::failure::Code;

/// The headings of clap's own sections.
const HEADING: Style = Style::new().bold().underline();
/// What is to be typed.
const LITERAL: Style = Style::new().bold();

pub(crate) const ABOUT: &str = "\
See how the elements of an array lie in memory.

A layout is written as XLA prints it, such as f32[2,3]{0,1} or bf16[100,3]{1,0:T(8,128)(2,1)}. \
Put it in quotes: shells read braces, brackets and parentheses themselves.";

/// A heading of a help text, in the style of clap's own.
fn heading(text: &str) -> String {
    format!("{HEADING}{text}:{HEADING:#}")
}

/// Items, each with its meaning in the line after it.
pub(crate) fn pairs(text: &str) -> Vec<(&str, &str)> {
    let mut lines = text.lines();
    std::iter::from_fn(|| Some((lines.next()?, lines.next()?.trim_start()))).collect()
}

/// Commands to copy, each with a line that says what it shows.
pub(crate) fn examples(lines: &[(&str, &str)]) -> String {
    described("Examples", lines)
}

/// A heading and what is under it, each item with a line of its own that explains it.
pub(crate) fn described(title: &str, items: &[(&str, &str)]) -> String {
    let mut text = heading(title);
    for (item, meaning) in items {
        let _ = write!(text, "\n  {LITERAL}{item}{LITERAL:#}\n      {meaning}");
    }
    text
}

pub(crate) const EXAMPLES: &str = "\
xlayout explain 'bf16[100,3]{1,0:T(8,128)(2,1)}'
    What it means: tiles, strides, padding, bytes
xlayout draw 'f32[4,6]{0,1:T(2,4)}'
    A picture of it, in the sequence of memory
xlayout diff 'f32[64,48]{1,0}' 'f32[64,48]{0,1}'
    What lies elsewhere, and what a copy costs
xlayout hlo module.txt
    The arrays of a compiled program, and what their padding costs
xlayout convert a.npy b.npy --to '{0,1}'
    The same array in another layout";

/// What the parts of a shape mean; each line has the part in its first ten columns.
const PARTS: &str = "\
bf16      the type of an element
[100,3]   the sizes, dimension 0 first; <=8 is one that changes, 8 at most
{1,0}     minor_to_major: the dimension that varies fastest in memory first,
          so {1,0} is row-major (C), {0,1} column-major (Fortran)
T(8,128)  tiles: blocks of 8 × 128 stored whole; T(8,128)(2,1) cuts them again
E(4)      an element takes 4 bits
L(64)     the end is padded to a multiple of 64 elements
S(5)      the memory space: 0 is the device's own, 5 the host's
(a, b)    a tuple of shapes";

/// The parts of a shape, each with its meaning; a part of no text goes on with the one before it.
pub(crate) fn parts() -> impl Iterator<Item = (&'static str, &'static str)> {
    PARTS
        .lines()
        .map(|line| (line[..10].trim_end(), &line[10..]))
}

/// Below `xlayout -h`.
pub(crate) fn shortly() -> String {
    format!(
        "Try {LITERAL}xlayout explain 'f32[2,3]{{0,1}}'{LITERAL:#}, and {LITERAL}--help{LITERAL:#} for more: \
         how to read a shape, examples, exit codes."
    )
}

/// Below `xlayout --help`.
pub(crate) fn at_length() -> String {
    let examples = examples(&pairs(EXAMPLES));
    format!("{}\n\n{examples}\n\n{}", how_to_read(), exit_codes())
}

/// How to read a shape.
pub(crate) fn how_to_read() -> String {
    let mut text = heading("How to read a shape");
    for (part, meaning) in parts() {
        let blanks = 10 - part.len();
        let _ = write!(
            text,
            "\n  {LITERAL}{part}{LITERAL:#}{:blanks$}{meaning}",
            ""
        );
    }
    text
}

fn exit_codes() -> String {
    let mut text = heading("Exit codes");
    for (code, meaning) in Code::MEANINGS.iter().enumerate() {
        let _ = write!(text, "\n  {LITERAL}{code}{LITERAL:#}  {meaning}");
    }
    text
}
