//! Elements whose neighbours trade places while they are packed or unpacked: bytes of packed elements are transposed, and
//! not the elements.
//!
//! ```text
//! each   = the elements of a byte
//! run    = the loop that is contiguous on the packed side, in groups of `each` elements
//! beside = the loop that is contiguous on the other side
//! for each block of at most GROUPS groups and COLUMNS steps of `beside`:
//!     packing:    for each group:  combine its rows of the source, of elements beside each other, into a row of the buffer
//!                 copy the buffer to the destination: a panel of bytes
//!     unpacking:  copy bytes of the source to the buffer: a panel of bytes
//!                 for each row of the buffer:  its elements are as many rows of the destination
//! ```
//!
//! Rows of a source that is packed, too, are unpacked first.

use core::mem::MaybeUninit;

use super::blocks::{Cut, MOST_LOOPS, loops_of, pitch};
use super::words::{combine, separate};
use super::{each, run_of};
use crate::cells::Cells;
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
use crate::kernels::{self, LINE, blocks::WORD};
use crate::nest::{Loop, Loops, Nest};

/// The groups of a block: a line of the packed side. Small in unit tests, whose arrays are small.
const GROUPS: usize = if cfg!(test) { WORD } else { LINE };
/// The bytes of a row, at most: a block stays in the first cache.
const COLUMNS: usize = if cfg!(test) { 24 } else { 256 };
/// Shorter rows are copied in another way.
const SHORT: usize = 16;

/// The rows of a block, and those of a group, which are unpacked.
#[repr(align(64))]
struct Buffer([MaybeUninit<u8>; (GROUPS + 8) * pitch(COLUMNS)]);

/// Copies a nest; whether it did.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn run(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8) -> bool {
    let (src_bits, dst_bits) = (cells.src_bits, cells.dst_bits);
    let (unpacks, packs) = (src_bits < 8, dst_bits < 8);
    let bits = src_bits.min(dst_bits);
    let alike = src_bits.max(dst_bits) == 8 || src_bits == dst_bits;
    if !alike || !matches!(bits, 1 | 2 | 4) {
        return false;
    }
    let in_byte = 8 / bits;
    let packed = |by: &Loop| if packs { by.dst } else { by.src };
    let other = |by: &Loop| if packs { by.src } else { by.dst };
    let mut outer = loops_of(nest);
    let find = |outer: &Loops<MOST_LOOPS>, stride: &dyn Fn(&Loop) -> isize| {
        outer.as_slice().iter().position(|by| stride(by) == 1)
    };
    let Some(along) = find(&outer, &packed) else {
        return false;
    };
    let run = outer.remove(along);
    let Some(near) = find(&outer, &other) else {
        return false;
    };
    let beside = outer.remove(near);
    let whole = |units: isize| units.unsigned_abs().is_multiple_of(in_byte);
    let base = if packs { nest.dst } else { nest.src };
    let fits = run.size.is_multiple_of(in_byte)
        && run.size / in_byte >= WORD
        && beside.size >= SHORT
        && whole(base)
        && whole(packed(&beside))
        && outer.as_slice().iter().all(|by| whole(packed(by)));
    if !fits {
        return false;
    }
    let unpacking = Cells {
        dst_unit: 8,
        dst_bits: 8,
        ..cells
    };
    let groups = Loop {
        size: run.size / in_byte,
        src: run.src * in_byte as isize,
        dst: run.dst * in_byte as isize,
    };
    let in_bytes = |units: isize| units / in_byte as isize;
    let mut buffer = Buffer([MaybeUninit::uninit(); _]);
    let buffer = buffer.0.as_mut_ptr().cast::<u8>();
    let row = const { pitch(COLUMNS) } as isize;
    // The rows of a group behind those of the block.
    let group = buffer.wrapping_offset(GROUPS as isize * row);
    for (first, runs, count) in Cut::at(groups, GROUPS).parts() {
        for (column, blocks, columns) in Cut::at(beside, COLUMNS).parts() {
            let mut around = Loops::<MOST_LOOPS>::NONE;
            for &by in [blocks, runs].iter().chain(outer.as_slice()) {
                let fits = around.push(by);
                debug_assert!(fits, "two of them were taken out");
            }
            let mut panel = Nest {
                src: 0,
                dst: 0,
                loops: Loops::NONE,
                width: 1,
            };
            for (size, in_buffer, packed) in
                [(count, row, 1), (columns, 1, in_bytes(packed(&beside)))]
            {
                let (src, dst) = if packs {
                    (in_buffer, packed)
                } else {
                    (packed, in_buffer)
                };
                let fits = panel.loops.push(Loop { size, src, dst });
                debug_assert!(fits, "two loops");
            }
            panel.normalise();
            let (task, by) = (Task::new(&panel), Run::of(count * columns));
            let from = nest.src + first * groups.src + column * beside.src;
            let to = nest.dst + first * groups.dst + column * beside.dst;
            each(around.as_slice(), (from, to), |from, to| {
                // SAFETY: the caller's promise: every step of the loops is an element on both sides. All steps of the
                // packed side but those of the run move whole bytes, and groups are whole bytes, so the panel's bytes
                // are elements of the nest only. The buffer has `GROUPS` rows of `COLUMNS` bytes, and those of a group.
                unsafe {
                    if !packs {
                        kernels::run(&task, src.offset(in_bytes(from)), buffer, &by);
                    }
                    for k in 0..count as isize {
                        let (from, to) = (from + k * groups.src, to + k * groups.dst);
                        let at = buffer.offset(k * row);
                        if !packs {
                            separate(bits, at, (dst.offset(to), run.dst), columns);
                        } else if !unpacks {
                            combine(bits, (src.offset(from), run.src), at, columns);
                        } else {
                            for k in 0..in_byte as isize {
                                let to = (group, k * row, 1);
                                run_of(unpacking, (src, from + k * run.src, 1), to, columns);
                            }
                            combine(bits, (group, row), at, columns);
                        }
                    }
                    if packs {
                        kernels::run(&task, buffer, dst.offset(in_bytes(to)), &by);
                    }
                }
            });
        }
    }
    true
}
