//! Interleaves a few rows, and separates them: three colour channels, pairs of rows in a tile.
//!
//! ```text
//! for each step of one register of each of the K rows:
//!     load K registers, one from each row
//!     for each of the K results:
//!         result = 0
//!         for each of the K registers: result |= shuffle(register, mask of this result and this
//!         register)
//!     store the K results one behind the other
//! taking apart is the same with the two sides exchanged
//! if other elements lie between the groups of K elements: the groups are copied from or to a run
//!     in between
//! ```
//!
//! Each byte of a result comes from one byte of one register, so K shuffles make a result for any
//! width.

use core::mem::MaybeUninit;

use super::block::each_of;
use super::lanes::Lanes;
use super::odometer::Odometer;
use super::write::{Scratch, copy, stream};
use crate::kernels::task::{MOST_INTERLEAVED, Task};
use crate::machine::LINE;
use crate::nest::Loop;

/// The registers of each run that are collected before they are written past the cache.
const STEPS: usize = 16;

/// The bytes of each row that are prefetched. The processor prefetches the rest of the row itself.
const AHEAD: usize = 1024;

/// The distance of the prefetch: copying this many bytes takes as long as a few lines take to
/// arrive from memory.
const LEAD: usize = 4096;

/// For each of `K` results and each of its sources, the shuffle of a lane: the source byte of each
/// byte, or 0x80 for none.
type Masks<const K: usize> = [[[u8; 16]; K]; K];

/// The shuffles that interleave `K` rows of elements of `W` bytes.
const fn masks<const W: usize, const K: usize>(apart: bool) -> Masks<K> {
    let mut masks = [[[0x80; 16]; K]; K];
    // A run that fills a lane is a panel.
    each!(at, 0..if K * W < 16 { K * 16 } else { 0 }, {
        let row = at / 16;
        let byte = at % 16;
        // Where this byte of this row lies in the interleaved run of `K` lanes.
        let place = (byte / W * K + row) * W + byte % W;
        let lane = place / 16;
        let in_lane = place % 16;
        if apart {
            masks[row][lane][byte] = in_lane as u8;
        } else {
            masks[lane][row][in_lane] = byte as u8;
        }
    });
    masks
}

/// Runs a task of the kind `Interleave`, or `Deinterleave` if `apart`, with elements of `W` bytes.
///
/// # Safety
/// As `kernels::run`.
#[inline(always)]
pub(super) unsafe fn interleave<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    past: bool,
    apart: bool,
) {
    // The short loop, and the long one.
    let (short, run) = if apart {
        (task.columns.get(0), task.rows.get(0))
    } else {
        (task.rows.get(0), task.columns.get(0))
    };
    let loops = task.around_plane();
    let len = run.size * W;
    // The processor cannot predict the next of several short runs.
    // SAFETY: the caller's promise: the loops stay inside both sides.
    let mut next = unsafe { Odometer::new(loops.as_slice(), src, dst) };
    if past {
        next.by_ref()
            .take((LEAD / (short.size * len)).max(1))
            .for_each(drop);
    }
    // SAFETY: as above.
    for (src, dst) in unsafe { Odometer::new(loops.as_slice(), src, dst) } {
        if past && let Some((next, _)) = next.next() {
            let (rows, len) = if apart {
                (1, short.size * len)
            } else {
                (short.size, len)
            };
            for row in 0..rows as isize {
                for line in (0..len.min(AHEAD)).step_by(LINE) {
                    let line = next.wrapping_offset(row * short.src).wrapping_add(line);
                    // SAFETY: the caller has the instructions. What is prefetched is not read.
                    unsafe { L::prefetch::<1>(line) };
                }
            }
        }
        // The number of rows as a constant, so that the registers are known at compile time.
        macro_rules! by_count {
            ($($k:literal)*) => {
                match short.size {
                    // A run that fills a lane is a panel.
                    $($k if const { $k * W < 16 } => {
                        // SAFETY: the caller's promise, of the rows that begin here.
                        unsafe { one_run::<L, W, $k>(short, run, src, dst, past, apart) };
                    })*
                    _ => unreachable!("`is_interleave` takes fewer rows than fill a lane"),
                }
            };
        }
        by_count!(2 3 4 5 6 7 8);
    }
    if past {
        // SAFETY: the caller has the instructions.
        unsafe { L::fence() };
    }
}

/// Interleaves the rows of one run, or separates its groups.
///
/// # Safety
/// All elements of both loops can be read at `src` and written at `dst`, and the processor has the
/// instructions of `L`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn one_run<L: Lanes, const W: usize, const K: usize>(
    short: Loop,
    run: Loop,
    src: *const u8,
    dst: *mut u8,
    past: bool,
    apart: bool,
) {
    // Whether other elements lie between the groups of the run.
    let gaps = (if apart { run.src } else { run.dst }) != (K * W) as isize;
    // Whether all rows of the destination begin at a line where the first one does.
    let keeps_lines = short.dst % LINE as isize == 0;
    let mut scratch = MaybeUninit::<Scratch<{ MOST_INTERLEAVED * STEPS * LINE }>>::uninit();
    let scratch = scratch.as_mut_ptr().cast::<u8>();
    let per_step = L::BYTES / W;
    // The steps of a part: the scratch has room for those of a target, or half as many of a source
    // and a target.
    let most_steps = if gaps { STEPS / 2 } else { STEPS };
    let mut at = 0;
    while at < run.size {
        // The last step of a run begins earlier in place of being cut off. It is stored: what it
        // writes again is the same.
        let is_last = run.size - at < per_step && run.size >= per_step;
        if is_last {
            at = run.size - per_step;
        }
        let past = past && !is_last;
        let left = run.size - at;
        let steps = (left / per_step).clamp(1, most_steps);
        let count = left.min(steps * per_step);
        let bytes = steps * L::BYTES;
        let from = src.wrapping_offset(at as isize * run.src);
        let to = dst.wrapping_offset(at as isize * run.dst);
        // The rest is shorter than a step: its rows, or its run, are copied to whole registers
        // first.
        let is_rest = count < per_step;
        let mut source = (from, short.src);
        if is_rest || gaps && apart {
            let step = if apart { run.src } else { short.src };
            let registers = scratch.wrapping_add(MOST_INTERLEAVED * bytes);
            // SAFETY: `count` elements of each row from here on. The registers are behind those of
            // a target.
            unsafe { fill::<L, W, K>((from, step), registers, count, apart) };
            source = (registers.cast_const(), L::BYTES as isize);
        }
        // An interleaved run is contiguous, so it stays aligned to lines.
        let lines = (!apart || keeps_lines) && (to as usize).is_multiple_of(LINE);
        let lines = lines && (apart || K.is_power_of_two() || L::permutes());
        let collects = is_rest || gaps && !apart || past && !lines;
        let target = if collects {
            (scratch, bytes as isize)
        } else {
            (to, short.dst)
        };
        // SAFETY: whole steps inside the run, or of the scratch.
        unsafe { all::<L, W, K>(source, target, steps, apart, past && !collects) };
        if collects && gaps && !apart {
            // SAFETY: the groups of this part were collected, and `run.dst` is from one to the
            // next.
            unsafe { groups((scratch, (K * W) as isize), (to, run.dst), count, K * W) };
        } else if collects {
            let (rows, len) = if apart { (K, count) } else { (1, K * count) };
            for k in 0..rows {
                // SAFETY: the elements of a row of this part, or of its run, which were collected.
                unsafe {
                    let from = scratch.add(k * bytes);
                    let to = to.offset(k as isize * short.dst);
                    if past {
                        stream::<L>(from, to, len * W);
                    } else {
                        copy::<L>(from, to, len * W);
                    }
                }
            }
        }
        at += count;
    }
}

/// Copies `count` elements of each of `K` rows to registers, or so many groups if `apart`. Each
/// register of a rest is whole: it ends with zeros. The source is an address, and the bytes from
/// one row or group to the next.
///
/// # Safety
/// They can be read, and the registers written. A rest takes one register for each row.
#[inline(always)]
unsafe fn fill<L: Lanes, const W: usize, const K: usize>(
    (from, step): (*const u8, isize),
    registers: *mut u8,
    count: usize,
    apart: bool,
) {
    if count * W < L::BYTES {
        // SAFETY: the caller's promise.
        unsafe { core::ptr::write_bytes(registers, 0, K * L::BYTES) };
    }
    if apart {
        // SAFETY: the caller's promise.
        return unsafe { groups((from, step), (registers, (K * W) as isize), count, K * W) };
    }
    for k in 0..K {
        // SAFETY: the caller's promise: a row and its register.
        unsafe {
            let from = from.offset(k as isize * step);
            copy::<L>(from, registers.add(k * L::BYTES), count * W);
        }
    }
}

/// Copies `count` groups of `len` bytes. Each side is the address of the first one, and the bytes
/// from one to the next.
///
/// # Safety
/// All of them can be read and written.
#[inline(always)]
unsafe fn groups(
    (from, from_step): (*const u8, isize),
    (to, to_step): (*mut u8, isize),
    count: usize,
    len: usize,
) {
    for k in 0..count as isize {
        // SAFETY: the caller's promise.
        unsafe {
            let from = from.offset(k * from_step);
            from.copy_to_nonoverlapping(to.offset(k * to_step), len);
        }
    }
}

/// Copies `steps` steps of all `K` rows, written out: loops would keep the registers in memory, and
/// a register that is loaded from two halves just stored waits for both. Each side is its address
/// and the distance of its rows.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn all<L: Lanes, const W: usize, const K: usize>(
    (src, src_row): (*const u8, isize),
    (dst, dst_row): (*mut u8, isize),
    steps: usize,
    apart: bool,
    past: bool,
) {
    if K.is_power_of_two() {
        // SAFETY: the caller's promise.
        return unsafe {
            all_by_zips::<L, W, K>((src, src_row), (dst, dst_row), steps, apart, past)
        };
    }
    if L::permutes() {
        // SAFETY: the caller's promise.
        return unsafe { L::permuted::<W, K>((src, src_row), (dst, dst_row), steps, apart, past) };
    }
    let masks = if apart {
        const { &masks::<W, K>(true) }
    } else {
        const { &masks::<W, K>(false) }
    };
    let together = 16 * K as isize;
    for step in 0..steps {
        // SAFETY: the caller's promise: one register of each row, or as many bytes of the run. Rows
        // that are written past the cache begin at lines, and a register divides a line.
        unsafe {
            let mut from = [L::zero(); MOST_INTERLEAVED];
            each_of!(8: k if k < K => {
                from[k] = if apart {
                    L::gather(src.add(step * K * L::BYTES + 16 * k), together)
                } else {
                    L::load(src.offset(k as isize * src_row).add(step * L::BYTES))
                };
            });
            each_of!(8: j if j < K => {
                let mut result = from[0].shuffle(&masks[j % K][0]);
                each_of!(8: k if k > 0 && k < K => {
                    result = result.or(from[k].shuffle(&masks[j % K][k % K]));
                });
                let to = dst
                    .wrapping_offset(j as isize * dst_row)
                    .wrapping_add(step * L::BYTES);
                if apart {
                    result.write(to, past);
                } else {
                    result.scatter(dst.add(step * K * L::BYTES + 16 * j), together);
                }
            });
        }
    }
}

/// Returns the offset of register `k` of a step: in its row, or in the run of `K` rows.
#[inline(always)]
pub(super) const fn place<const K: usize>(
    (k, step): (usize, usize),
    in_rows: bool,
    row: isize,
    bytes: usize,
) -> isize {
    if in_rows {
        k as isize * row + (step * bytes) as isize
    } else {
        ((step * K + k) * bytes) as isize
    }
}

/// As [`all`], if the number of rows is a power of two: a zip of registers for each bit of that
/// number interleaves elements within lanes, and one more zip interleaves the lanes.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn all_by_zips<L: Lanes, const W: usize, const K: usize>(
    (src, src_row): (*const u8, isize),
    (dst, dst_row): (*mut u8, isize),
    steps: usize,
    apart: bool,
    past: bool,
) {
    let place = |k, step, in_rows, row| place::<K>((k, step), in_rows, row, L::BYTES);
    // A macro instead of a function with a closure: a closure is not compiled for the instructions.
    macro_rules! deal {
        ($block:ident, |$a:ident, $b:ident| $zipped:expr, $unzipped:expr) => {
            for _ in 0..K.ilog2() {
                let before = $block;
                for k in 0..K / 2 {
                    let halves = (k, k + K / 2);
                    let pair = (2 * k, 2 * k + 1);
                    let (from, to) = if apart {
                        (pair, halves)
                    } else {
                        (halves, pair)
                    };
                    let $a = before[from.0];
                    let $b = before[from.1];
                    // SAFETY: the caller has the instructions.
                    let dealt = unsafe { if apart { $unzipped } else { $zipped } };
                    ($block[to.0], $block[to.1]) = dealt;
                }
            }
        };
    }
    for step in 0..steps {
        // SAFETY: the caller has the instructions.
        let mut block = [unsafe { L::zero() }; K];
        for (k, register) in block.iter_mut().enumerate() {
            // SAFETY: the caller's promise: a register of a row, or of the run.
            *register = unsafe { L::load(src.offset(place(k, step, !apart, src_row))) };
        }
        deal!(block, |a, b| a.zip::<W>(b), a.unzip_lanes(b));
        deal!(block, |a, b| a.zip_lanes(b), unzip::<L, W>(a, b));
        for (k, register) in block.into_iter().enumerate() {
            // SAFETY: as above. Rows that are written past the cache begin at lines.
            unsafe { register.write(dst.offset(place(k, step, apart, dst_row)), past) };
        }
    }
}

/// Returns the elements at even places in each lane of both registers, and those at odd places: the
/// inverse of `Lanes::zip`.
///
/// # Safety
/// The processor has the instructions of `L`.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn unzip<L: Lanes, const W: usize>(a: L, b: L) -> (L, L) {
    let evens_first = const {
        let mut bytes = [0; 16];
        each!(to, 0..16, {
            let element = to % 8 / W;
            bytes[to] = ((2 * element + to / 8) * W + to % W) as u8;
        });
        bytes
    };
    // SAFETY: the caller's promise.
    unsafe { a.shuffle(&evens_first).zip::<8>(b.shuffle(&evens_first)) }
}
