//! From strides with a sign to the layout of what lies in memory.

use core::cmp::Reverse;
use core::iter;

use crate::error::{Error, Items, Numbers, full, list, too_large};
use crate::{BoundaryError, MAX_RANK, StrideUnit};
use xlayout_shape::{ElementType, ErrorKind, MinorToMajor};

/// Sizes and strides as they were given.
pub(super) struct Strides<'a> {
    dims: &'a [i64],
    strides: &'a [i64],
    unit: StrideUnit,
    /// The stride from one element to the next.
    pub(super) step: i64,
    is_empty: bool,
}

/// How many places each dimension has until the next one steps.
pub(super) struct Padding {
    pub(super) widths: Numbers,
    /// The first gap.
    pub(super) gap: Option<BoundaryError>,
    /// The dimension of size 1 that has the gaps between the elements.
    pub(super) filler: Option<usize>,
}

impl<'a> Strides<'a> {
    /// Checks what needs no order of the dimensions.
    pub(super) fn new(
        element_type: ElementType,
        dims: &'a [i64],
        strides: &'a [i64],
        unit: StrideUnit,
    ) -> Result<Self, Error> {
        let rank = dims.len();
        if strides.len() != rank {
            let listed = strides.len();
            return Err(BoundaryError::StridesLength { listed, rank }.into());
        }
        if rank > MAX_RANK {
            return Err(BoundaryError::TooManyDimensions { limit: MAX_RANK }.into());
        }
        let none = BoundaryError::Shape(ErrorKind::InvalidElementType { element_type });
        let bytes = i64::from(element_type.bytes().ok_or(none)?);
        let step = match unit {
            StrideUnit::Bytes => bytes,
            StrideUnit::Elements => 1,
        };
        let is_empty = dims.contains(&0);
        let given = Self {
            dims,
            strides,
            unit,
            step,
            is_empty,
        };
        let is_part = |&d: &usize| given.is_used(d) && strides[d] % step != 0;
        match (0..rank).find(is_part) {
            Some(dimension) => Err(BoundaryError::PartOfElement {
                dimension,
                stride: strides[dimension],
                bytes: step,
            }
            .into()),
            None => Ok(given),
        }
    }

    /// Whether the stride of a dimension means something.
    pub(super) fn is_used(&self, dimension: usize) -> bool {
        !self.is_empty && self.dims[dimension] > 1
    }

    /// The stride of a dimension without its sign.
    pub(super) fn far(&self, dimension: usize) -> i128 {
        i128::from(self.strides[dimension]).abs()
    }

    /// The dimensions whose indices have places of their own, the smallest stride first.
    pub(super) fn moving(&self) -> Result<Items<usize>, Error> {
        let moves = |&d: &usize| self.is_used(d) && self.strides[d] != 0;
        let mut moving: Items<usize> = list((0..self.dims.len()).filter(moves))?;
        moving.sort_unstable_by_key(|&d| (self.far(d), Reverse(d)));
        Ok(moving)
    }

    /// These and the dimensions of size 1 whose strides name a place between two of them.
    pub(super) fn placed(&self, moving: &[usize]) -> Result<Items<usize>, Error> {
        let is_named = |d: usize| {
            let place = self.far(d);
            let below = moving.partition_point(|&inner| self.far(inner) < place);
            let spans = |&inner: &usize| self.far(inner) * i128::from(self.dims[inner]) <= place;
            let is_whole = place > 0 && place % i128::from(self.step) == 0;
            let is_one = !self.is_empty && self.dims[d] == 1;
            is_one && is_whole && moving[..below].last().is_none_or(spans)
        };
        let named = (0..self.dims.len()).filter(|&d| moving.contains(&d) || is_named(d));
        let mut placed: Items<usize> = list(named)?;
        placed.sort_unstable_by_key(|&d| (self.far(d), self.dims[d] > 1, Reverse(d)));
        // Dimensions of size 1 with one stride: row-major, where all others do not ask for
        // column-major.
        let mut columns = placed.clone();
        columns.sort_unstable_by_key(|&d| (self.far(d), self.dims[d] > 1, d));
        let is_column_major = columns.is_sorted() && !placed.iter().rev().is_sorted();
        Ok(if is_column_major { columns } else { placed })
    }

    /// Finds the gaps, and refuses those that no padding makes.
    pub(super) fn padding(
        &self,
        stored: &[i64],
        moving: &[usize],
        placed: &[usize],
    ) -> Result<Padding, Error> {
        let unit = self.unit;
        let mut widths = list(stored.iter().copied())?;
        let mut gap = None;
        let mut filler = None;
        let gap_of = |dimension: usize, dense| BoundaryError::Gap {
            dimension,
            stride: self.strides[dimension],
            dense,
            unit,
        };
        if let Some(&dimension) = moving.first()
            && self.far(dimension) != i128::from(self.step)
        {
            // One element of several that lie together, as in `a[..., :1]`: the dimension of size 1
            // has the gaps.
            let innermost = placed.first().copied().filter(|&d| self.dims[d] == 1);
            let padded = innermost.or_else(|| stored.iter().rposition(|&n| n == 1));
            let padded = padded.ok_or(BoundaryError::ElementGap {
                dimension,
                stride: self.strides[dimension],
                element: self.step,
                unit,
            })?;
            widths[padded] = count(self.far(dimension) / i128::from(self.step))?;
            gap = Some(gap_of(dimension, self.step));
            filler = Some(padded);
        }
        for pair in moving.windows(2) {
            let [inner, dimension] = [pair[0], pair[1]];
            let stride = |d: usize| (d, self.strides[d]);
            let span = check_above(stride(dimension), stride(inner), self.dims[inner], unit)?;
            if self.far(dimension) != span {
                let dense = count(span)?;
                gap = gap.or(Some(gap_of(dimension, dense)));
            }
            widths[inner] = count(self.far(dimension) / self.far(inner))?;
        }
        Ok(Padding {
            widths,
            gap,
            filler,
        })
    }
}

/// A number of places or bytes that 64 bits count.
pub(super) fn count(number: i128) -> Result<i64, Error> {
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

/// Checks that a dimension steps over all of the one inside it, and over a whole number of its
/// steps. Returns how far the inner one reaches. Both are given by their number and stride, which
/// is not 0; the inner one has `size` steps.
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

/// The product of the widths of those dimensions that are more minor; `None` where it depends on a
/// `?`.
pub(crate) fn products(
    order: &[i64],
    width: impl Fn(usize) -> Option<i64>,
) -> Result<Items<Option<i64>>, Error> {
    let mut products = list(order.iter().map(|_| None))?;
    let mut next = Some(1_i64);
    for &d in order {
        products[d as usize] = next;
        let product = |(n, width): (i64, i64)| n.checked_mul(width).ok_or_else(too_large);
        next = next.zip(width(d as usize)).map(product).transpose()?;
    }
    Ok(products)
}
