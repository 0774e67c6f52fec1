#![allow(unused)]

use xlayout::layout;
use xlayout_kernel::{Out, Word, Words, kernel};

#[derive(Clone, Copy)]
enum Pooling {
    Max,
    Mean,
}

#[derive(Clone, Copy)]
enum Nothing {}

impl Words for Nothing {
    const WORDS: &'static [(&'static str, Self)] = &[];
}

#[kernel]
fn pooled(pooling: Word<Pooling>, mut y: Out<layout!(f32[])>) {}

#[kernel]
fn nothing(nothing: Word<Nothing>, mut y: Out<layout!(f32[])>) {}

fn main() {}
