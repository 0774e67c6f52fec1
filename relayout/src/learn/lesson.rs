//! What the runs of a class of copies taught.

use core::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::boxed::Box;
use std::time::Duration;
use std::vec::Vec;

use super::clock::time;
use crate::kernels::cost::Choice;

/// The number of timed runs at the beginning of a class: each of the likely candidates, and then
/// those with times near the best one again.
pub(super) const FIRST: u32 = 16;
/// The number of candidates, the likely ones first, that these first runs try.
pub(super) const EARLY: usize = 11;
/// Afterwards one of this many runs is timed. A candidate that takes three times as long adds 3% to
/// the time of all these runs.
pub(super) const PERIOD: u32 = 64;
/// The number of times that a candidate with a time near the best is timed.
pub(super) const TRIES: u32 = 3;
/// A candidate that takes longer than the best by this factor is not tried again.
const NEAR: f64 = 1.25;
/// The estimate is kept unless another candidate needs less than this part of its time: smaller
/// gains are noise.
const BETTER: f64 = 0.97;
/// The best strategy is slow if it takes this many times its least time, in `SLOW_RUNS` timed runs
/// in a row.
const SLOW: f64 = 1.6;
pub(super) const SLOW_RUNS: u32 = 4;

/// What was learned of a class of copies.
#[derive(Debug, Default)]
pub(crate) struct Lesson {
    /// The candidates, the likely ones first. The first one is the estimate.
    pub(super) candidates: Box<[Candidate]>,
    /// The number of runs; it wraps around.
    runs: AtomicU32,
    /// The number of the best candidate.
    best: AtomicU32,
    /// The number of timed runs in a row, up to the last one, in which the best candidate was slow.
    slow_runs: AtomicU32,
    /// Whether the last run wrote past the cache.
    was_past: AtomicBool,
}

#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) choice: Choice,
    tries: AtomicU32,
    /// The least time for a byte, in units of 2^-16 nanoseconds; `u32::MAX` if none is known. The
    /// fastest copies take a thousand units for a byte.
    least: AtomicU32,
}

impl Lesson {
    pub(crate) fn new(candidates: &[Choice]) -> Self {
        let candidate = |&choice| Candidate {
            choice,
            tries: AtomicU32::new(0),
            least: AtomicU32::new(u32::MAX),
        };
        Self {
            candidates: candidates.iter().map(candidate).collect(),
            ..Self::default()
        }
    }

    /// A lesson that begins with a choice that was learned before.
    pub(crate) fn of(learned: Choice, candidates: &[Choice]) -> Self {
        let others = candidates.iter().filter(|choice| **choice != learned);
        let all: Vec<_> = core::iter::once(&learned).chain(others).copied().collect();
        let lesson = Self::new(&all);
        // The first runs count as done, so that the choice counts as learned.
        lesson.runs.store(1 + FIRST, Relaxed);
        lesson
    }

    /// Whether it is only a choice that `keep` stored: without other candidates, and never timed.
    /// The first plan of the class makes a lesson of it that has all candidates.
    pub(super) fn is_kept(&self) -> bool {
        self.candidates.len() == 1 && self.tried() == 0
    }

    /// Returns the best choice so far.
    pub(crate) fn best(&self) -> Choice {
        self.candidates[self.best.load(Relaxed) as usize].choice
    }

    /// Returns the best choice after the first timed runs; `None` before.
    pub(crate) fn learned(&self) -> Option<Choice> {
        (self.runs.load(Relaxed) > FIRST).then(|| self.best())
    }

    /// The number of candidates that were timed.
    pub(crate) fn tried(&self) -> usize {
        let tried = |candidate: &&Candidate| candidate.tries.load(Relaxed) > 0;
        self.candidates.iter().filter(tried).count()
    }

    /// Copies `bytes` bytes by the candidate whose turn it is.
    #[inline]
    pub(crate) fn run(&self, bytes: usize, copy: impl FnOnce(Choice)) {
        let (k, is_timed) = self.turn();
        let choice = self.candidates[k].choice;
        if is_timed {
            let ((), elapsed) = time(choice, copy);
            self.record(k, elapsed, bytes);
        } else {
            copy(choice);
        }
    }

    /// Returns the candidate of this run, and whether the run is timed.
    #[inline]
    fn turn(&self) -> (usize, bool) {
        let run = self.runs.load(Relaxed);
        let best = self.best.load(Relaxed) as usize;
        let is_timed = run > 0 && (run <= FIRST || run.is_multiple_of(PERIOD));
        let to_try = if is_timed {
            self.try_next(run <= FIRST)
        } else {
            None
        };
        let k = to_try.unwrap_or(best);
        let is_past = self.candidates[k].choice.past;
        let was_past = self.was_past.load(Relaxed);
        self.was_past.store(is_past, Relaxed);
        if is_timed && was_past && !is_past {
            // The destination is not in the cache, so this run is not timed. It is not counted
            // either: the next run is this one again.
            return (k, false);
        }
        // Two threads may count one run: the count need not be exact.
        self.runs
            .store(run.checked_add(1).unwrap_or(1 + FIRST), Relaxed);
        (k, is_timed)
    }

    /// Returns the candidate that a timed run tries, in the first runs (`is_early`) or later.
    /// `None` if there is none to try: then the run is made by the best.
    fn try_next(&self, is_early: bool) -> Option<usize> {
        if !is_early {
            return self.next(self.candidates.len());
        }
        let tried_once = |k: &usize| self.candidates[*k].tries.load(Relaxed) == 1;
        let early = EARLY.min(self.candidates.len());
        let next = self.next(early);
        next.or_else(|| (0..early).find(tried_once))
    }

    /// Returns the next candidate to try of the first `count`: one that was never tried, or was
    /// tried fewer than [`TRIES`] times with a time near the best. `None` if there is none.
    fn next(&self, count: usize) -> Option<usize> {
        let best = &self.candidates[self.best.load(Relaxed) as usize];
        let limit = f64::from(best.least.load(Relaxed)) * NEAR;
        let tries = |k: &usize| self.candidates[*k].tries.load(Relaxed);
        let is_near = |k: &usize| f64::from(self.candidates[*k].least.load(Relaxed)) <= limit;
        let hopeful = |k: &usize| {
            let tries = tries(k);
            tries == 0 || tries < TRIES && is_near(k)
        };
        (0..count).filter(hopeful).min_by_key(tries)
    }

    /// Records that candidate `k` took `time` for a copy of `bytes` bytes.
    pub(super) fn record(&self, k: usize, time: Duration, bytes: usize) {
        let candidate = &self.candidates[k];
        // In the units of `Candidate::least`, where the greatest number means that none is known.
        let per_byte = (time.as_nanos() << 16) / bytes.max(1) as u128;
        let per_byte = per_byte.min(u128::from(u32::MAX) - 1) as u32;
        let before = candidate.least.fetch_min(per_byte, Relaxed);
        candidate.tries.fetch_add(1, Relaxed);
        let best = self.best.load(Relaxed) as usize;
        let is_slow = before != u32::MAX && f64::from(per_byte) > SLOW * f64::from(before);
        // In the first runs a slow run is noise.
        if k == best && is_slow && self.runs.load(Relaxed) > 1 + FIRST {
            if self.slow_runs.fetch_add(1, Relaxed) + 1 >= SLOW_RUNS {
                self.forget();
            }
            return;
        }
        if k == best {
            self.slow_runs.store(0, Relaxed);
        }
        let least = |k: usize| self.candidates[k].least.load(Relaxed);
        let fastest = (0..self.candidates.len())
            .min_by_key(|&k| least(k))
            .unwrap_or(0);
        // Before the estimate is timed there is nothing to compare with.
        let is_better =
            least(0) != u32::MAX && f64::from(least(fastest)) < BETTER * f64::from(least(0));
        self.best
            .store(if is_better { fastest as u32 } else { 0 }, Relaxed);
    }

    /// Forgets all times, because runs have become slower than remembered.
    fn forget(&self) {
        for candidate in &self.candidates {
            candidate.tries.store(0, Relaxed);
            candidate.least.store(u32::MAX, Relaxed);
        }
        self.slow_runs.store(0, Relaxed);
        // Run 0 is not made again: its pages were touched.
        self.runs.store(1, Relaxed);
    }
}
