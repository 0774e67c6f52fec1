//! What lowering works on: pieces, and the memory for them.

use super::{Count, Mode, RunTimeExtent, Term};

/// How many values a digit takes when only the run time knows: more than any known number.
pub(super) const UNKNOWN: usize = usize::MAX;

/// One physical dimension: a digit of a coordinate, and how many places it is given.
#[derive(Clone, Copy)]
pub struct Piece {
    pub(super) dim: usize,
    pub(super) divisor: usize,
    /// How many values the digit takes; 1 for a piece whose digit is always 0.
    pub(super) range: usize,
    pub(super) top: bool,
    /// The places: `width`, or where `run_time` is set, as many as the run time says.
    pub(super) width: usize,
    pub(super) run_time: Option<RunTimeExtent>,
}

impl Piece {
    pub const NONE: Self = Self {
        dim: usize::MAX,
        divisor: 1,
        range: 1,
        top: true,
        width: 1,
        run_time: None,
    };

    /// A digit whose size is known, padded to `width`.
    pub(super) const fn of_mode(digit: Mode, width: usize) -> Self {
        Self {
            dim: digit.dim,
            divisor: digit.divisor,
            range: digit.size,
            top: digit.top,
            width,
            run_time: None,
        }
    }

    pub(super) const fn as_mode(self, stride: usize, run_time: usize) -> Mode {
        let size = if self.range == UNKNOWN { 0 } else { self.range };
        Mode {
            dim: self.dim,
            divisor: self.divisor,
            size,
            stride,
            top: self.top,
            run_time,
        }
    }
}

/// The memory that lowering works in, from a constant table or from the heap. Every slice holds at
/// least `capacity(…)` items.
pub struct Buffers<'w> {
    pub pieces: &'w mut [Piece],
    pub spare: &'w mut [Piece],
    pub modes: &'w mut [Mode],
    pub terms: &'w mut [Term],
    pub run_time: &'w mut [RunTimeExtent],
    /// The element stride of each dimension, where it has one.
    pub strides: &'w mut [usize],
}

/// How much of [`Buffers`] was filled, and the sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FilledLengths {
    pub modes: usize,
    pub terms: usize,
    pub run_time: usize,
    /// Elements that memory is allocated for, before the tail alignment; where there are run-time
    /// extents, their product multiplies it.
    pub buffer_len: Count,
}

/// How many items [`Buffers`] may need: each dimension and each tile entry makes a piece, and the
/// digits of merged coordinates may be cut once more where a coordinate ends.
pub const fn capacity(rank: usize, tile_entries: usize) -> usize {
    2 * (rank + tile_entries) + 1
}
