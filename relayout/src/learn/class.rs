//! Classes of copies: all copies of one class share what they learn.

use std::vec::Vec;

use crate::kernels::task::Task;

/// The properties that decide which strategy is the fastest, beside the machine: the kind of the
/// nest of loops, the element, the collisions of lines in the caches, the lengths of rows and
/// columns, the size, the number of threads.
///
/// Lengths are classes of powers of two; the size is a class of powers of the square root of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Class(pub(super) [u32; 12]);

/// The state of the destination's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pages {
    /// Memory of the caller, who has usually written to it before.
    Known,
    /// Allocated for this copy: the system makes its pages while they are written.
    Fresh,
}

impl Class {
    /// Returns the class of copies of `total` bytes, most of them by `task`.
    pub(crate) fn new(
        task: &Task,
        total: usize,
        aligned: bool,
        threads: usize,
        pages: Pages,
    ) -> Self {
        let length = |len: usize| len.max(1).ilog2();
        // Lines collide if pitches are multiples of a power of two. From a page on, all pitches are
        // alike.
        let pitch = |pitch: isize| pitch.trailing_zeros().min(12);
        let rows = task.rows.as_slice().first();
        let columns = task.columns.as_slice().first();
        Self([
            task.kernel as u32,
            length(task.width),
            u32::from(task.cell.is_some()),
            u32::from(aligned),
            length(task.row_count * task.width),
            length(task.column_count * task.width),
            task.outer.len() as u32,
            rows.map_or(0, |level| pitch(level.src)),
            columns.map_or(0, |level| pitch(level.dst)),
            (total.max(1) as u128).pow(2).ilog2(),
            threads as u32,
            u32::from(pages == Pages::Fresh),
        ])
    }

    /// Parses the text of a class.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let numbers = text.strip_prefix('[')?.strip_suffix(']')?.split(", ");
        let numbers: Option<Vec<u32>> = numbers.map(|number| number.parse().ok()).collect();
        numbers?.try_into().ok().map(Self)
    }
}
