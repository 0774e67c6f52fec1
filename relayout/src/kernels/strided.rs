//! Single elements: at strides, which no other kernel can take, and of panels that hold no block.

use super::odometer::each;
use crate::kernels::task::Task;

/// Runs a task of the kind `Strided` or `Panel` one by one.
///
/// # Safety
/// As `kernels::run`; elements have 1, 2, 4, 8, 16 or 32 bytes.
#[inline(always)]
pub(super) unsafe fn strided(task: &Task, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        match task.width {
            1 => elements::<u8>(task, src, dst),
            2 => elements::<u16>(task, src, dst),
            4 => elements::<u32>(task, src, dst),
            8 => elements::<u64>(task, src, dst),
            16 => elements::<u128>(task, src, dst),
            _ => elements::<[u128; 2]>(task, src, dst),
        }
    }
}

/// The longer side is inside. A task of the kind `Strided` has one side.
#[inline(always)]
unsafe fn elements<T: Copy>(task: &Task, src: *const u8, dst: *mut u8) {
    let (mut inner, mut beside) = (task.rows.as_slice(), task.columns.as_slice());
    if task.row_count < task.column_count {
        (inner, beside) = (beside, inner);
    }
    // SAFETY: the caller's promise; nothing is assumed of the alignment.
    unsafe {
        each(task.outer.as_slice(), src, dst, |src, dst| {
            each(beside, src, dst, |src, dst| {
                each(inner, src, dst, |src, dst| {
                    let element = src.cast::<T>().read_unaligned();
                    dst.cast::<T>().write_unaligned(element);
                });
            });
        });
    }
}
