//! Where parts of an array lie, and their layouts.

use core::ops::{Bound, RangeBounds};

use crate::Coordinates;
use crate::array_layout::{ArrayLayout, sealed::Token};
use crate::const_text::stop;
use crate::layout_error::{LayoutError, NotSlice};
use crate::region::{GappedLayout, place};

/// Stops the compiler where distinct indices may be one element.
pub(super) const fn assert_unique<L: ArrayLayout>() {
    if !L::UNIQUE {
        stop(
            "parts of a broadcast array cannot be written to: several indices are one element; divide the \
             array before it is broadcast",
        );
    }
}

/// Stops the compiler where a dimension has stride 0, which strides of a part do not say.
const fn assert_strides<L: ArrayLayout>() {
    if !L::UNIQUE {
        stop("take the steps of a broadcast array before it is broadcast");
    }
}

/// Where the part lies that begins at `origin`, and its layout.
#[inline]
pub(super) fn place_of<L: ArrayLayout>(
    layout: &L,
    origin: &L::Coordinates,
    sizes: L::Coordinates,
) -> Result<(usize, L::Region), LayoutError> {
    let rank = layout.rank();
    for given in [origin.as_ref().len(), sizes.as_ref().len()] {
        if given != rank {
            return Err(LayoutError::Rank {
                expected: rank,
                found: given,
            });
        }
    }
    layout.with_resolved(Token, |whole| place::check(&whole, origin, &sizes))?;
    let layout_of_part = layout.region(sizes, Token);
    let first = match layout_of_part.buffer_len() {
        0 => 0,
        _ => layout.linear_index(origin),
    };
    Ok((first, layout_of_part))
}

/// Origin and sizes of a range of one dimension.
pub(super) fn range_of<L: ArrayLayout>(
    layout: &L,
    dim: usize,
    start: usize,
    end: usize,
) -> Result<(L::Coordinates, L::Coordinates), LayoutError> {
    let mut sizes = layout.sizes();
    let rank = layout.rank();
    let Some(&size) = sizes.as_ref().get(dim) else {
        return Err(NotSlice::NoDimension {
            dimension: dim,
            rank,
        }
        .into());
    };
    if start > end || end > size {
        return Err(NotSlice::OutOfBounds {
            dimension: dim,
            start,
            end,
            size,
        }
        .into());
    }
    let mut origin = L::Coordinates::origin(rank);
    origin.set(dim, start);
    sizes.set(dim, end - start);
    Ok((origin, sizes))
}

/// The bounds of a range of a dimension.
pub(super) fn bounds(range: impl RangeBounds<usize>, size: usize) -> (usize, usize) {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => size,
    };
    (start, end)
}

/// Where a range with steps lies, and its layout.
pub(super) fn stepped<L: ArrayLayout>(
    layout: &L,
    dim: usize,
    range: impl RangeBounds<usize>,
    step: usize,
) -> Result<(usize, GappedLayout<L::Coordinates, L::Type>), LayoutError> {
    const { assert_strides::<L>() }
    let Some(&size) = layout.sizes().as_ref().get(dim) else {
        return Err(NotSlice::NoDimension {
            dimension: dim,
            rank: layout.rank(),
        }
        .into());
    };
    if step == 0 {
        return Err(LayoutError::NoStep { dimension: dim });
    }
    let mut strides = layout.strides().ok_or(LayoutError::NotStrided)?;
    let (start, end) = bounds(range, size);
    let (origin, mut sizes) = range_of(layout, dim, start, end)?;
    let len = (end - start).div_ceil(step);
    sizes.set(dim, len);
    // The last coordinate is inside the range, so that with more than one the stride does not
    // overflow. With one it is not used.
    let stride = strides.coordinate(dim);
    strides.set(dim, if len > 1 { stride * step } else { stride });
    let layout_of_part = GappedLayout::of_part(
        layout.element_type(),
        layout.element_bits(),
        sizes,
        strides,
        Token,
    );
    let first = match layout_of_part.buffer_len() {
        0 => 0,
        _ => layout.linear_index(&origin),
    };
    Ok((first, layout_of_part))
}

/// The parts before and from a coordinate.
pub(super) fn halves<L: ArrayLayout, const DIM: usize>(
    layout: &L,
    at: usize,
) -> Result<[(usize, L::Region); 2], LayoutError> {
    let size = layout.sizes().as_ref().get(DIM).copied().unwrap_or(0);
    // Of a coordinate beyond the end, the range from it on is out of bounds.
    let (origin, sizes) = range_of(layout, DIM, 0, at.min(size))?;
    let left = place_of(layout, &origin, sizes)?;
    let (origin, sizes) = range_of(layout, DIM, at, size)?;
    Ok([left, place_of(layout, &origin, sizes)?])
}
