#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{Out, kernel};

#[kernel]
fn half(mut y: Out<layout!(f32[?]{0})>) -> Result<(), String> {
    Err("too short".to_owned())
}

type Answer = Result<(), &'static str>;

#[kernel]
fn third(mut y: Out<layout!(f32[?]{0})>) -> Answer {
    Err("too short")
}

fn main() {}
