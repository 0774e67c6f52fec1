//! Memory over time: which values share memory, how many bytes of each memory space are in use at
//! each step, and where the peak is.

use std::collections::BTreeSet;

use super::few::Few;
use super::walk::Walk;
use crate::graph::Grouped;

/// The number of parts of a timeline.
const PARTS: usize = 240;

/// The values, grouped by shared memory.
///
/// A large module has a million values, so this takes 8 bytes for each. Everything else is computed
/// on request.
pub(super) struct Buffers(Grouped);

/// The values that share one memory.
#[derive(Clone, Copy)]
pub(super) struct Buffer<'a> {
    pub(super) space: i8,
    pub(super) bytes: u64,
    pub(super) values: &'a [u32],
    walk: &'a Walk,
}

/// The bytes of a memory space in use.
pub(super) struct Space {
    pub(super) space: i8,
    pub(super) peak: u128,
    /// The first step of the peak.
    pub(super) at: u32,
    /// The most bytes in use in each part of the schedule; the parts have equal lengths.
    pub(super) timeline: Vec<u128>,
    /// The first step of each part at which that many bytes are in use.
    pub(super) steps: Vec<u32>,
}

/// Returns the buffers of a module; values that share memory are one buffer.
pub(super) fn buffers(walk: &Walk) -> Buffers {
    let same = || walk.same.iter().copied();
    let reused = reused(walk, &Buffers::new(walk, same(), |_| true));
    Buffers::new(walk, same().chain(reused), |_| true)
}

/// Returns the values in fast memory: XLA's `HloValue`s, of which a buffer may have several.
pub(super) fn fast_values(walk: &Walk) -> Buffers {
    Buffers::new(walk, walk.identical.iter().copied(), is_fast)
}

/// Whether memory space assignment places arrays in this space: VMEM, and CMEM of a v4.
pub(super) fn is_fast(space: i8) -> bool {
    matches!(space, 1 | 3)
}

/// Returns pairs of an operand and a result that takes its memory, because it is the operand's last
/// use. A value that is alive throughout, such as a parameter or a result of the entry, has memory
/// of its own.
fn reused(walk: &Walk, buffers: &Buffers) -> Vec<(u32, u32)> {
    if walk.reuse.is_empty() {
        return Vec::new();
    }
    let mut buffer_of = vec![0_u32; walk.values.len()];
    let count = buffers.iter(walk).count();
    let mut lasts = vec![false; count];
    // The first and the last step of each buffer.
    let mut spans = vec![(0_u32, 0_u32); count];
    for (k, buffer) in buffers.iter(walk).enumerate() {
        let alive = buffer.alive();
        spans[k] = (alive[0].0, alive[alive.len() - 1].1);
        for &value in buffer.values {
            buffer_of[value as usize] = k as u32;
            lasts[k] |= walk.values[value as usize].fixed;
        }
    }
    for &result in &walk.results {
        lasts[buffer_of[result as usize] as usize] = true;
    }
    let array = |value: u32| walk.values[value as usize].array;
    let mut pairs = Vec::new();
    // For each buffer: the one whose memory it takes, which is the first of a chain.
    let mut into: Vec<u32> = (0..count as u32).collect();
    for &(from, to) in &walk.reuse {
        let a = into[buffer_of[from as usize] as usize];
        let b = buffer_of[to as usize];
        let [first, next] = [a, b].map(|buffer| buffer as usize);
        let is_free = a != b && into[next] == b && !lasts[first] && !lasts[next];
        if !is_free
            || is_fast(walk.values[from as usize].space)
            || array(from).is_none()
            // Equal arrays have the same number.
            || array(from) != array(to)
            || spans[first].1 != spans[next].0
        {
            continue;
        }
        spans[first].1 = spans[next].1;
        into[next] = a;
        pairs.push((from, to));
    }
    pairs
}

impl Buffers {
    /// Groups the values by the pairs, in the `wanted` memory spaces. The values of a pair are in
    /// one space: `walk` and `reused` see to that.
    fn new(
        walk: &Walk,
        pairs: impl Iterator<Item = (u32, u32)>,
        wanted: impl Fn(i8) -> bool + Clone,
    ) -> Self {
        let mut parents: Vec<u32> = (0..walk.values.len() as u32).collect();
        for (a, b) in pairs {
            let a = find(&mut parents, a);
            let b = find(&mut parents, b);
            parents[a.max(b) as usize] = a.min(b);
        }
        // The root of a buffer is its first value, so the buffers are in the order of their first
        // values.
        let all = 0..parents.len() as u32;
        for k in all.clone() {
            parents[k as usize] = find(&mut parents, k);
        }
        let pairs = all
            .clone()
            .filter(|&k| wanted(walk.values[k as usize].space))
            .map(|k| (parents[k as usize], k));
        Self(Grouped::new(parents.len(), pairs))
    }

    /// The buffers in the order of their first values.
    pub(super) fn iter<'a>(&'a self, walk: &'a Walk) -> impl Iterator<Item = Buffer<'a>> + Clone {
        (0..walk.values.len() as u32)
            .map(|k| self.0.of(k))
            .filter(|values| !values.is_empty())
            .map(move |values| {
                let bytes = values.iter().map(|&k| walk.values[k as usize].bytes);
                let Some(bytes) = bytes.max() else {
                    unreachable!("a buffer has at least one value")
                };
                Buffer {
                    space: walk.values[values[0] as usize].space,
                    bytes,
                    values,
                    walk,
                }
            })
    }
}

impl Buffer<'_> {
    /// The ranges of steps at which the memory is needed: ends included, ascending, without
    /// overlaps.
    pub(super) fn alive(&self) -> Few<(u32, u32)> {
        let walk = self.walk;
        let end = (walk.steps.len() as u32).saturating_sub(1);
        let span = |value: u32| {
            let value = &walk.values[value as usize];
            if value.fixed {
                (0, end)
            } else {
                (value.made, value.used.min(end))
            }
        };
        let mut all = Few::one(span(self.values[0]));
        for &value in &self.values[1..] {
            all.push(span(value));
        }
        for &value in self.values {
            // The branches are sorted by value.
            let begin = walk.branches.partition_point(|branch| branch.0 < value);
            for &(_, from, to) in walk.branches[begin..]
                .iter()
                .take_while(|branch| branch.0 == value)
            {
                all.push((from, to.min(end)));
            }
        }
        if let Few::Several(alive) = &mut all {
            alive.sort_unstable();
            alive.dedup_by(|next, last| {
                let touches = next.0 <= last.1.saturating_add(1);
                if touches {
                    last.1 = last.1.max(next.1);
                }
                touches
            });
        }
        all
    }

    pub(super) fn is_alive(&self, at: u32) -> bool {
        self.alive()
            .iter()
            .any(|&(from, to)| (from..=to).contains(&at))
    }
}

/// The first of the values that share memory with this one.
fn find(parents: &mut [u32], mut value: u32) -> u32 {
    while parents[value as usize] != value {
        let above = parents[parents[value as usize] as usize];
        parents[value as usize] = above;
        value = above;
    }
    value
}

/// Adds, for each step and after the last one, the change of the bytes in use in a space, modulo
/// 2^128: each size is below 2^64, and there are fewer than 2^32 buffers.
pub(super) fn take<'a>(buffers: impl Iterator<Item = Buffer<'a>>, space: i8, changes: &mut [u128]) {
    changes.fill(0);
    for buffer in buffers.filter(|buffer| buffer.space == space) {
        let bytes = u128::from(buffer.bytes);
        for &(from, to) in &*buffer.alive() {
            let begin = from as usize;
            let end = to as usize + 1;
            changes[begin] = changes[begin].wrapping_add(bytes);
            changes[end] = changes[end].wrapping_sub(bytes);
        }
    }
}

/// Returns the bytes of each space in use during `steps` steps.
pub(super) fn spaces<'a>(
    buffers: impl Iterator<Item = Buffer<'a>> + Clone,
    steps: usize,
) -> Vec<Space> {
    let numbers: BTreeSet<i8> = buffers
        .clone()
        .filter(|buffer| buffer.bytes > 0)
        .map(|buffer| buffer.space)
        .collect();
    let steps = steps.max(1);
    let parts = steps.min(PARTS);
    let begins = (0..parts).map(|part| (part * steps).div_ceil(parts) as u32);
    let mut spaces = Vec::new();
    let mut changes = vec![0_u128; steps + 1];
    for space in numbers {
        take(buffers.clone(), space, &mut changes);
        let mut all = Space {
            space,
            peak: 0,
            at: 0,
            timeline: vec![0; parts],
            steps: begins.clone().collect(),
        };
        let mut taken = 0_u128;
        for (at, change) in changes[..steps].iter().enumerate() {
            taken = taken.wrapping_add(*change);
            if taken > all.peak {
                (all.peak, all.at) = (taken, at as u32);
            }
            let part = at * parts / steps;
            if taken > all.timeline[part] {
                (all.timeline[part], all.steps[part]) = (taken, at as u32);
            }
        }
        spaces.push(all);
    }
    spaces
}
