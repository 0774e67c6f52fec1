//! Interleaves a few rows, and separates them: three colour channels, pairs of rows in a tile.
//!
//! ```text
//! for each step of one register of each of the K rows:
//!     load K registers, one from each row
//!     for each of the K results:
//!         result = 0
//!         for each of the K registers: result |= shuffle(register, mask of this result and this register)
//!     store the K results one behind the other
//! taking apart is the same with the two sides exchanged
//! ```
//!
//! Each byte of a result comes from one byte of one register, so K shuffles make a result for any width.

use core::mem::MaybeUninit;

use super::block::each_of;
use super::lanes::Lanes;
use super::odometer::Odometer;
use super::write::{LINE, short, stream};
use crate::kernels::task::Task;
use crate::nest::{Loop, Loops};

/// The most rows of an interleave.
pub(crate) const MOST: usize = 8;

/// The registers of each run that are collected before they are written past the cache.
const STEPS: usize = 16;

/// The bytes of each row that are prefetched. The processor prefetches the rest of the row itself.
const AHEAD: usize = 1024;

/// The distance of the prefetch: copying this many bytes takes as long as a few lines take to
/// arrive from memory.
const LEAD: usize = 4096;

#[repr(align(64))]
struct Scratch([MaybeUninit<u8>; MOST * STEPS * 64]);

/// For each result and each of its sources, the shuffle of a lane: the source byte of each byte, or
/// 0x80 for none.
type Masks = [[[u8; 16]; MOST]; MOST];

/// The shuffles that interleave `count` rows of elements of `W` bytes.
#[expect(
    clippy::needless_range_loop,
    reason = "rows and lanes index either side"
)]
fn masks<const W: usize>(count: usize, apart: bool) -> Masks {
    let mut masks = [[[0x80; 16]; MOST]; MOST];
    for row in 0..count {
        for byte in 0..16 {
            // Where this byte of this row lies in the interleaved run of `count` lanes.
            let place = (byte / W * count + row) * W + byte % W;
            let (lane, at) = (place / 16, place % 16);
            if apart {
                masks[row][lane][byte] = at as u8;
            } else {
                masks[lane][row][at] = byte as u8;
            }
        }
    }
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
    let (few, run) = if apart {
        (task.columns.get(0), task.rows.get(0))
    } else {
        (task.rows.get(0), task.columns.get(0))
    };
    let masks = masks::<W>(few.size, apart);
    // The other loops, the innermost first.
    let mut others = if apart { task.rows } else { task.columns };
    let mut loops: Loops = Loops::NONE;
    others.remove(0);
    for &by in others.as_slice().iter().chain(task.outer.as_slice()) {
        let fits = loops.push(by);
        debug_assert!(fits, "all of them were in one nest");
    }
    let len = run.size * W;
    // SAFETY: the caller's promise.
    unsafe {
        // The processor cannot predict the next of several short runs.
        let mut next = Odometer::new(loops.as_slice(), src, dst);
        if past {
            next.by_ref()
                .take((LEAD / (few.size * len)).max(1))
                .for_each(drop);
        }
        for (src, dst) in Odometer::new(loops.as_slice(), src, dst) {
            if past && let Some((next, _)) = next.next() {
                let (rows, len) = if apart {
                    (1, few.size * len)
                } else {
                    (few.size, len)
                };
                for row in 0..rows as isize {
                    for line in (0..len.min(AHEAD)).step_by(LINE) {
                        L::prefetch::<1>(next.wrapping_offset(row * few.src).wrapping_add(line));
                    }
                }
            }
            // The number of rows as a constant, so that the registers are known at compile time.
            macro_rules! by_count {
                    ($($k:literal)*) => {
                        match few.size {
                            // A run that fills a lane is a panel.
                            $($k if const { $k * W < 16 } => {
                                one_run::<L, W, $k>(&masks, few, run, src, dst, past, apart);
                            })*
                            _ => unreachable!("`is_interleave` takes fewer rows than fill a lane"),
                        }
                    };
                }
            by_count!(2 3 4 5 6 7 8);
        }
        if past {
            L::fence();
        }
    }
}

#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn one_run<L: Lanes, const W: usize, const K: usize>(
    masks: &Masks,
    few: Loop,
    run: Loop,
    src: *const u8,
    dst: *mut u8,
    past: bool,
    apart: bool,
) {
    // Whether all rows of the destination begin at a line where the first one does.
    let keeps_lines = few.dst % LINE as isize == 0;
    let mut scratch = Scratch([MaybeUninit::uninit(); _]);
    let scratch = scratch.0.as_mut_ptr().cast::<u8>();
    let per_step = L::BYTES / W;
    let mut at = 0;
    // SAFETY: whole steps inside the run; the scratch has room for `STEPS` of them.
    unsafe {
        while at + per_step <= run.size {
            let steps = ((run.size - at) / per_step).min(STEPS);
            let bytes = steps * L::BYTES;
            let from = src.offset(at as isize * run.src);
            let to = dst.offset(at as isize * run.dst);
            // An interleaved run is contiguous, so it stays aligned to lines.
            let lines = (!apart || keeps_lines) && (to as usize).is_multiple_of(LINE);
            let lines = lines && (apart || K.is_power_of_two() || L::permutes());
            let collects = past && !lines;
            let target = match (collects, apart) {
                (false, _) => (to, few.dst),
                (true, true) => (scratch, bytes as isize),
                (true, false) => (scratch, few.dst),
            };
            all::<L, W, K>(masks, (from, few.src), target, steps, apart, past && lines);
            if collects && apart {
                for k in 0..K {
                    let to = to.offset(k as isize * few.dst);
                    stream::<L>(scratch.add(k * bytes), to, bytes);
                }
            } else if collects {
                stream::<L>(scratch, to, K * bytes);
            }
            at += steps * per_step;
        }
        // The rest is shorter than a step.
        for at in at as isize..run.size as isize {
            for k in 0..K as isize {
                let from = src.offset(at * run.src + k * few.src);
                short(from, dst.offset(at * run.dst + k * few.dst), W);
            }
        }
    }
}

/// Copies `steps` steps of all `K` rows, written out: loops would keep the registers in memory, and a register that
/// is loaded from two halves just stored waits for both. Each side is its address and the distance of its rows.
#[cfg_attr(debug_assertions, inline(never))]
#[cfg_attr(not(debug_assertions), inline(always))]
unsafe fn all<L: Lanes, const W: usize, const K: usize>(
    masks: &Masks,
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
    let together = 16 * K as isize;
    for step in 0..steps {
        // SAFETY: the caller's promise: one register of each row, or as many bytes of the run. Rows
        // that are written past the cache begin at lines, and a register divides a line.
        unsafe {
            let mut from = [L::zero(); MOST];
            each_of!(8: k if k < K => {
                from[k] = if apart {
                    L::gather(src.add(step * K * L::BYTES + 16 * k), together)
                } else {
                    L::load(src.offset(k as isize * src_row).add(step * L::BYTES))
                };
            });
            each_of!(8: j if j < K => {
                let mut result = from[0].shuffle(&masks[j][0]);
                each_of!(8: k if k > 0 && k < K => {
                    result = result.or(from[k].shuffle(&masks[j][k]));
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
    match in_rows {
        true => k as isize * row + (step * bytes) as isize,
        false => ((step * K + k) * bytes) as isize,
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
    for step in 0..steps {
        // SAFETY: as in `all`.
        unsafe {
            let mut block = [L::zero(); K];
            for (k, register) in block.iter_mut().enumerate() {
                *register = L::load(src.offset(place(k, step, !apart, src_row)));
            }
            // A macro instead of a function with a closure: a closure is not compiled for the
            // instructions.
            macro_rules! deal {
                (|$a:ident, $b:ident| $zipped:expr) => {{
                    let before = block;
                    for k in 0..K / 2 {
                        let ($a, $b) = (before[k], before[k + K / 2]);
                        (block[2 * k], block[2 * k + 1]) = $zipped;
                    }
                }};
                (undo |$a:ident, $b:ident| $unzipped:expr) => {{
                    let before = block;
                    for k in 0..K / 2 {
                        let ($a, $b) = (before[2 * k], before[2 * k + 1]);
                        (block[k], block[k + K / 2]) = $unzipped;
                    }
                }};
            }
            for _ in 0..K.ilog2() {
                if apart {
                    deal!(undo | a, b | a.unzip_lanes(b));
                } else {
                    deal!(|a, b| a.zip::<W>(b));
                }
            }
            for _ in 0..K.ilog2() {
                if apart {
                    deal!(undo | a, b | unzip::<L, W>(a, b));
                } else {
                    deal!(|a, b| a.zip_lanes(b));
                }
            }
            for (k, register) in block.into_iter().enumerate() {
                let to = dst.offset(place(k, step, apart, dst_row));
                register.write(to, past);
            }
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
        let mut to = 0;
        while to < 16 {
            let element = to % 8 / W;
            bytes[to] = ((2 * element + to / 8) * W + to % W) as u8;
            to += 1;
        }
        bytes
    };
    // SAFETY: the caller's promise.
    unsafe { a.shuffle(&evens_first).zip::<8>(b.shuffle(&evens_first)) }
}
