//! Interleaving a few rows, and taking them apart: three colour channels, pairs of rows in a tile.
//!
//! A step takes one register from each of `K` rows, and gives `K` registers of the interleaved
//! run, or the other way round. Each byte of the result comes from one byte of one register: `K`
//! shuffles for each of the `K` results, whatever `K` and the width are.

use core::mem::MaybeUninit;

use super::lanes::Lanes;
use super::odometer::Odometer;
use super::write::{LINE, short, stream};
use crate::kernels::task::Task;
use crate::nest::Loop;

/// More rows than this are no interleave.
pub(crate) const MOST: usize = 8;

/// The registers that are collected of each run before they are streamed.
const STEPS: usize = 16;

/// The bytes of each row that are asked for ahead: what follows them the processor sees coming.
const AHEAD: usize = 512;

#[repr(align(64))]
struct Scratch([MaybeUninit<u8>; MOST * STEPS * 64]);

/// Which byte of each lane goes where: for each result, and for each source of it, a lane's
/// shuffle; 0x80 takes none.
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

/// Runs a task of the kind `Interleave` with elements of `W` bytes.
///
/// # Safety
/// As `kernels::run`.
#[inline(always)]
pub(super) unsafe fn interleave<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    past: bool,
) {
    // SAFETY: the caller's promise.
    unsafe { either::<L, W>(task, src, dst, past, false) }
}

/// Runs a task of the kind `Deinterleave` with elements of `W` bytes.
///
/// # Safety
/// As `kernels::run`.
#[inline(always)]
pub(super) unsafe fn deinterleave<L: Lanes, const W: usize>(
    task: &Task,
    src: *const u8,
    dst: *mut u8,
    past: bool,
) {
    // SAFETY: the caller's promise.
    unsafe { either::<L, W>(task, src, dst, past, true) }
}

/// Both directions; `apart` is a constant of the caller.
#[inline(always)]
unsafe fn either<L: Lanes, const W: usize>(
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
    let others = if apart { &task.rows } else { &task.columns };
    let (_, others) = others.as_slice().split_at(1);
    // SAFETY: the caller's promise.
    unsafe {
        for (src, dst) in Odometer::new(task.outer.as_slice(), src, dst) {
            for (src, dst) in Odometer::new(others, src, dst) {
                // The number of rows as a constant: the registers have to be known.
                macro_rules! by_count {
                    ($($k:literal)*) => {
                        match few.size {
                            // What fills a lane is a panel.
                            $($k if const { $k * W < 16 } => {
                                one_run::<L, W, $k>(&masks, few, run, src, dst, past, apart);
                            })*
                            _ => unreachable!("`is_interleave` takes fewer rows than fill a lane"),
                        }
                    };
                }
                by_count!(2 3 4 5 6 7 8);
            }
        }
        if past {
            L::fence();
        }
    }
}

#[inline(always)]
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
        if past && !apart {
            // Where short runs are read from a few rows in turn, what follows a run is read soon.
            let len = run.size * W;
            for k in 0..K as isize {
                let next = src.wrapping_offset(k * few.src).wrapping_add(len);
                for line in (0..len.min(AHEAD)).step_by(LINE) {
                    L::prefetch(next.wrapping_add(line));
                }
            }
        }
        while at + per_step <= run.size {
            let steps = ((run.size - at) / per_step).min(STEPS);
            let bytes = steps * L::BYTES;
            let from = src.offset(at as isize * run.src);
            let to = dst.offset(at as isize * run.dst);
            let lines = apart && keeps_lines && (to as usize).is_multiple_of(LINE);
            if !past || lines {
                all::<L, K>(masks, (from, few.src), (to, few.dst), steps, apart, past);
            } else if apart {
                let to_scratch = (scratch, bytes as isize);
                all::<L, K>(masks, (from, few.src), to_scratch, steps, apart, false);
                for k in 0..K {
                    let to = to.offset(k as isize * few.dst);
                    stream::<L>(scratch.add(k * bytes), to, bytes);
                }
            } else {
                all::<L, K>(
                    masks,
                    (from, few.src),
                    (scratch, few.dst),
                    steps,
                    apart,
                    false,
                );
                stream::<L>(scratch, to, K * bytes);
            }
            at += steps * per_step;
        }
        // What is left is less than a step.
        for at in at as isize..run.size as isize {
            for k in 0..K as isize {
                let from = src.offset(at * run.src + k * few.src);
                short(from, dst.offset(at * run.dst + k * few.dst), W);
            }
        }
    }
}

/// So many steps of all `K` rows; each side is where it begins, and how far its rows are apart.
#[inline(always)]
unsafe fn all<L: Lanes, const K: usize>(
    masks: &Masks,
    (src, src_row): (*const u8, isize),
    (dst, dst_row): (*mut u8, isize),
    steps: usize,
    apart: bool,
    past: bool,
) {
    let together = 16 * K as isize;
    for step in 0..steps {
        // SAFETY: the caller's promise: one register of each row, or as much of the run. Streamed
        // rows begin at lines, which a register divides.
        unsafe {
            let mut from = [L::zero(); K];
            for (k, from) in from.iter_mut().enumerate() {
                *from = if apart {
                    L::gather(src.add(step * K * L::BYTES + 16 * k), together)
                } else {
                    L::load(src.offset(k as isize * src_row).add(step * L::BYTES))
                };
            }
            for (j, masks) in masks.iter().enumerate().take(K) {
                let mut result = from[0].shuffle(&masks[0]);
                for (from, mask) in from.iter().zip(masks).skip(1) {
                    result = result.or(from.shuffle(mask));
                }
                let to = dst
                    .wrapping_offset(j as isize * dst_row)
                    .wrapping_add(step * L::BYTES);
                match (apart, past) {
                    (true, true) => result.stream(to),
                    (true, false) => result.store(to),
                    (false, _) => result.scatter(dst.add(step * K * L::BYTES + 16 * j), together),
                }
            }
        }
    }
}
