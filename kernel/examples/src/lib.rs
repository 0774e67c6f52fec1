//! Kernels that JAX calls: each in a file of its own, each with a driver in Python.
#![forbid(unsafe_code)]

mod exp;
pub mod gemv;
pub mod image;
pub mod rope;
pub mod softmax;
