//! Copies of elements that are packed into bytes, the first one in the low bits. The destination is
//! unpacked, packed in another way, or packed in the same way.
//!
//! Only the bits of an element are copied. If the destination is wider, its other bits become zero
//! (XLA's `UnpackIntN` does not extend the sign either). If it is narrower, the high bits are
//! dropped. The other elements of a byte do not change.
#![allow(unsafe_code)]

mod blocks;
mod elements;
mod parts;
mod planes;
#[cfg(test)]
mod tests;
mod words;

use crate::cells::Cells;
use crate::kernels::task::Task;
use crate::kernels::{self, Run};
use crate::nest::Nest;
pub(crate) use elements::{copy_cell, run_of};
use elements::{elements_of, in_a_byte, rows};

/// Runs a nest. Its strides count units, and its width counts elements.
///
/// # Safety
/// As `Way::run`; nothing else uses the bytes of the destination.
pub(crate) unsafe fn run(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8, run: &Run) {
    // Both sides pack in the same way, and every step moves whole bytes.
    let in_byte = 8 / cells.src_bits.clamp(1, 8);
    if cells.src_bits == cells.dst_bits
        && in_a_byte(cells.src_bits)
        && let Some(bytes) = nest.divided(in_byte, in_byte, in_byte)
    {
        // SAFETY: the caller's promise: the bytes of a step are those of its elements.
        return unsafe { kernels::run(&Task::new(&bytes), src, dst, run) };
    }
    // SAFETY: the caller's promise: every step of the nest is an element on both sides.
    unsafe {
        let copied = rows(nest, cells, src, dst)
            || blocks::in_parts(planes::run, nest, cells, src, dst)
            || blocks::in_parts(blocks::run, nest, cells, src, dst);
        if !copied {
            elements_of(nest, cells, src, dst);
        }
    }
}
