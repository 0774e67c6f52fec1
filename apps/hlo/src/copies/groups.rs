//! Sums of the copies of several modules, by group.

use std::collections::HashMap;

use serde::Serialize;

use super::context::Context;
use super::find::{Kind, Move, find};
use super::{Overlap, Traffic, time};
use crate::graph::{Instruction, Module};
use crate::tally::Tally;
use xlayout_words::{number, sum};

/// Copies that have something in common.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// The number of operations, without those in `moved`.
    pub copies: usize,
    /// Bytes that these operations read and write.
    #[serde(serialize_with = "number")]
    pub bytes: u128,
    /// The number of operations that move an array to another memory space and change nothing else,
    /// such as prefetches.
    pub moved: usize,
    /// Bytes that these operations read and write.
    #[serde(serialize_with = "number")]
    pub moved_bytes: u128,
    /// The bytes of both kinds from which a bandwidth gives a time.
    #[serde(flatten)]
    pub traffic: Traffic,
    /// The number of operations of both kinds that run while others compute.
    #[serde(skip)]
    pub hidden: usize,
}

impl Group {
    /// The number of operations of both kinds, and the bytes that they read and write.
    #[must_use]
    pub fn all(&self) -> (usize, u128) {
        let bytes = sum([self.bytes, self.moved_bytes]);
        (self.copies + self.moved, bytes)
    }

    pub(super) fn add(&mut self, context: &Context<'_>, copy: &Move) {
        let (count, bytes) = match copy.kind {
            Kind::MemorySpace => (&mut self.moved, &mut self.moved_bytes),
            _ => (&mut self.copies, &mut self.bytes),
        };
        *count += 1;
        *bytes = sum([*bytes, copy.total()]);
        let overlap = time::overlap(context, copy);
        self.hidden += usize::from(matches!(overlap, Overlap::Hidden(_)));
        self.traffic += time::traffic(context, copy, overlap);
    }
}

/// The copies of several modules, grouped by the names of their instructions.
#[derive(Debug, Default)]
pub struct Groups(HashMap<String, Group>);

impl Groups {
    /// Adds the copies of a module.
    pub fn add(
        &mut self,
        module: &Module,
        tally: &Tally,
        name: impl Fn(&Module, &Instruction) -> String,
    ) {
        let context = Context::new(module, tally);
        for copy in find(&context).moves {
            let name = name(module, context.instruction(copy.at));
            self.0.entry(name).or_default().add(&context, &copy);
        }
    }

    /// Returns the groups, those whose copies have most bytes first; among equal ones, those with
    /// most bytes moved.
    #[must_use]
    pub fn sorted(self) -> Vec<Group> {
        let named = |(name, group)| Group { name, ..group };
        let mut groups: Vec<Group> = self.0.into_iter().map(named).collect();
        let rank = |group: &Group| std::cmp::Reverse((group.bytes, group.moved_bytes));
        groups.sort_by(|a, b| (rank(a), &a.name).cmp(&(rank(b), &b.name)));
        groups
    }
}
