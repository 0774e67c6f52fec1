//! HLO in quotes, as Python and JSON print a text: `'HloModule m\n\nENTRY main {\n …'`, in one
//! line.

use std::io::{self, Read};

/// Whether a line of a text has a module with the line breaks of its instructions as `\n`.
pub(crate) fn is_quoted(first: &[u8]) -> bool {
    let find = |line: &[u8], word: &[u8]| line.windows(word.len()).position(|part| part == word);
    let mut lines = first.split(|&byte| byte == b'\n');
    lines.any(|line| {
        let module = find(line, b"HloModule ").map(|at| &line[at..]);
        let has = |word| module.is_some_and(|module| find(module, word).is_some());
        has(b"\\n") && has(b" parameter(")
    })
}

/// Puts what is meant in the place of each backslash with a letter; returns the new length. The
/// last one may be open.
pub(crate) fn unescape(bytes: &mut [u8], is_open: &mut bool) -> usize {
    let mut length = 0;
    for at in 0..bytes.len() {
        let byte = bytes[at];
        let was_open = std::mem::replace(is_open, byte == b'\\' && !*is_open);
        if *is_open {
            continue;
        }
        bytes[length] = match byte {
            b'n' if was_open => b'\n',
            b't' if was_open => b'\t',
            b'r' if was_open => b'\r',
            byte => byte,
        };
        length += 1;
    }
    length
}

/// A text in which no backslash stands for another letter.
pub(crate) struct Unescaped<R> {
    pub(crate) input: R,
    pub(crate) is_open: bool,
}

impl<R: Read> Read for Unescaped<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.input.read(out)?;
            let length = unescape(&mut out[..read], &mut self.is_open);
            // A backslash alone is no end.
            if length > 0 || read == 0 {
                return Ok(length);
            }
        }
    }
}
