//! The functions that a fuzz target calls.

/// Reads a map of Triton's or CuTe's. Returns `None` for another text, and else whether it is
/// valid.
pub fn map(text: &str) -> Option<bool> {
    let sizes = [64, 64];
    let given = xlayout_view::Given {
        sizes: Some(&sizes),
        ..xlayout_view::Given::default()
    };
    let map = xlayout_view::MapText::read("A", text, &given)?;
    // What is read is explained.
    Some(map.is_ok_and(|map| map.explain(80, &[]).is_ok()))
}

/// Finds the layout in another text.
pub fn part(text: &str) {
    let given = xlayout_view::Given::default();
    if let Ok(Some(part)) = xlayout_view::part(text, &given) {
        assert!(text.contains(part), "{part:?} is no part of {text:?}");
    }
}
