//! Arrays in groups, and both sorted.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::arguments::{By, Sort};
use super::tally::{Array, Bytes, Tally};

/// Arrays that have something in common.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) distinct: u64,
    pub(crate) bytes: Bytes,
}

/// The groups of arrays by layout, element type or memory space; by shape each array is one.
pub(crate) fn groups(tally: &Tally, by: By, sort: Sort) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for array in tally.counted() {
        let name = match by {
            By::Shape => array.shape.to_string(),
            By::Layout => array.layout().to_owned(),
            By::Type => array.element_type().to_owned(),
            By::Space => array.memory_space.to_string(),
            By::Opcode | By::Scope | By::Source => {
                unreachable!("these groups are those of instructions: `origin` makes them")
            }
        };
        let place = *places.entry(name).or_insert_with_key(|name| {
            groups.push(Group {
                name: name.clone(),
                distinct: 0,
                bytes: Bytes::default(),
            });
            groups.len() - 1
        });
        groups[place].distinct += 1;
        groups[place].bytes += array.total();
    }
    self::sort(&mut groups, sort);
    groups
}

pub(crate) fn sort(groups: &mut [Group], by: Sort) {
    groups.sort_by(|a, b| rank(by, a.bytes, &a.name).cmp(&rank(by, b.bytes, &b.name)));
}

/// The arrays that were counted.
pub(crate) fn arrays(tally: &Tally, sort: Sort) -> Vec<&Array> {
    let mut arrays: Vec<&Array> = tally.counted().collect();
    arrays.sort_by(|a, b| rank(sort, a.total(), &a.shape).cmp(&rank(sort, b.total(), &b.shape)));
    arrays
}

/// What is less is first; equals by their names, so that every run answers alike.
fn rank(sort: Sort, bytes: Bytes, name: &str) -> (Reverse<(u128, u128)>, &str) {
    let first = match sort {
        Sort::Allocated => bytes.allocated,
        Sort::Padding => bytes.padding(),
        // In parts of 2^32.
        Sort::Waste => (bytes.padding() << 32)
            .checked_div(bytes.allocated)
            .unwrap_or(0),
        Sort::Count => bytes.count,
        Sort::Name => 0,
    };
    let second = match sort {
        Sort::Name => 0,
        _ => bytes.allocated,
    };
    (Reverse((first, second)), name)
}
