//! Groups arrays, and sorts groups and arrays.
//!
//! Arrays are also grouped by origin: opcode, `op_name`, or line of the program. The text of an
//! instruction states its origin after the operands, so the module is read as a graph.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::findings::Scope;
use super::graph::{Instruction, Module};
use super::tally::{Array, Bytes, Leaf, Tally};

/// Arrays that have something in common.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// The number of distinct arrays.
    pub distinct: u64,
    /// Their bytes.
    pub bytes: Bytes,
}

/// The sort key: larger values come first, and equal ones are sorted by allocated bytes.
pub type Key = fn(Bytes) -> u128;

/// Returns the arrays in groups, one for each name.
pub fn groups(tally: &Tally, name: impl Fn(&Array) -> String, key: Key) -> Vec<Group> {
    let counted = (0..)
        .zip(&tally.arrays)
        .filter(|(_, array)| array.count > 0);
    let origin = |(k, array): (u32, &Array)| (name(array), (array.total(), HashSet::from([k])));
    of_origins(counted.map(origin), key)
}

/// Returns the arrays that were counted, sorted by a key, the largest first.
pub fn arrays(tally: &Tally, key: Key) -> Vec<&Array> {
    let mut arrays: Vec<&Array> = tally.counted().collect();
    arrays.sort_by(|a, b| rank(key, a.total(), &a.shape).cmp(&rank(key, b.total(), &b.shape)));
    arrays
}

/// The rank, in ascending order; equal ones are sorted by name, so that every run gives the same
/// order.
fn rank(key: Key, bytes: Bytes, name: &str) -> (Reverse<(u128, u128)>, &str) {
    (Reverse((key(bytes), bytes.allocated)), name)
}

/// The bytes, and the numbers of the distinct arrays.
pub type Origin = (Bytes, HashSet<u32>);

/// What each group of instructions has, by its name.
pub type Origins = HashMap<String, Origin>;

/// Adds an array to the group of this name.
pub fn put(origins: &mut Origins, name: String, number: u32, tally: &Tally) {
    let group = origins.entry(name).or_default();
    group.0 += tally.arrays[number as usize].times(1);
    group.1.insert(number);
}

/// Sums the arrays of a module by the `name` of the group that their instruction belongs to: those
/// of the results in the scope.
pub fn origins(
    module: &Module,
    tally: &Tally,
    scope: Scope,
    name: impl Fn(&Module, &Instruction) -> String,
) -> Origins {
    let mut origins = Origins::new();
    for (number, computation) in module.computations.iter().enumerate() {
        let in_entry = module.entry == Some(number as u32);
        if !in_entry && scope.entry {
            continue;
        }
        for instruction in &computation.instructions {
            if !scope.views && module.opcode(instruction).is_view(in_entry) {
                continue;
            }
            let name = name(module, instruction);
            for number in module
                .leaves(instruction)
                .into_iter()
                .filter_map(Leaf::array)
            {
                put(&mut origins, name.clone(), number, tally);
            }
        }
    }
    origins
}

/// Returns the groups of what has their names, sorted by a key, the largest first.
pub fn of_origins(all: impl IntoIterator<Item = (String, Origin)>, key: Key) -> Vec<Group> {
    let mut groups = Origins::new();
    for (name, (bytes, arrays)) in all {
        let group = groups.entry(name).or_default();
        group.0 += bytes;
        group.1.extend(arrays);
    }
    let group = |(name, (bytes, arrays)): (_, Origin)| Group {
        name,
        distinct: arrays.len() as u64,
        bytes,
    };
    let mut groups: Vec<Group> = groups.into_iter().map(group).collect();
    groups.sort_by(|a, b| rank(key, a.bytes, &a.name).cmp(&rank(key, b.bytes, &b.name)));
    groups
}
