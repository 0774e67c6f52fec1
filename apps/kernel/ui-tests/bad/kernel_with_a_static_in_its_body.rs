#![allow(unused)]

use std::sync::atomic::{AtomicU32, Ordering};
use xlayout::layout;
use xlayout_kernel::{In, Out, kernel};

#[kernel]
fn counted(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(u32[])>) {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    y.memory_mut()[0] = CALLS.fetch_add(1, Ordering::Relaxed);
}

#[kernel]
fn printed(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[])>) {
    struct First(f32);
    impl std::fmt::Display for First {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            self.0.fmt(f)
        }
    }
}

#[kernel(isa = "baseline")]
fn counted_once(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(u32[])>) {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    y.memory_mut()[0] = CALLS.fetch_add(1, Ordering::Relaxed);
}

fn main() {}
