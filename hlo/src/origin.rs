//! Groups arrays by origin: opcode, `op_name`, or line of the program.
//!
//! The text of an instruction states its origin after the operands, so the module is read as a
//! graph.

use std::collections::{HashMap, HashSet};

use super::findings::Scope;
use super::graph::{Instruction, Module};
use super::group::Group;
use super::tally::{Bytes, Leaf, Tally};

/// The name of the group that an instruction belongs to.
type Name = fn(&Module, &Instruction) -> String;

/// Sums over the arrays of each origin.
#[derive(Debug)]
pub struct Origins {
    name: Name,
    scope: Scope,
    groups: Groups,
    /// The groups of the file that is being read.
    of_file: Groups,
}

/// The bytes and the numbers of the distinct arrays of each name.
type Groups = HashMap<String, (Bytes, HashSet<u32>)>;

impl Origins {
    /// Begins sums by this name over the results in the scope.
    pub fn new(name: Name, scope: Scope) -> Self {
        Self {
            name,
            scope,
            groups: Groups::new(),
            of_file: Groups::new(),
        }
    }

    /// Counts the arrays of a module.
    pub fn count(&mut self, module: &Module, tally: &Tally) {
        let Self { name, scope, .. } = *self;
        for (number, computation) in module.computations.iter().enumerate() {
            let in_entry = module.entry == Some(number as u32);
            if !in_entry && scope.entry {
                continue;
            }
            for instruction in &computation.instructions {
                let leaves = match scope.views {
                    true => module.leaves(instruction),
                    false => module.owned(instruction, in_entry),
                };
                let name = name(module, instruction);
                for number in leaves.into_iter().filter_map(Leaf::array) {
                    let array = &tally.arrays[number as usize];
                    let group = self.of_file.entry(name.clone()).or_default();
                    group.1.insert(number);
                    group.0 += array.times(1);
                }
            }
        }
    }

    /// Ends a file. Its arrays count only if the file was read completely.
    pub fn end_file(&mut self, is_whole: bool) {
        for (name, (bytes, arrays)) in std::mem::take(&mut self.of_file) {
            if is_whole {
                let group = self.groups.entry(name).or_default();
                group.0 += bytes;
                group.1.extend(arrays);
            }
        }
    }

    /// Returns the groups of all files that were read completely.
    pub fn groups(self) -> Vec<Group> {
        let group = |(name, (bytes, arrays)): (_, (_, HashSet<u32>))| Group {
            name,
            distinct: arrays.len() as u64,
            bytes,
        };
        self.groups.into_iter().map(group).collect()
    }
}
