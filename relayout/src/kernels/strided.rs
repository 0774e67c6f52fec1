//! Single elements at strides: what no other kernel can take.

use super::odometer::each;
use super::write::short;
use crate::kernels::task::Task;
use crate::nest::Loop;

/// Runs a task of the kind `Strided`.
///
/// # Safety
/// As `kernels::run`.
#[inline(always)]
pub(super) unsafe fn strided(task: &Task, src: *const u8, dst: *mut u8) {
    let inner = task.rows.get(0);
    // SAFETY: the caller's promise.
    unsafe {
        match task.width {
            1 => elements::<u8>(task, inner, src, dst),
            2 => elements::<u16>(task, inner, src, dst),
            4 => elements::<u32>(task, inner, src, dst),
            8 => elements::<u64>(task, inner, src, dst),
            16 => elements::<u128>(task, inner, src, dst),
            width => each(task.outer.as_slice(), src, dst, |src, dst| {
                for k in 0..inner.size as isize {
                    short(src.offset(k * inner.src), dst.offset(k * inner.dst), width);
                }
            }),
        }
    }
}

#[inline(always)]
unsafe fn elements<T: Copy>(task: &Task, inner: Loop, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise; nothing is assumed of the alignment.
    unsafe {
        each(task.outer.as_slice(), src, dst, |src, dst| {
            for k in 0..inner.size as isize {
                let element = src.offset(k * inner.src).cast::<T>().read_unaligned();
                dst.offset(k * inner.dst)
                    .cast::<T>()
                    .write_unaligned(element);
            }
        });
    }
}

/// Runs a panel one by one.
///
/// # Safety
/// As `kernels::run`.
pub(super) unsafe fn all(task: &Task, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        match task.width {
            1 => panel::<u8>(task, src, dst),
            2 => panel::<u16>(task, src, dst),
            4 => panel::<u32>(task, src, dst),
            8 => panel::<u64>(task, src, dst),
            16 => panel::<u128>(task, src, dst),
            _ => panel::<[u128; 2]>(task, src, dst),
        }
    }
}

#[inline(always)]
unsafe fn panel<T: Copy>(task: &Task, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise; nothing is assumed of the alignment.
    unsafe {
        if let ([row], [column]) = (task.rows.as_slice(), task.columns.as_slice()) {
            // The usual case: two loops, the longer one inside, without an odometer for each element.
            let (a, b) = if row.size >= column.size {
                (*row, *column)
            } else {
                (*column, *row)
            };
            each(task.outer.as_slice(), src, dst, |src, dst| {
                let (mut src, mut dst) = (src, dst);
                for _ in 0..b.size {
                    let (mut from, mut to) = (src, dst);
                    for _ in 0..a.size {
                        let element = from.cast::<T>().read_unaligned();
                        to.cast::<T>().write_unaligned(element);
                        from = from.wrapping_offset(a.src);
                        to = to.wrapping_offset(a.dst);
                    }
                    src = src.wrapping_offset(b.src);
                    dst = dst.wrapping_offset(b.dst);
                }
            });
            return;
        }
        each(task.outer.as_slice(), src, dst, |src, dst| {
            each(task.columns.as_slice(), src, dst, |src, dst| {
                each(task.rows.as_slice(), src, dst, |src, dst| {
                    let element = src.cast::<T>().read_unaligned();
                    dst.cast::<T>().write_unaligned(element);
                });
            });
        });
    }
}
