//! Kernels that fail, each in its way, and one that runs on XLA's threads.

use xlayout::layout;
use xlayout_kernel::{Code, Error, In, Out, Result};

/// x, or a panic where one of its elements is negative.
#[xlayout::kernel]
fn panics(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        assert!(*x >= 0.0, "{x} is negative");
        *y = *x;
    }
}

/// x, or an error where one of its elements is negative.
#[xlayout::kernel]
fn fails(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) -> Result<()> {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        if *x < 0.0 {
            return Err(Error::new(Code::OutOfRange, format!("{x} is negative")));
        }
        *y = *x;
    }
    Ok(())
}

/// The number that the text is, by `?`.
#[xlayout::kernel]
fn parse(s: &str, mut y: Out<layout!(f32[])>) -> Result<()> {
    y.memory_mut()[0] = s.parse()?;
    Ok(())
}
