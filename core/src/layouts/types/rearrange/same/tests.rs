//! Changes of dimensions against all linear indices of both layouts.

use std::vec::Vec;

use super::super::change::ChangeOf;
use super::same_memory;
use crate::modes::{Source, Table};
use crate::{ArrayLayout, ArrayShape, DynCoordinates, DynLayout};

fn table(shape: &ArrayShape) -> Table {
    Table::new(&Source::of(shape, shape.layout.as_ref().unwrap())).unwrap()
}

/// Layouts of few sizes, of which many are the same memory.
fn layouts() -> Vec<ArrayShape> {
    let mut texts = std::vec![];
    for sizes in ["2,3", "3,2", "4,6", "6,4", "2,1", "1,2", "4,4"] {
        for attributes in [
            "",
            ":T(2,2)",
            ":T(2,3)",
            ":T(3,2)",
            ":T(*,2)",
            ":T(4)(3)",
            ":T(3,4)(2,3)",
            ":L(5)",
            ":E(64)",
        ] {
            for order in ["1,0", "0,1"] {
                texts.push(std::format!("f32[{sizes}]{{{order}{attributes}}}"));
            }
        }
        texts.push(std::format!(
            "f32[{sizes}]{{1,0}}, padded_dimensions = [7, 8]"
        ));
        texts.push(std::format!(
            "f32[{sizes}]{{0,1}}, padded_dimensions = [8, 7]"
        ));
    }
    for sizes in ["2,3,1", "2,1,3", "1,2,3", "3,2,1", "2,2,3"] {
        for order in ["2,1,0", "0,1,2", "1,0,2", "1,2,0", "2,0,1", "0,2,1"] {
            for attributes in ["", ":T(2,2)", ":T(*,2)"] {
                texts.push(std::format!("f32[{sizes}]{{{order}{attributes}}}"));
            }
        }
    }
    for vector in ["f32[2]{0}", "f32[6]{0:T(4)(3)}", "f32[1]{0}", "f32[]"] {
        texts.push(vector.into());
    }
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// What the change makes of a list, `new` being the item of a new dimension.
fn changed(change: ChangeOf, list: &[usize], new: usize) -> Vec<usize> {
    let mut list = list.to_vec();
    match change {
        ChangeOf::Permute(numbers) => return numbers.iter().map(|&n| list[n]).collect(),
        ChangeOf::Insert(at) => list.insert(at, new),
        ChangeOf::Delete(at) => drop(list.remove(at)),
    }
    list
}

/// By all indices: the sizes are the changed ones, every element stays, and as much is allocated.
fn stays(change: ChangeOf, from: &DynLayout, to: &DynLayout) -> bool {
    let index = |i: &DynCoordinates| DynCoordinates::from(&changed(change, i, 0)[..]);
    changed(change, from.dims(), 1) == to.dims()
        && from.buffer_len() == to.buffer_len()
        && from.element_bits() == to.element_bits()
        && from.indices().all(|i| {
            let i = i.coordinates();
            from.linear_index(i) == to.linear_index(&index(i))
        })
}

#[test]
fn same_memory_is_every_element_in_its_place() {
    let layouts = layouts();
    let lowered: Vec<(Table, DynLayout)> = layouts
        .iter()
        .map(|shape| (table(shape), DynLayout::new(shape.clone()).unwrap()))
        .collect();
    let mut same = 0;
    let mut other = 0;
    for (from, from_dyn) in &lowered {
        for (to, to_dyn) in &lowered {
            let a = from_dyn.rank();
            let b = to_dyn.rank();
            let mut changes: Vec<ChangeOf> = Vec::new();
            if a == b {
                changes.extend(
                    [
                        &[0, 1][..],
                        &[1, 0],
                        &[0, 1, 2],
                        &[2, 0, 1],
                        &[1, 0, 2],
                        &[0],
                    ]
                    .iter()
                    .filter(|numbers| numbers.len() == a)
                    .map(|numbers| ChangeOf::Permute(numbers)),
                );
            } else if b == a + 1 {
                changes.extend((0..=a).map(ChangeOf::Insert));
            } else if a == b + 1 {
                let units = (0..a).filter(|&d| from_dyn.dims()[d] == 1);
                changes.extend(units.map(ChangeOf::Delete));
            }
            for change in changes {
                // Sizes are part of the type: what does not fit them is not asked.
                if changed(change, from_dyn.dims(), 1) != to_dyn.dims() {
                    continue;
                }
                let expected = stays(change, from_dyn, to_dyn);
                let found = same_memory(change, from, a, to, b);
                assert_eq!(
                    found,
                    expected,
                    "{from_dyn} {to_dyn} {:?}",
                    changed(change, &[0, 1, 2][..a], 9)
                );
                *(if found { &mut same } else { &mut other }) += 1;
            }
        }
    }
    assert!(same > 100 && other > 1_000, "{same} {other}");
}

#[test]
fn run_time_sizes_multiply_alike_or_not() {
    let table = |text: &str| table(&text.parse().unwrap());
    let swap = ChangeOf::Permute(&[1, 0]);
    let same = |from: &str, to: &str| same_memory(swap, &table(from), 2, &table(to), 2);
    assert!(same("f32[?,3]{1,0}", "f32[3,?]{0,1}"));
    assert!(same("f32[?,?]{1,0}", "f32[?,?]{0,1}"));
    assert!(same("f32[3,?]{1,0:T(2,2)}", "f32[?,3]{0,1:T(2,2)}"));
    for (from, to) in [
        ("f32[?,3]{1,0}", "f32[3,?]{1,0}"),
        ("f32[?,?]{1,0}", "f32[?,?]{1,0}"),
        ("f32[3,?]{1,0:T(2,2)}", "f32[?,3]{0,1:T(2,4)}"),
        ("f32[?,?]{1,0:T(2)}", "f32[?,?]{0,1:T(4)}"),
    ] {
        assert!(!same(from, to), "{from} {to}");
    }
}

#[test]
fn changes_rename_dimensions_as_lists_do() {
    let list = [10, 11, 12, 13];
    let mut changes: Vec<ChangeOf> = (0..=4).map(ChangeOf::Insert).collect();
    changes.extend((0..4).map(ChangeOf::Delete));
    changes.extend([&[0, 1, 2, 3][..], &[3, 1, 0, 2], &[1, 2, 3, 0]].map(ChangeOf::Permute));
    for change in changes {
        let expected = changed(change, &list, 1);
        let rank = expected.len();
        let found: Vec<usize> = (0..rank)
            .map(|d| change.before(d).map_or(1, |before| list[before]))
            .collect();
        assert_eq!(found, expected);
        let sizes: DynCoordinates = change.sizes(&list, rank);
        assert_eq!(sizes[..], expected);
    }
}
