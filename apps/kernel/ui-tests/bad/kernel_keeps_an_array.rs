#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{In, Out, Scalar, kernel};

static KEPT: std::sync::Mutex<Option<In<'static, layout!(f32[?]{0})>>> = std::sync::Mutex::new(None);
type Kept = In<'static, layout!(f32[?]{0})>;

#[kernel]
fn half(x: Kept, mut y: Out<layout!(f32[?]{0})>) {
    *KEPT.lock().unwrap() = Some(x);
}

fn main() {}
