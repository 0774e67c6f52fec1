//! A kernel that does next to nothing: what its call takes is what calls take. `cpp/handler.cc` is
//! the same in C++.
#![forbid(unsafe_code)]

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar};

/// `z = a x + y`
#[xlayout_kernel::kernel]
fn scaled_sum(
    a: Scalar<f32>,
    x: In<layout!(f32[?]{0})>,
    y: In<layout!(f32[?]{0})>,
    mut z: Out<layout!(f32[?]{0})>,
) {
    for ((z, x), y) in z.memory_mut().iter_mut().zip(x.memory()).zip(y.memory()) {
        *z = *a * x + y;
    }
}
