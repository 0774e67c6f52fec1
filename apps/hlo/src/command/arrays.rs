//! The arrays of all files.

use std::path::PathBuf;

use super::arguments::{Arguments, By, Sort};
use crate::group::{self, Group};
use crate::oom::Reports;
use crate::{Array, Extent, Findings, Mistakes, Modules, Scope, Tally, layout};

/// The arrays of all files, and the options for their output.
pub(super) struct Arrays {
    pub(super) scope: Scope,
    pub(super) files: Vec<(PathBuf, Extent)>,
    pub(super) tally: Tally,
    pub(super) modules: Modules,
    pub(super) mistakes: Mistakes,
    /// Whether only what ENTRY allocates is counted.
    pub(super) owned: bool,
    /// The reports of running out of memory, with their files.
    pub(super) reports: Vec<(PathBuf, Reports)>,
    /// Groups of instructions, if they are requested.
    pub(super) groups: Option<Vec<group::Group>>,
}

/// The number of an array in the tally, and how often it is counted.
pub(super) type Counted = (u32, u64);

/// A request and the arrays that were found.
pub(super) type Asked<'a> = (&'a Arguments, &'a Arrays);

impl Arrays {
    pub(super) fn new(found: Findings<'_>) -> Self {
        Self {
            scope: found.scope,
            files: found.files,
            tally: found.tally,
            modules: found.modules,
            mistakes: found.mistakes,
            owned: false,
            reports: Vec::new(),
            groups: None,
        }
    }

    /// Counts what ENTRY allocates, and nothing else.
    pub(super) fn keep_owned(&mut self, allocated: impl IntoIterator<Item = Counted>) {
        self.tally.keep(allocated);
        self.owned = true;
    }

    /// The groups of arrays. By shape, each distinct array is a group.
    pub(super) fn groups(&self, by: By, sort: Sort) -> Vec<Group> {
        if let Some(groups) = &self.groups {
            return groups.clone();
        }
        let name = |array: &Array| match by {
            By::Shape => array.shape.to_string(),
            By::Layout => layout(&array.array).to_string(),
            By::Type => array.array.element_type.to_string(),
            By::Space => array.memory_space.to_string(),
            By::Opcode | By::Scope | By::Source => {
                unreachable!("these groups are those of instructions, and are there already")
            }
        };
        group::groups(&self.tally, name, sort.key())
    }
}
