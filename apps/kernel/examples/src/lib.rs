//! Kernels that JAX calls: each in a file of its own, each with a driver in Python that checks the
//! results and prints how long XLA's own take. `bash kernel/examples/run.sh` runs them all.
#![forbid(unsafe_code)]

pub mod batch;
pub mod columns;
pub mod first;
pub mod gemv;
pub mod images;
pub mod int8;
pub mod networks;
pub mod plain;
pub mod rms_norm;
pub mod rope;
pub mod scalar;
mod share;
#[cfg(test)]
mod sizes;
pub mod small;
pub mod softmax;
pub mod steps;
pub mod transpose;
pub mod various;
pub mod windows;
