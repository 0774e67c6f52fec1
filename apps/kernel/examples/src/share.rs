//! How work is divided among the threads.

use xlayout_kernel::Pool;

/// Fewer elements than these are done before another thread has woken up.
const WORTH: usize = 16 << 10;
/// Shares for each thread, so that one that is held up leaves its work to the others.
const SHARES: usize = 4;

/// How many elements a thread takes at a time: whole rows, and at least one.
pub(crate) fn share(pool: &Pool<'_>, elements: usize, row: usize) -> usize {
    let row = row.max(1);
    let even = elements.div_ceil(SHARES * pool.threads().max(1));
    even.max(WORTH).div_ceil(row) * row
}

/// How many of `count` lines a thread takes at a time: at least one.
pub(crate) fn share_of_lines(pool: &Pool<'_>, count: usize, length: usize) -> usize {
    share(pool, count * length, length) / length.max(1)
}
