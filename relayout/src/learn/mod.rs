//! Plans that learn. All strategies of a plan write the same bytes, so the copies that a program
//! makes anyway tell which strategy is the fastest.
//!
//! ```text
//! a run of a plan:
//!     run 0:                      copy by the estimate, untimed: its pages may be touched for the
//!                                 first time
//!     runs 1 to FIRST, and then every PERIOD-th:
//!         hopeful = the candidates that were never tried, and those that were tried fewer than
//!                   TRIES times and took at most NEAR times the least time of the best
//!                   (in the runs 1 to FIRST only the first EARLY candidates count)
//!         k = the one of them that was tried least often; of several the first
//!         none is hopeful:        in the runs 1 to FIRST, k = the first of these candidates that
//!                                 was tried only once, because that run may have been disturbed;
//!                                 otherwise, and later, k = the best
//!         k stores through the cache, and the run before wrote past it:
//!                                 copy by k, untimed and uncounted, since the destination is not
//!                                 in the cache; the next run is this one again
//!         copy by candidate k; its least time per byte is kept
//!         the best = the candidate of the least time; the estimate, unless another takes less than
//!                    BETTER times that
//!     all other runs:             copy by the best
//! the best was slower than SLOW times its least time in SLOW_RUNS timed runs in a row:
//!     forget all times, and begin with run 1
//! ```
//!
//! What is learned belongs to a class of copies, and all plans of the process in this class share
//! it.

mod class;
mod clock;
mod lesson;
mod store;

use std::sync::Arc;

pub(crate) use class::{Class, Pages};
pub(crate) use lesson::Lesson;
pub(crate) use store::generation;
pub use store::{forget_wisdom, load_wisdom, wisdom};

use crate::kernels::Run;
use crate::kernels::cost::{self, Choice};
use crate::kernels::task::{Kernel, Task};
use crate::machine::{LINE, Machine};
use crate::way::Way;

/// Smaller copies take too little time to be measured by a clock.
const LEAST_BYTES: usize = 32 << 10;

/// The lessons of one plan: for a destination that does not begin at a line, and for one that does.
#[derive(Clone, Debug)]
pub(crate) struct Lessons {
    both: [Arc<Lesson>; 2],
    /// The offset of the largest task's first element in the destination.
    dst_offset: isize,
}

impl Lessons {
    /// Returns the lessons of a plan that copies `total` bytes. `None` if there is only one way to
    /// copy.
    pub(crate) fn new(way: &Way, total: usize, threads: usize, pages: Pages) -> Option<Self> {
        Self::of_task(&way.largest_task()?, total, threads, pages)
    }

    /// Returns the lessons of a copy of `total` bytes, most of them by `task`.
    pub(crate) fn of_task(task: &Task, total: usize, threads: usize, pages: Pages) -> Option<Self> {
        let one_way =
            matches!(task.kernel, Kernel::Strided | Kernel::Runs) || !task.tiny.is_empty();
        if total < LEAST_BYTES || one_way {
            return None;
        }
        let both = [false, task.keeps_lines].map(|aligned| {
            store::lesson(Class::new(task, total, aligned, threads, pages), || {
                cost::candidates(task, aligned, total, Machine::here())
            })
        });
        Some(Self {
            both,
            dst_offset: task.dst,
        })
    }

    /// Returns the lesson for a destination at this address.
    #[inline]
    pub(crate) fn at(&self, dst: *const u8) -> &Lesson {
        let aligned = dst
            .addr()
            .wrapping_add_signed(self.dst_offset)
            .is_multiple_of(LINE);
        &self.both[usize::from(aligned)]
    }

    /// Returns what was learned, for a destination that begins at a line if it was learned for one.
    pub(crate) fn learned(&self) -> Option<Choice> {
        let [unaligned, aligned] = &self.both;
        aligned.learned().or_else(|| unaligned.learned())
    }

    /// The number of candidates that were timed, in the lesson that timed more of them.
    pub(crate) fn tried(&self) -> usize {
        let [unaligned, aligned] = &self.both;
        aligned.tried().max(unaligned.tried())
    }
}

/// Copies to a destination at this address: by the strategy whose turn it is, or by the estimate if
/// there are no lessons.
#[inline(always)]
pub(crate) fn run(lessons: &Option<Lessons>, dst: *const u8, run: &Run, copy: impl FnOnce(&Run)) {
    match lessons {
        Some(lessons) => {
            let copy = |choice| copy(&run.with(Some(choice)));
            lessons.at(dst).run(run.total, copy);
        }
        None => copy(run),
    }
}

#[cfg(test)]
pub(crate) mod tests;
