//! The line `HloModule`, with the layouts of the entry computation.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::super::source::Mark;
use super::{Arrays, Scanner, Step};

/// Entry layouts of more arrays than this in all are not kept.
const MOST_PARTS: usize = 1 << 17;
/// More modules than this are counted only.
const MOST_MODULES: usize = 1 << 14;

/// A module, and what its first line says.
#[derive(Debug, Default)]
pub struct FirstLine {
    /// Its file.
    pub file: PathBuf,
    /// The line on which it begins.
    pub line: u64,
    /// Its name.
    pub name: String,
    /// Whether there is an entry_computation_layout.
    pub has_entry: bool,
    /// The arrays of the parameters.
    pub parameters: Vec<EntryArray>,
    /// The arrays of the result.
    pub results: Vec<EntryArray>,
}

/// An array of the entry computation's parameters or result.
#[derive(Debug)]
pub struct EntryArray {
    /// The number of the parameter; 0 of the result.
    pub number: u32,
    /// Where it is in the parameter or in the result, where that is a tuple.
    pub index: Box<[u32]>,
    /// The number of the array in the tally.
    pub array: u32,
}

/// The modules of all files.
#[derive(Debug, Default)]
pub struct Modules {
    pub(super) file: PathBuf,
    /// The first ones of them.
    pub all: Vec<FirstLine>,
    /// How many there are.
    pub count: u64,
    parts: usize,
    /// How many arrays of entry computations were not kept.
    pub left_out: u64,
    /// The numbers of modules, their count, `parts` and `left_out` before the open file.
    before: (usize, u64, usize, u64),
}

impl Modules {
    /// Begins with a file.
    pub(crate) fn open(&mut self, file: &Path) {
        self.file = file.to_owned();
        self.before = (self.all.len(), self.count, self.parts, self.left_out);
    }

    /// Takes back the modules of the open file, which cannot be read to its end.
    pub(crate) fn abandon(&mut self) {
        let (all, count, parts, left_out) = self.before;
        self.all.truncate(all);
        (self.count, self.parts, self.left_out) = (count, parts, left_out);
    }

    /// Notes the arrays of a parameter or of the result.
    pub(crate) fn parts(&mut self, arrays: &mut Arrays, number: u32, parts: &mut Vec<EntryArray>) {
        let paths = arrays.paths.take().unwrap_or_default();
        let arrays = arrays.leaves.iter().zip(paths);
        for (array, index) in arrays.filter_map(|(leaf, index)| Some((leaf.array()?, index))) {
            match parts.len() < MOST_PARTS {
                true => parts.push(EntryArray {
                    number,
                    index,
                    array,
                }),
                false => self.left_out += 1,
            }
        }
    }

    /// Adds a module.
    pub(crate) fn add(&mut self, mut module: FirstLine) {
        self.count += 1;
        let parts = module.parameters.len() + module.results.len();
        if self.all.len() >= MOST_MODULES || self.parts + parts > MOST_PARTS {
            self.left_out += parts as u64;
            module.parameters = Vec::new();
            module.results = Vec::new();
            if self.all.len() >= MOST_MODULES {
                return;
            }
        } else {
            self.parts += parts;
        }
        self.all.push(module);
    }
}

impl<R: Read> Scanner<'_, '_, R> {
    /// Reads the line behind the word `HloModule`.
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

    /// `={(f32[2]{0}, s32[])->f32[2]{0}}`
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

    /// Reads a shape and notes its arrays.
    fn parts(&mut self, number: u32, parts: &mut Vec<EntryArray>) -> Step {
        self.arrays.paths = Some(Vec::new());
        let done = self.shape();
        if done.is_err() {
            self.arrays.paths = None;
            return done;
        }
        (self.findings.modules).parts(&mut self.arrays, number, parts);
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
