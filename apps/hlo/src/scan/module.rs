//! The line `HloModule`, with the layouts of the entry computation.

use std::io::Read;

use super::{Scanner, Step};
use crate::modules::{EntryArray, FirstLine};
use crate::source::Mark;

impl<R: Read> Scanner<'_, '_, R> {
    /// Reads the line after the word `HloModule`.
    pub(super) fn module(&mut self, mark: Mark) -> Step {
        self.in_table = None;
        self.bodies.clear();
        self.end_module()?;
        self.entry = None;
        let open = self.computation.take();
        self.not_closed(open, "a module", mark)?;
        self.blanks(false)?;
        self.read_word()?;
        if self.word.is_empty() {
            return self.expected("the name of the module", "");
        }
        self.findings.mistakes.found_hlo();
        self.graph_module(mark);
        let mut module = FirstLine {
            file: self.findings.modules.file.clone(),
            line: mark.line,
            name: String::from_utf8_lossy(&self.word).into_owned(),
            ..FirstLine::default()
        };
        let done = self.module_attributes(&mut module);
        self.findings.modules.add(module);
        done
    }

    fn module_attributes(&mut self, module: &mut FirstLine) -> Step {
        loop {
            self.blanks(false)?;
            match self.source.peek()? {
                None => return Ok(()),
                Some(b'\n') if self.ends_here(b' ')? => return Ok(()),
                Some(b'\n') => {
                    self.source.bump()?;
                    continue;
                }
                Some(b',') => {
                    self.source.bump()?;
                    self.gap()?;
                }
                _ => return self.expected("`,` or the end of the line", ""),
            }
            let mark = self.source.mark();
            self.read_word()?;
            if self.word == b"entry_computation_layout" {
                module.has_entry = true;
                self.entry_layout(module)?;
            } else {
                self.graph_module_attribute(mark)?;
            }
        }
    }

    /// Reads `={(f32[2]{0}, s32[])->f32[2]{0}}`.
    fn entry_layout(&mut self, module: &mut FirstLine) -> Step {
        for bracket in [b'=', b'{', b'('] {
            self.token(bracket)?;
        }
        let mut number = 0;
        if self.source.peek()? != Some(b')') {
            loop {
                self.parts(number, &mut module.parameters)?;
                number += 1;
                match self.source.peek()? {
                    Some(b',') => self.token(b',')?,
                    Some(b')') => break,
                    _ => return self.expected("`,` or `)` behind the parameter", ""),
                }
            }
        }
        for bracket in [b')', b'-', b'>'] {
            self.token(bracket)?;
        }
        self.parts(0, &mut module.results)?;
        self.token(b'}')
    }

    /// Reads a shape and adds its arrays.
    fn parts(&mut self, number: u32, parts: &mut Vec<EntryArray>) -> Step {
        self.arrays.paths = Some(Vec::new());
        let done = self.shape();
        if done.is_err() {
            self.arrays.paths = None;
            return done;
        }
        self.findings
            .modules
            .add_parts(&mut self.arrays, number, parts);
        self.gap()
    }

    fn token(&mut self, byte: u8) -> Step {
        if self.source.peek()? != Some(byte) {
            let what = format!("`{}` in entry_computation_layout", byte as char);
            return self.expected(&what, "it is `{(f32[2]{0}, s32[])->f32[2]{0}}`");
        }
        self.source.bump()?;
        self.gap()
    }
}
