//! Elements whose neighbours trade places while they are packed or unpacked: the packed bytes are
//! transposed instead of the elements.
//!
//! ```text
//! each    = the elements of a byte
//! group   = `each` steps of the loop that is contiguous on the packed side, or fewer at its end
//! columns = the loops that are contiguous on the other side, up to COLUMNS steps
//! rows    = the loop over groups, and then those of the shortest steps on the packed side, up to
//!           ROWS steps
//! a loop that is too long is cut; what is left of it is a nest of its own
//! for each block of rows and columns:
//!     packing:    if groups are not whole: copy the bytes of the destination to the buffer
//!                 for each row:  combine `each` runs of the source, of elements beside each other,
//!                                into a row of the buffer
//!                 copy the buffer to the destination: a panel of bytes
//!     unpacking:  copy bytes of the source to the buffer: a panel of bytes
//!                 for each row of the buffer:  its elements are as many runs of the destination
//! ```
//!
//! If the source is packed, too, its bytes hold elements of `each` columns, which `combine`
//! separates: a row of the buffer begins with the first elements of all bytes.

use super::elements::MOST_LOOPS;
use super::parts::{Without, add_part, each_block, parts, pitch};
use super::words::{combine, separate};
use crate::cells::Cells;
use crate::kernels::task::{Task, WORD};
use crate::kernels::{self, Run};
use crate::machine::LINE;
use crate::nest::{Loop, Loops, Nest, each};

/// The rows of a block. Small in unit tests, whose arrays are small.
pub(super) const ROWS: usize = if cfg!(test) { 8 } else { LINE };
/// The most bytes of a row. Longer rows are read faster; a block stays in the second cache.
const COLUMNS: usize = if cfg!(test) { 24 } else { 1024 };
/// Shorter rows are copied in another way.
pub(super) const SHORT: usize = 16;
/// The bytes from one row of the buffer to the next.
pub(super) const PITCH: usize = pitch(COLUMNS);

/// The loops of a block: each at least doubles its size.
type Few = Loops<{ (ROWS * COLUMNS).ilog2() as usize + 2 }>;

/// Copies a nest, unless this way does not apply to it.
///
/// # Safety
/// As `super::run`.
pub(super) unsafe fn run(
    nest: &Nest,
    cells: Cells,
    src: *const u8,
    dst: *mut u8,
) -> Result<(), Without> {
    let planes = Planes::of(nest, cells)?;
    // SAFETY: the caller's promise, of the nest that these are the planes of.
    unsafe { planes.copy(src, dst) };
    Ok(())
}

/// Which sides are packed, and how.
#[derive(Clone, Copy)]
struct Packing {
    bits: usize,
    unpacks: bool,
    packs: bool,
}

impl Packing {
    /// `None` if this way does not copy such elements.
    fn of(cells: Cells) -> Option<Self> {
        let bits = cells.src_bits.min(cells.dst_bits);
        let other_bits = cells.src_bits.max(cells.dst_bits);
        let is_copied = matches!(bits, 1 | 2 | 4) && (other_bits == 8 || other_bits == bits);
        is_copied.then_some(Self {
            bits,
            unpacks: cells.src_bits < 8,
            packs: cells.dst_bits < 8,
        })
    }

    const fn both(self) -> bool {
        self.packs && self.unpacks
    }

    /// The elements of a byte.
    const fn in_byte(self) -> usize {
        8 / self.bits
    }

    /// The step on the packed side: in the destination if both are packed.
    const fn packed_step(self, level: &Loop) -> isize {
        if self.packs { level.dst } else { level.src }
    }

    const fn other_step(self, level: &Loop) -> isize {
        if self.packs { level.src } else { level.dst }
    }

    /// Whether so many elements fill whole bytes.
    const fn is_whole(self, elements: isize) -> bool {
        elements.unsigned_abs().is_multiple_of(self.in_byte())
    }

    /// The bytes of so many elements.
    const fn in_bytes(self, elements: isize) -> isize {
        elements / self.in_byte() as isize
    }

    /// The loop over the bytes of a loop over elements.
    const fn loop_of_bytes(self, level: Loop) -> Loop {
        let in_byte = self.in_byte();
        // As in `parts`.
        Loop {
            size: level.size.div_ceil(in_byte),
            src: level.src.wrapping_mul(in_byte as isize),
            dst: level.dst.wrapping_mul(in_byte as isize),
        }
    }

    /// Whether all steps on the packed side but those of its run move whole bytes; on both sides,
    /// if both are packed, but for the columns.
    fn moves_bytes(self, nest: &Nest, packed_run: Loop, others: &[Loop]) -> bool {
        let begin = if self.packs { nest.dst } else { nest.src };
        let is_whole = self.is_whole(begin)
            && (others.iter()).all(|level| self.is_whole(self.packed_step(level)));
        let from_bytes = |units: [isize; 3]| units.into_iter().all(|units| self.is_whole(units));
        is_whole
            && (!self.both() || from_bytes([packed_run.size as isize, nest.src, packed_run.src]))
    }
}

/// The columns of a block: the loops that are contiguous on the other side.
pub(super) struct Columns {
    pub(super) loops: Few,
    count: usize,
    /// The parts of a row of the buffer, if the source is packed, too.
    parts: usize,
    /// A loop that is too long, and how many steps it may have.
    too_long: Option<(Loop, usize)>,
}

impl Columns {
    /// Takes them from the other loops.
    fn take(packing: Packing, others: &mut Loops) -> Self {
        let mut columns = Self {
            loops: Few::NONE,
            count: 1,
            parts: 1,
            too_long: None,
        };
        while columns.count <= COLUMNS / 2
            && let Some(k) = (others.as_slice().iter())
                .position(|level| packing.other_step(level) == columns.count as isize)
        {
            let level = others.remove(k);
            let limit = COLUMNS / columns.count;
            let (column, repeats) = parts(level, limit).unwrap_or_else(|| {
                columns.too_long = Some((level, limit));
                let size = limit;
                (Loop { size, ..level }, Loop::ONCE)
            });
            columns.count *= column.size;
            add_part(&mut columns.loops, column, others, repeats);
        }
        columns
    }

    /// The columns if the source is packed, too: bytes, and then the elements of a byte. `None` if
    /// they are not whole bytes.
    fn of_bytes(&self, packing: Packing, packed_run: Loop, others: &[Loop]) -> Option<Self> {
        let (&first, rest) = self.loops.as_slice().split_first()?;
        let run_bytes = packed_run.size / packing.in_byte();
        // A few rows and the columns would be dealt in turn, byte by byte. `blocks` takes less
        // time.
        let is_short = (2..WORD).contains(&run_bytes) && first.dst == packed_run.size as isize;
        let mut others = rest.iter().chain(others);
        if is_short
            || !packing.is_whole(first.size as isize)
            || !others.all(|level| packing.is_whole(level.src))
        {
            return None;
        }
        let parts = packing.in_byte();
        let elements = Loop {
            size: parts,
            ..first
        };
        let mut loops = Few::NONE;
        loops.push(packing.loop_of_bytes(first));
        for &level in rest.iter().chain([&elements]) {
            loops.push(level);
        }
        Some(Self {
            loops,
            parts,
            ..*self
        })
    }
}

/// How a nest is copied. There are no addresses here: [`copy`](Self::copy) has them.
///
/// The invariant `PLANES`, of a nest and what [`of`](Self::of) makes of it:
/// 1. The steps of `around`, `rows`, `packed_run` and the columns are the steps of the nest, each
///    once. A step of `packed_run` is one of `in_group` elements of a byte.
/// 2. On the packed side all of them but those of `packed_run` move whole bytes, as does its begin.
///    So each byte of a [panel](Self::panel) has elements of the nest. If both are packed, this
///    holds for both sides.
/// 3. The buffer has at most `ROWS` rows of at most `COLUMNS` bytes, which are `PITCH` bytes apart.
pub(super) struct Planes {
    packing: Packing,
    /// The first elements on both sides.
    begin: (isize, isize),
    /// The loops around a block.
    pub(super) around: Loops,
    pub(super) rows: Few,
    row_count: usize,
    pub(super) columns: Columns,
    /// The loop that is contiguous on the packed side.
    pub(super) packed_run: Loop,
    /// How many elements of each byte are copied: all, or the first ones.
    pub(super) in_group: usize,
}

impl Planes {
    pub(super) fn of(nest: &Nest, cells: Cells) -> Result<Self, Without> {
        let packing = Packing::of(cells).filter(|_| nest.width == 1);
        let packing = packing.ok_or(Without::Refused)?;
        let mut around = nest.loops;
        let packed_run =
            (around.as_slice().iter()).position(|level| packing.packed_step(level) == 1);
        let packed_run = packed_run.map_or(Loop::ONCE, |k| around.remove(k));
        if !packing.moves_bytes(nest, packed_run, around.as_slice()) {
            return Err(Without::Refused);
        }
        let mut columns = Columns::take(packing, &mut around);
        if packing.both() && columns.count >= SHORT {
            let of_bytes = columns.of_bytes(packing, packed_run, around.as_slice());
            columns = of_bytes.ok_or(Without::Refused)?;
        }
        if columns.count < SHORT || columns.count / columns.parts < WORD {
            return Err(Without::Refused);
        }
        // A loop is cut only if this way also copies both parts.
        let in_byte = packing.in_byte();
        let in_group = packed_run.size.min(in_byte);
        let is_cut = in_group < packed_run.size && !packed_run.size.is_multiple_of(in_byte);
        let (first, repeats) = match (
            columns.too_long,
            parts(packing.loop_of_bytes(packed_run), ROWS),
        ) {
            (Some((level, limit)), _) => return Err(Without::TooLong(level, limit)),
            _ if is_cut => return Err(Without::TooLong(packed_run, in_byte)),
            (None, None) => return Err(Without::TooLong(packed_run, ROWS * in_byte)),
            (None, Some(first)) => first,
        };
        let mut rows = Few::NONE;
        let mut row_count = first.size;
        add_part(&mut rows, first, &mut around, repeats);
        let packed_step = |level: &Loop| packing.packed_step(level).unsigned_abs();
        while row_count <= ROWS / 2
            && let Some(k) = (0..around.len()).min_by_key(|&k| packed_step(&around.get(k)))
            && let Some((row, repeats)) = parts(around.get(k), ROWS / row_count)
        {
            around.remove(k);
            row_count *= row.size;
            add_part(&mut rows, row, &mut around, repeats);
        }
        Ok(Self {
            packing,
            begin: (nest.src, nest.dst),
            around,
            rows,
            row_count,
            columns,
            packed_run,
            in_group,
        })
    }

    /// The bytes of a block: from the packed side to the buffer, or back. Each is an element of the
    /// packed side's nest.
    pub(super) fn panel(&self, reads: bool) -> Nest {
        let mut panel = Nest::of_width(1);
        for (loops, mut in_buffer) in [(&self.columns.loops, 1), (&self.rows, PITCH as isize)] {
            for level in loops.as_slice() {
                let size = level.size;
                let packed = self.packing.in_bytes(self.packing.packed_step(level));
                let (src, dst) = if reads {
                    (packed, in_buffer)
                } else {
                    (in_buffer, packed)
                };
                let fits = panel.loops.push(Loop { size, src, dst });
                debug_assert!(fits, "a block has few loops");
                in_buffer *= size as isize;
            }
        }
        panel.normalise();
        panel
    }

    /// Copies the nest that these are the planes of.
    ///
    /// # Safety
    /// As `super::run`.
    unsafe fn copy(&self, src: *const u8, dst: *mut u8) {
        let packing = self.packing;
        let run = Run::of(self.row_count * self.columns.count);
        let reads = !packing.packs || self.in_group < packing.in_byte();
        let read = reads.then(|| Task::new(&self.panel(true)));
        let write = packing.packs.then(|| Task::new(&self.panel(false)));
        each_block::<{ ROWS * PITCH }>(self.around.as_slice(), self.begin, |buffer, from, to| {
            let packed = if packing.packs {
                dst.wrapping_offset(packing.in_bytes(to)).cast_const()
            } else {
                src.wrapping_offset(packing.in_bytes(from))
            };
            if let Some(read) = &read {
                // SAFETY: by `PLANES` the bytes of the panel have elements of the nest, which can
                // be read, and the buffer has room for all rows.
                unsafe { kernels::run(read, packed, buffer, &run) };
            }
            // SAFETY: as above: all bytes of the buffer were read, or `rows` writes them.
            unsafe { self.rows(buffer, (src, from), (dst, to)) };
            if let Some(write) = &write {
                let to = dst.wrapping_offset(packing.in_bytes(to));
                // SAFETY: as above. The bits of other elements are those that were read.
                unsafe { kernels::run(write, buffer, to, &run) };
            }
        });
    }

    /// Combines the elements of the source to the rows of the buffer, or separates them to the
    /// destination. The offsets are those of a step of `around`.
    ///
    /// # Safety
    /// As [`copy`](Self::copy); the buffer has all rows. Where not all of a row is written, it can
    /// be read.
    unsafe fn rows(
        &self,
        buffer: *mut u8,
        (src, from): (*const u8, isize),
        (dst, to): (*mut u8, isize),
    ) {
        let packing = self.packing;
        let in_source = |units| {
            if packing.both() {
                packing.in_bytes(units)
            } else {
                units
            }
        };
        let mut row = buffer;
        let size = (self.columns.parts, self.columns.count / self.columns.parts);
        each::<MOST_LOOPS>(self.rows.as_slice(), (from, to), |from, to| {
            // SAFETY: by `PLANES` the run and the columns from here on are elements of the nest,
            // those of packed sources whole bytes. This row is one of the buffer's.
            unsafe {
                if packing.packs {
                    let from = (src.offset(in_source(from)), in_source(self.packed_run.src));
                    combine(packing.bits, from, row, size, self.in_group);
                } else {
                    let to = (dst.offset(to), self.packed_run.dst);
                    separate(packing.bits, row, to, self.columns.count, self.in_group);
                }
            }
            row = row.wrapping_add(PITCH);
        });
    }
}
