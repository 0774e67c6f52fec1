//! Copies of elements that are packed into bytes, the first one in the low bits. The destination is
//! unpacked, packed in another way, or packed in the same way.
//!
//! Only the bits of an element are copied. If the destination is wider, its other bits become zero
//! (XLA's `UnpackIntN` does not extend the sign either). If it is narrower, the high bits are
//! dropped. The other elements of a byte do not change.
#![allow(unsafe_code)]

mod blocks;
mod planes;
mod words;

use crate::cells::{Cells, unit};
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
use crate::kernels::{self, by_word};
use crate::nest::{Loop, Nest, each};
use blocks::{MOST_LOOPS, loops_of};

/// Runs a nest. Its strides count units, and its width counts elements.
///
/// # Safety
/// As `Way::run`; nothing else uses the bytes of the destination.
pub(crate) unsafe fn run(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8, by: &Run) {
    // SAFETY: the caller's promise: every step of the nest is an element on both sides.
    unsafe {
        // Both sides pack in the same way, and every step moves whole bytes.
        let of = 8 / cells.src_bits.clamp(1, 8);
        if cells.src_bits == cells.dst_bits
            && in_a_byte(cells.src_bits)
            && let Some(nest) = nest.divided(of, of, of)
        {
            return kernels::run(&Task::new(&nest), src, dst, by);
        }
        let copied = rows(nest, cells, src, dst)
            || planes::run(nest, cells, src, dst)
            || blocks::run(nest, cells, src, dst);
        if !copied {
            elements_of(nest, cells, src, dst);
        }
    }
}

/// Copies element by element.
///
/// # Safety
/// As [`run`].
unsafe fn elements_of(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8) {
    // SAFETY: the caller's promise: every step of the nest is an element on both sides.
    unsafe {
        // The innermost loop is the one over elements that are contiguous on both sides, or the
        // first loop.
        let mut loops = loops_of(nest);
        let by = match loops.len() {
            0 => Loop::ONCE,
            len if nest.width > 1 => loops.remove(len - 1),
            _ => loops.remove(0),
        };
        each::<MOST_LOOPS>(loops.as_slice(), (nest.src, nest.dst), |from, to| {
            run_of(cells, (src, from, by.src), (dst, to, by.dst), by.size);
        });
    }
}

/// Copies rows that are whole bytes and contiguous on both sides. Returns whether the nest has such
/// rows.
///
/// # Safety
/// As [`run`].
unsafe fn rows(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8) -> bool {
    let (packs, bits) = match (cells.src_bits, cells.dst_bits) {
        (8, bits @ (1 | 2 | 4)) => (true, bits),
        (bits @ (1 | 2 | 4), 8) => (false, bits),
        _ => return false,
    };
    let (of_src, of_dst) = if packs { (1, 8 / bits) } else { (8 / bits, 1) };
    let words = nest.divided(of_src, of_dst, 8);
    let (Some(mut words), true) = (words, nest.width >= 16) else {
        return false;
    };
    let down = match words.loops.len() {
        0 => Loop::ONCE,
        _ => words.loops.remove(0),
    };
    let size = [down.size, words.width];
    each::<MOST_LOOPS>(
        words.loops.as_slice(),
        (words.src, words.dst),
        |from, to| {
            // SAFETY: the caller's promise: the steps of all loops are elements on both sides, and rows begin at whole bytes.
            unsafe {
                let (src, dst) = ((src.offset(from), down.src), (dst.offset(to), down.dst));
                if packs {
                    words::pack_all(bits, src, dst, size);
                } else {
                    words::unpack_all(bits, src, 0, dst, size);
                }
            }
        },
    );
    true
}

/// Copies elements at constant steps. The first offset and the step of each side count units.
///
/// # Safety
/// All of them lie in the buffers, and nothing else uses their bytes in the destination.
#[inline]
pub(crate) unsafe fn run_of(
    cells: Cells,
    (src, from, src_step): (*const u8, isize, isize),
    (dst, to, dst_step): (*mut u8, isize, isize),
    len: usize,
) {
    // SAFETY: the caller's promise; nothing is assumed of the alignment.
    unsafe {
        if let Some(width) = cells.whole() {
            let (src, dst) = (src.offset(from), dst.offset(to));
            if src_step == width as isize && dst_step == width as isize {
                return core::ptr::copy_nonoverlapping(src, dst, len * width);
            }
            return by_word!(width, elements(src, src_step, dst, dst_step, len), {
                for k in 0..len as isize {
                    let (src, dst) = (src.offset(k * src_step), dst.offset(k * dst_step));
                    core::ptr::copy_nonoverlapping(src, dst, width);
                }
            });
        }
        let mut done = 0;
        if (src_step, dst_step) == (1, 1) && len >= 16 {
            // The first elements share a byte with the bits before them.
            let head = match cells.dst_bits {
                bits @ (1 | 2 | 4) => (to as usize).wrapping_neg() % (8 / bits),
                _ => 0,
            };
            if head > 0 {
                run_of(cells, (src, from, 1), (dst, to, 1), head);
                let (from, to) = (from + head as isize, to + head as isize);
                return run_of(cells, (src, from, 1), (dst, to, 1), len - head);
            }
            done = match (cells.src_bits, cells.dst_bits) {
                (bits @ (1 | 2 | 4), 8) => words::run((false, bits), (src, from), (dst, to), len),
                (8, bits @ (1 | 2 | 4)) => words::run((true, bits), (src, from), (dst, to), len),
                _ => 0,
            };
        }
        if in_a_byte(cells.src_bits) && in_a_byte(cells.dst_bits) {
            let (src_bits, dst_bits) = (cells.src_bits, cells.dst_bits);
            let mask = low(src_bits.min(dst_bits));
            let read = |k: usize| {
                let bit = (from + k as isize * src_step) as usize * src_bits;
                src.add(bit / 8).read() >> (bit % 8) & mask
            };
            while done < len {
                let bit = (to + done as isize * dst_step) as usize * dst_bits;
                let byte = dst.add(bit / 8);
                let place = low(dst_bits) << (bit % 8);
                // A whole byte may be in a buffer that is not initialised.
                let kept = if dst_bits < 8 { byte.read() } else { 0 };
                byte.write(kept & !place | read(done) << (bit % 8));
                done += 1;
            }
            return;
        }
        for k in done as isize..len as isize {
            let from = (from + k * src_step) as usize * unit(cells.src_bits);
            let to = (to + k * dst_step) as usize * unit(cells.dst_bits);
            element(src, from, cells.src_bits, dst, to, cells.dst_bits);
        }
    }
}

unsafe fn elements<T: Copy>(
    src: *const u8,
    src_step: isize,
    dst: *mut u8,
    dst_step: isize,
    len: usize,
) {
    for k in 0..len as isize {
        // SAFETY: the caller's promise; nothing is assumed of the alignment.
        unsafe {
            let element = src.offset(k * src_step).cast::<T>().read_unaligned();
            let to = dst.offset(k * dst_step).cast::<T>();
            to.write_unaligned(element);
        }
    }
}

/// Copies one element by bit offsets, and sets the other bits of a wider destination to zero.
#[inline]
unsafe fn element(
    src: *const u8,
    mut from: usize,
    src_bits: usize,
    dst: *mut u8,
    mut to: usize,
    dst_bits: usize,
) {
    let (mut known, mut left) = (src_bits, dst_bits);
    while left > 0 {
        // The bits up to the next end of a byte on either side.
        let some = (8 - to % 8).min(left);
        // SAFETY: both bytes hold bits of the element.
        unsafe {
            let mut bits = 0;
            let mut got = 0;
            while got < some && known > 0 {
                let part = (8 - from % 8).min(some - got).min(known);
                let byte = src.add(from / 8).read() >> (from % 8);
                bits |= (byte & low(part)) << got;
                got += part;
                from += part;
                known -= part;
            }
            let byte = dst.add(to / 8);
            let mask = low(some) << (to % 8);
            byte.write(byte.read() & !mask | bits << (to % 8));
        }
        to += some;
        left -= some;
    }
}

/// Copies a cell from bit to bit of two slices.
pub(crate) fn copy_cell(src: &[u8], from: usize, dst: &mut [u8], to: usize, bits: usize) {
    assert!((from + bits).div_ceil(8) <= src.len() && (to + bits).div_ceil(8) <= dst.len());
    // SAFETY: just checked.
    unsafe { element(src.as_ptr(), from, bits, dst.as_mut_ptr(), to, bits) };
}

/// Whether each element lies in one byte.
const fn in_a_byte(bits: usize) -> bool {
    matches!(bits, 1 | 2 | 4 | 8)
}

/// A byte whose `bits` low bits are 1.
const fn low(bits: usize) -> u8 {
    (0xff_u16 >> (8 - bits)) as u8
}
