use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

// Each mistake is reported once, although the body is compiled for several sets of instructions.
#[kernel]
fn half(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) {
    let unused = 3;
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = half_of(x);
    }
    missing();
}

fn half_of(x: f32) -> f32 {
    x / 2.0
}

fn main() {}
