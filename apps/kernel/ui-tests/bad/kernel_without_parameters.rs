#![allow(unused)]

use xlayout_kernel::kernel;

#[kernel]
fn half() {}

fn main() {}
