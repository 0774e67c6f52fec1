//! No name of the expansion meets one of the user's.
use xlayout::{ArrayLayout, layout};

#[allow(dead_code, non_camel_case_types)]
mod shadows {
    pub struct f32;
    pub struct Nat;
    pub struct StaticLayout;
    pub struct MinorToMajor;
    pub struct Ok;
    pub struct Tile<X>(X);
}
#[allow(unused_imports)]
use shadows::*;

fn generic<const D: usize, const L: usize>(layout: layout!(f32[D,L]{1,0:T(2,2)L(8)})) -> usize {
    layout.bytes()
}

#[test]
fn works() {
    assert_eq!(generic(layout!(f32[2,2]{1,0:T(2,2)L(8)})), 32);
}
