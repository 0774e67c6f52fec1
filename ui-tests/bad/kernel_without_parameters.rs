#![allow(unused)]

use xlayout::kernel;

#[kernel]
fn half() {}

fn main() {}
