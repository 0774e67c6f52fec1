//! Square transposes: each element swaps with its mirror image.

use alloc::vec::Vec;

use crate::nest::{Loop, MAX_LOOPS, Nest, each};

/// The elements of each side of a block that is swapped with its mirror image.
const SIDE: usize = 16;

/// Swaps the elements of squares if two loops of the nest exchange their steps and all others keep
/// them. Returns whether that is so.
pub(super) fn swap(memory: &mut [u8], nest: &Nest) -> bool {
    let loops = nest.loops.as_slice();
    let (moved, still): (Vec<Loop>, Vec<Loop>) =
        loops.iter().partition(|level| level.src != level.dst);
    let [a, b] = moved[..] else { return false };
    if nest.src != nest.dst || a.size != b.size || a.src != b.dst || a.dst != b.src {
        return false;
    }
    // Strides of layouts are positive.
    let row = a.src as usize;
    let column = a.dst as usize;
    let width = nest.width;
    let steps = (row, column, a.size);
    each::<MAX_LOOPS>(&still, (nest.src, nest.dst), |base, _| {
        let base = base as usize;
        match width {
            1 => square(memory, base, steps, 1),
            2 => square(memory, base, steps, 2),
            4 => square(memory, base, steps, 4),
            8 => square(memory, base, steps, 8),
            16 => square(memory, base, steps, 16),
            _ => square(memory, base, steps, width),
        }
    });
    true
}

/// Transposes a square of elements of `width` bytes. Most callers pass a constant.
#[inline(always)]
fn square(
    memory: &mut [u8],
    base: usize,
    (row, column, size): (usize, usize, usize),
    width: usize,
) {
    // Every pair above the diagonal, block by block.
    for i in (0..size).step_by(SIDE) {
        for j in (i..size).step_by(SIDE) {
            for y in i..size.min(i + SIDE) {
                for x in j.max(y + 1)..size.min(j + SIDE) {
                    let offset = y * row + x * column;
                    let mirrored = x * row + y * column;
                    let low = base + offset.min(mirrored);
                    let high = base + offset.max(mirrored);
                    let (front, back) = memory.split_at_mut(high);
                    front[low..low + width].swap_with_slice(&mut back[..width]);
                }
            }
        }
    }
}
