//! Uses the attribute where `xlayout` and `xlayout_kernel` are no names, where there is no prelude, and
//! where `core` and `std` are something else.
#![no_implicit_prelude]

#[allow(dead_code)]
mod xlayout {}
#[allow(dead_code)]
mod xlayout_kernel {}
#[allow(dead_code)]
mod core {}
#[allow(dead_code)]
mod std {}

use ::arrays::layout;

/// A kernel, where the crate of its types has another name, too.
#[::calls::kernel(crate = ::calls)]
pub fn double(
    x: ::calls::In<layout!(f32[?M]{0})>,
    a: ::calls::Scalar<f32>,
    mut y: ::calls::Out<layout!(f32[?M]{0})>,
) -> ::calls::Result<()> {
    let (x, y) = (x.memory(), y.memory_mut());
    let mut k = 0;
    while k < x.len() {
        y[k] = *a * x[k];
        k += 1;
    }
    ::calls::Result::Ok(())
}
