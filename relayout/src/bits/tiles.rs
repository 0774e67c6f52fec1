//! Packed elements whose rows become columns: tiles of bytes. The rows of a tile are unpacked into
//! one buffer, transposed into another one, and packed from there.

use crate::cells::Cells;
use crate::kernels;
use crate::kernels::cost::Run;
use crate::kernels::task::Task;
use crate::nest::{Loop, Loops, Nest};

use super::run_of;

/// The rows and the columns of a tile: both buffers fit into a first cache of 32 KiB.
const SIDE: usize = 128;
/// Shorter rows or columns take less time one by one: a row takes as long as about ten elements.
const SHORT: usize = 16;

/// Two buffers, and the transpose between them.
pub(super) struct Tiles {
    rows: [u8; SIDE * SIDE],
    columns: [u8; SIDE * SIDE],
    /// The sizes of the last tile: its columns and its rows.
    sizes: (usize, usize),
    task: Task,
}

impl Tiles {
    /// Empty buffers.
    pub(super) const fn new() -> Self {
        Self {
            rows: [0; SIDE * SIDE],
            columns: [0; SIDE * SIDE],
            sizes: (SIDE, SIDE),
            task: transpose((SIDE, SIDE)),
        }
    }

    /// The two loops of a plane: the one of consecutive elements in the source, and the one of
    /// consecutive elements in the destination. Nothing where there is no such plane, or its
    /// elements do not lie inside bytes.
    pub(super) fn plane(nest: &Nest, cells: Cells) -> Option<(usize, usize)> {
        let inside = |bits| matches!(bits, 1 | 2 | 4 | 8);
        if nest.width != 1 || !inside(cells.src_bits) || !inside(cells.dst_bits) {
            return None;
        }
        let loops = nest.loops.as_slice();
        let along = loops.iter().position(|by| by.src == 1)?;
        let down = loops.iter().position(|by| by.dst == 1)?;
        let long = loops[along].size >= SHORT && loops[down].size >= SHORT;
        (along != down && long).then_some((along, down))
    }

    /// Copies a plane, whose first elements are these.
    ///
    /// # Safety
    /// As `run_of` for every row and every column of the plane.
    pub(super) unsafe fn run(
        &mut self,
        cells: Cells,
        (src, from): (*const u8, isize),
        (dst, to): (*mut u8, isize),
        (along, down): (Loop, Loop),
    ) {
        let unpacked = Cells {
            dst_unit: 8,
            dst_bits: 8,
            ..cells
        };
        let packed = Cells {
            src_unit: 8,
            src_bits: 8,
            ..cells
        };
        let by = Run::of(SIDE * SIDE);
        for row in (0..down.size).step_by(SIDE) {
            for column in (0..along.size).step_by(SIDE) {
                let (wide, high) = (SIDE.min(along.size - column), SIDE.min(down.size - row));
                let (row, column) = (row as isize, column as isize);
                let from = from + row * down.src + column;
                let to = to + column * along.dst + row;
                if self.sizes != (wide, high) {
                    self.sizes = (wide, high);
                    self.task = transpose(self.sizes);
                }
                // SAFETY: rows and columns of the plane; a row of a buffer has room for them.
                unsafe {
                    for k in 0..high {
                        let row = (src, from + k as isize * down.src, 1);
                        let buffer = self.rows[k * SIDE..][..SIDE].as_mut_ptr();
                        run_of(unpacked, row, (buffer, 0, 1), wide);
                    }
                    let (rows, columns) = (self.rows.as_ptr(), self.columns.as_mut_ptr());
                    kernels::run(&self.task, rows, columns, &by);
                    for k in 0..wide {
                        let column = (dst, to + k as isize * along.dst, 1);
                        let buffer = self.columns[k * SIDE..][..SIDE].as_ptr();
                        run_of(packed, (buffer, 0, 1), column, high);
                    }
                }
            }
        }
    }
}

/// The transpose of `wide` columns and `high` rows from one buffer to the other.
const fn transpose((wide, high): (usize, usize)) -> Task {
    let mut nest = Nest {
        src: 0,
        dst: 0,
        loops: Loops::NONE,
        width: 1,
    };
    let side = SIDE as isize;
    let fits = nest.loops.push(Loop {
        size: wide,
        src: 1,
        dst: side,
    }) && nest.loops.push(Loop {
        size: high,
        src: side,
        dst: 1,
    });
    assert!(fits, "two loops fit");
    nest.normalise();
    Task::new(&nest)
}
