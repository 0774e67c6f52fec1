//! How the peaks change if parameters have the layout of what is made of them, and results that of what is copied into them.
//!
//! Such a result is there as soon as its source was. The source is not there at all, if nothing else needs it. Nor is the copy of such a
//! parameter.

use std::collections::BTreeMap;

use super::super::graph::Module;
use super::super::tally::Tally;
use super::peak::{self, Buffer};
use super::walk;

/// A parameter or a result of the entry without the copy at its side. Instructions are numbers of their computation and in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Direct {
    pub(crate) side: Side,
    pub(crate) copy: (u32, u32),
    /// The memory space of the parameter or the result.
    pub(crate) space: i8,
    /// Its bytes now, and then.
    pub(crate) bytes: (i128, i128),
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Side {
    /// A parameter, and what the copy makes of it: its array in the tally.
    Parameter { target: u32 },
    /// A result, and what is copied into it.
    Result {
        /// What made the source of the copy.
        maker: (u32, u32),
        /// The source: its array in the tally.
        source: u32,
        /// Whether nothing but the copy needs the source.
        is_free: bool,
    },
}

/// How many bytes more all memory spaces have at their peaks, in sum; `None` if that is not known.
pub(crate) fn rise(module: &Module, tally: &Tally, all: &[Direct]) -> Option<i128> {
    let walk = walk::walk(module, tally).ok()?;
    let buffers = peak::buffers(&walk);
    let made = |array: u32, by: (u32, u32)| {
        let array = &tally.arrays[array as usize];
        buffers.iter(&walk).find(|buffer| {
            let mut values = (buffer.values.iter()).map(|&value| &walk.values[value as usize]);
            buffer.space == array.memory_space
                && buffer.bytes == array.allocated
                && values.any(|value| value.by == by)
        })
    };
    // Of each memory space: the bytes that are taken more from a step on.
    let mut more: BTreeMap<i8, BTreeMap<usize, i128>> = BTreeMap::new();
    let mut add = |space: i8, step: usize, bytes: i128| {
        *more.entry(space).or_default().entry(step).or_default() += bytes;
    };
    let leave_out = |add: &mut dyn FnMut(i8, usize, i128), buffer: &Buffer<'_>| {
        for &(from, to) in &*buffer.alive() {
            add(buffer.space, from as usize, -i128::from(buffer.bytes));
            add(buffer.space, to as usize + 1, buffer.bytes.into());
        }
    };
    for direct in all {
        let (now, then) = direct.bytes;
        match direct.side {
            Side::Parameter { target } => {
                add(direct.space, 0, then - now);
                leave_out(&mut add, &made(target, direct.copy)?);
            }
            Side::Result {
                maker,
                source,
                is_free,
            } => {
                let copied = walk.steps.iter().position(|step| *step == direct.copy)?;
                let source = made(source, maker)?;
                add(direct.space, source.alive()[0].0 as usize, then);
                add(direct.space, copied, -now);
                if is_free {
                    leave_out(&mut add, &source);
                }
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
