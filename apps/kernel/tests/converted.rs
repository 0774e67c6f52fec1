//! Arrays that XLA passes row-major and the kernel has in another layout, through a frame like
//! XLA's.
#![cfg(feature = "relayout")]
#![allow(unsafe_code, elided_lifetimes_in_paths)]

use crate::support::expand::{FULL_CHECK_TOO, kernel};
use crate::support::{Array, Call, Value};
use xlayout::{ArrayLayout, layout};
use xlayout_kernel::abi::Handler;
use xlayout_kernel::{Converted, Error, In, InOut, Out, Result, Scalar};

const F32: i32 = 11;
const S8: i32 = 2;
const PRED: i32 = 1;

type Columns = Converted<layout!(f32[?M, ?N]{0,1})>;
type Tiles = Converted<layout!(f32[?M, ?N]{1,0:T(2,2)})>;
type Bytes = Converted<layout!(s8[3]{0:T(4)})>;
#[cfg(target_pointer_width = "64")]
type Wide = Converted<layout!(s8[?,?]{1,0:T(1,1099511627776)})>;

/// The number of each element in the kernel's memory, added to it.
fn numbered(x: In<Columns>, mut y: Out<Tiles>) -> Result<()> {
    let [m, _] = x.layout().shape();
    y.memory_mut().fill(f32::NAN);
    y.for_each_in_memory_mut(|index, y| *y = x[*index]);
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
        let mut x = [1.0_f32; 7];
        let mut y = [-1.0_f32; 7];
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

/// 10 times the array as it is passed, the array in another layout, and each element's number in
/// that one.
fn twice(x: In<layout!(f32[?M, ?N]{1,0})>, y: In<Columns>, mut z: Out<Columns>) {
    let [m, n] = y.layout().shape();
    for (k, y) in y.memory().iter().enumerate() {
        let index = [k % m, k / m];
        z[index] = 10.0 * x.memory()[index[0] * n + index[1]] + y + k as f32;
    }
}
kernel!(two = twice(x: In<layout!(f32[?M, ?N]{1,0})>, y: In<Columns>, z: Out<Columns>));
kernel!(two_each = twice batch = true (
    x: In<layout!(f32[?M, ?N]{1,0})>,
    y: In<Columns>,
    z: Out<Columns>,
));

#[test]
fn one_array_for_two_parameters() {
    let calls: [(Handler, &[i64]); 3] =
        [(two, &[2, 3]), (two_each, &[2, 3]), (two_each, &[4, 2, 3])];
    for (handler, dims) in calls {
        let size = dims.iter().product::<i64>() as usize;
        let mut x: Vec<f32> = (0..size).map(|k| 100.0 * k as f32).collect();
        let mut z = vec![-1.0_f32; size];
        let at = x.as_mut_ptr();
        let mut call = Call {
            arguments: vec![Array::at(F32, dims, at), Array::at(F32, dims, at)],
            results: vec![Array::at(F32, dims, z.as_mut_ptr())],
            ..Call::default()
        };
        call.run(handler).unwrap();
        for (x, z) in x.chunks(6).zip(z.chunks(6)) {
            let x: Vec<f32> = x.iter().map(|x| 11.0 * x).collect();
            assert_eq!(z, expected(&x, 2, 3));
        }
    }
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

type Plain = layout!(f32[?M, ?N]{0,1});

/// The number of each element in the kernel's memory, added to `x + 10 y`, and `y` times 2 in
/// place.
fn sums(x: In<Plain>, mut y: InOut<layout!(f32[?M, ?N]{0,1})>, mut z: Out<Plain>) -> Result<()> {
    let memory = x.memory().iter().zip(y.memory_mut());
    for (k, ((x, y), z)) in memory.zip(z.memory_mut()).enumerate() {
        *z = x + 10.0 * *y + k as f32;
        *y *= 2.0;
    }
    Ok(())
}
kernel!(sum_each = sums batch = true (x: In<Plain>, y: InOut<Plain>, z: Out<Plain>));

/// Calls `sum_each` with row-major items: `leading` sizes of `x`, and those of all others.
fn sums_by_items(of_x: &[i64], batch: &[i64], m: usize, n: usize) {
    let items = |sizes: &[i64]| sizes.iter().product::<i64>() as usize;
    let numbers = |count: usize| (0..count * m * n).map(|k| (k % 1013) as f32);
    let x: Vec<f32> = numbers(items(of_x)).collect();
    let y: Vec<f32> = numbers(items(batch)).map(|k| k + 0.5).collect();
    let mut x_passed = x.clone();
    let mut y_passed = y.clone();
    let mut z = vec![f32::NAN; y.len()];
    let dims = |leading: &[i64]| [leading, &[m as i64, n as i64]].concat();
    let in_place = y_passed.as_mut_ptr();
    let yes = true;
    let mut call = Call {
        arguments: vec![
            Array::at(F32, &dims(of_x), x_passed.as_mut_ptr()),
            Array::at(F32, &dims(batch), in_place),
        ],
        results: vec![
            Array::at(F32, &dims(batch), in_place),
            Array::at(F32, &dims(batch), z.as_mut_ptr()),
        ],
        attributes: vec![("xlayout.by_items".into(), Value::scalar(PRED, &yes))],
        ..Call::default()
    };
    call.run(sum_each).unwrap();
    let size = (m * n).max(1);
    for (item, (y, z)) in y.chunks(size).zip(z.chunks(size)).enumerate() {
        // `x` has one item for all, or one for each of the last leading dimension.
        let x = &x[item % items(of_x).max(1) * size..][..size];
        for k in 0..size {
            let number = (k % n * m + k / n) as f32;
            assert_eq!(
                z[k],
                x[k] + 10.0 * y[k] + number,
                "{of_x:?} {batch:?} {item} {k}"
            );
        }
    }
    let doubled: Vec<f32> = y.iter().map(|y| 2.0 * y).collect();
    assert_eq!(y_passed, doubled);
}

#[test]
fn items_of_a_batch_that_xla_passes_row_major() {
    sums_by_items(&[4], &[4], 2, 3);
    sums_by_items(&[1], &[4], 2, 3);
    sums_by_items(&[1, 3], &[2, 3], 4, 5);
    sums_by_items(&[1, 1], &[2, 3], 3, 1);
    sums_by_items(&[0], &[0], 2, 3);
    sums_by_items(&[2], &[2], 0, 3);
    // No leading dimension: one item.
    sums_by_items(&[], &[], 5, 4);
}

/// Items are converted together up to 256 KiB: windows that end in the middle of the batch, with
/// the last one shorter; items that repeat across windows; items that are larger than a window.
#[test]
fn more_items_than_are_converted_together() {
    let is_fast = !cfg!(miri);
    let items = if is_fast { 3000 } else { 3 };
    sums_by_items(&[items], &[items], 5, 5);
    sums_by_items(&[1, items], &[2, items], 5, 5);
    if is_fast {
        sums_by_items(&[3], &[3], 300, 301);
        sums_by_items(&[1, 5], &[2, 5], 150, 150);
    }
}

fn negated(x: In<layout!(pred[?,?]{0,1})>, mut y: Out<layout!(pred[?,?]{0,1})>) {
    for (x, y) in x.memory().iter().zip(y.memory_mut()) {
        *y = !x;
    }
}
kernel!(negate_each = negated batch = true (
    x: In<layout!(pred[?,?]{0,1})>,
    y: Out<layout!(pred[?,?]{0,1})>,
));

#[test]
fn bools_of_row_major_items_are_checked() {
    let yes = true;
    let run = |x: &mut [u8; 12]| {
        let mut y = [7_u8; 12];
        let mut call = Call {
            arguments: vec![Array::at(PRED, &[2, 3, 2], x.as_mut_ptr())],
            results: vec![Array::at(PRED, &[2, 3, 2], y.as_mut_ptr())],
            attributes: vec![("xlayout.by_items".into(), Value::scalar(PRED, &yes))],
            ..Call::default()
        };
        call.run(negate_each).map(|()| y)
    };
    let mut x = [0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 0];
    assert_eq!(run(&mut x), Ok(x.map(|x| 1 - x)));
    x[8] = 2;
    let (_, text) = run(&mut x).unwrap_err();
    assert!(text.contains("byte 2"), "{text}");
}

/// The attribute is that of kernels with a batch and another layout than the row-major one.
#[test]
fn others_refuse_row_major_items() {
    let mut x = [0.0_f32; 6];
    let mut y = [0.0_f32; 6];
    let yes = true;
    let mut call = Call {
        arguments: vec![Array::at(F32, &[2, 3], x.as_mut_ptr())],
        results: vec![Array::at(F32, &[2, 3], y.as_mut_ptr())],
        attributes: vec![("xlayout.by_items".into(), Value::scalar(PRED, &yes))],
        ..Call::default()
    };
    let (_, text) = call.run(number).unwrap_err();
    assert!(text.contains("xlayout.by_items"), "{text}");
}

fn scaled(x: In<Plain>, mut y: Out<Plain>, factor: Option<Scalar<f32>>) {
    let factor = factor.map_or(1.0, |factor| *factor);
    for (k, (x, y)) in x.memory().iter().zip(y.memory_mut()).enumerate() {
        *y = factor * x + k as f32;
    }
}
kernel!(scale_each = scaled batch = true (
    x: In<Plain>,
    y: Out<Plain>,
    factor: Option<Scalar<f32>>,
));

/// The attribute is then in the place of one that is left out, in a call as the fast check accepts.
#[test]
fn row_major_items_and_an_attribute_that_is_left_out() {
    both_ways(|| {
        let mut x = [0.0_f32, 10.0, 20.0, 30.0, 40.0, 50.0];
        let mut y = [0.0_f32; 6];
        let yes = true;
        let mut call = Call {
            arguments: vec![Array::at(F32, &[2, 3], x.as_mut_ptr())],
            results: vec![Array::at(F32, &[2, 3], y.as_mut_ptr())],
            attributes: vec![("xlayout.by_items".into(), Value::scalar(PRED, &yes))],
            ..Call::default()
        };
        call.run(scale_each).unwrap();
        assert_eq!(y, [0.0, 12.0, 24.0, 31.0, 43.0, 55.0]);
    });
}

/// With the number of items as one more dimension, the product of the sizes is 2^63.
#[test]
#[cfg(target_pointer_width = "64")]
fn empty_items_of_large_sizes() {
    let mut x = [0.0_f32; 1];
    let mut y = [0.0_f32; 1];
    let yes = true;
    let mut call = Call {
        arguments: vec![Array::at(F32, &[2, 0, 1 << 62], x.as_mut_ptr())],
        results: vec![Array::at(F32, &[2, 0, 1 << 62], y.as_mut_ptr())],
        attributes: vec![("xlayout.by_items".into(), Value::scalar(PRED, &yes))],
        ..Call::default()
    };
    call.run(scale_each).unwrap();
}

/// Without the attribute the arrays have the declared layout. The only valid value is `true`.
#[test]
fn row_major_items_are_true_or_not_mentioned() {
    let no = false;
    let three = 3_i32;
    let two = 2_u8;
    let calls: [(&dyn Fn() -> Value, &str); 3] = [
        (&|| Value::scalar(PRED, &no), "`false`"),
        (&|| Value::scalar(4, &three), "one s32"),
        (
            &|| Value::scalar(PRED, &two),
            "a pred whose byte is neither 0 nor 1",
        ),
    ];
    for (value, found) in calls {
        both_ways(|| {
            let mut x = [0.0_f32; 6];
            let mut y = [-1.0_f32; 6];
            let mut call = Call {
                arguments: vec![Array::at(F32, &[2, 3], x.as_mut_ptr())],
                results: vec![Array::at(F32, &[2, 3], y.as_mut_ptr())],
                attributes: vec![("xlayout.by_items".into(), value())],
                ..Call::default()
            };
            let (_, text) = call.run(scale_each).unwrap_err();
            assert_eq!(
                text,
                format!(
                    "kernel `scale_each`: the call has {found} as the attribute `xlayout.by_items`, which \
                     says that it passes all arrays row-major; pass `true` (one pred) if it does, and \
                     otherwise leave the attribute out"
                )
            );
            assert_eq!(y, [-1.0; 6]);
        });
    }
}
