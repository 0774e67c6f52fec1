#![allow(unused)]

use xlayout::{SliceView, SliceViewMut, layout};
use xlayout_kernel::kernel;

#[kernel]
fn half(x: SliceView<f32, layout!(f32[?]{0})>, mut y: SliceViewMut<f32, layout!(f32[?]{0})>) {}

fn main() {}
