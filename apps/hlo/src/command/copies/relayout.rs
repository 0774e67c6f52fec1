//! How the elements of a copy move.

use xlayout::{ArrayShape, DynLayout};
use xlayout_view::Difference;

use crate::page::without_space;

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
