//! How the peaks change if parameters and results get the layouts on the other side of their
//! copies.
//!
//! Such a result exists from the step at which its source was made. The source does not exist at
//! all if nothing else needs it. The copy of such a parameter does not exist either.

use std::collections::BTreeMap;

use super::peak;
use super::walk;
use crate::graph::Module;
use crate::tally::Tally;

/// A parameter or a result of the entry without the copy next to it. An instruction is a pair: the
/// number of its computation, and its number there.
#[derive(Clone, Copy)]
pub(crate) struct Direct {
    /// The memory space of the parameter or the result.
    pub(crate) space: i8,
    /// Its bytes before and after the change.
    pub(crate) bytes: (i128, i128),
    /// The array (its number in the tally) that a copy makes of the parameter, or that is copied
    /// into the result; `maker` is the instruction that makes it.
    pub(crate) array: u32,
    pub(crate) maker: (u32, u32),
    /// The copy into the result; `None` for a parameter.
    pub(crate) copy: Option<(u32, u32)>,
    /// Whether this array is unnecessary without the copy.
    pub(crate) is_free: bool,
}

/// Returns by how many bytes the sum of the peaks of all memory spaces rises; `None` if unknown.
pub(crate) fn rise(module: &Module, tally: &Tally, all: &[Direct]) -> Option<i128> {
    let walk = walk::walk(module, tally).ok()?;
    let buffers = peak::buffers(&walk);
    let made = |array: u32, maker: (u32, u32)| {
        let array = &tally.arrays[array as usize];
        buffers.iter(&walk).find(|buffer| {
            let mut values = buffer
                .values
                .iter()
                .map(|&value| &walk.values[value as usize]);
            buffer.space == array.memory_space
                && buffer.bytes == array.allocated
                && values.any(|value| value.by == maker)
        })
    };
    // For each memory space: the change of the bytes in use from a step on.
    let mut more: BTreeMap<i8, BTreeMap<usize, i128>> = BTreeMap::new();
    let mut add = |space: i8, step: usize, bytes: i128| {
        *more.entry(space).or_default().entry(step).or_default() += bytes;
    };
    for direct in all {
        let (now, then) = direct.bytes;
        let array = made(direct.array, direct.maker)?;
        let (from, to) = match direct.copy {
            None => (0, 0),
            Some(copy) => (
                array.alive()[0].0 as usize,
                walk.steps.iter().position(|step| *step == copy)?,
            ),
        };
        add(direct.space, from, then);
        add(direct.space, to, -now);
        for &(from, to) in array.alive().iter().filter(|_| direct.is_free) {
            add(array.space, from as usize, -i128::from(array.bytes));
            add(array.space, to as usize + 1, array.bytes.into());
        }
    }
    let mut changes = vec![0_u128; walk.steps.len().max(1) + 1];
    let rises = more.iter().map(|(&space, more)| {
        peak::take(buffers.iter(&walk), space, &mut changes);
        let mut now = (0_i128, 0_i128);
        let mut then = (0, 0);
        for (step, &change) in changes.iter().enumerate() {
            // The sum is below 2^96.
            now.0 += change as i128;
            then.0 += change as i128 + more.get(&step).copied().unwrap_or(0);
            (now.1, then.1) = (now.1.max(now.0), then.1.max(then.0));
        }
        then.1 - now.1
    });
    Some(rises.sum())
}
