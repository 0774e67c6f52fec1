//! Shapes and layouts, and their texts.

mod layouts;
mod serde;
mod shapes;
