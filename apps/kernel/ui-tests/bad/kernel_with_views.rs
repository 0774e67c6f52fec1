#![allow(unused)]

use xlayout::{View, ViewMut, layout};
use xlayout_kernel::kernel;

#[kernel]
fn half(x: View<f32, layout!(f32[?]{0})>, mut y: ViewMut<f32, layout!(f32[?]{0})>) {}

fn main() {}
