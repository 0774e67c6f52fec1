//! Copies single elements: at strides that no other kernel takes, and panels without a block.

use crate::kernels::cost::Choice;
use crate::kernels::task::{COMPOSITE, Task};
use crate::machine::LINE;
use crate::nest::{Loops, MAX_LOOPS, each};

/// Runs a task of the kind `Strided` or `Panel` element by element.
///
/// # Safety
/// As `kernels::run`; elements have 1, 2, 4, 8, 16 or 32 bytes.
pub(super) unsafe fn strided(task: &Task, src: *const u8, dst: *mut u8, _: Choice) {
    // SAFETY: the caller's promise.
    unsafe {
        by_word!(
            task.width,
            elements(task, src, dst),
            elements::<[u128; 2]>(task, src, dst)
        );
    }
}

/// Copies the elements. The longer side is the inner loop. A task of the kind `Strided` has one
/// side. If the next loop has short steps in the source, a few steps of the first one are copied
/// with all of it: their lines stay in the cache.
#[inline(always)]
unsafe fn elements<T: Copy>(task: &Task, src: *const u8, dst: *mut u8) {
    let mut inner = task.rows.as_slice();
    let mut beside = task.columns.as_slice();
    if task.row_count < task.column_count {
        (inner, beside) = (beside, inner);
    }
    // SAFETY: the caller's promise; nothing is assumed of the alignment.
    let copy = |from, to| unsafe {
        let element = src.offset(from).cast::<T>().read_unaligned();
        dst.offset(to).cast::<T>().write_unaligned(element);
    };
    // A single side needs no large array.
    if beside.is_empty() && task.outer.len() == 0 {
        return each::<COMPOSITE>(inner, (0, 0), copy);
    }
    let mut loops = Loops::<MAX_LOOPS>::NONE;
    for &level in inner.iter().chain(beside).chain(task.outer.as_slice()) {
        let fits = loops.push(level);
        debug_assert!(fits, "all of them were in one nest");
    }
    let level = loops.get(0);
    let steps = match loops.get(1).src.unsigned_abs() {
        // Steps of a power of two put lines into few places of the cache.
        1..LINE if level.src % 512 == 0 => 16,
        1..LINE => 128,
        _ => level.size,
    };
    for begin in (0..level.size).step_by(steps) {
        loops.set_size(0, steps.min(level.size - begin));
        let begin = begin as isize;
        each::<MAX_LOOPS>(
            loops.as_slice(),
            (begin * level.src, begin * level.dst),
            copy,
        );
    }
}
