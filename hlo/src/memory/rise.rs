//! How the peaks change if results are made in the layout of what is copied into them.
//!
//! Such a result is there as soon as its source was. The source is not there at all, if nothing else needs it.

use std::collections::BTreeMap;

use super::super::graph::Module;
use super::super::tally::Tally;
use super::peak;
use super::walk;

/// A result of the entry that is made in place of what was copied into it. Instructions are numbers of their computation and in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direct {
    /// What made the source of the copy.
    pub(crate) maker: (u32, u32),
    /// The source: its array in the tally.
    pub(crate) source: u32,
    /// Whether nothing but the copy needs the source.
    pub(crate) is_free: bool,
    pub(crate) copy: (u32, u32),
    /// The memory space of the result.
    pub(crate) space: i8,
    /// Its bytes now, and then.
    pub(crate) bytes: (i128, i128),
}

/// How many bytes more all memory spaces have at their peaks, in sum; `None` if that is not known.
pub(crate) fn rise(module: &Module, tally: &Tally, results: &[Direct]) -> Option<i128> {
    let walk = walk::walk(module, tally).ok()?;
    let buffers = peak::buffers(&walk);
    // Of each memory space: the bytes that are taken more from a step on.
    let mut more: BTreeMap<i8, BTreeMap<usize, i128>> = BTreeMap::new();
    let mut add = |space: i8, step: usize, bytes: i128| {
        *more.entry(space).or_default().entry(step).or_default() += bytes;
    };
    for result in results {
        let copied = walk.steps.iter().position(|step| *step == result.copy)?;
        let array = &tally.arrays[result.source as usize];
        let mut sources = buffers.iter(&walk);
        let source = sources.find(|buffer| {
            let mut values = (buffer.values.iter()).map(|&value| &walk.values[value as usize]);
            buffer.space == array.memory_space
                && buffer.bytes == array.allocated
                && values.any(|value| value.by == result.maker)
        })?;
        let alive = source.alive();
        add(result.space, alive[0].0 as usize, result.bytes.1);
        add(result.space, copied, -result.bytes.0);
        if result.is_free {
            for &(from, to) in &*alive {
                add(source.space, from as usize, -i128::from(source.bytes));
                add(source.space, to as usize + 1, source.bytes.into());
            }
        }
    }
    let mut changes = vec![0_u128; walk.steps.len().max(1) + 1];
    let rises = more.iter().map(|(&space, more)| {
        peak::take(buffers.iter(&walk), space, &mut changes);
        let (mut now, mut then) = ((0_i128, 0_i128), (0, 0));
        for (step, &change) in changes.iter().enumerate() {
            // Fewer than 2^96 bytes.
            now.0 += change as i128;
            then.0 += change as i128 + more.get(&step).copied().unwrap_or(0);
            (now.1, then.1) = (now.1.max(now.0), then.1.max(then.0));
        }
        then.1 - now.1
    });
    Some(rises.sum())
}
