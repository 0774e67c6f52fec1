//! What the fuzz targets call: each function takes any bytes, and answers or gives the text of an error.

pub use crate::hlo::fuzzing::{Module, module};

/// Reads Triton's linear layout: `None` of another text, and whether it is one.
pub fn linear_layout(text: &str) -> Option<bool> {
    crate::algebra_triton::read("A", text).map(|map| map.is_ok())
}
