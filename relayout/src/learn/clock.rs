//! The clock of all that learns: how long a copy takes.

use std::time::{Duration, Instant};

use crate::kernels::cost::Choice;

/// Copies by a choice, and returns how long it took.
#[inline]
pub(super) fn time<R>(choice: Choice, copy: impl FnOnce(Choice) -> R) -> (R, Duration) {
    let start = Instant::now();
    let result = copy(choice);
    let time = start.elapsed();
    #[cfg(test)]
    let time = super::tests::simulated::process().map_or(time, |process| process.tell(choice));
    (result, time)
}
