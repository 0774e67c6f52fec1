//! Arrays in groups, and both sorted.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::tally::{Array, Bytes, Tally};

/// Arrays that have something in common.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// How many distinct arrays they are.
    pub distinct: u64,
    /// Their bytes.
    pub bytes: Bytes,
}

/// What arrays are sorted by: the more the earlier, and equals by what they allocate.
pub type Key = fn(Bytes) -> u128;

/// The groups of the arrays that have one name.
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

/// Sorts groups.
pub fn sort(groups: &mut [Group], by: Key) {
    groups.sort_by(|a, b| rank(by, a.bytes, &a.name).cmp(&rank(by, b.bytes, &b.name)));
}

/// The arrays that were counted.
pub fn arrays(tally: &Tally, by: Key) -> Vec<&Array> {
    let mut arrays: Vec<&Array> = tally.counted().collect();
    arrays.sort_by(|a, b| rank(by, a.total(), &a.shape).cmp(&rank(by, b.total(), &b.shape)));
    arrays
}

/// What is less is first; equals by their names, so that every run answers alike.
fn rank(by: Key, bytes: Bytes, name: &str) -> (Reverse<(u128, u128)>, &str) {
    (Reverse((by(bytes), bytes.allocated)), name)
}
