//! Memory over time: which values share memory, how much of each memory space is taken at each step, and when it is most.

use std::collections::BTreeMap;

use super::walk::Walk;

/// Values with one memory, and when they need it.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) space: i8,
    pub(super) bytes: u64,
    /// From step to step, the last one included; in their sequence, without overlaps.
    pub(super) alive: Vec<(u32, u32)>,
    pub(super) values: Vec<u32>,
}

/// How much of a memory space is taken.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) space: i8,
    pub(super) peak: u128,
    /// The first step at which so much is taken.
    pub(super) at: u32,
    /// The bytes from each step on at which they change.
    pub(super) timeline: Vec<(u32, u128)>,
}

/// The buffers of a module. `end` is the last step.
pub(super) fn buffers(walk: &Walk) -> Vec<Buffer> {
    let end = (walk.steps.len() as u32).saturating_sub(1);
    let mut parents: Vec<u32> = (0..walk.values.len() as u32).collect();
    for &(a, b) in &walk.same {
        let (a, b) = (find(&mut parents, a), find(&mut parents, b));
        parents[a.max(b) as usize] = a.min(b);
    }
    let mut numbers = vec![u32::MAX; walk.values.len()];
    let mut buffers: Vec<Buffer> = Vec::new();
    for (k, value) in walk.values.iter().enumerate() {
        let root = find(&mut parents, k as u32) as usize;
        if numbers[root] == u32::MAX {
            numbers[root] = buffers.len() as u32;
            buffers.push(Buffer {
                space: value.space,
                bytes: 0,
                alive: Vec::new(),
                values: Vec::new(),
            });
        }
        let buffer = &mut buffers[numbers[root] as usize];
        buffer.bytes = buffer.bytes.max(value.bytes);
        buffer.values.push(k as u32);
        buffer.alive.push(match value.fixed {
            true => (0, end),
            false => (value.made, value.used.min(end)),
        });
        numbers[k] = numbers[root];
    }
    for &(value, from, to) in &walk.branches {
        buffers[numbers[value as usize] as usize]
            .alive
            .push((from, to.min(end)));
    }
    for buffer in &mut buffers {
        buffer.alive.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::new();
        for &(from, to) in &buffer.alive {
            match joined.last_mut() {
                Some(last) if from <= last.1.saturating_add(1) => last.1 = last.1.max(to),
                _ => joined.push((from, to)),
            }
        }
        buffer.alive = joined;
    }
    buffers
}

/// The first of those with one memory.
fn find(parents: &mut [u32], mut of: u32) -> u32 {
    while parents[of as usize] != of {
        let above = parents[parents[of as usize] as usize];
        parents[of as usize] = above;
        of = above;
    }
    of
}

/// How much of each space is taken, step by step.
pub(super) fn spaces(buffers: &[Buffer]) -> Vec<Space> {
    let mut changes: BTreeMap<i8, Vec<(u32, bool, u64)>> = BTreeMap::new();
    for buffer in buffers.iter().filter(|buffer| buffer.bytes > 0) {
        let of = changes.entry(buffer.space).or_default();
        for &(from, to) in &buffer.alive {
            of.push((from, true, buffer.bytes));
            of.push((to.saturating_add(1), false, buffer.bytes));
        }
    }
    let mut spaces = Vec::new();
    for (space, mut changes) in changes {
        // What ends is free before what begins.
        changes.sort_unstable_by_key(|&(at, begins, _)| (at, begins));
        let mut all = Space {
            space,
            peak: 0,
            at: 0,
            timeline: Vec::new(),
        };
        // Each size is below 2^64, and there are fewer than 2^32 buffers.
        let mut taken = 0_u128;
        for (at, begins, bytes) in changes {
            match begins {
                true => taken += u128::from(bytes),
                false => taken -= u128::from(bytes),
            }
            match all.timeline.last_mut() {
                Some(last) if last.0 == at => last.1 = taken,
                _ => all.timeline.push((at, taken)),
            }
        }
        for &(at, taken) in &all.timeline {
            if taken > all.peak {
                (all.peak, all.at) = (taken, at);
            }
        }
        spaces.push(all);
    }
    spaces
}

impl Buffer {
    pub(super) fn is_alive(&self, at: u32) -> bool {
        self.alive
            .iter()
            .any(|&(from, to)| (from..=to).contains(&at))
    }
}
