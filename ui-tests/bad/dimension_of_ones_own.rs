// A dimension that says 2 in one place and 2^40 in another, and one that grows: with either of them
// a checked access would leave the memory of the array.
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicUsize, Ordering};
use xlayout::types::{Dimension, StaticLayout, MinorToMajor, MixedLayout, Nat, StaticDimension};
use xlayout::shape::Dim;
use xlayout::SliceView;

struct Lies;

impl Dimension for Lies {
    const DIM: Dim = Dim::Static(2);
    const SIZE: usize = 1 << 40;
    const NAME: Option<&'static str> = None;
    type Unnamed = Nat<2>;
    type Value = ();
    fn size((): ()) -> usize {
        1 << 40
    }
    fn hold(_: usize) {}
}

impl StaticDimension for Lies {}

struct Grows;

static SIZE: AtomicUsize = AtomicUsize::new(2);

impl Dimension for Grows {
    const DIM: Dim = Dim::Unbounded;
    const SIZE: usize = 0;
    const NAME: Option<&'static str> = None;
    type Unnamed = Nat<2>;
    type Value = ();
    fn size((): ()) -> usize {
        SIZE.load(Ordering::Relaxed)
    }
    fn hold(_: usize) {}
}

type Long = StaticLayout<f32, (Lies,), MinorToMajor<(Nat<0>,)>, ()>;
type Growing = MixedLayout<f32, (Grows,), MinorToMajor<(Nat<0>,)>, ()>;

fn main() {
    let memory = [0.0_f32; 2];
    println!("{}", SliceView::new(Long::NEW, &memory[..]).unwrap()[[1 << 20]]);
    let view = SliceView::new(Growing::with_sizes([2]).unwrap(), &memory[..]).unwrap();
    SIZE.store(1 << 40, Ordering::Relaxed);
    println!("{}", view[[1 << 20]]);
}
