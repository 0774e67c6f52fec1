//! What is found in files.

use std::path::PathBuf;

use super::mistake::Mistakes;
use super::scan::{Extent, Modules, Scope};
use super::tally::Tally;
use super::whole::Take;

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
