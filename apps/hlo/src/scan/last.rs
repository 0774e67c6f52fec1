//! The arrays of the last computation. It is the entry if the text marks none, which is known only
//! at the end of the module, when the computation is no longer in memory.

use hashbrown::HashMap;

use crate::arrays::Arrays;
use crate::findings::{Findings, Scope};
use crate::opcode::Opcode;
use crate::tally::Leaf;

/// What the instructions of a computation gave, each distinct result once.
#[derive(Default)]
pub(super) struct Last {
    /// Whether it is a computation with a header; otherwise, instructions outside of all of them.
    is_headed: bool,
    results: HashMap<Given, u64>,
}

/// An array of a result, and how it counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Given {
    leaf: Leaf,
    was_counted: bool,
    /// Whether it counts as a result of the entry.
    counts: bool,
    is_move: bool,
}

impl Last {
    /// Begins a computation.
    pub(super) fn begin(&mut self, is_headed: bool) {
        self.is_headed = is_headed;
        self.results.clear();
    }

    /// Adds a result of an instruction that is not in an entry.
    pub(super) fn add(&mut self, scope: Scope, opcode: Opcode, arrays: &Arrays, is_headed: bool) {
        if !is_headed && self.is_headed {
            self.begin(false);
        }
        let views = |in_entry| scope.views || !opcode.is_view(in_entry);
        for &leaf in &arrays.leaves {
            let given = Given {
                leaf,
                was_counted: !scope.entry && views(false),
                counts: views(true),
                is_move: opcode.moves_array(),
            };
            *self.results.entry(given).or_default() += 1;
        }
    }

    /// Counts the results as those of the entry; returns whether that is a computation with a
    /// header.
    pub(super) fn enter(&mut self, findings: &mut Findings<'_>) -> bool {
        let is_any = !self.results.is_empty();
        for (given, times) in self.results.drain() {
            for _ in 0..times {
                if given.was_counted {
                    findings.tally.enter(given.leaf);
                } else if given.counts {
                    findings.tally.count(given.leaf, true);
                }
                if given.is_move {
                    findings.tally.count_move(given.leaf);
                }
            }
        }
        std::mem::take(&mut self.is_headed) && is_any
    }
}
