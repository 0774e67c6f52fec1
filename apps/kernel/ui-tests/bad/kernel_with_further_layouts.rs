#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{Converted, In, Out, Scalar, kernel};

type Rows = layout!(f32[?M, ?N]{1,0});
type Columns = layout!(f32[?M, ?N]{0,1});

#[kernel]
fn of_a_number(#[also(Columns)] a: Scalar<f32>, mut y: Out<Rows>) {}

#[kernel]
fn of_nothing(#[also] x: In<Rows>, mut y: Out<Rows>) {}

#[kernel]
fn a_list_alone(#[also({0,1})] x: In<Rows>, mut y: Out<Rows>) {}

#[kernel]
fn twice(#[also(Columns)] #[also(Columns)] x: In<Rows>, mut y: Out<Rows>) {}

#[kernel]
fn too_many(
    #[also(Columns)] a: In<Rows>,
    #[also(Columns)] b: In<Rows>,
    #[also(Columns)] c: In<Rows>,
    #[also(Columns)] d: In<Rows>,
    mut y: Out<Rows>,
) {
}

#[kernel]
fn copies_of_a_static(#[also(Columns)] x: In<Rows>, mut y: Out<Rows>) {
    static CALLS: u8 = 0;
}

fn main() {}
