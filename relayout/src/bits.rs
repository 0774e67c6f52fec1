//! Elements that are packed into bytes, the first in the low bits, and what is to become of them:
//! unpacked, packed in another way, or as they are.
//!
//! Only the bits of an element move: what a wider destination has beyond them becomes zero (XLA's
//! `UnpackIntN` does not extend the sign either), what a narrower one has no room for is dropped.
//! The other elements of a byte stay as they are.
#![allow(unsafe_code)]

mod blocks;
mod planes;
mod words;

use crate::cells::Cells;
use crate::kernels;
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
use crate::nest::{Loop, Nest, each};
use blocks::MOST_LOOPS;
use words::{pack, unpack};

/// Runs a nest whose strides count units, and whose width counts elements.
///
/// # Safety
/// As `Way::run`; no one else touches the bytes of the destination.
pub(crate) unsafe fn run(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8, by: &Run) {
    // SAFETY: the caller's promise: every step of the nest is an element on both sides.
    unsafe {
        if let Some(nest) = as_bytes(nest, cells) {
            return kernels::run(&Task::new(&nest), src, dst, by);
        }
        if rows(nest, cells, src, dst)
            || planes::run(nest, cells, src, dst)
            || blocks::run(nest, cells, src, dst)
        {
            return;
        }
        let mut loops = nest.loops;
        // The elements that lie together are the innermost loop, if there are any.
        let inner = if nest.width == 1 && loops.len() > 0 {
            loops.remove(0)
        } else {
            Loop {
                size: nest.width,
                src: 1,
                dst: 1,
            }
        };
        // Beside it the loop of the shortest steps in the source: both together go block by block,
        // so that a line of the cache is not left before all of it is read.
        let near = (0..loops.len()).min_by_key(|k| loops.get(*k).src.unsigned_abs());
        let beside = match near {
            Some(near) if nest.width == 1 => loops.remove(near),
            _ => Loop::ONCE,
        };
        let long = if beside.size == 1 { inner.size } else { BLOCK };
        each::<MOST_LOOPS>(loops.as_slice(), (nest.src, nest.dst), |from, to| {
            for begin in (0..inner.size).step_by(long) {
                let len = long.min(inner.size - begin);
                let begin = begin as isize;
                let (from, to) = (from + begin * inner.src, to + begin * inner.dst);
                for k in 0..beside.size as isize {
                    let (from, to) = (from + k * beside.src, to + k * beside.dst);
                    run_of(cells, (src, from, inner.src), (dst, to, inner.dst), len);
                }
            }
        });
    }
}

/// Copies rows that are whole bytes, and contiguous on both sides; whether it did.
///
/// # Safety
/// As [`run`].
unsafe fn rows(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8) -> bool {
    let (packs, bits) = match (cells.src_bits, cells.dst_bits) {
        (8, bits @ (1 | 2 | 4)) => (true, bits),
        (bits @ (1 | 2 | 4), 8) => (false, bits),
        _ => return false,
    };
    let in_byte = 8 / bits;
    let packed = |src: isize, dst: isize| if packs { dst } else { src };
    let whole = |units: isize| units.unsigned_abs().is_multiple_of(in_byte);
    let mut outer = nest.loops;
    if nest.width < 16
        || !nest.width.is_multiple_of(8)
        || !whole(packed(nest.src, nest.dst))
        || !outer
            .as_slice()
            .iter()
            .all(|by| whole(packed(by.src, by.dst)))
    {
        return false;
    }
    let down = if outer.len() > 0 {
        outer.remove(0)
    } else {
        Loop::ONCE
    };
    let in_bytes = |src: isize, dst: isize| {
        let in_byte = in_byte as isize;
        if packs {
            (src, dst / in_byte)
        } else {
            (src / in_byte, dst)
        }
    };
    let pitches = in_bytes(down.src, down.dst);
    each::<MOST_LOOPS>(outer.as_slice(), (nest.src, nest.dst), |from, to| {
        let (from, to) = in_bytes(from, to);
        // SAFETY: the caller's promise: the steps of all loops are elements on both sides, and rows begin at whole bytes.
        unsafe {
            let (src, dst) = ((src.offset(from), pitches.0), (dst.offset(to), pitches.1));
            words::rows((packs, bits), src, dst, [down.size, nest.width / 8]);
        }
    });
    true
}

/// Elements of a block along the innermost loop: whole bytes.
const BLOCK: usize = 64;

/// The nest in bytes, where both sides pack alike and only whole bytes move.
fn as_bytes(nest: &Nest, cells: Cells) -> Option<Nest> {
    let bits = cells.src_bits;
    if bits != cells.dst_bits || !matches!(bits, 1 | 2 | 4) {
        return None;
    }
    nest.divided(8 / bits)
}

/// Copies elements at constant steps: from and to a first offset, both counted in units.
///
/// # Safety
/// All of them lie in the buffers, and no one else touches their bytes in the destination.
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
            return match width {
                1 => elements::<u8>(src, src_step, dst, dst_step, len),
                2 => elements::<u16>(src, src_step, dst, dst_step, len),
                4 => elements::<u32>(src, src_step, dst, dst_step, len),
                8 => elements::<u64>(src, src_step, dst, dst_step, len),
                16 => elements::<u128>(src, src_step, dst, dst_step, len),
                _ => {
                    for k in 0..len as isize {
                        let (src, dst) = (src.offset(k * src_step), dst.offset(k * dst_step));
                        core::ptr::copy_nonoverlapping(src, dst, width);
                    }
                }
            };
        }
        let mut done = 0;
        if (src_step, dst_step) == (1, 1) && len >= 16 {
            done = match (cells.src_bits, cells.dst_bits) {
                (4, 8) => unpack::<4>(src, from, dst, to, len),
                (2, 8) => unpack::<2>(src, from, dst, to, len),
                (1, 8) => unpack::<1>(src, from, dst, to, len),
                (8, 4) => pack::<4>(src, from, dst, to, len),
                (8, 2) => pack::<2>(src, from, dst, to, len),
                (8, 1) => pack::<1>(src, from, dst, to, len),
                _ => 0,
            };
        }
        let in_a_byte = |bits| matches!(bits, 1 | 2 | 4 | 8);
        if in_a_byte(cells.src_bits) && in_a_byte(cells.dst_bits) {
            let (src_bits, dst_bits) = (cells.src_bits, cells.dst_bits);
            let mask = low(src_bits.min(dst_bits));
            let read = |k: usize| {
                let bit = (from + k as isize * src_step) as usize * src_bits;
                src.add(bit / 8).read() >> (bit % 8) & mask
            };
            let each = 8 / dst_bits;
            while done < len {
                let bit = (to + done as isize * dst_step) as usize * dst_bits;
                let byte = dst.add(bit / 8);
                if dst_step == 1 && bit.is_multiple_of(8) && done + each <= len {
                    // A whole byte of the run's.
                    let of = |k| read(done + k) << (k * dst_bits);
                    byte.write((0..each).fold(0, |bits, k| bits | of(k)));
                    done += each;
                } else {
                    let place = low(dst_bits) << (bit % 8);
                    byte.write(byte.read() & !place | read(done) << (bit % 8));
                    done += 1;
                }
            }
            return;
        }
        for k in done as isize..len as isize {
            let from = (from + k * src_step) as usize * cells.src_unit;
            let to = (to + k * dst_step) as usize * cells.dst_unit;
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

/// Copies one element from bit to bit; further bits of the destination's become zero.
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
        // Up to where either side leaves its byte.
        let some = (8 - to % 8).min(left);
        // SAFETY: bytes in which the element has bits, on either side.
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

/// A byte whose `bits` low bits are 1.
const fn low(bits: usize) -> u8 {
    (0xff_u16 >> (8 - bits)) as u8
}
