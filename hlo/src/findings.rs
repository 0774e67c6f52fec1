//! What is found in files.

use std::path::PathBuf;

use super::mistake::Mistakes;
use super::modules::Modules;
use super::tally::Tally;
use super::whole::Take;

/// Which results are counted.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// In ENTRY computations only.
    pub entry: bool,
    /// Results of operations that hand on memory that another instruction gave, too.
    pub views: bool,
}

impl Scope {
    /// All results.
    pub const ALL: Self = Self {
        entry: false,
        views: true,
    };
}

/// How much text there was.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// Bytes of the text.
    pub bytes: u64,
    /// How many computations it has.
    pub computations: u64,
    /// How many instructions it has.
    pub instructions: u64,
    /// The numbers of its modules among those of all files.
    pub modules: (usize, usize),
}

/// All that was found in the files.
pub struct Findings<'a> {
    /// Which results are counted.
    pub scope: Scope,
    /// Takes the graphs of modules; none are made without it.
    pub take: Option<&'a mut dyn Take>,
    /// What was read to its end, and how much that is.
    pub files: Vec<(PathBuf, Extent)>,
    /// The arrays.
    pub tally: Tally,
    /// The first lines of the modules.
    pub modules: Modules,
    /// What could not be read in the files.
    pub mistakes: Mistakes,
}

impl Findings<'_> {
    /// Nothing is found yet.
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
