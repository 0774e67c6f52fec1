//! What reading and writing have in common.

use xlayout::shape::MinorToMajor;
use xlayout::{DynLayout, ElementType, Layout};

use crate::array;

/// The metadata of an array or a group in version 3.
pub(super) const TEXT_3: &str = "zarr.json";

/// The most chunks of a tensor.
pub(super) const MOST_CHUNKS: usize = 10_000_000;

pub(crate) fn inside(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    }
}

/// A dense array whose dimensions from the most major one on are `order`.
pub(super) fn in_order(
    element_type: ElementType,
    sizes: &[usize],
    order: &[usize],
) -> Option<DynLayout> {
    let minor: Vec<i64> = order.iter().rev().map(|dim| *dim as i64).collect();
    let layout = Layout::new(MinorToMajor::new(&minor).ok()?);
    array::with_layout(element_type, sizes, layout)
}

/// All indices of a grid, the last dimension the fastest; `None` if it has more than
/// [`MOST_CHUNKS`].
pub(super) fn indices(counts: &[usize]) -> Option<impl Iterator<Item = Vec<usize>> + use<>> {
    let all = (counts.iter()).try_fold(1, |all: usize, count| all.checked_mul(*count));
    all.filter(|all| *all <= MOST_CHUNKS)?;
    Some(array::indices(counts.to_vec()))
}
