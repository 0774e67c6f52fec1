//! What the attribute writes breaks no rule that a crate gives itself.
#![forbid(unsafe_code)]
#![deny(
    missing_docs,
    warnings,
    rust_2018_idioms,
    unreachable_pub,
    unused_qualifications,
    single_use_lifetimes,
    unused_lifetimes,
    missing_debug_implementations,
    elided_lifetimes_in_paths,
    trivial_casts,
    missing_unsafe_on_extern,
    unused_results,
    let_underscore_drop,
    unsafe_op_in_unsafe_fn,
    non_ascii_idents,
    variant_size_differences
)]

use xlayout::layout;
use xlayout_kernel::{In, Out, Result, Scalar};

/// y = a * x
#[xlayout_kernel::kernel]
fn scale(
    a: Scalar<f32>,
    x: In<layout!(f32[?, 128]{1,0})>,
    mut y: Out<layout!(f32[?, 128]{1,0})>,
) -> Result<()> {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = *a * x;
    }
    Ok(())
}

/// A module.
pub mod public {
    use super::*;

    /// Eight parameters.
    #[xlayout_kernel::kernel(batch)]
    #[must_use = "a test looks at it"]
    pub fn eight(
        a: In<layout!(f32[?A]{0})>,
        b: In<layout!(f32[?B]{0})>,
        c: In<layout!(f32[?A,?B]{1,0})>,
        d: &[i64],
        e: &str,
        f: Option<Scalar<bool>>,
        g: Scalar<u8>,
        mut h: Out<layout!(f32[?A,?B,?_]{2,0,1})>,
    ) -> Result<()> {
        h.memory_mut().fill(0.0);
        drop((a, b, c, d, e, f, g));
        Ok(())
    }
}

fn main() {}
