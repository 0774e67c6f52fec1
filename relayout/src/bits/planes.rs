//! Elements whose neighbours trade places while they are packed or unpacked: the packed bytes are transposed instead of
//! the elements.
//!
//! ```text
//! each    = the elements of a byte
//! group   = `each` steps of the loop that is contiguous on the packed side, or fewer at its end
//! columns = the loops that are contiguous on the other side, up to COLUMNS steps
//! rows    = the loop over groups, and then those of the shortest steps on the packed side, up to ROWS steps
//! a loop that is too long is cut; what is left of it is a nest of its own
//! for each block of rows and columns:
//!     packing:    if groups are not whole: copy the bytes of the destination to the buffer
//!                 for each row:  combine `each` runs of the source, of elements beside each other, into a row of the buffer
//!                 copy the buffer to the destination: a panel of bytes
//!     unpacking:  copy bytes of the source to the buffer: a panel of bytes
//!                 for each row of the buffer:  its elements are as many runs of the destination
//! ```
//!
//! If the source is packed, too, its bytes hold elements of `each` columns, which `combine` separates: a row of the
//! buffer begins with the first elements of all bytes.

use super::blocks::{MOST_LOOPS, each_block, in_two, parts, pitch};
use super::words::{combine, separate};
use crate::cells::Cells;
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
use crate::kernels::{self, LINE, blocks::WORD};
use crate::nest::{Loop, Loops, Nest, each};

/// The rows of a block. Small in unit tests, whose arrays are small.
const ROWS: usize = if cfg!(test) { 8 } else { LINE };
/// The most bytes of a row. Longer rows are read faster; a block stays in the second cache.
const COLUMNS: usize = if cfg!(test) { 24 } else { 1024 };
/// Shorter rows are copied in another way.
pub(super) const SHORT: usize = 16;
/// The bytes from one row of the buffer to the next.
const PITCH: usize = pitch(COLUMNS);

/// The loops of a block: each at least doubles its size.
type Few = Loops<{ (ROWS * COLUMNS).ilog2() as usize + 2 }>;

/// Copies a nest. Returns whether this way applies to it.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn run(nest: &Nest, cells: Cells, src: *const u8, dst: *mut u8) -> bool {
    let (unpacks, packs) = (cells.src_bits < 8, cells.dst_bits < 8);
    let bits = cells.src_bits.min(cells.dst_bits);
    let alike = cells.src_bits.max(cells.dst_bits) == 8 || cells.src_bits == cells.dst_bits;
    if !alike || !matches!(bits, 1 | 2 | 4) || nest.width > 1 {
        return false;
    }
    let in_byte = 8 / bits;
    let packed = |by: &Loop| if packs { by.dst } else { by.src };
    let other = |by: &Loop| if packs { by.src } else { by.dst };
    let whole = |units: isize| units.unsigned_abs().is_multiple_of(in_byte);
    let mut outer = nest.loops;
    let along = outer.as_slice().iter().position(|by| packed(by) == 1);
    let along = along.map_or(Loop::ONCE, |along| outer.remove(along));
    let both = packs && unpacks;
    // The elements of each group: all of a byte, or the first ones.
    let group = along.size.min(in_byte);
    let is_whole = along.size.is_multiple_of(in_byte);
    if !whole(if packs { nest.dst } else { nest.src })
        || !outer.as_slice().iter().all(|by| whole(packed(by)))
        || both && !(is_whole && whole(nest.src) && whole(along.src))
    {
        return false;
    }
    // A loop is cut only if this way also copies both parts.
    let (mut columns, mut column_count, mut cut) = (Few::NONE, 1, None);
    while column_count <= COLUMNS / 2
        && let Some(k) = (outer.as_slice().iter()).position(|by| other(by) == column_count as isize)
    {
        let (by, most) = (outer.remove(k), COLUMNS / column_count);
        let (column, over) = parts(by, most).unwrap_or_else(|| {
            cut = Some((by, most));
            (Loop { size: most, ..by }, Loop::ONCE)
        });
        column_count *= column.size;
        let fits = columns.push(column) && (over.size == 1 || outer.push(over));
        debug_assert!(fits, "a block has few loops, and one was removed");
    }
    if column_count < SHORT {
        return false;
    }
    // As in `parts`.
    let of_bytes = |by: Loop| Loop {
        size: by.size.div_ceil(in_byte),
        src: by.src.wrapping_mul(in_byte as isize),
        dst: by.dst.wrapping_mul(in_byte as isize),
    };
    // If the source is packed, a row of the buffer has this many parts.
    let (mut in_row, mut row_parts) = (Few::NONE, 1);
    if both {
        let (column, mut bytes) = (columns.remove(0), Few::NONE);
        let rest = columns.as_slice();
        let is_whole = |by: &Loop| whole(by.src);
        // A few rows and the columns would be dealt in turn, byte by byte. `blocks` takes less time.
        let few = (2..WORD).contains(&(along.size / in_byte)) && column.dst == along.size as isize;
        if few || !whole(column.size as isize) || !rest.iter().chain(outer.as_slice()).all(is_whole)
        {
            return false;
        }
        row_parts = in_byte;
        in_row.push(Loop {
            size: in_byte,
            ..column
        });
        bytes.push(of_bytes(column));
        rest.iter().for_each(|by| {
            bytes.push(*by);
        });
        columns = bytes;
    }
    let part = column_count / row_parts;
    if part < WORD {
        return false;
    }
    if !is_whole && group < along.size {
        cut = cut.or(Some((along, in_byte)));
    }
    let (first, over) = parts(of_bytes(along), ROWS).unwrap_or_else(|| {
        cut = cut.or(Some((along, ROWS * in_byte)));
        (Loop::ONCE, Loop::ONCE)
    });
    if let Some(cut) = cut {
        // SAFETY: the caller's promise.
        return unsafe { in_two(run, nest, cut, cells, (src, dst)) };
    }
    let (mut rows, mut row_count) = (Few::NONE, first.size);
    let mut fits = rows.push(first) && (over.size == 1 || outer.push(over));
    while row_count <= ROWS / 2
        && let Some(k) = (0..outer.len()).min_by_key(|&k| packed(&outer.get(k)).unsigned_abs())
        && let Some((row, over)) = parts(outer.get(k), ROWS / row_count)
    {
        outer.remove(k);
        row_count *= row.size;
        fits &= rows.push(row) && (over.size == 1 || outer.push(over));
    }
    let (mut panel, mut back) = (Nest::of_width(1), Nest::of_width(1));
    for (loops, mut in_buffer) in [(&columns, 1), (&in_row, part), (&rows, PITCH)] {
        for by in loops.as_slice() {
            let (here, there) = (in_buffer as isize, packed(by) / in_byte as isize);
            let (src, dst) = if packs { (here, there) } else { (there, here) };
            let size = by.size;
            fits &= panel.loops.push(Loop { size, src, dst });
            back.loops.push(Loop {
                size,
                src: dst,
                dst: src,
            });
            in_buffer *= by.size;
        }
    }
    debug_assert!(fits, "a block has few loops");
    panel.normalise();
    back.normalise();
    let (task, by) = (Task::new(&panel), Run::of(row_count * column_count));
    let kept = (packs && group < in_byte).then(|| Task::new(&back));
    let in_bytes = |units: isize| units / in_byte as isize;
    let run_step = if both { in_bytes(along.src) } else { along.src };
    let at = (nest.src, nest.dst);
    each_block::<{ ROWS * PITCH }>(outer.as_slice(), at, |buffer, from, to| {
        // SAFETY: the caller's promise: every step of the loops is an element on both sides. All steps of the packed side
        // but those of the run move whole bytes, so each of the panel's bytes has elements of the nest. Its other bits are
        // copied from the destination and back. The buffer has `ROWS` rows of `COLUMNS` bytes.
        unsafe {
            if !packs {
                kernels::run(&task, src.offset(in_bytes(from)), buffer, &by);
            }
            if let Some(kept) = &kept {
                kernels::run(kept, dst.offset(in_bytes(to)), buffer, &by);
            }
            let mut row = buffer;
            each::<MOST_LOOPS>(rows.as_slice(), (from, to), |from, to| {
                if packs {
                    let from = if both { in_bytes(from) } else { from };
                    combine(
                        bits,
                        (src.offset(from), run_step),
                        row,
                        (row_parts, part),
                        group,
                    );
                } else {
                    separate(bits, row, (dst.offset(to), along.dst), column_count, group);
                }
                row = row.wrapping_add(PITCH);
            });
            if packs {
                kernels::run(&task, buffer, dst.offset(in_bytes(to)), &by);
            }
        }
    });
    true
}
