//! Layouts and views made of others at the level of types: the laws of `types::rearrange`.

mod generic;
pub(crate) mod rearranged;
mod slices;
