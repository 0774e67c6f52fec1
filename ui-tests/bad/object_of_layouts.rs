// The compiler's message has one place, which is in this file.
#![deny(warnings)]

use xlayout::{ArrayLayout, Rank};

fn rows(layout: &dyn Rank<2>) -> usize {
    layout.shape()[0]
}

fn rank(layout: &dyn ArrayLayout<Coordinates = [usize; 2], Type = f32>) -> usize {
    layout.rank()
}

fn main() {}
