//! Panels whose first loop on one side is short: its elements become one element of a panel with longer loops.
//!
//! ```text
//! group = the elements of the few rows that are contiguous in the destination
//! for each block of columns, as many groups as the buffer takes:
//!     interleave the few rows of the source into the buffer
//!     copy the groups from the buffer to their places: a panel of wider elements
//! for few columns that are contiguous in the source: the same with the two sides exchanged
//! ```

use core::mem::MaybeUninit;

use crate::kernels::cost::{Choice, Run};
use crate::kernels::run;
use crate::kernels::task::Task;
use crate::nest::{Loop, MAX_LOOPS, Nest, each};

/// The bytes of a block. Both sides and the buffer stay in the first cache. Small in unit tests, whose arrays are small.
const BLOCK: usize = if cfg!(test) { 1024 } else { 8 << 10 };

#[repr(align(64))]
struct Buffer([u8; BLOCK]);

/// Runs a task of the kind `Groups`.
///
/// # Safety
/// As `kernels::run`.
pub(super) unsafe fn groups(task: &Task, src: *const u8, dst: *mut u8, _: Choice) {
    let apart = task.columns.len() == 1;
    let (few, long) = match apart {
        true => (task.columns.get(0), &task.rows),
        false => (task.rows.get(0), &task.columns),
    };
    let (inner, outer, group) = (long.get(0), long.get(1), few.size * task.width);
    let mut buffer = MaybeUninit::<Buffer>::uninit();
    let buffer = buffer.as_mut_ptr().cast::<u8>();
    let most = BLOCK / (inner.size * group);
    for begin in (0..outer.size).step_by(most) {
        let size = most.min(outer.size - begin);
        let (outer, run_of) = (Loop { size, ..outer }, inner.size * group);
        // Between the few and the buffer, and between the buffer and the other side.
        let mut nests = [Nest::of_width(task.width), Nest::of_width(group)];
        for (k, by, step) in [
            (0, few, task.width),
            (0, inner, group),
            (0, outer, run_of),
            (1, inner, group),
            (1, outer, run_of),
        ] {
            let step = step as isize;
            nests[k].loops.push(match (k == 0) == apart {
                true => Loop { src: step, ..by },
                false => Loop { dst: step, ..by },
            });
        }
        if apart {
            nests.swap(0, 1);
        }
        let [first, second] = nests.map(|mut nest| {
            nest.normalise();
            Task::new(&nest)
        });
        let by = Run::of(size * run_of);
        let at = (begin as isize * outer.src, begin as isize * outer.dst);
        each::<MAX_LOOPS>(task.outer.as_slice(), at, |from, to| {
            // SAFETY: the caller's promise: every step of the loops is an element on both sides. The buffer has a place for each element
            // of a block, and each is written before it is read.
            unsafe {
                run(&first, src.offset(from), buffer, &by);
                run(&second, buffer, dst.offset(to), &by);
            }
        });
    }
}
