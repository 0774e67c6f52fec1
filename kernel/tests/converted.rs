//! Arrays that XLA passes row-major and the kernel has in another layout, through a frame like XLA's.
#![cfg(feature = "relayout")]
#![allow(unsafe_code, elided_lifetimes_in_paths)]

mod support;

use support::expand::{FULL_CHECK_TOO, kernel};
use support::{Array, Call};
use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{Converted, Error, In, InOut, Out, Result};

const F32: i32 = 11;
const S8: i32 = 2;

type Columns = Converted<layout!(f32[?M, ?N]{0,1})>;
type Tiles = Converted<layout!(f32[?M, ?N]{1,0:T(2,2)})>;
type Bytes = Converted<layout!(s8[3]{0:T(4)})>;
#[cfg(target_pointer_width = "64")]
type Wide = Converted<layout!(s8[?,?]{1,0:T(1,1099511627776)})>;

/// The number of each element in the kernel's memory, added to it.
fn numbered(x: In<Columns>, mut y: Out<Tiles>) -> Result<()> {
    let [m, _] = x.layout().sizes();
    y.memory_mut().fill(f32::NAN);
    y.for_each_mut(|index, y| *y = x[*index]);
    for (k, x) in x.memory().iter().enumerate() {
        let index = [k % m, k / m];
        y[index] = x + k as f32;
    }
    match m {
        7 => Err(Error::invalid_argument("seven rows")),
        _ => Ok(()),
    }
}
kernel!(number = numbered(x: In<Columns>, y: Out<Tiles>));
kernel!(number_each = numbered batch = true (x: In<Columns>, y: Out<Tiles>));

fn increased(mut x: InOut<Bytes>) {
    assert_eq!(x.memory(), [1, 2, 3, 0]);
    x.memory_mut().fill(9);
    x[[1]] = 5;
}
kernel!(increase = increased(x: InOut<Bytes>));

#[cfg(target_pointer_width = "64")]
fn taken(_: In<Wide>, _: Out<layout!(s8[?,?]{1,0})>) {
    unreachable!("there is no memory");
}
#[cfg(target_pointer_width = "64")]
kernel!(take = taken(x: In<Wide>, y: Out<layout!(s8[?,?]{1,0})>));

fn expected(x: &[f32], m: usize, n: usize) -> Vec<f32> {
    (x.iter().enumerate())
        .map(|(k, x)| x + (k % n * m + k / n) as f32)
        .collect()
}

/// By the fast check, and by the full one.
fn both_ways(run: impl Fn()) {
    for full in [false, true] {
        FULL_CHECK_TOO.set(full);
        run();
    }
    FULL_CHECK_TOO.set(false);
}

#[test]
fn an_argument_and_a_result() {
    both_ways(|| {
        for (m, n) in [(1, 1), (2, 3), (5, 4), (3, 0)] {
            let mut x: Vec<f32> = (0..m * n).map(|k| 100.0 * k as f32).collect();
            let mut y = vec![-1.0_f32; m * n];
            let dims = [m as i64, n as i64];
            let mut call = Call {
                arguments: vec![Array::at(F32, &dims, x.as_mut_ptr())],
                results: vec![Array::at(F32, &dims, y.as_mut_ptr())],
                ..Call::default()
            };
            call.run(number).unwrap();
            assert_eq!(y, expected(&x, m, n), "{m} {n}");
        }
    });
}

#[test]
fn more_sizes_than_plans_are_kept() {
    for m in (8..48).chain(8..48) {
        let mut x = vec![1.0_f32; m];
        let mut y = vec![0.0_f32; m];
        let dims = [m as i64, 1];
        let mut call = Call {
            arguments: vec![Array::at(F32, &dims, x.as_mut_ptr())],
            results: vec![Array::at(F32, &dims, y.as_mut_ptr())],
            ..Call::default()
        };
        call.run(number).unwrap();
        assert_eq!(y, expected(&x, m, 1));
    }
}

#[test]
fn each_item_of_a_batch() {
    let mut x: Vec<f32> = (0..24).map(|k| 100.0 * k as f32).collect();
    let mut y = vec![-1.0_f32; 24];
    let mut call = Call {
        arguments: vec![Array::at(F32, &[4, 2, 3], x.as_mut_ptr())],
        results: vec![Array::at(F32, &[4, 2, 3], y.as_mut_ptr())],
        ..Call::default()
    };
    call.run(number_each).unwrap();
    for (x, y) in x.chunks(6).zip(y.chunks(6)) {
        assert_eq!(y, expected(x, 2, 3));
    }
}

#[test]
fn an_argument_that_the_result_overwrites() {
    both_ways(|| {
        let mut x = [1_i8, 2, 3];
        let at = x.as_mut_ptr();
        let mut call = Call {
            arguments: vec![Array::at(S8, &[3], at)],
            results: vec![Array::at(S8, &[3], at)],
            ..Call::default()
        };
        call.run(increase).unwrap();
        assert_eq!(x, [9, 5, 9]);
    });
}

#[test]
fn a_result_is_not_written_after_an_error() {
    both_ways(|| {
        let (mut x, mut y) = ([1.0_f32; 7], [-1.0_f32; 7]);
        let mut call = Call {
            arguments: vec![Array::at(F32, &[7, 1], x.as_mut_ptr())],
            results: vec![Array::at(F32, &[7, 1], y.as_mut_ptr())],
            ..Call::default()
        };
        let (_, text) = call.run(number).unwrap_err();
        assert!(text.contains("seven rows"), "{text}");
        assert_eq!(y, [-1.0; 7]);
    });
}

/// A row takes 2^40 bytes, so that 2^10 rows are more than a processor has addresses for.
#[test]
#[cfg(target_pointer_width = "64")]
fn padding_beyond_all_memory_is_an_error() {
    let (mut x, mut y) = ([0_i8; 1 << 10], [0_i8; 1 << 10]);
    let mut call = Call {
        arguments: vec![Array::at(S8, &[1 << 10, 1], x.as_mut_ptr())],
        results: vec![Array::at(S8, &[1 << 10, 1], y.as_mut_ptr())],
        ..Call::default()
    };
    let (_, text) = call.run(take).unwrap_err();
    assert_eq!(
        text,
        "kernel `take`: argument `x` is declared as s8[?,?]{1,0}, and the call has s8[1024,1], which the \
         kernel converts to s8[?,?]{1,0:T(1,1099511627776)}, and there is no memory for it in that \
         layout: pass a smaller array, or declare the layout without padding"
    );
}
