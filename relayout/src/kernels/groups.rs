//! Panels whose first loop on one side is short: its elements become one element of a panel with longer loops.
//!
//! ```text
//! for each block, as many steps of the third loop as the buffer takes:
//!     copy it into the buffer in the sequence of the loops, so that the steps of the first loop are a group of contiguous elements
//!     copy it from there to the destination
//! one of these steps interleaves a few rows or takes them apart; the other one transposes groups
//! ```

use crate::bits::blocks::{by_way_of_buffer, each_block};
use crate::kernels::cost::{Choice, Run};
use crate::kernels::run;
use crate::kernels::task::Task;
use crate::nest::Loop;

/// The most bytes of a block. Both sides and the buffer stay in the second cache. Small in unit tests, whose arrays are small.
const BLOCK: usize = if cfg!(test) { 1024 } else { 32 << 10 };

/// Runs a task of the kind `Groups`.
///
/// # Safety
/// As `kernels::run`.
pub(super) unsafe fn groups(task: &Task, src: *const u8, dst: *mut u8, _: Choice) {
    let [few, inner, outer] = [0, 1, 2].map(|k| task.rows.get(k));
    let most = BLOCK / (few.size * inner.size * task.width);
    for begin in (0..outer.size).step_by(most) {
        let size = most.min(outer.size - begin);
        let loops = [few, inner, Loop { size, ..outer }];
        let [first, second] =
            by_way_of_buffer([&loops, &[]], task.width).map(|nest| Task::new(&nest));
        let by = Run::of(few.size * inner.size * size * task.width);
        let at = (begin as isize * outer.src, begin as isize * outer.dst);
        each_block::<BLOCK>(task.outer.as_slice(), at, |buffer, from, to| {
            // SAFETY: the caller's promise: every step of the loops is an element on both sides. The buffer has a place for each
            // element of a block, and each is written before it is read.
            unsafe {
                run(&first, src.offset(from), buffer, &by);
                run(&second, buffer, dst.offset(to), &by);
            }
        });
    }
}
