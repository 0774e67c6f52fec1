//! Squares whose elements swap with their mirror image.

use alloc::vec::Vec;

use crate::nest::{Loop, MAX_LOOPS, Nest, each};

/// So many elements along either side of a block that is swapped with its mirror image.
const SIDE: usize = 16;

/// Swaps the elements of squares, if that is what the nest asks for: two loops exchange their
/// steps, all others stay where they are. Answers whether it was.
pub(super) fn swap(memory: &mut [u8], nest: &Nest) -> bool {
    let loops = nest.loops.as_slice();
    let (moved, still): (Vec<Loop>, Vec<Loop>) = loops.iter().partition(|by| by.src != by.dst);
    let [a, b] = moved[..] else { return false };
    if nest.src != nest.dst || a.size != b.size || a.src != b.dst || a.dst != b.src {
        return false;
    }
    // Strides of layouts are positive.
    let (row, column, width) = (a.src as usize, a.dst as usize, nest.width);
    let steps = (row, column, a.size);
    each::<MAX_LOOPS>(&still, (nest.src, nest.dst), |base, _| {
        let base = base as usize;
        match width {
            1 => square::<1>(memory, base, steps),
            2 => square::<2>(memory, base, steps),
            4 => square::<4>(memory, base, steps),
            8 => square::<8>(memory, base, steps),
            16 => square::<16>(memory, base, steps),
            _ => mirrored(a.size, |y, x| {
                let (one, other) = (y * row + x * column, x * row + y * column);
                let (low, high) = (base + one.min(other), base + one.max(other));
                let (front, back) = memory.split_at_mut(high);
                front[low..low + width].swap_with_slice(&mut back[..width]);
            }),
        }
    });
    true
}

/// Swaps the elements of a square of `W` bytes each.
fn square<const W: usize>(
    memory: &mut [u8],
    base: usize,
    (row, column, size): (usize, usize, usize),
) {
    mirrored(size, |y, x| {
        let (one, other) = (base + y * row + x * column, base + x * row + y * column);
        let first: Option<[u8; W]> = memory[one..].first_chunk().copied();
        let second: Option<[u8; W]> = memory[other..].first_chunk().copied();
        let (Some(first), Some(second)) = (first, second) else {
            unreachable!("both are elements, which lie in the memory");
        };
        memory[one..one + W].copy_from_slice(&second);
        memory[other..other + W].copy_from_slice(&first);
    });
}

/// Visits every pair above the diagonal of a square, block by block.
#[inline(always)]
fn mirrored(size: usize, mut visit: impl FnMut(usize, usize)) {
    for i in (0..size).step_by(SIDE) {
        for j in (i..size).step_by(SIDE) {
            for y in i..size.min(i + SIDE) {
                for x in j.max(y + 1)..size.min(j + SIDE) {
                    visit(y, x);
                }
            }
        }
    }
}
