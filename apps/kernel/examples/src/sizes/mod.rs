//! Every kernel with every size 0 and 1: each element of a result is written, with the right
//! number.

use core::array::from_fn;
use std::collections::BTreeSet;

mod first;
mod matrices;
mod others;
/// The template's kernel, whose test is beside it.
#[path = "../../../template/src/lib.rs"]
mod template;

/// The byte that a result is full of before. An element that is not written is not right with both.
#[derive(Clone, Copy)]
struct Poison(u8);

impl Poison {
    fn f32(self, count: usize) -> Vec<f32> {
        vec![f32::from_ne_bytes([self.0; 4]); count]
    }

    fn i32(self, count: usize) -> Vec<i32> {
        vec![i32::from_ne_bytes([self.0; 4]); count]
    }

    fn i8(self, count: usize) -> Vec<i8> {
        vec![i8::from_ne_bytes([self.0]); count]
    }
}

fn each<const N: usize>(call: impl Fn([usize; N], Poison)) {
    for poison in [Poison(0xa5), Poison(0x5a)] {
        for sizes in 0..1 << N {
            call(from_fn(|k| sizes >> k & 1), poison);
        }
    }
}

/// Whether all elements of a result are this number.
#[track_caller]
fn all<T: Copy + Into<f64>>(found: &[T], expected: f64) {
    for &found in found {
        let found = found.into();
        assert!(
            found == expected
                || (found - expected).abs() < 1e-5
                || found.is_nan() && expected.is_nan(),
            "{found} in place of {expected}"
        );
    }
}

macro_rules! input {
    ($memory:expr, $layout:tt, $sizes:expr) => {
        ::xlayout_kernel::In::new(
            ::xlayout::SliceView::new(
                <::xlayout::layout! $layout>::with_sizes($sizes).unwrap(),
                &$memory[..],
            )
            .unwrap(),
        )
    };
}

macro_rules! output {
    ($memory:expr, $layout:tt, $sizes:expr) => {
        ::xlayout_kernel::Out::new(
            ::xlayout::SliceViewMut::new(
                <::xlayout::layout! $layout>::with_sizes($sizes).unwrap(),
                &mut $memory[..],
            )
            .unwrap(),
        )
    };
}

/// A test for each kernel, with the kernel's name, or for several that have one signature.
macro_rules! kernels {
    ($($kernel:ident $(and $other:ident)*: |$sizes:pat_param, $poison:ident| $body:block)*) => {
        $(
            #[test]
            fn $kernel() {
                each(|$sizes, $poison| $body);
            }
        )*
        pub(super) const TESTED: &[&str] = &[$(stringify!($kernel) $(, stringify!($other))*),*];
    };
}

use {input, kernels, output};

#[test]
fn every_kernel_has_a_test() {
    let text = xlayout_kernel::__private::description().to_str().unwrap();
    let description: serde_json::Value = serde_json::from_str(text).unwrap();
    let kernels = description["kernels"].as_array().unwrap().iter();
    let kernels: BTreeSet<&str> = kernels.map(|k| k["name"].as_str().unwrap()).collect();
    let tested = [first::TESTED, matrices::TESTED, others::TESTED, &["scale"]].concat();
    assert_eq!(kernels, BTreeSet::from_iter(tested));
}
