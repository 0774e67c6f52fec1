//! The first lines of modules, with the layouts of the entry computation.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::arrays::Arrays;

/// The largest number of arrays, over all entry layouts, that are kept.
const MOST_PARTS: usize = 1 << 17;
/// The largest number of modules that are kept; further ones are only counted.
const MOST_MODULES: usize = 1 << 14;

/// A module, as described by its first line.
#[derive(Debug, Default, Serialize)]
pub struct FirstLine {
    /// Its file.
    #[serde(skip)]
    pub file: PathBuf,
    /// The line on which it begins.
    pub line: u64,
    /// Its name.
    #[serde(rename = "module")]
    pub name: String,
    /// Whether the line contains an entry_computation_layout.
    #[serde(rename = "has_entry_computation_layout")]
    pub has_entry: bool,
    /// The arrays of the parameters.
    #[serde(skip)]
    pub parameters: Vec<EntryArray>,
    /// The arrays of the result.
    #[serde(skip)]
    pub results: Vec<EntryArray>,
}

/// An array of the entry computation's parameters or result.
#[derive(Debug)]
pub struct EntryArray {
    /// The number of the parameter; 0 for the result.
    pub number: u32,
    /// The index path in the parameter or in the result, if that is a tuple.
    pub index: Box<[u32]>,
    /// The number of the array in the tally.
    pub array: u32,
}

/// The modules of all files.
#[derive(Debug, Default)]
pub struct Modules {
    pub(crate) file: PathBuf,
    /// The first modules, up to a limit.
    pub all: Vec<FirstLine>,
    /// The number of modules.
    pub count: u64,
    parts: usize,
    /// The number of arrays of entry computations that were not kept.
    pub left_out: u64,
    before: Before,
}

/// What was counted before the open file.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    kept: usize,
    count: u64,
    parts: usize,
    left_out: u64,
}

impl Modules {
    /// Begins a file.
    pub(crate) fn open(&mut self, file: &Path) {
        self.file = file.to_owned();
        self.before = Before {
            kept: self.all.len(),
            count: self.count,
            parts: self.parts,
            left_out: self.left_out,
        };
    }

    /// Removes the modules of the open file, which cannot be read to its end.
    pub(crate) fn abandon(&mut self) {
        self.all.truncate(self.before.kept);
        self.count = self.before.count;
        self.parts = self.before.parts;
        self.left_out = self.before.left_out;
    }

    /// Adds the arrays of the parameter with this number, or of the result, to `parts`.
    pub(crate) fn add_parts(
        &mut self,
        arrays: &mut Arrays,
        number: u32,
        parts: &mut Vec<EntryArray>,
    ) {
        let paths = arrays.paths.take().unwrap_or_default();
        for (leaf, index) in arrays.leaves.iter().zip(paths) {
            let Some(array) = leaf.array() else {
                continue;
            };
            if parts.len() < MOST_PARTS {
                parts.push(EntryArray {
                    number,
                    index,
                    array,
                })
            } else {
                self.left_out += 1
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
