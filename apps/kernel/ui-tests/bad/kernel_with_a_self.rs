#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

struct Model;

impl Model {
    #[kernel]
    fn half(&self, x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) {}
}

fn main() {}
