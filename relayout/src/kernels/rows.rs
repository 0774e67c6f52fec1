//! Rows: runs of bytes that lie together on both sides.

use core::mem::MaybeUninit;

use super::lanes::Lanes;
use super::odometer::{Odometer, offsets};
use super::write::{LINE, copy, stream};
use crate::kernels::task::Task;

/// The bytes that are collected before they are streamed.
const STAGE: usize = 8192;
/// A row from this length on is streamed by itself.
const LONG: usize = 512;

/// Runs a task of the kind `Copy` or `Rows`.
///
/// # Safety
/// As `kernels::run`.
#[inline(always)]
pub(super) unsafe fn rows<L: Lanes>(task: &Task, src: *const u8, dst: *mut u8, past: bool) {
    let width = task.width;
    // SAFETY: the caller's promise.
    unsafe {
        let outer = Odometer::new(task.outer.as_slice(), src, dst);
        // Whole lines need no collecting.
        let lines =
            task.keeps_lines && width.is_multiple_of(LINE) && (dst as usize).is_multiple_of(LINE);
        if !past || width >= LONG || lines {
            for (src, dst) in outer {
                for (src, dst) in Odometer::new(task.rows.as_slice(), src, dst) {
                    if past {
                        stream::<L>(src, dst, width);
                    } else {
                        copy::<L>(src, dst, width);
                    }
                }
            }
        } else {
            for (src, dst) in outer {
                collected::<L>(task, src, dst);
            }
        }
        if past {
            L::fence();
        }
    }
}

#[repr(align(64))]
struct Stage([MaybeUninit<u8>; STAGE + LONG + LINE]);

/// Rows that follow each other in the destination: collected, and streamed as whole lines.
#[inline(always)]
unsafe fn collected<L: Lanes>(task: &Task, src: *const u8, mut dst: *mut u8) {
    let mut stage = Stage([MaybeUninit::uninit(); _]);
    let stage = stage.0.as_mut_ptr().cast::<u8>();
    let width = task.width;
    let mut from = [0_isize; 64];
    let mut filled = 0;
    let mut row = 0;
    while row < task.row_count {
        let count = from.len().min(task.row_count - row);
        offsets(task.rows.as_slice(), row, true, &mut from[..count]);
        for offset in &from[..count] {
            // SAFETY: a row inside the source; the stage has room for a row, since it is emptied
            // to less than a line as soon as `STAGE` bytes are in it.
            unsafe {
                copy::<L>(src.offset(*offset), stage.add(filled), width);
                filled += width;
                if filled >= STAGE {
                    let beyond = (dst as usize + filled) % LINE;
                    let whole = filled - beyond;
                    stream::<L>(stage, dst, whole);
                    dst = dst.add(whole);
                    core::ptr::copy_nonoverlapping(stage.add(whole), stage, beyond);
                    filled = beyond;
                }
            }
        }
        row += count;
    }
    // SAFETY: what is left of the rows, which follow each other in the destination.
    unsafe { stream::<L>(stage, dst, filled) };
}
