//! HLO in quotes, as Python and JSON print a text: `'HloModule m\n\nENTRY main {\n …'`, in one line.

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

/// Puts what is meant in the place of each backslash with a letter. The last one may be open.
pub(crate) fn unescape(bytes: &mut Vec<u8>, is_open: &mut bool) {
    let meant = |byte| match byte {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        byte => byte,
    };
    let mut kept = 0;
    for at in 0..bytes.len() {
        let byte = bytes[at];
        if byte == b'\\' && !*is_open {
            *is_open = true;
            continue;
        }
        bytes[kept] = if *is_open { meant(byte) } else { byte };
        *is_open = false;
        kept += 1;
    }
    bytes.truncate(kept);
}

/// A text in which no backslash stands for another letter.
pub(crate) struct Unescaped<R> {
    input: R,
    /// What was read and not given yet, from `at` on.
    buffer: Vec<u8>,
    at: usize,
    is_open: bool,
}

impl<R> Unescaped<R> {
    pub(crate) const fn new(input: R) -> Self {
        Self {
            input,
            buffer: Vec::new(),
            at: 0,
            is_open: false,
        }
    }
}

impl<R: Read> Read for Unescaped<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while self.at == self.buffer.len() {
            self.buffer.resize(out.len().max(1), 0);
            self.at = 0;
            let read = self.input.read(&mut self.buffer);
            self.buffer.truncate(*read.as_ref().unwrap_or(&0));
            if read? == 0 {
                return Ok(0);
            }
            unescape(&mut self.buffer, &mut self.is_open);
        }
        let read = (&self.buffer[self.at..]).read(out)?;
        self.at += read;
        Ok(read)
    }
}
