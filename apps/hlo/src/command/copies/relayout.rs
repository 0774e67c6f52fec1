//! How the elements of a copy move.

use xlayout::{ArrayShape, DynLayout};
use xlayout_view::Difference;

/// The array in the default memory space.
pub(crate) fn without_space(shape: &ArrayShape) -> ArrayShape {
    let mut shape = shape.clone();
    if let Some(layout) = &mut shape.layout {
        layout.memory_space = 0;
    }
    shape
}

/// Describes how the elements move; `None` if it is not known.
pub(super) fn relayout(from: &ArrayShape, to: &ArrayShape) -> Option<String> {
    // The memory space does not change how elements move.
    let array = |shape| DynLayout::new(without_space(shape)).ok();
    let difference = Difference::of(array(from)?, array(to)?);
    let plan = difference.copies().first()?.to_string();
    // `relayout A -> B: transpose in registers, …`
    let first = plan.lines().next()?;
    let how = first.rsplit_once("}: ").map_or(first, |(_, how)| how);
    Some(match difference.copies().len() {
        1 => how.to_owned(),
        plans => format!("{how}, the first of {plans} copies"),
    })
}
