//! The normal form that every layout lowers to: a short table of modes.
//!
//! A mode takes one digit of one logical coordinate. Each step of the digit moves `stride` elements
//! in memory:
//!
//! > linear index = Σ `(index[dim] / divisor) % size × stride`
//!
//! Dense layouts, padded ones, one tile or many: all are this table, and nothing behind it knows
//! which notation it came from. In CuTe's words it is a nested shape and stride.
//!
//! | layout | modes `(dim, divisor, size, stride)` |
//! |---|---|
//! | `f32[2,3]{0,1}` | `(0,1,2,1) (1,1,3,2)` |
//! | `f32[2,3]{0,1}, padded_dimensions = [3, 5]` | `(0,1,2,1) (1,1,3,3)` |
//! | `f32[1000,3000]{1,0:T(8,128)}` | `(1,1,128,1) (0,1,8,128) (1,128,24,1024) (0,8,125,24576)` |
//!
//! Laws, each with a test (`tests/laws`):
//! 1. `multi_index(linear(i)) == i` for every index in bounds; distinct indices have distinct
//!    linear indices; the largest is below the number of allocated elements.
//! 6. Modes never depend on notation: equal memory maps lower to equal modes.

mod combine;
mod count;
mod dense;
mod element_counts;
#[doc(hidden)]
pub mod extent;
#[doc(hidden)]
pub mod inside;
mod lower;
mod lowered;
mod pieces;
mod source;
mod table;
mod terms;
mod tiled;
mod work;

pub use crate::error::NotLowered;
pub use combine::merge_neighbours;
pub use count::{Count, MAX};
pub use dense::{StaticTable, dense_strides};
pub use element_counts::ElementCounts;
pub use extent::{countable, typed};
pub use lower::lower;
pub(crate) use lowered::can_be_lowered;
pub use lowered::{INLINE_MODES, INLINE_TERMS, Lowered};
pub use source::{Source, type_bits};
pub use table::{CONST_MODES, Table, fill_strides, numbers};
pub use tiled::Digits;
pub use work::{Buffers, FilledLengths, Piece, capacity};

/// One digit of a coordinate, and how far it moves in memory.
///
/// ```
/// use xlayout_core::{DynLayout, ArrayLayout};
/// use xlayout_shape::Mode;
/// let column_major: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
/// assert_eq!(
///     column_major.modes().collect::<Vec<Mode>>(),
///     [Mode::new(0, 1, 2, 1), Mode::new(1, 1, 3, 2)],
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Mode {
    /// The dimension whose coordinate is taken. From the rank on: a coordinate that a `*` in a
    /// tile merged from several (see [`Term`]).
    pub dim: usize,
    /// The digit is `(coordinate / divisor) % size`.
    pub divisor: usize,
    /// How many values the digit takes; 0 where only the run time knows.
    pub size: usize,
    /// How many elements one step of the digit moves. Where dimensions are known at run time only,
    /// the first [`run_time`](Self::run_time) run-time extents multiply it.
    pub stride: usize,
    /// Whether this is the most major digit of its coordinate, so that no `% size` is needed.
    pub top: bool,
    /// How many run-time extents multiply the stride; 0 when all dimensions are static.
    pub run_time: usize,
}

impl Mode {
    /// A mode as the tables of the documentation write it; the digit counts as the most major one.
    #[must_use]
    #[inline]
    pub const fn new(dim: usize, divisor: usize, size: usize, stride: usize) -> Self {
        Self {
            dim,
            divisor,
            size,
            stride,
            top: true,
            run_time: 0,
        }
    }

    /// The same mode as one whose digit is not the most major one of its coordinate.
    #[must_use]
    #[inline]
    pub const fn inner(mut self) -> Self {
        self.top = false;
        self
    }

    #[doc(hidden)]
    pub const NONE: Self = Self::new(0, 1, 1, 0);

    /// The digit of this coordinate. The one place that divides.
    #[inline(always)]
    #[doc(hidden)]
    pub const fn digit(&self, coordinate: usize) -> usize {
        let digit = if self.divisor == 1 {
            coordinate
        } else {
            coordinate / self.divisor
        };
        if self.top { digit } else { digit % self.size }
    }
}

/// Whether what lies below the `k`-th mode is the low bits of a linear index.
#[inline]
pub const fn masks(modes: &[Mode], k: usize) -> bool {
    let stride = modes[k].stride;
    let mut masks = stride.is_power_of_two() && modes[k].run_time == 0;
    each!(above, k..modes.len(), {
        masks &= modes[above].stride.is_multiple_of(stride);
    });
    masks
}

/// One summand of a merged coordinate: `(source / divisor) % size × weight`.
///
/// Only a `*` in a tile, or a tile that does not divide the tile before it, makes them.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_shape::Mode;
/// // 3 does not divide the 4 of the tile before it.
/// let layout: DynLayout = "f32[9]{0:T(3,4)(2,3)}".parse().unwrap();
/// let dims = layout.dims().len();
/// assert!(layout.terms().iter().all(|term| term.coordinate >= dims));
/// assert!(layout.mode_table().iter().any(|mode: &Mode| mode.dim >= dims));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Term {
    /// Which merged coordinate this belongs to; the first one has the number of the rank.
    pub coordinate: usize,
    /// The digit that is taken, its stride being the weight in the merged coordinate.
    pub digit: Mode,
}

impl Term {
    #[doc(hidden)]
    pub const NONE: Self = Self {
        coordinate: 0,
        digit: Mode::NONE,
    };
}

/// An extent that is known at run time only: `dims[dim]` divided by `divisor`, rounded up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunTimeExtent {
    pub dim: usize,
    pub divisor: usize,
}

impl RunTimeExtent {
    #[doc(hidden)]
    pub const NONE: Self = Self { dim: 0, divisor: 1 };

    #[inline(always)]
    pub const fn of(self, dims: &[usize]) -> usize {
        self.of_size(dims[self.dim])
    }

    /// The extent, given the size of its dimension.
    #[inline(always)]
    pub const fn of_size(self, size: usize) -> usize {
        if self.divisor == 1 {
            size
        } else {
            size.div_ceil(self.divisor)
        }
    }
}
