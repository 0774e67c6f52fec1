//! Panels whose first loop on one side is short: its elements become one element of a panel with longer loops.
//!
//! ```text
//! for each block, as many steps of the third loop as the buffer takes:
//!     copy it into the buffer in the sequence of the loops, so that the steps of the first loop are a group of contiguous elements
//!     copy it from there to the destination
//! one of these steps interleaves a few rows or takes them apart; the other one transposes groups
//! ```

use core::mem::MaybeUninit;

use crate::kernels::LINE;
use crate::kernels::cost::{Choice, Run};
use crate::kernels::run;
use crate::kernels::task::Task;
use crate::nest::{Loop, MAX_LOOPS, Nest, each};

/// The most bytes of a block. Both sides and the buffer stay in the second cache. Small in unit tests, whose arrays are small.
const BLOCK: usize = if cfg!(test) { 1024 } else { 32 << 10 };

/// The loops of a nest, the width too, and the two that are cut.
pub(crate) const MOST_LOOPS: usize = MAX_LOOPS + 3;

/// Runs a task of the kind `Groups`.
///
/// # Safety
/// As `kernels::run`.
pub(super) unsafe fn groups(task: &Task, src: *const u8, dst: *mut u8, _: Choice) {
    let [few, inner, outer] = [0, 1, 2].map(|k| task.rows.get(k));
    let most = BLOCK / (few.size * inner.size * task.width);
    for begin in (0..outer.size).step_by(most) {
        let size = most.min(outer.size - begin);
        let loops = [few, inner, Loop { size, ..outer }];
        let [first, second] =
            by_way_of_buffer([&loops, &[]], task.width).map(|nest| Task::new(&nest));
        let by = Run::of(few.size * inner.size * size * task.width);
        let at = (begin as isize * outer.src, begin as isize * outer.dst);
        each_block::<BLOCK>(task.outer.as_slice(), at, |buffer, from, to| {
            // SAFETY: the caller's promise: every step of the loops is an element on both sides. The buffer has a place for each
            // element of a block, and each is written before it is read.
            unsafe {
                run(&first, src.offset(from), buffer, &by);
                run(&second, buffer, dst.offset(to), &by);
            }
        });
    }
}

/// Calls `copy` with a buffer of `N` bytes, which begins at a line of the cache, and with the offsets of every step of the loops.
/// The buffer is not in the frame of the caller, which may copy the parts of its nest by further
/// calls.
#[inline(never)]
pub(crate) fn each_block<const N: usize>(
    around: &[Loop],
    at: (isize, isize),
    mut copy: impl FnMut(*mut u8, isize, isize),
) {
    #[repr(align(64))]
    struct Buffer<const N: usize>([u8; N]);
    let mut buffer = MaybeUninit::<Buffer<N>>::uninit();
    let buffer = buffer.as_mut_ptr().cast();
    each::<MOST_LOOPS>(around, at, |from, to| copy(buffer, from, to));
}

/// The bytes of the buffer that a run of `len` elements takes. Runs that begin at multiples of 256 collide in the first
/// cache.
pub(crate) const fn pitch(len: usize) -> usize {
    len + if len.is_multiple_of(256) { LINE } else { 0 }
}

/// The nests of a block: from the source to a buffer, which has the loops in this sequence, and from there to the
/// destination.
pub(crate) fn by_way_of_buffer(sides: [&[Loop]; 2], width: usize) -> [Nest; 2] {
    let (mut nests, mut step) = ([Nest::of_width(width); 2], width);
    for side in sides {
        for &by in side {
            let here = step as isize;
            nests[0].loops.push(Loop { dst: here, ..by });
            nests[1].loops.push(Loop { src: here, ..by });
            step *= by.size;
        }
        step = pitch(step);
    }
    nests.iter_mut().for_each(Nest::normalise);
    nests
}
