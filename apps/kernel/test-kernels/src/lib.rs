//! The kernels that the tests in `kernel/python/tests` call, through XLA.
#![forbid(unsafe_code)]

mod arrays;
mod attributes;
mod computed;
mod converted;
mod derivatives;
mod divided;
mod layouts;
mod orders;
mod outcomes;
mod types;
