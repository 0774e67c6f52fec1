//! Each decision against all offsets.

use std::collections::{HashMap, HashSet};

use super::{Map, Report, offsets};
use xlayout_algebra::{Budget, View};

pub(super) fn check(map: &Map, values: &[i64], other: &Map, report: &mut Report) {
    let budget = Budget::DEFAULT;
    let found = offsets(map);
    if found != values {
        report.wrong.push(format!(
            "offsets: {found:?} in place of {values:?} for {map}"
        ));
        return;
    }
    let others = offsets(other);
    let pair = format_args!("{map} and {other}").to_string();
    let first = (0..values.len().max(others.len())).find(|&k| values.get(k) != others.get(k));
    report.answer(
        "first_difference",
        &pair,
        map.first_difference(other, budget),
        |found| *found == first.map(|k| k as u64),
    );
    let distinct: HashSet<i64> = values.iter().copied().collect();
    report.answer(
        "collision",
        map,
        map.collision(budget),
        |found| match *found {
            None => distinct.len() == values.len(),
            Some((a, b)) => a != b && values[a as usize] == values[b as usize],
        },
    );
    let hole = (0..)
        .find(|v| !distinct.contains(v))
        .expect("finitely many");
    report.answer("first_hole", map, map.first_hole(budget), |found| {
        *found == hole as u64
    });
    report.answer("is_bijective", map, map.is_bijective(budget), |found| {
        *found == (distinct.len() == values.len() && hole as usize == values.len())
    });
    let descent = (1..values.len()).find(|&k| values[k] < values[k - 1]);
    report.answer("first_descent", map, map.first_descent(budget), |found| {
        *found == descent.map(|k| k as u64)
    });
    let by_offset: HashMap<i64, usize> = others.iter().enumerate().map(|(k, &v)| (v, k)).collect();
    report.answer(
        "overlap",
        &pair,
        map.overlap(other, budget),
        |found| match *found {
            None => !values.iter().any(|v| by_offset.contains_key(v)),
            Some((a, b)) => values[a as usize] == others[b as usize],
        },
    );
    report.answer(
        "view_as",
        &pair,
        map.view_as(other.extents(), budget),
        |found| {
            let strides = strides_of(values, other.extents());
            match *found {
                View::Strides(found) => {
                    let first = offsets(
                        &Map::strided(other.extents(), &found[..other.rank()]).expect("small"),
                    );
                    first.iter().zip(values).all(|(a, b)| a + values[0] == *b)
                }
                View::Breaks { index } => strides == Err(index),
            }
        },
    );
}

/// The first index that strides, read off at the starts of the dimensions, do not give.
fn strides_of(values: &[i64], extents: &[u64]) -> Result<(), u64> {
    let view = |index: usize| {
        let mut rest = index;
        let mut place = 1;
        let mut offset = values[0];
        for &extent in extents.iter().rev() {
            let digit = rest % extent as usize;
            rest /= extent as usize;
            if extent > 1 {
                offset += digit as i64 * (values[place] - values[0]);
            }
            place *= extent as usize;
        }
        offset
    };
    match (0..values.len()).find(|&index| view(index) != values[index]) {
        None => Ok(()),
        Some(index) => Err(index as u64),
    }
}
