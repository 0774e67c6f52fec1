//! Uses the macros where `xlayout` is no name, where there is no prelude, and where `core` and `std`
//! are something else.
#![no_implicit_prelude]

#[allow(dead_code)]
mod xlayout {}
#[allow(dead_code)]
mod core {}
#[allow(dead_code)]
mod std {}

use ::arrays::{ArrayLayout, layout};

layout! {
    /// A declared layout.
    pub type A = f32[2,3]{0,1};
    /// With a parameter.
    pub type B<const M: usize> = f32[M,3]{1,0:T(8,128)};
}

/// A type and a value.
pub const C: layout!(s8[4]) = ::arrays::layout!(s8[4]);

/// The declared ones are values, too.
#[must_use]
pub fn bytes() -> usize {
    A.bytes() + C.bytes() + <B<4>>::BYTES
}

/// A layout of the run time, taken to one of the compiler's.
#[must_use]
pub fn elements(layout: &::arrays::DynLayout) -> usize {
    ::arrays::specialize!(layout, {
        A | f32[?,3] => layout.elements(),
        _ => layout.elements(),
    })
}

/// Constant coordinates.
#[must_use]
pub fn last() -> usize {
    ::arrays::index!(A[1, 2]).linear().get()
}

#[test]
fn works() {
    ::std::assert_eq!(bytes(), 24 + 4 + 4096);
    ::std::assert_eq!(last(), 5);
}
