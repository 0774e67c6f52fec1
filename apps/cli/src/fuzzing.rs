//! The functions that the fuzz targets call. Each takes any bytes, and returns an answer or the text of an error. Only the words of
//! a command are not fuzzed: a target writes them.

/// Reads Triton's linear layout. Returns `None` for another text, and else whether it is valid.
pub fn linear_layout(text: &str) -> Option<bool> {
    crate::algebra_triton::read("A", text).map(|map| map.is_ok())
}
