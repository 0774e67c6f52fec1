//! What a copy does, in the words of a relayout plan.

use xlayout::DynLayout;

use crate::diff::Change;

/// Describes how the elements move; `None` if it is not known.
pub(super) fn words(from: &str, to: &str) -> Option<String> {
    let read = |text: &str| {
        let mut shape: xlayout::ArrayShape = text.parse().ok()?;
        // The memory space does not change how elements move.
        shape.layout.as_mut()?.memory_space = 0;
        DynLayout::new(shape).ok()
    };
    let change = Change::of(&read(from)?, &read(to)?);
    let plan = change.plans.first()?.to_string();
    // `relayout A -> B: transpose in registers, …`
    let first = plan.lines().next()?;
    let how = first.rsplit_once("}: ").map_or(first, |(_, how)| how);
    Some(match change.plans.len() {
        1 => how.to_owned(),
        plans => format!("{how}, the first of {plans} copies"),
    })
}
