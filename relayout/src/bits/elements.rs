//! Elements one by one, and runs and rows of them.

use core::ops::Range;

use super::words;
use crate::cells::{Cells, unit};
use crate::kernels::by_word;
use crate::nest::{Loop, Loops, MAX_LOOPS, Nest, each};

/// The loops of a nest, the width too, and the two that are cut.
pub(super) const MOST_LOOPS: usize = MAX_LOOPS + 3;

/// The loops of a nest, and the loop over its contiguous elements.
pub(super) fn loops_of(nest: &Nest) -> Loops<MOST_LOOPS> {
    let together = Loop {
        size: nest.width,
        src: 1,
        dst: 1,
    };
    let mut all = Loops::NONE;
    for &level in nest.loops.as_slice().iter().chain([&together]) {
        let fits = level.size == 1 || all.push(level);
        debug_assert!(fits, "there are at most `MAX_LOOPS` and the width");
    }
    all
}

/// Copies element by element.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn elements_of(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8) {
    // The innermost loop is the one over elements that are contiguous on both sides, or the first
    // loop.
    let mut loops = loops_of(nest);
    let Loop {
        size,
        src: src_step,
        dst: dst_step,
    } = match loops.len() {
        0 => Loop::ONCE,
        len if nest.width > 1 => loops.remove(len - 1),
        _ => loops.remove(0),
    };
    each::<MOST_LOOPS>(loops.as_slice(), (nest.src, nest.dst), |from, to| {
        // SAFETY: the caller's promise: every step of the nest is an element on both sides.
        unsafe { run_of(cells, (src, from, src_step), (dst, to, dst_step), size) };
    });
}

/// Copies rows that are whole bytes and contiguous on both sides. Returns whether the nest has such
/// rows.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn rows(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8) -> bool {
    let (packs, bits) = match (cells.src_bits, cells.dst_bits) {
        (8, bits @ (1 | 2 | 4)) => (true, bits),
        (bits @ (1 | 2 | 4), 8) => (false, bits),
        _ => return false,
    };
    let (of_src, of_dst) = if packs { (1, 8 / bits) } else { (8 / bits, 1) };
    let Some(mut words) = nest.divided(of_src, of_dst, 8) else {
        return false;
    };
    if nest.width < 16 {
        return false;
    }
    let rows = match words.loops.len() {
        0 => Loop::ONCE,
        _ => words.loops.remove(0),
    };
    let size = [rows.size, words.width];
    each::<MOST_LOOPS>(
        words.loops.as_slice(),
        (words.src, words.dst),
        |from, to| {
            // SAFETY: the caller's promise: the steps of all loops are elements on both sides, and
            // rows begin at whole bytes.
            unsafe {
                let src = (src.offset(from), rows.src);
                let dst = (dst.offset(to), rows.dst);
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

/// Elements of one side: the buffer, and in units the first offset and the step from one to the
/// next.
type Elements<P> = (P, isize, isize);

/// Copies elements at constant steps.
///
/// # Safety
/// All of them lie in the buffers, and nothing else uses their bytes in the destination.
#[inline]
pub(crate) unsafe fn run_of(
    cells: Cells,
    from: Elements<*const u8>,
    to: Elements<*mut u8>,
    len: usize,
) {
    if let Some(width) = cells.whole() {
        // SAFETY: the caller's promise.
        return unsafe { whole_elements(width, from, to, len) };
    }
    let mut done = 0;
    if (from.2, to.2) == (1, 1) && len >= 16 {
        // The first elements share a byte with the bits before them.
        let head = match cells.dst_bits {
            bits @ (1 | 2 | 4) => (to.1 as usize).wrapping_neg() % (8 / bits),
            _ => 0,
        };
        if head > 0 {
            let rest = head as isize;
            // SAFETY: the caller's promise: these are the first elements, and the others.
            unsafe {
                run_of(cells, from, to, head);
                let from = (from.0, from.1 + rest, 1);
                return run_of(cells, from, (to.0, to.1 + rest, 1), len - head);
            }
        }
        // SAFETY: the caller's promise.
        done = unsafe { words::run(cells, (from.0, from.1), (to.0, to.1), len) };
    }
    let is_in_a_byte = in_a_byte(cells.src_bits) && in_a_byte(cells.dst_bits);
    // SAFETY: the caller's promise, and the first `done` elements are of the same run.
    unsafe {
        if is_in_a_byte {
            elements_in_bytes(cells, from, to, done..len);
        } else {
            elements_of_bits(cells, from, to, done..len);
        }
    }
}

/// Copies elements of `width` bytes on both sides.
///
/// # Safety
/// As [`run_of`].
#[inline]
unsafe fn whole_elements(
    width: usize,
    (src, from, src_step): Elements<*const u8>,
    (dst, to, dst_step): Elements<*mut u8>,
    len: usize,
) {
    // SAFETY: the caller's promise; nothing is assumed of the alignment.
    unsafe {
        let src = src.offset(from);
        let dst = dst.offset(to);
        if src_step == width as isize && dst_step == width as isize {
            return core::ptr::copy_nonoverlapping(src, dst, len * width);
        }
        by_word!(width, elements(src, src_step, dst, dst_step, len), {
            for k in 0..len as isize {
                let src = src.offset(k * src_step);
                let dst = dst.offset(k * dst_step);
                core::ptr::copy_nonoverlapping(src, dst, width);
            }
        });
    }
}

/// Copies those elements of a run that have these numbers. Each lies in one byte on both sides.
///
/// # Safety
/// As [`run_of`].
#[inline]
unsafe fn elements_in_bytes(
    Cells { src_bits, dst_bits }: Cells,
    (src, from, src_step): Elements<*const u8>,
    (dst, to, dst_step): Elements<*mut u8>,
    numbers: Range<usize>,
) {
    let mask = low(src_bits.min(dst_bits));
    for k in numbers.start as isize..numbers.end as isize {
        let src_bit = (from + k * src_step) as usize * src_bits;
        let dst_bit = (to + k * dst_step) as usize * dst_bits;
        let place = low(dst_bits) << (dst_bit % 8);
        // SAFETY: the caller's promise: both bytes hold an element of the run.
        unsafe {
            let element = src.add(src_bit / 8).read() >> (src_bit % 8) & mask;
            let byte = dst.add(dst_bit / 8);
            // A whole byte may be in a buffer that is not initialised.
            let others = if dst_bits < 8 { byte.read() } else { 0 };
            byte.write(others & !place | element << (dst_bit % 8));
        }
    }
}

/// Copies those elements of a run that have these numbers.
///
/// # Safety
/// As [`run_of`].
unsafe fn elements_of_bits(
    cells: Cells,
    (src, from, src_step): Elements<*const u8>,
    (dst, to, dst_step): Elements<*mut u8>,
    numbers: Range<usize>,
) {
    for k in numbers.start as isize..numbers.end as isize {
        let from = (from + k * src_step) as usize * unit(cells.src_bits);
        let to = (to + k * dst_step) as usize * unit(cells.dst_bits);
        // SAFETY: the caller's promise: these are the first bits of an element of the run.
        unsafe { element(src, from, cells.src_bits, dst, to, cells.dst_bits) };
    }
}

/// # Safety
/// The elements can be read and written.
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
    let mut known = src_bits;
    let mut left = dst_bits;
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
pub(super) const fn in_a_byte(bits: usize) -> bool {
    matches!(bits, 1 | 2 | 4 | 8)
}

/// A byte whose `bits` low bits are 1.
const fn low(bits: usize) -> u8 {
    (0xff_u16 >> (8 - bits)) as u8
}
