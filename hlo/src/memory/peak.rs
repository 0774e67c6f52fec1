//! Memory over time: which values share memory, how much of each memory space is taken at each step, and when it is most.

use std::collections::BTreeSet;

use super::super::graph::Grouped;
use super::few::Few;
use super::walk::Walk;

/// Parts of a timeline.
const PARTS: usize = 240;

/// Which values have one memory.
///
/// A large module has a million values. So this has 8 bytes for each of them. The rest is computed on request.
#[derive(Debug)]
pub(super) struct Buffers(Grouped);

/// Values with one memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buffer<'a> {
    pub(super) space: i8,
    pub(super) bytes: u64,
    pub(super) values: &'a [u32],
    walk: &'a Walk,
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
    /// The first step of each part at which so much is taken.
    pub(super) steps: Vec<u32>,
}

/// The buffers of a module: values with one memory are one.
pub(super) fn buffers(walk: &Walk) -> Buffers {
    let same = || walk.same.iter().copied();
    let reused = reused(walk, &Buffers::new(walk, same(), |_| true));
    Buffers::new(walk, same().chain(reused), |_| true)
}

/// The values in fast memory: XLA's `HloValue`, of which a buffer has several.
pub(super) fn fast_values(walk: &Walk) -> Buffers {
    Buffers::new(walk, walk.identical.iter().copied(), is_fast)
}

/// Whether memory space assignment places arrays in this space: VMEM, and CMEM of a v4.
pub(super) fn is_fast(space: i8) -> bool {
    matches!(space, 1 | 3)
}

/// The results that take the memory of an operand which ends with them. What lasts, as a parameter or a result of the
/// entry does, has a memory of its own.
fn reused(walk: &Walk, buffers: &Buffers) -> Vec<(u32, u32)> {
    if walk.reuse.is_empty() {
        return Vec::new();
    }
    let mut of = vec![0_u32; walk.values.len()];
    let count = buffers.iter(walk).count();
    let mut lasts = vec![false; count];
    // The first and the last step of each buffer.
    let mut spans = vec![(0_u32, 0_u32); count];
    for (k, buffer) in buffers.iter(walk).enumerate() {
        let alive = buffer.alive();
        spans[k] = (alive[0].0, alive[alive.len() - 1].1);
        for &value in buffer.values {
            of[value as usize] = k as u32;
            lasts[k] |= walk.values[value as usize].fixed;
        }
    }
    for &result in &walk.results {
        lasts[of[result as usize] as usize] = true;
    }
    let array = |value: u32| walk.values[value as usize].array;
    let mut pairs = Vec::new();
    // The buffer whose memory a buffer takes: the first one of a chain.
    let mut into: Vec<u32> = (0..count as u32).collect();
    for &(from, to) in &walk.reuse {
        let (a, b) = (into[of[from as usize] as usize], of[to as usize]);
        let [first, next] = [a, b].map(|buffer| buffer as usize);
        let is_free = a != b && into[next] == b && !lasts[first] && !lasts[next];
        if !is_free
            || is_fast(walk.values[from as usize].space)
            || array(from).is_none()
            // Equal arrays have one number.
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
    /// What takes the pairs for one, in the memory spaces that are wanted. Those of a pair are in one space, as `walk` and `reused` make them.
    fn new(
        walk: &Walk,
        pairs: impl Iterator<Item = (u32, u32)>,
        wanted: impl Fn(i8) -> bool + Clone,
    ) -> Self {
        let mut parents: Vec<u32> = (0..walk.values.len() as u32).collect();
        for (a, b) in pairs {
            let (a, b) = (find(&mut parents, a), find(&mut parents, b));
            parents[a.max(b) as usize] = a.min(b);
        }
        // The root of a buffer is its first value: so buffers have the sequence of their first values.
        let all = 0..parents.len() as u32;
        for k in all.clone() {
            parents[k as usize] = find(&mut parents, k);
        }
        let values = all
            .clone()
            .filter(|&k| wanted(walk.values[k as usize].space));
        let pairs = values.map(|k| (parents[k as usize], k));
        Self(Grouped::new(parents.len(), pairs))
    }

    /// The buffers in the sequence of their first values.
    pub(super) fn iter<'a>(&'a self, walk: &'a Walk) -> impl Iterator<Item = Buffer<'a>> + Clone {
        let all = (0..walk.values.len() as u32).map(|k| self.0.of(k));
        all.filter(|values| !values.is_empty()).map(move |values| {
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
    /// When the memory is needed: from step to step, the last one included; in their sequence, without overlaps.
    pub(super) fn alive(&self) -> Few<(u32, u32)> {
        let walk = self.walk;
        let end = (walk.steps.len() as u32).saturating_sub(1);
        let of = |value: u32| {
            let one = &walk.values[value as usize];
            match one.fixed {
                true => (0, end),
                false => (one.made, one.used.min(end)),
            }
        };
        let mut all = Few::one(of(self.values[0]));
        for &value in &self.values[1..] {
            all.push(of(value));
        }
        for &value in self.values {
            // They are sorted.
            let begin = walk.branches.partition_point(|branch| branch.0 < value);
            let branches = walk.branches[begin..].iter();
            for &(_, from, to) in branches.take_while(|branch| branch.0 == value) {
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
        let alive = self.alive();
        alive.iter().any(|&(from, to)| (from..=to).contains(&at))
    }
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

/// The change of the bytes of a space that are taken at each step, and after the last one, modulo 2^128: each size is below 2^64, and there
/// are fewer than 2^32 buffers.
pub(super) fn take<'a>(buffers: impl Iterator<Item = Buffer<'a>>, space: i8, changes: &mut [u128]) {
    changes.fill(0);
    for buffer in buffers.filter(|buffer| buffer.space == space) {
        let bytes = u128::from(buffer.bytes);
        for &(from, to) in &*buffer.alive() {
            let (begin, end) = (from as usize, to as usize + 1);
            changes[begin] = changes[begin].wrapping_add(bytes);
            changes[end] = changes[end].wrapping_sub(bytes);
        }
    }
}

/// How much of each space is taken during `steps` steps.
pub(super) fn spaces<'a>(
    buffers: impl Iterator<Item = Buffer<'a>> + Clone,
    steps: usize,
) -> Vec<Space> {
    let full = buffers.clone().filter(|buffer| buffer.bytes > 0);
    let there: BTreeSet<i8> = full.map(|buffer| buffer.space).collect();
    let steps = steps.max(1);
    let parts = steps.min(PARTS);
    let begins = (0..parts).map(|part| (part * steps).div_ceil(parts) as u32);
    let mut spaces = Vec::new();
    let mut changes = vec![0_u128; steps + 1];
    for space in there {
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
