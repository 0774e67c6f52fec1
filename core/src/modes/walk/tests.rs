//! Runs of memory against the elements that they visit, found one by one.

use std::collections::BTreeMap;
use std::vec::Vec;

use super::{Run, walk};
use crate::DynCoordinates;
use crate::modes::Mode;

/// The linear indices that the digits of these modes give, sorted.
fn linear_indices(modes: &[Mode]) -> Vec<usize> {
    let mut all = std::vec![0];
    for mode in modes {
        let steps = |from: &usize| {
            let from = *from;
            (0..mode.size).map(move |digit| from + digit * mode.stride)
        };
        all = all.iter().flat_map(steps).collect();
    }
    all.sort_unstable();
    all
}

/// Tables of up to three modes, with the strides of dense memory and with gaps.
fn tables() -> Vec<Vec<Mode>> {
    let mut tables = Vec::new();
    let sizes = [2, 3, 4, 8, 16, 32, 64];
    for (a, b, c) in sizes
        .iter()
        .flat_map(|a| sizes.iter().map(move |b| (a, b)))
        .flat_map(|(a, b)| sizes.iter().map(move |c| (*a, *b, *c)))
    {
        for gap in 0..8 {
            let gap = |k: usize| 1 + (gap >> k & 1);
            for dims in [[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 2]] {
                let first = Mode::new(dims[0], 1, a, gap(0));
                let divisor = |dim: usize, before: &[Mode]| {
                    let below = before.iter().filter(|mode| mode.dim == dim);
                    below.map(|mode| mode.size).product()
                };
                let second = Mode::new(dims[1], divisor(dims[1], &[first]), b, a * gap(0) * gap(1));
                let third = Mode::new(
                    dims[2],
                    divisor(dims[2], &[first, second]),
                    c,
                    b * second.stride * gap(2),
                );
                tables.push(Vec::from([first, second, third]));
            }
        }
    }
    tables
}

#[test]
fn a_run_is_consecutive_memory_and_as_long_as_it_may_be() {
    let mut lengths = BTreeMap::new();
    for modes in tables() {
        let run = Run::of(&modes);
        *lengths.entry(run.modes).or_insert(0) += 1;
        // The run that these many modes are; the loop takes their digits from bits of its counter,
        // so that all of them but the last have sizes that are powers of two.
        let is_run = |count: usize| {
            let below: usize = modes[..count - 1].iter().map(|mode| mode.size).product();
            let all = || linear_indices(&modes[..count]).into_iter().enumerate();
            below.is_power_of_two() && below < Run::LONG && all().all(|(k, linear)| k == linear)
        };
        let longest = (2..=modes.len())
            .take_while(|&count| is_run(count))
            .last()
            .unwrap_or(0);
        let len = modes[..longest].iter().map(|mode| mode.size).product();
        assert_eq!((run.modes, run.len), (longest, len), "{modes:?}");
    }
    assert_eq!(lengths.keys().copied().collect::<Vec<_>>(), [0, 2, 3]);
    assert_eq!((Run::of(&[]).modes, Run::of(&[]).len), (0, 1));
}

#[test]
fn a_run_reaches_as_far_as_its_last_element() {
    for modes in tables() {
        let run = Run::of(&modes);
        // Without `%` and without an edge: the coordinates are the sums of the digits.
        for (k, mode) in modes.iter().enumerate() {
            let mut ends = std::vec![0];
            for inner in modes[..run.modes].iter().filter(|m| m.dim == mode.dim) {
                ends = ends
                    .iter()
                    .flat_map(|end| (0..inner.size).map(move |d| end + d * inner.divisor))
                    .collect();
            }
            let last = ends.into_iter().max().unwrap_or(0);
            assert_eq!(run.reach(&modes, k), last + 1, "{modes:?} {k}");
        }
    }
}

/// The general way visits what the digits say, in the sequence of memory, and stops at edges.
#[test]
fn the_general_way_visits_each_element_once() {
    for modes in tables().into_iter().step_by(7) {
        let rank = 1 + modes.iter().map(|mode| mode.dim).max().unwrap_or(0);
        let full = |dim: usize| {
            let digits = modes.iter().filter(|mode| mode.dim == dim);
            digits.map(|mode| mode.size).product::<usize>()
        };
        // Sizes that all digits reach, and sizes that cut the last tile.
        for short in 0..3 {
            let sizes: Vec<usize> = (0..rank)
                .map(|dim| full(dim).saturating_sub(short).max(1))
                .collect();
            if sizes.iter().product::<usize>() > 600 {
                continue;
            }
            let mut expected: Vec<(usize, Vec<usize>)> = Vec::new();
            let mut at = std::vec![0; rank];
            'all: loop {
                let linear = modes
                    .iter()
                    .map(|mode| at[mode.dim] / mode.divisor % mode.size * mode.stride)
                    .sum();
                expected.push((linear, at.clone()));
                for dim in 0..rank {
                    at[dim] += 1;
                    if at[dim] < sizes[dim] {
                        continue 'all;
                    }
                    at[dim] = 0;
                }
                break;
            }
            expected.sort_unstable();
            let mut visited = Vec::new();
            walk(&modes, &sizes, |at: &DynCoordinates, linear| {
                visited.push((linear, at.to_vec()))
            });
            assert_eq!(visited, expected, "{modes:?} {sizes:?}");
        }
    }
}
