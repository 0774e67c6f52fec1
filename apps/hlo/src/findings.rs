//! What is found in files.

use std::path::PathBuf;

use serde::Serialize;

use super::mistake::Mistakes;
use super::modules::Modules;
use super::tally::Tally;
use super::whole::Take;

/// Which results are counted.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// In ENTRY computations only.
    pub entry: bool,
    /// Also results of operations that pass on memory of another instruction.
    pub views: bool,
}

impl Scope {
    /// All results.
    pub const ALL: Self = Self {
        entry: false,
        views: true,
    };
}

/// The length of a text.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Extent {
    /// Bytes of the text.
    pub bytes: u64,
    /// How many computations it has.
    pub computations: u64,
    /// How many instructions it has.
    pub instructions: u64,
    /// How many lines of a log are neither empty nor HLO.
    #[serde(skip_serializing_if = "is_zero")]
    pub other_lines: u64,
    /// In how many modules no computation is marked as ENTRY, so that the last one is taken for it.
    #[serde(skip)]
    pub entries_assumed: u64,
    /// The number of its first module among those of all files, and the number after its last one.
    #[serde(skip)]
    pub modules: (usize, usize),
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The findings in the files.
pub struct Findings<'a> {
    /// Which results are counted.
    pub scope: Scope,
    /// Receives the graphs of the modules; without it no graph is made.
    pub take: Option<&'a mut dyn Take>,
    /// The files that were read to the end, with their lengths.
    pub files: Vec<(PathBuf, Extent)>,
    /// The arrays.
    pub tally: Tally,
    /// The first lines of the modules.
    pub modules: Modules,
    /// What could not be read in the files.
    pub mistakes: Mistakes,
}

impl Findings<'_> {
    /// Begins without findings.
    #[must_use]
    pub fn new(scope: Scope, mistakes: Mistakes) -> Self {
        Self {
            scope,
            take: None,
            files: Vec::new(),
            tally: Tally::default(),
            modules: Modules::default(),
            mistakes,
        }
    }
}
