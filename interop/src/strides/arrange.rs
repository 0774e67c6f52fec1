//! From strides with a sign to the layout of what lies in memory.

use core::cmp::Reverse;
use core::iter;

use super::StridedArray;
use crate::error::{Error, full, invalid, list, too_large};
use crate::{BoundaryError, MAX_RANK, StrideUnit};
use xlayout_shape::dims::{Dim, INLINE_RANK};
use xlayout_shape::error::ErrorKind;
use xlayout_shape::layout::Layout;
use xlayout_shape::list::List;
use xlayout_shape::order::MinorToMajor;
use xlayout_shape::primitive::PrimitiveType;
use xlayout_shape::shape::ArrayShape;

/// What has no strides of its own: row-major and dense.
pub(crate) fn row_major(element_type: PrimitiveType, dims: &[i64]) -> Result<StridedArray, Error> {
    StridedArray::of_shape(&ArrayShape::new(element_type, dims).map_err(full)?)
}

/// The layout of what these strides describe.
pub(crate) fn arrange(
    element_type: PrimitiveType,
    dims: &[i64],
    strides: &[i64],
    unit: StrideUnit,
) -> Result<StridedArray, Error> {
    let rank = dims.len();
    if strides.len() != rank {
        let listed = strides.len();
        return Err(BoundaryError::StridesLength { listed, rank }.into());
    }
    if rank > MAX_RANK {
        return Err(BoundaryError::TooManyDimensions { limit: MAX_RANK }.into());
    }
    let Some(bytes) = element_type.bytes() else {
        let kind = BoundaryError::Shape(ErrorKind::InvalidElementType { element_type });
        return Err(Error::new(kind, None));
    };
    let step = match unit {
        StrideUnit::Bytes => i64::from(bytes),
        StrideUnit::Elements => 1,
    };
    let empty = dims.contains(&0);
    let mut stored = list(dims.iter().copied())?;
    let (sizes, mut widths) = (stored.clone(), stored.clone());
    let mut own = list(dims.iter().map(|_| 1))?;
    let mut sign = None;
    // The dimensions whose strides mean something.
    let mut moving: List<usize, INLINE_RANK> = List::new();
    for (dimension, (&size, &stride)) in dims.iter().zip(strides).enumerate() {
        if empty || size <= 1 {
            continue;
        }
        if stride % step != 0 {
            return Err(BoundaryError::PartOfElement {
                dimension,
                stride,
                bytes: step,
            }
            .into());
        }
        own[dimension] = stride / step;
        sign = sign.or(not_forwards((dimension, stride), size, unit));
        if stride == 0 {
            stored[dimension] = 1;
            widths[dimension] = 1;
            continue;
        }
        moving.try_push(dimension).map_err(full)?;
    }
    let far = |d: usize| i128::from(strides[d]).abs();
    moving.sort_unstable_by_key(|&d| (far(d), Reverse(d)));
    // Whether the stride of a dimension of size 1 names a place between two of these.
    let is_named = |d: usize| {
        let place = far(d);
        let below = moving.partition_point(|&other| far(other) < place);
        let spans = |&inner: &usize| far(inner) * i128::from(dims[inner]) <= place;
        let is_whole = place > 0 && place % i128::from(step) == 0;
        !empty && dims[d] == 1 && is_whole && moving[..below].last().is_none_or(spans)
    };
    let named = (0..rank).filter(|&d| moving.contains(&d) || is_named(d));
    let mut placed: List<usize, INLINE_RANK> = list(named)?;
    placed.sort_unstable_by_key(|&d| (far(d), dims[d] > 1, Reverse(d)));
    // Dimensions of size 1 with one stride: row-major, where all others do not ask for column-major.
    let mut columns = placed.clone();
    columns.sort_unstable_by_key(|&d| (far(d), dims[d] > 1, d));
    if columns.is_sorted() && !placed.iter().rev().is_sorted() {
        placed = columns;
    }

    // Widths: how many places each dimension has until the next one steps.
    let (mut gap, mut filler) = (None, None);
    let step_of = |dimension: usize, dense| BoundaryError::Gap {
        dimension,
        stride: strides[dimension],
        dense,
        unit,
    };
    for (k, &dimension) in moving.iter().enumerate() {
        let stride = strides[dimension];
        let place = far(dimension);
        let Some(&inner) = k.checked_sub(1).and_then(|k| moving.get(k)) else {
            let element = i128::from(step);
            if place != element {
                let error = BoundaryError::ElementGap {
                    dimension,
                    stride,
                    element: step,
                    unit,
                };
                // One element of several that lie together, as in `a[..., :1]`: the dimension of
                // size 1 has the gaps.
                let innermost = placed.first().copied().filter(|&d| dims[d] == 1);
                filler = innermost.or_else(|| stored.iter().rposition(|&n| n == 1));
                let Some(filler) = filler else {
                    return Err(error.into());
                };
                gap = Some(step_of(dimension, step));
                widths[filler] = count(place / element)?;
            }
            continue;
        };
        let below = (inner, strides[inner]);
        let span = check_above((dimension, stride), below, dims[inner], unit)?;
        if place != span {
            let dense = count(span)?;
            gap = gap.or(Some(step_of(dimension, dense)));
        }
        widths[inner] = count(place / far(inner))?;
    }

    let mut first = 0_i128;
    for &d in moving.iter().filter(|&&d| strides[d] < 0) {
        // Below 2^126, to a sum below 2^63.
        first += far(d) * i128::from(dims[d] - 1);
        count(first)?;
    }
    let minor_to_major = with_ones(&stored, &placed, filler)?;
    let mut layout = Layout::new(minor_to_major);
    if gap.is_some() {
        layout.padded_dimensions = widths;
    }
    let stored = ArrayShape::from_parts(
        element_type,
        list(stored.iter().map(|&n| Dim::Static(n)))?,
        Some(layout),
    );
    stored.validate().map_err(invalid)?;
    let mut host = StridedArray {
        stored,
        sizes,
        strides: own,
        first: count(first / i128::from(step))?,
        gap,
        sign,
    };
    host.fill_in()?;
    Ok(host)
}

/// A number of places or bytes that 64 bits count.
fn count(number: i128) -> Result<i64, Error> {
    i64::try_from(number).map_err(|_| too_large())
}

/// All dimensions, given those whose place is known from the most minor one on. The module says
/// where the others go, which have size 1. `filler` is one of size 1 that is the most minor one.
pub(crate) fn with_ones(
    dims: &[i64],
    placed: &[usize],
    filler: Option<usize>,
) -> Result<MinorToMajor, Error> {
    let rank = dims.len();
    if dims.contains(&0) {
        return MinorToMajor::row_major(rank).map_err(full);
    }
    if filler.is_none() && placed.len() > 1 && placed.is_sorted() {
        return MinorToMajor::column_major(rank).map_err(full);
    }
    let is_free = |&d: &usize| !placed.contains(&d) && Some(d) != filler;
    let leading = (0..rank).take_while(is_free).count();
    // They go just above the dimension that comes after them, the leading ones above all.
    let above = |next: usize| {
        let before = (leading..next).rev();
        let before = before.take_while(|&d| is_free(&d) || Some(d) == filler);
        before.filter(is_free)
    };
    let others = placed.iter().filter(|&&d| Some(d) != filler);
    let others = others.flat_map(|&d| iter::once(d).chain(above(d)));
    let trailing = above(rank);
    let order = filler.into_iter().chain(trailing).chain(others);
    let order = list(order.chain((0..leading).rev()).map(|d| d as i64))?;
    MinorToMajor::new(&order).map_err(full)
}

/// Checks that a dimension steps over all of the one inside it, and over a whole number of its steps.
/// Returns how far the inner one reaches. Both are given by their number and stride, which is not 0; the
/// inner one has `size` steps.
pub(crate) fn check_above(
    (dimension, stride): (usize, i64),
    (inner, inner_stride): (usize, i64),
    size: i64,
    unit: StrideUnit,
) -> Result<i128, BoundaryError> {
    let [place, step] = [stride, inner_stride].map(|stride| i128::from(stride).abs());
    let span = step * i128::from(size);
    if place < span {
        return Err(BoundaryError::Overlap {
            dimension,
            stride,
            inner,
            span,
            unit,
        });
    }
    if place % step != 0 {
        return Err(BoundaryError::Uneven {
            dimension,
            stride,
            inner,
            inner_stride,
            unit,
        });
    }
    Ok(span)
}

/// Why a dimension does not run forwards, if it does not.
pub(crate) fn not_forwards(
    (dimension, stride): (usize, i64),
    size: i64,
    unit: StrideUnit,
) -> Option<BoundaryError> {
    match stride {
        0 => Some(BoundaryError::ZeroStride { dimension, size }),
        1.. => None,
        _ => Some(BoundaryError::NegativeStride {
            dimension,
            stride,
            unit,
        }),
    }
}
