//! Lists of dimension numbers as permutations.

use super::DimensionNumbers;
use crate::error::ShapeError;
use xlayout_core::bitcast::is_permutation;
use xlayout_shape::{ArrayShape, Layout, List, ParseError};

/// A list that is no longer than the dimensions of an array. Without a heap these are at most 16,
/// which fit.
pub(super) fn list<T: Copy + Default, const N: usize>(
    items: impl IntoIterator<Item = T>,
) -> List<T, N> {
    let mut list = List::new();
    for item in items {
        list.push(item);
    }
    list
}

/// `a[b[i]]` (XLA: `ComposePermutations`). Both are permutations of the same length.
pub(super) fn compose(a: &[i64], b: &[i64]) -> DimensionNumbers {
    list(b.iter().map(|&i| a[i as usize]))
}

/// `rank - 1, …, 1, 0` (XLA: `ReverseIota`).
pub(super) fn descending(rank: usize) -> DimensionNumbers {
    list((0..rank as i64).rev())
}

/// The layout of a shape, if it lists every dimension once.
pub(crate) fn layout_of(shape: &ArrayShape) -> Option<&Layout> {
    let layout = shape.layout.as_ref();
    layout.filter(|layout| is_permutation(&layout.minor_to_major, shape.rank()))
}

/// The size of each dimension, a bounded one at its bound; -1 for one without.
pub(super) fn sizes(shape: &ArrayShape) -> DimensionNumbers {
    list(shape.dims.iter().map(|dim| dim.bound().unwrap_or(-1)))
}

/// The product, 0 where a size is 0; `None` beyond 63 bits or where a size is not known.
pub(super) fn product(sizes: &[i64]) -> Option<i64> {
    if sizes.iter().any(|&n| n < 0) {
        return None;
    }
    if sizes.contains(&0) {
        return Some(0);
    }
    let mut sizes = sizes.iter();
    sizes.try_fold(1_i64, |product, &n| product.checked_mul(n))
}

/// The layout; its minor_to_major lists each dimension once.
pub(crate) fn needed_layout(shape: &ArrayShape) -> Result<&Layout, ShapeError> {
    checked_layout(shape)?.ok_or(ShapeError::MissingLayout)
}

/// The layout if there is one; its minor_to_major lists each dimension once.
pub(crate) fn checked_layout(shape: &ArrayShape) -> Result<Option<&Layout>, ShapeError> {
    let Some(layout) = &shape.layout else {
        return Ok(None);
    };
    let mut wrong = None;
    xlayout_shape::validate::order(&layout.minor_to_major, shape.rank(), &mut |_, kind| {
        wrong.get_or_insert(kind);
    });
    match wrong {
        Some(kind) => Err(ParseError::new(kind, None).into()),
        None => Ok(Some(layout)),
    }
}
