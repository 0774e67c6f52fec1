//! The kernels that the tests in `kernel/python/tests` call, through XLA.
#![forbid(unsafe_code)]

mod arrays;
mod attributes;
mod converted;
mod divided;
mod orders;
mod outcomes;
mod types;
