//! Where parts of an array lie, and their layouts.

use core::ops::RangeBounds;

use crate::array_layout::sealed::Token;
use crate::array_layout::{ArrayLayout, bounds};
use crate::const_text::stop;
use crate::coordinates::Coordinates;
use crate::layout_error::{LayoutError, NotSlice};
use crate::layouts::region::{place, widths_of};
use crate::layouts::{BroadcastLayout, StridedLayout};
use crate::modes::{CONST_MODES, Count, Resolved};

/// Stops the compiler where distinct indices may be one element.
pub(crate) const fn assert_unique<L: ArrayLayout>() {
    if !L::UNIQUE {
        stop(
            "parts of a broadcast array cannot be written to: several indices are one element; \
             divide the array before it is broadcast",
        );
    }
}

/// Stops the compiler where a dimension has stride 0, which strides of a part do not say.
pub(crate) const fn assert_strides<L: ArrayLayout>() {
    if !L::UNIQUE {
        stop("take the steps of a broadcast array before it is broadcast");
    }
}

/// Where the part lies that begins at `origin`, and its layout.
#[inline]
pub(crate) fn place_of<'a, L: ArrayLayout>(
    layout: &'a L,
    origin: &L::Coordinates,
    sizes: L::Coordinates,
) -> Result<(usize, L::Region<'a>), LayoutError> {
    let rank = layout.rank();
    for (what, found) in [
        ("coordinates", origin.as_ref().len()),
        ("sizes", sizes.as_ref().len()),
    ] {
        if found != rank {
            return Err(LayoutError::Listed {
                what,
                expected: rank,
                found,
            });
        }
    }
    place::check(layout, origin, &sizes)?;
    let layout_of_part = layout.region(sizes, Token);
    let first = match layout_of_part.buffer_len() {
        0 => 0,
        _ => layout.linear_index(&lowest(layout, origin.clone(), &layout_of_part.shape())),
    };
    Ok((first, layout_of_part))
}

/// The index of the element of a part that is the lowest in memory: the last coordinate of each
/// reversed dimension. The part has elements.
#[inline]
fn lowest<L: ArrayLayout>(
    layout: &L,
    mut origin: L::Coordinates,
    sizes: &L::Coordinates,
) -> L::Coordinates {
    if const { L::REVERSES } {
        for dim in (0..layout.rank()).filter(|&dim| layout.is_reversed(dim)) {
            origin.set(dim, origin.coordinate(dim) + sizes.coordinate(dim) - 1);
        }
    }
    origin
}

/// Origin and sizes of a range of one dimension.
pub(crate) fn range_of<L: ArrayLayout>(
    layout: &L,
    dim: usize,
    start: usize,
    end: usize,
) -> Result<(L::Coordinates, L::Coordinates), LayoutError> {
    NotSlice::check(dim, start, end, size_of_dimension(layout, dim)?)?;
    let mut origin = L::Coordinates::origin(layout.rank());
    origin.set(dim, start);
    let mut sizes = layout.shape();
    sizes.set(dim, end - start);
    Ok((origin, sizes))
}

/// A range of the coordinates of one dimension: every [`RangeBounds<usize>`](RangeBounds).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no range of the coordinates of one dimension",
    label = "expected a range such as `1..3`, `1..` or `..`",
    note = "the dimension is written before the parentheses: `array.slice::<0>(1..3)?`",
    note = "one coordinate is the range `1..2`, or without the dimension `array.row(1)?` and \
            `array.column(1)?`",
    note = "every second coordinate is `array.with_step::<0>(.., 2)?`",
    note = "ranges of several dimensions are a region, by where it begins and its sizes: \
            `array.region([0, 1], [1, 2])?` has row 0 and the columns `1..3`"
)]
#[allow(unreachable_pub, reason = "public methods name it")]
pub trait DimensionRange: RangeBounds<usize> {}

#[diagnostic::do_not_recommend]
impl<R: RangeBounds<usize>> DimensionRange for R {}

/// The size of a dimension.
///
/// # Errors
/// [`LayoutError::NoDimension`].
pub(crate) fn size_of_dimension<L: ArrayLayout>(
    layout: &L,
    dim: usize,
) -> Result<usize, LayoutError> {
    let dimension = dim;
    let rank = layout.rank();
    let size = layout.shape().as_ref().get(dim).copied();
    size.ok_or(LayoutError::NoDimension { dimension, rank })
}

/// Where a range with steps lies, and its layout. A negative step begins at the end of the range.
pub(crate) fn stepped<L: ArrayLayout>(
    layout: &L,
    dim: usize,
    range: impl DimensionRange,
    step: isize,
) -> Result<(usize, StridedLayout<L::Coordinates, isize>), LayoutError> {
    const { assert_strides::<L>() }
    let size = size_of_dimension(layout, dim)?;
    if step == 0 {
        return Err(LayoutError::NoStep { dimension: dim });
    }
    let mut widths = widths_of(layout).ok_or(LayoutError::NotStrided)?;
    let (start, end) = bounds(range, 0..size);
    let (mut origin, mut sizes) = range_of(layout, dim, start, end)?;
    let step_width = step.unsigned_abs();
    let len = (end - start).div_ceil(step_width);
    sizes.set(dim, len);
    if len > 1 {
        // The last coordinate is inside the range, so that the stride does not overflow.
        widths.set(dim, widths.coordinate(dim) * step_width);
    }
    if step < 0 && len > 0 {
        // The first coordinate is the last one of the range, and the others are below it.
        origin.set(dim, end - 1 - (len - 1) * step_width);
    }
    let part = StridedLayout::of_part(
        (layout.element_type(), layout.element_bits()),
        sizes,
        widths,
        |d| layout.is_reversed(d) != (d == dim && step < 0),
        Token,
    );
    if part.buffer_len() == 0 {
        return Ok((0, part));
    }
    let mut lowest = lowest(layout, origin, &part.shape());
    if layout.is_reversed(dim) {
        // The coordinates of a range with steps are further apart than those of a range.
        let between = (len - 1) * (step_width - 1);
        lowest.set(dim, lowest.coordinate(dim) + between);
    }
    Ok((layout.linear_index(&lowest), part))
}

/// The layout with dimension `DIM`, of size 1, repeated.
pub(crate) fn repeated<L: ArrayLayout, const DIM: usize>(
    layout: &L,
    size: usize,
) -> Result<BroadcastLayout<L, DIM>, LayoutError> {
    let found = size_of_dimension(layout, DIM)?;
    if found != 1 {
        return Err(LayoutError::Size {
            dimension: DIM,
            expected: 1,
            found,
        });
    }
    // One mode more must fit into a table.
    let has_room = |whole: Resolved<'_>| whole.terms.is_empty() && whole.modes.len() < CONST_MODES;
    if !layout.with_resolved(Token, has_room) {
        return Err(NotSlice::NoLayout { dimension: DIM }.into());
    }
    // All indices are counted, and a size of 0 counts as 1, so that parts have countable sizes,
    // too.
    let mut sizes = layout.shape();
    sizes.set(DIM, size);
    let times = |count: Count, size: &usize| count.times(*size);
    let sizes = sizes.as_ref().iter().fold(Count::ONE, times);
    sizes.checked()?;
    Ok(BroadcastLayout::new(layout.clone(), size))
}

/// Compares sizes.
///
/// # Errors
/// [`LayoutError::Rank`], [`LayoutError::Size`].
pub(crate) fn same_sizes(expected: &[usize], found: &[usize]) -> Result<(), LayoutError> {
    if expected.len() != found.len() {
        return Err(LayoutError::Rank {
            expected: expected.len(),
            found: found.len(),
        });
    }
    for (dimension, (&expected, &found)) in expected.iter().zip(found).enumerate() {
        if expected != found {
            return Err(LayoutError::Size {
                dimension,
                expected,
                found,
            });
        }
    }
    Ok(())
}
