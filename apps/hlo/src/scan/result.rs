//! The shape of a result: an array, or a tuple of any depth, leaf by leaf.

use std::io::Read;

use super::{Scanner, Step, is_name};
use crate::source::{AHEAD, run};
use crate::tally::Leaf;

/// The largest nesting depth of tuples.
const MOST_NESTED: usize = xlayout::shape::text::MAX_DEPTH;
/// The largest number of arrays in one result.
const MOST_LEAVES: usize = 1 << 20;

/// Where the text of a shape ends, which begins with the name of its element type.
enum End {
    At(usize),
    /// After this number of bytes, something else is expected.
    Expected(usize, &'static str),
    TooLong,
}

impl<R: Read> Scanner<'_, '_, R> {
    /// Reads a shape into `arrays`.
    pub(super) fn shape(&mut self) -> Step {
        self.arrays.clear();
        loop {
            let rest = self.source.rest(2)?;
            let is_buffer = rest.starts_with(b"b(");
            if rest.starts_with(b"(") {
                if self.arrays.open.len() >= MOST_NESTED {
                    let message = format!("tuples are nested more than {MOST_NESTED} deep");
                    return self.mistake_here(1, message, "");
                }
                self.source.skip(1);
                self.arrays.open();
                self.gap()?;
                if self.source.peek()? != Some(b')') {
                    continue;
                }
            } else {
                // `b(f32[2]{0})`, a buffer: the array in it is no item of a tuple.
                self.source.skip(if is_buffer { 2 } else { 0 });
                let leaf = self.leaf()?;
                if is_buffer {
                    self.gap()?;
                    if self.source.peek()? != Some(b')') {
                        return self.expected("`)` behind the buffer", "");
                    }
                    self.source.bump()?;
                }
                if self.arrays.leaves.len() >= MOST_LEAVES {
                    let message = format!("a result of more than {MOST_LEAVES} arrays");
                    return self.mistake_here(0, message, "");
                }
                self.arrays.leaf(leaf);
            }
            // After an item: the ends of tuples, or a comma and the next item.
            loop {
                if self.arrays.open.is_empty() {
                    return Ok(());
                }
                self.gap()?;
                match self.source.peek()? {
                    Some(b')') => {
                        self.source.bump()?;
                        self.arrays.close();
                    }
                    Some(b',') => {
                        self.source.bump()?;
                        self.gap()?;
                        break;
                    }
                    _ => return self.expected("`,` or `)` in the tuple", ""),
                }
            }
        }
    }

    /// Reads an array, `token[]` or `opaque[]`.
    fn leaf(&mut self) -> Step<Leaf> {
        let rest = self.source.ahead(AHEAD)?;
        match leaf_end(rest) {
            End::At(end) => match self.findings.tally.leaf(&rest[..end]) {
                Ok(leaf) => {
                    self.source.skip(end);
                    Ok(leaf)
                }
                Err(wrong) => {
                    let span = wrong.span.unwrap_or(0..end);
                    self.source.skip(span.start.min(end));
                    self.mistake_here(span.len(), wrong.message, &wrong.help)
                }
            },
            End::Expected(at, what) => {
                self.source.skip(at);
                self.expected(
                    what,
                    "a shape is like `f32[2,3]{1,0}`; tuples have parentheses",
                )
            }
            End::TooLong => self.mistake_here(1, format!("a shape of more than {AHEAD} bytes"), ""),
        }
    }
}

/// Finds the end of `f32[2,3]{1,0:T(8,128)}` or of `f32[2,3]`.
fn leaf_end(text: &[u8]) -> End {
    let name = run(text, is_name);
    if name == 0 {
        return End::Expected(0, "a shape");
    }
    let at = name + blanks(&text[name..]);
    if text.get(at) != Some(&b'[') {
        return if at < text.len() || at < AHEAD {
            End::Expected(0, "a shape")
        } else {
            End::TooLong
        };
    }
    let dims = match closing(text, at, b']') {
        End::At(end) => end,
        other => return other,
    };
    let at = dims + blanks(&text[dims..]);
    match text.get(at) {
        Some(b'{') => closing(text, at, b'}'),
        _ => End::At(dims),
    }
}

fn blanks(text: &[u8]) -> usize {
    run(text, |byte| byte == b' ')
}

/// Finds the end of a list that begins at `at`; no list of a shape contains other characters than
/// these.
fn closing(text: &[u8], at: usize, bracket: u8) -> End {
    let what = match bracket {
        b']' => "`]` behind the sizes",
        _ => "`}` behind the layout",
    };
    for (k, &byte) in text.iter().enumerate().skip(at + 1) {
        match byte {
            _ if byte == bracket => return End::At(k + 1),
            b'\n' | b'{' | b'[' | b'%' => return End::Expected(k, what),
            _ => {}
        }
    }
    if text.len() < AHEAD {
        End::Expected(text.len(), what)
    } else {
        End::TooLong
    }
}
