#![allow(unused)]

use xlayout::kernel;

struct Half;

#[kernel]
impl Half {
    fn half() {}
}

fn main() {}
