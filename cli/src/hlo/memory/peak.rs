//! Memory over time: which values share memory, how much of each memory space is taken at each step, and when it is most.

use std::collections::BTreeMap;

use super::super::tally::{Leaf, Tally};
use super::few::Few;
use super::walk::Walk;

/// Parts of a timeline.
const PARTS: usize = 240;

/// Values with one memory, and when they need it.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) space: i8,
    pub(super) bytes: u64,
    /// From step to step, the last one included; in their sequence, without overlaps.
    pub(super) alive: Few<(u32, u32)>,
    pub(super) values: Few<u32>,
}

/// How much of a memory space is taken.
#[derive(Clone, Debug)]
pub(super) struct Space {
    pub(super) space: i8,
    pub(super) peak: u128,
    /// The first step at which so much is taken.
    pub(super) at: u32,
    /// The most that is taken in each part of the schedule, parts being equally long.
    pub(super) timeline: Vec<u128>,
}

/// The buffers of a module: values with one memory are one.
pub(super) fn buffers(walk: &Walk, tally: &Tally) -> Vec<Buffer> {
    let once = joined(walk, &walk.same, |_| true);
    let reused = reused(walk, tally, once);
    if reused.is_empty() {
        return joined(walk, &walk.same, |_| true);
    }
    joined(walk, &[&walk.same[..], &reused].concat(), |_| true)
}

/// The values in fast memory: XLA's `HloValue`, of which a buffer has several.
pub(super) fn fast_values(walk: &Walk) -> Vec<Buffer> {
    joined(walk, &walk.identical, is_fast)
}

/// Whether memory space assignment places arrays in this space: VMEM, and CMEM of a v4.
pub(super) fn is_fast(space: i8) -> bool {
    matches!(space, 1 | 3)
}

/// The results that take the memory of an operand which ends with them. What lasts, as a parameter or a result of the
/// entry does, has a memory of its own.
fn reused(walk: &Walk, tally: &Tally, mut buffers: Vec<Buffer>) -> Vec<(u32, u32)> {
    let mut of = vec![0; walk.values.len()];
    for (k, buffer) in buffers.iter().enumerate() {
        for &value in &*buffer.values {
            of[value as usize] = k;
        }
    }
    let mut lasts: Vec<bool> = buffers
        .iter()
        .map(|buffer| (buffer.values.iter()).any(|&value| walk.values[value as usize].fixed))
        .collect();
    for &result in &walk.results {
        lasts[of[result as usize]] = true;
    }
    let shape = |value: u32| match walk.values[value as usize].leaf {
        Leaf::Array(number) => Some(&tally.arrays[number as usize].shape),
        _ => None,
    };
    let mut pairs = Vec::new();
    // The buffer whose memory a buffer takes, step by step: chains end at the first one.
    let mut into: Vec<usize> = (0..buffers.len()).collect();
    for &(from, to) in &walk.reuse {
        let (mut a, b) = (of[from as usize], of[to as usize]);
        while into[a] != a {
            a = into[a];
        }
        let is_free = a != b && into[b] == b && !lasts[a] && !lasts[b];
        if !is_free
            || is_fast(buffers[a].space)
            || shape(from).is_none()
            || shape(from) != shape(to)
        {
            continue;
        }
        let end = buffers[a].alive.last().map(|last| last.1);
        let begin = buffers[b].alive.first().map(|first| first.0);
        if end.is_none() || end != begin {
            continue;
        }
        let alive = std::mem::replace(&mut buffers[b].alive, Few::Several(Vec::new()));
        for &range in &*alive {
            buffers[a].alive.push(range);
        }
        into[b] = a;
        pairs.push((from, to));
    }
    pairs
}

/// What takes the pairs for one, in the memory spaces that are wanted. Those of a pair are in one space.
fn joined(walk: &Walk, pairs: &[(u32, u32)], wanted: impl Fn(i8) -> bool) -> Vec<Buffer> {
    let end = (walk.steps.len() as u32).saturating_sub(1);
    let mut parents: Vec<u32> = (0..walk.values.len() as u32).collect();
    for &(a, b) in pairs {
        let (a, b) = (find(&mut parents, a), find(&mut parents, b));
        parents[a.max(b) as usize] = a.min(b);
    }
    let mut numbers = vec![u32::MAX; walk.values.len()];
    let mut buffers: Vec<Buffer> = Vec::new();
    for (k, value) in walk.values.iter().enumerate() {
        if !wanted(value.space) {
            continue;
        }
        let root = find(&mut parents, k as u32) as usize;
        let alive = match value.fixed {
            true => (0, end),
            false => (value.made, value.used.min(end)),
        };
        match buffers.get_mut(numbers[root] as usize) {
            Some(buffer) => {
                buffer.bytes = buffer.bytes.max(value.bytes);
                buffer.values.push(k as u32);
                buffer.alive.push(alive);
            }
            None => {
                numbers[root] = buffers.len() as u32;
                buffers.push(Buffer {
                    space: value.space,
                    bytes: value.bytes,
                    alive: Few::one(alive),
                    values: Few::one(k as u32),
                });
            }
        }
        numbers[k] = numbers[root];
    }
    for &(value, from, to) in &walk.branches {
        if let Some(buffer) = buffers.get_mut(numbers[value as usize] as usize) {
            buffer.alive.push((from, to.min(end)));
        }
    }
    for buffer in &mut buffers {
        if let Few::Several(alive) = &mut buffer.alive {
            alive.sort_unstable();
            alive.dedup_by(|next, last| {
                let touches = next.0 <= last.1.saturating_add(1);
                if touches {
                    last.1 = last.1.max(next.1);
                }
                touches
            });
            alive.shrink_to_fit();
        }
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

/// How much of each space is taken over so many steps.
pub(super) fn spaces<'a>(
    buffers: impl IntoIterator<Item = &'a Buffer>,
    steps: usize,
) -> Vec<Space> {
    let mut changes: BTreeMap<i8, Vec<(u32, bool, u64)>> = BTreeMap::new();
    for buffer in buffers.into_iter().filter(|buffer| buffer.bytes > 0) {
        let of = changes.entry(buffer.space).or_default();
        for &(from, to) in &*buffer.alive {
            of.push((from, true, buffer.bytes));
            of.push((to.saturating_add(1), false, buffer.bytes));
        }
    }
    let mut spaces = Vec::new();
    for (space, mut changes) in changes {
        // What ends is free before what begins.
        changes.sort_unstable_by_key(|&(at, begins, _)| (at, begins));
        let parts = steps.clamp(1, PARTS);
        let part = |step: u32| (step as usize * parts / steps.max(1)).min(parts - 1);
        let mut all = Space {
            space,
            peak: 0,
            at: 0,
            timeline: vec![0; parts],
        };
        // Each size is below 2^64, and there are fewer than 2^32 buffers.
        let mut taken = 0_u128;
        let mut changes = changes.into_iter().peekable();
        while let Some((at, begins, bytes)) = changes.next() {
            match begins {
                true => taken += u128::from(bytes),
                false => taken -= u128::from(bytes),
            }
            let end = changes.peek().map_or(steps as u32, |next| next.0);
            if at >= end {
                continue;
            }
            if taken > all.peak {
                (all.peak, all.at) = (taken, at);
            }
            for most in &mut all.timeline[part(at)..=part(end - 1)] {
                *most = taken.max(*most);
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
