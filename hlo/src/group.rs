//! Groups arrays, and sorts groups and arrays.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::tally::{Array, Bytes, Tally};

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
pub fn groups(tally: &Tally, name: impl Fn(&Array) -> String, by: Key) -> Vec<Group> {
    let mut groups: HashMap<String, Group> = HashMap::new();
    for array in tally.counted() {
        let group = groups.entry(name(array)).or_default();
        group.distinct += 1;
        group.bytes += array.total();
    }
    let named = |(name, group)| Group { name, ..group };
    let mut groups: Vec<Group> = groups.into_iter().map(named).collect();
    sort(&mut groups, by);
    groups
}

/// Sorts groups by a key, the largest first.
pub fn sort(groups: &mut [Group], by: Key) {
    groups.sort_by(|a, b| rank(by, a.bytes, &a.name).cmp(&rank(by, b.bytes, &b.name)));
}

/// Returns the arrays that were counted, sorted by a key, the largest first.
pub fn arrays(tally: &Tally, by: Key) -> Vec<&Array> {
    let mut arrays: Vec<&Array> = tally.counted().collect();
    arrays.sort_by(|a, b| rank(by, a.total(), &a.shape).cmp(&rank(by, b.total(), &b.shape)));
    arrays
}

/// The rank, in ascending order; equal ones are sorted by name, so that every run gives the same
/// order.
fn rank(by: Key, bytes: Bytes, name: &str) -> (Reverse<(u128, u128)>, &str) {
    (Reverse((by(bytes), bytes.allocated)), name)
}
