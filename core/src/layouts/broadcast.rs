//! A dimension of size 1, repeated.

use core::fmt;

use crate::array_layout::{ArrayLayout, delegate, sealed};
use crate::coordinates::Coordinates;
use crate::layouts::region::shape_of_part;
use crate::layouts::{own_layout, own_region};
use crate::list::List;
use crate::modes::{CONST_MODES, ElementCounts, Mode, Resolved};
use crate::shape::ArrayShape;

/// The layout of an array with layout `L` whose dimension `DIM`, of size 1, is repeated: its stride
/// is 0.
///
/// Several indices are one element, so views of it cannot be divided into parts that are written
/// to. [`broadcast`](crate::ArrayRef::broadcast) makes it.
///
/// ```
/// use xlayout_core::{Array, ArrayLayout, DynLayout};
///
/// let layout = DynLayout::new("f32[1,3]")?.ranked::<2>()?;
/// let row = Array::from_fn(layout, |&[_, j]| j as f32)?;
/// let rows = row.broadcast::<0>(4)?;
/// assert_eq!((rows.layout().shape(), rows[[3, 2]]), ([4, 3], 2.0));
/// assert!(!rows.layout().is_unique());
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BroadcastLayout<L, const DIM: usize> {
    whole: L,
    size: usize,
}

impl<L: ArrayLayout, const DIM: usize> BroadcastLayout<L, DIM> {
    /// The caller promises that the dimension has size 1, and that no coordinates are merged.
    pub(crate) fn new(whole: L, size: usize) -> Self {
        Self { whole, size }
    }

    /// The layout that has the dimension once.
    pub(super) const fn whole(&self) -> &L {
        &self.whole
    }

    /// How often the dimension is repeated.
    pub(super) const fn times(&self) -> usize {
        self.size
    }

    fn numbers(&self, counts: ElementCounts) -> ElementCounts {
        ElementCounts {
            elements: counts.elements * self.size,
            buffer_len: if self.size == 0 { 0 } else { counts.buffer_len },
            ..counts
        }
    }
}

/// The modes of a layout with a dimension of size 1 repeated: the innermost loop over memory.
fn repeat(modes: &[Mode], dim: usize, times: usize) -> List<Mode, CONST_MODES> {
    let mut repeated = List::from_slice(&[], Mode::NONE);
    if times > 0 {
        if times > 1 {
            repeated.push(Mode::new(dim, 1, times, 0));
        }
        modes.iter().for_each(|&mode| repeated.push(mode));
    }
    repeated
}

impl<L: ArrayLayout, const DIM: usize> sealed::Sealed for BroadcastLayout<L, DIM> {}

// `INSIDE`: the coordinate of `DIM` counts as 0, which is in bounds of the whole.
#[diagnostic::do_not_recommend]
impl<L: ArrayLayout, const DIM: usize> ArrayLayout for BroadcastLayout<L, DIM> {
    type Type = L::Type;
    type Coordinates = L::Coordinates;
    const FIXED_SIZES: bool = false;
    const OWNS_PADDING: bool = false;
    const UNIQUE: bool = false;
    const REVERSES: bool = L::REVERSES;
    own_region! { self }
    own_layout! { self: StridedLayout }

    delegate! { self.whole:
        is_reversed element_type rank
    }

    #[inline(always)]
    fn shape(&self) -> L::Coordinates {
        let mut sizes = self.whole.shape();
        sizes.set(DIM, self.size);
        sizes
    }

    #[inline(always)]
    fn linear_index(&self, index: &L::Coordinates) -> usize {
        let mut index = index.clone();
        index.set(DIM, 0);
        self.whole.linear_index(&index)
    }

    /// The first of the indices that lie there.
    fn multi_index(&self, linear_index: usize) -> Option<L::Coordinates> {
        // Repeated no times, the array has no elements.
        if self.size == 0 {
            return None;
        }
        self.whole.multi_index(linear_index)
    }

    fn with_resolved<R>(&self, token: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        self.whole.with_resolved(token, |resolved| {
            use_(Resolved {
                sizes: self.shape().as_ref(),
                modes: &repeat(resolved.modes, DIM, self.size),
                terms: &[],
                numbers: self.numbers(resolved.numbers),
            })
        })
    }

    fn array_shape(&self) -> ArrayShape {
        shape_of_part(self.whole.array_shape(), self.shape().as_ref())
    }

    fn strides(&self) -> Option<L::Coordinates> {
        let mut strides = self.whole.strides()?;
        strides.set(DIM, 0);
        Some(strides)
    }
}

impl<L: ArrayLayout, const DIM: usize> fmt::Debug for BroadcastLayout<L, DIM> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "BroadcastLayout(dimension {DIM} of {}, {} times)",
            self.whole.array_shape(),
            self.size
        )
    }
}
