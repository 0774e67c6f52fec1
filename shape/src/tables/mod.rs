//! What is declared once: each crate generates what it needs from the tables here.

mod element_types;
#[cfg(all(test, feature = "std"))]
mod tests;
