//! The task for one nest of loops: the loops of the panel, the sequence of the other loops, and the
//! kernel.
//!
//! ```text
//! no loop is left:                                              Copy
//! runs of a cache line or more:                                 Rows, in tiles of a page if
//!                                                               that keeps pages
//! elements of a power of two, a loop that continues them on each side:
//!     rows    = the loops that continue the element in the destination, in turn with
//!     columns = the loops that continue the element in the source, until each side has 1024 bytes
//!     few rows or few columns, in runs of a lane or more:       Interleave or Deinterleave
//!     otherwise:                                                Panel
//! other elements with a loop that continues them on each side:  Runs
//! other elements, or 16 bytes with rows:                        Rows
//! otherwise:                                                    Strided
//! the loops that are not taken run around the kernel
//! ```

use crate::kernels::table::Table;
use crate::machine::LINE;
use crate::nest::{Loop, Loops, MAX_LOOPS, Nest};

/// The most loops of one side of a panel.
pub(crate) const COMPOSITE: usize = 4;

/// The bytes of each side of the smallest block.
pub(crate) const WORD: usize = 8;

/// The most rows of an interleave.
pub(crate) const MOST_INTERLEAVED: usize = 8;

/// How the innermost loops are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// One run of bytes.
    Copy,
    /// Runs of bytes, in the sequence of the destination.
    Rows,
    /// Runs shorter than a line that trade places: rows follow each other in the destination,
    /// columns in the source.
    Runs,
    /// Columns that are contiguous in the source become rows that are contiguous in the
    /// destination.
    Panel,
    /// A few rows of the source become one run of the destination, element by element in turn.
    Interleave,
    /// A run of the source becomes a few rows of the destination.
    Deinterleave,
    /// Single elements at strides.
    Strided,
}

/// A nest of loops, and how to run it.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub(crate) kernel: Kernel,
    pub(crate) src: isize,
    pub(crate) dst: isize,
    /// The bytes that are contiguous on both sides.
    pub(crate) width: usize,
    /// The loops around the kernel, the innermost first.
    pub(crate) outer: Loops,
    /// The kernel's loops that are contiguous in the destination, and the number of their steps.
    pub(crate) rows: Loops<COMPOSITE>,
    pub(crate) row_count: usize,
    /// The kernel's loops that are contiguous in the source.
    pub(crate) columns: Loops<COMPOSITE>,
    pub(crate) column_count: usize,
    /// The offsets of all elements, if they are few.
    pub(crate) tiny: Table,
    /// Whether every step moves whole lines of the destination, except along the rows of a panel.
    pub(crate) keeps_lines: bool,
    /// Whether rows do not follow each other in the destination, as in tiles.
    pub(crate) tiled: bool,
    /// The cell that an element of `width` is, if it consists of smaller elements that trade
    /// places.
    pub(crate) cell: Option<Cell>,
}

/// A few elements that are contiguous on both sides, but in different sequences, as in tiles such
/// as `(2,1)` that pair rows. For the panel they are one element, and its bytes are shuffled.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    /// For each byte of a lane, the place that it comes from.
    pub(crate) bytes: [u8; 16],
    /// The number of rows and of columns of smaller elements that trade places.
    pub(crate) rows: usize,
    pub(crate) columns: usize,
}

/// The bytes of a page of memory. Processors look up where a page is in a small table, and read
/// ahead inside a page only.
const PAGE: usize = 4096;
/// The most rows of a tile. With more, each is shorter than 128 bytes, and rows are collected
/// instead.
const MOST_ROWS_OF_PAGE: usize = 32;

/// One side of a panel is long enough from this number of bytes on.
const LONG: usize = 1024;

impl Task {
    /// Returns the task for a nest that is normalised.
    pub(crate) const fn new(nest: &Nest) -> Self {
        let mut task = Self {
            kernel: Kernel::Copy,
            src: nest.src,
            dst: nest.dst,
            width: nest.width,
            outer: nest.loops,
            rows: Loops::NONE,
            row_count: 1,
            columns: Loops::NONE,
            column_count: 1,
            tiny: Table::NONE,
            keeps_lines: false,
            tiled: false,
            cell: None,
        };
        if nest.loops.len() == 0 {
            return task;
        }
        let narrow = task.width <= 16 && task.width.is_power_of_two();
        if narrow {
            task.tiny = Table::new(nest);
        }
        if task.width >= LINE {
            task.kernel = Kernel::Rows;
            task.tiled = task.tile_rows();
            if !task.tiled {
                task.take_rows();
            }
            task.keeps_lines = keeps_lines(&task.outer) && keeps_lines(&task.rows);
            return task;
        }
        let has_columns = find(&task.outer, task.width, true).is_some();
        let has_rows = find(&task.outer, task.width, false).is_some();
        if (narrow || task.width == 32) && has_columns && has_rows {
            task.kernel = Kernel::Panel;
            task.take_panel(COMPOSITE);
            // The table counts elements instead of cells.
            if task.tiny.is_empty() {
                task.take_cell();
            }
            task.keeps_lines = keeps_lines(&task.outer) && keeps_lines(&task.columns);
            if task.cell.is_some() {
                return task;
            }
            if task.is_interleave(false) {
                task.kernel = Kernel::Interleave;
                // Both the few rows and the destination are accessed from front to back in this
                // sequence.
                task.outer.sort(false);
            } else if task.is_interleave(true) {
                task.kernel = Kernel::Deinterleave;
            }
        } else if !narrow && has_columns && has_rows {
            task.kernel = Kernel::Runs;
            task.take_panel(1);
        } else if !narrow || has_rows && task.width == 16 {
            task.kernel = Kernel::Rows;
            task.take_rows();
            // Rows that do not follow each other.
            task.tiled = task.rows.len() == 0;
            if task.tiled {
                task.take(0, true);
            }
        } else {
            // Elements that share a line of the destination come first if their lines in the source
            // are spread over the cache, then the loops with the shortest steps.
            task.kernel = Kernel::Strided;
            let src = task.outer.get(0).src;
            let dst = task.outer.get(0).dst;
            let is_spread = src.unsigned_abs() >= LINE && src % 512 != 0;
            if dst.unsigned_abs() >= LINE || !is_spread {
                task.outer.sort(true);
            }
            task.take(0, true);
            task.outer.sort(true);
        }
        task
    }

    /// Visits rows in tiles of about a page, if rows that are adjacent on one side are far from
    /// each other on the other side. So a page is not left after one row on either side. Returns
    /// whether it does so.
    const fn tile_rows(&mut self) -> bool {
        // The loops are in the sequence of the destination.
        let mut near = 0;
        each!(k, 1..self.outer.len(), {
            if self.outer.get(k).src.unsigned_abs() < self.outer.get(near).src.unsigned_abs() {
                near = k;
            }
        });
        let follows = self.outer.get(0);
        let far =
            follows.src.unsigned_abs() >= PAGE && self.outer.get(near).dst.unsigned_abs() >= PAGE;
        let long = self.width >= PAGE / MOST_ROWS_OF_PAGE && self.width < PAGE;
        // One loop becomes two.
        let fits = self.outer.len() < MAX_LOOPS && self.width.is_multiple_of(LINE);
        if near == 0 || !far || !long || !fits {
            return false;
        }
        // The rows of a tile: as many as make a page, if their number divides the loop.
        let mut in_tile = PAGE / self.width;
        while !follows.size.is_multiple_of(in_tile) {
            in_tile -= 1;
        }
        let beside = self.outer.remove(near);
        self.outer.remove(0);
        self.row_count = follows.size * beside.size;
        self.rows.push(Loop {
            size: in_tile,
            ..follows
        });
        self.rows.push(beside);
        if in_tile < follows.size {
            self.rows.push(Loop {
                size: follows.size / in_tile,
                src: follows.src * in_tile as isize,
                dst: follows.dst * in_tile as isize,
            });
        }
        true
    }

    /// Takes loop `k` of the outer ones as the outermost one of the rows, or of the columns.
    /// Returns its size.
    const fn take(&mut self, k: usize, is_row: bool) -> usize {
        let (loops, count) = if is_row {
            (&mut self.rows, &mut self.row_count)
        } else {
            (&mut self.columns, &mut self.column_count)
        };
        let taken = self.outer.remove(k);
        loops.push(taken);
        *count *= taken.size;
        taken.size
    }

    /// Takes the rows: the loops that continue each other in the destination.
    const fn take_rows(&mut self) {
        let mut run = self.width;
        while self.rows.len() < COMPOSITE
            && let Some(next) = find(&self.outer, run, false)
        {
            run *= self.take(next, true);
        }
        // The loops stay in the sequence of the destination, which is written from front to back.
    }

    /// Takes a panel: loops that are contiguous in the destination, and at most `most_columns` that
    /// are contiguous in the source. Each side takes a loop in turn until it is long enough.
    const fn take_panel(&mut self, most_columns: usize) {
        let mut down = self.width;
        let mut across = self.width;
        let mut more_rows = true;
        let mut more_columns = true;
        while more_rows || more_columns {
            let is_row = more_rows && (down <= across || !more_columns);
            let (len, more, takes) = if is_row {
                (&mut down, &mut more_rows, self.rows.len() < COMPOSITE)
            } else {
                (
                    &mut across,
                    &mut more_columns,
                    self.columns.len() < most_columns,
                )
            };
            *more = false;
            if let Some(next) = find(&self.outer, *len, !is_row)
                && takes
            {
                *len *= self.take(next, is_row);
                *more = *len < LONG;
            }
        }
        self.outer.sort(true);
    }

    /// Whether a panel has one loop on each side, so that rows and columns have a pitch.
    pub(crate) const fn is_plane(&self) -> bool {
        self.cell.is_none() && self.rows.len() == 1 && self.columns.len() == 1
    }

    /// Whether a panel, or the plane of its innermost loops, holds a block: 16 bytes on each side
    /// for the narrowest registers, or 8 bytes on each side if elements are narrower than 8 bytes.
    /// The plane of a panel with more loops has at least a line, since the loops around it take as
    /// long as copying a small block.
    pub(crate) const fn holds_block(&self) -> bool {
        let least = if !self.is_plane() {
            32
        } else if self.width < WORD {
            WORD
        } else {
            16
        };
        matches!(self.kernel, Kernel::Panel)
            && self.cell.is_none()
            && self.width <= 16
            && self.rows.get(0).size * self.width >= least
            && self.columns.get(0).size * self.width >= least
    }

    /// The loops around the plane of the innermost rows and columns, the innermost first.
    pub(crate) fn around_plane(&self) -> Loops {
        let mut around = Loops::NONE;
        let rows = &self.rows.as_slice()[1..];
        let columns = &self.columns.as_slice()[1..];
        for &level in rows.iter().chain(columns).chain(self.outer.as_slice()) {
            let fits = around.push(level);
            debug_assert!(fits, "all of them were in one nest");
        }
        around
    }

    /// Makes cells of a panel that is smaller than a lane, if the cells make a larger panel.
    const fn take_cell(&mut self) {
        let row = self.rows.get(0);
        let column = self.columns.get(0);
        let width = self.width;
        let together = row.size * column.size * width;
        let is_cell = self.rows.len() == 1
            && self.columns.len() == 1
            && together <= 16
            && together.is_power_of_two()
            && row.src == (column.size * width) as isize
            && column.dst == (row.size * width) as isize;
        if !is_cell {
            return;
        }
        match (
            find(&self.outer, together, true),
            find(&self.outer, together, false),
        ) {
            (Some(across), Some(down)) if across != down => {}
            _ => return,
        }
        let mut bytes = [0; 16];
        each!(to, 0..16, {
            // The destination has the rows innermost, and the source the columns.
            let cell = to / together;
            let in_cell = to % together;
            let element = in_cell / width;
            let byte = in_cell % width;
            let of_row = element % row.size;
            let of_column = element / row.size;
            let from = (of_row * column.size + of_column) * width + byte;
            bytes[to] = (cell * together + from) as u8;
        });
        self.cell = Some(Cell {
            bytes,
            rows: row.size,
            columns: column.size,
        });
        self.width = together;
        (self.rows, self.columns) = (Loops::NONE, Loops::NONE);
        (self.row_count, self.column_count) = (1, 1);
        self.take_panel(COMPOSITE);
    }

    /// Whether one side of a panel has so few elements that they do not fill a lane, and the other
    /// side continues them, or has the next ones in the next lane at most, in runs of a lane or
    /// more.
    const fn is_interleave(&self, apart: bool) -> bool {
        let (short, count, long, run) = if apart {
            let run = self.rows.get(0);
            (
                &self.columns,
                self.column_count,
                &self.rows,
                (run.size, run.src),
            )
        } else {
            let run = self.columns.get(0);
            (
                &self.rows,
                self.row_count,
                &self.columns,
                (run.size, run.dst),
            )
        };
        let (steps, step) = run;
        let together = self.width * count;
        // With gaps, blocks of eight bytes take less time for elements of one and two bytes.
        let gaps = step > together as isize && step <= 16 && (together < WORD || self.width >= 4);
        let follows = step == together as isize;
        let fills = long.len() == 1 || steps * self.width >= 16;
        short.len() == 1 && count <= MOST_INTERLEAVED && together < 16 && (follows || gaps) && fills
    }

    /// The number of bytes that this task writes.
    pub(crate) const fn bytes(&self) -> usize {
        self.outer.count() * self.row_count * self.column_count * self.width
    }
}

/// Whether every step moves whole lines of the destination.
const fn keeps_lines<const N: usize>(loops: &Loops<N>) -> bool {
    each!(level, loops.as_slice(), {
        if level.dst % LINE as isize != 0 {
            return false;
        }
    });
    true
}

/// Returns the number of the first loop with this stride on one side.
const fn find(loops: &Loops, stride: usize, in_source: bool) -> Option<usize> {
    each!(k, 0..loops.len(), {
        let found = loops.get(k);
        let of_side = if in_source { found.src } else { found.dst };
        if of_side == stride as isize {
            return Some(k);
        }
    });
    None
}
