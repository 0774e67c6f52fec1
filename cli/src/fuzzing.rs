//! What the fuzz targets call: each function takes any bytes, and answers or gives the text of an error.

pub use crate::hlo::fuzzing::{Module, module};
