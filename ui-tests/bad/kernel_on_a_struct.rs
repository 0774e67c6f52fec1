#![allow(unused)]

use xlayout::kernel;

#[kernel]
pub struct Half;

fn main() {}
