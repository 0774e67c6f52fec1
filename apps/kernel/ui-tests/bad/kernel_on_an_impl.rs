#![allow(unused)]

use xlayout_kernel::kernel;

struct Half;

#[kernel]
impl Half {
    fn half() {}
}

fn main() {}
