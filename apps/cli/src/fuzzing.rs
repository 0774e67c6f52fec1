//! The function that a fuzz target calls.

/// Reads Triton's linear layout. Returns `None` for another text, and else whether it is valid.
pub fn linear_layout(text: &str) -> Option<bool> {
    crate::algebra_triton::read("A", text).map(|map| map.is_ok())
}
