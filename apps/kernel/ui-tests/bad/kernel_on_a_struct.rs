#![allow(unused)]

use xlayout_kernel::kernel;

#[kernel]
pub struct Half;

fn main() {}
