//! What only this crate can implement.

pub trait Sealed {}
