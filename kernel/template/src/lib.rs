//! Kernels that JAX calls.

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar};

/// `y = a x`
#[xlayout::kernel(independent = "N")]
fn scale(a: Scalar<f32>, x: In<layout!(f32[?N]{0})>, mut y: Out<layout!(f32[?N]{0})>) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = *a * x;
    }
}
