//! Kernels that run once for each index of leading dimensions.
#![allow(unsafe_code, elided_lifetimes_in_paths)]

use crate::support::expand::kernel;
use crate::support::{Array, Call};
use xlayout::layout;
use xlayout_kernel::{In, InOut, Out};

const F32: i32 = 11;
const S4: i32 = 21;

type Vector = layout!(f32[3]{0});

fn add(x: In<Vector>, y: In<Vector>, mut z: Out<Vector>) {
    for k in 0..3 {
        z[[k]] = x[[k]] + y[[k]];
    }
}
kernel!(sum = add batch = true (x: In<Vector>, y: In<Vector>, z: Out<Vector>));

fn flip(mut x: InOut<layout!(f32[?]{0})>) {
    x.memory_mut().reverse();
}
kernel!(reverse = flip batch = true (x: InOut<layout!(f32[?]{0})>));

type Nibbles<const N: usize> = layout!(s4[N]{0:E(4)});
fn nothing<const N: usize>(_: In<Nibbles<N>>, _: Out<Vector>) {}
kernel!(even = nothing batch = true (x: In<Nibbles<4>>, y: Out<Vector>));
kernel!(odd = nothing batch = true (x: In<Nibbles<3>>, y: Out<Vector>));

fn call(arguments: Vec<Array>, results: Vec<Array>) -> Call {
    Call {
        arguments,
        results,
        ..Call::default()
    }
}

/// `z[b..] = x[b or 0..] + y[b or 0..]`, by hand.
fn expected(batch: &[i64], x: (&[i64], &[f32]), y: (&[i64], &[f32])) -> Vec<f32> {
    let runs: i64 = batch.iter().product();
    let item = |leading: &[i64], run: i64| {
        let mut rest = run;
        let mut at = 0;
        let mut stride = 1;
        for (&own, &size) in leading.iter().zip(batch).rev() {
            at += if own == 1 { 0 } else { rest % size * stride };
            rest /= size;
            stride *= own;
        }
        at as usize
    };
    (0..runs)
        .flat_map(|run| {
            let i = item(x.0, run);
            let j = item(y.0, run);
            (0..3).map(move |k| x.1[3 * i + k] + y.1[3 * j + k])
        })
        .collect()
}

#[test]
fn every_index_of_the_leading_dimensions() {
    let mut x: Vec<f32> = (0..90).map(|k| k as f32).collect();
    let mut y: Vec<f32> = (0..90).map(|k| 100.0 * k as f32).collect();
    for (batch, of_x, of_y) in [
        (&[][..], &[][..], &[][..]),
        (&[5], &[5], &[5]),
        (&[5], &[1], &[5]),
        (&[5], &[1], &[1]),
        (&[2, 5], &[2, 5], &[1, 5]),
        (&[2, 5], &[2, 1], &[1, 5]),
        (&[2, 3, 5], &[2, 1, 5], &[1, 3, 1]),
        (&[1, 1], &[1, 1], &[1, 1]),
        (&[0], &[0], &[0]),
        (&[0], &[1], &[0]),
        (&[3, 0], &[3, 0], &[1, 1]),
    ] {
        let full = |leading: &[i64]| [leading, &[3]].concat();
        let runs: i64 = batch.iter().product();
        let mut z = vec![f32::NAN; 3 * runs as usize];
        let arguments = vec![
            Array::at(F32, &full(of_x), x.as_mut_ptr()),
            Array::at(F32, &full(of_y), y.as_mut_ptr()),
        ];
        let results = vec![Array::at(F32, &full(batch), z.as_mut_ptr())];
        assert_eq!(call(arguments, results).run(sum), Ok(()), "{batch:?}");
        assert_eq!(
            z,
            expected(batch, (of_x, &x), (of_y, &y)),
            "{batch:?} {of_x:?} {of_y:?}"
        );
    }
}

#[test]
fn in_place() {
    let mut x = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    let at = x.as_mut_ptr();
    let array = || vec![Array::at(F32, &[3, 2], at)];
    assert_eq!(call(array(), array()).run(reverse), Ok(()));
    assert_eq!(x, [2.0, 1.0, 4.0, 3.0, 6.0, 5.0]);
}

#[test]
fn packed_items_end_with_a_byte() {
    let mut x = [0_u8; 64];
    let mut y = [0.0_f32; 64];
    let mut run = |handler, items: i64, n: i64| {
        let arguments = vec![Array::at(S4, &[items, n], x.as_mut_ptr())];
        call(arguments, vec![Array::at(F32, &[2, 3], y.as_mut_ptr())]).run(handler)
    };
    assert_eq!(run(even, 2, 4), Ok(()));
    assert_eq!(run(odd, 1, 3), Ok(()));
    assert_eq!(
        run(odd, 2, 3).unwrap_err().1,
        "kernel `odd`: argument `x` is declared as s4[3]{0:E(4)}, and the call has s4[2,3], whose \
         items do not end with a byte, so that those of a batch share bytes; map the call with \
         `vmap_method=\"sequential\"`"
    );
}

#[test]
fn refused() {
    let mut x = [0.0_f32; 99];
    let mut y = [0.0_f32; 99];
    let mut z = [0.0_f32; 99];
    let mut run = |of_x: &[i64], of_y: &[i64], of_z: &[i64]| {
        let arguments = vec![
            Array::at(F32, of_x, x.as_mut_ptr()),
            Array::at(F32, of_y, y.as_mut_ptr()),
        ];
        let results = vec![Array::at(F32, of_z, z.as_mut_ptr())];
        call(arguments, results).run(sum).unwrap_err().1
    };
    assert_eq!(
        run(&[4, 3], &[5, 3], &[5, 3]),
        "kernel `sum`: argument `x` is declared as f32[3]{0}, and the call has f32[4,3], whose \
         leading dimension 0 is 4, not 5 as that of the batch, nor 1"
    );
    assert_eq!(
        run(&[3], &[5, 3], &[5, 3]),
        "kernel `sum`: argument `x` is declared as f32[3]{0}, and the call has f32[3]; pass 1 \
         dimension, and before it 1, as the results have"
    );
    assert_eq!(
        run(&[5, 4], &[5, 3], &[5, 3]),
        "kernel `sum`: argument `x` is declared as f32[3]{0}, and the call has f32[5,4]; dimension \
         0 (behind 1 of the batch) must be 3, not 4"
    );
    assert_eq!(
        run(&[3], &[3], &[]),
        "kernel `sum`: result `z` is declared as f32[3]{0}, and the call has f32[]; pass 1 dimension \
         or more, not 0"
    );
    // Nothing runs, and yet it is no call of this kernel.
    assert!(run(&[0, 4], &[0, 3], &[0, 3]).contains("must be 3, not 4"));
    assert!(run(&[1, 3], &[-1, 3], &[-1, 3]).contains("leading dimension 0 is negative"));
    let huge = [1 << 40, 1 << 40, 3];
    assert!(run(&huge, &huge, &huge).contains("larger than memory"));
    let arguments = vec![Array::at(F32, &[1, 2], x.as_mut_ptr())];
    let results = vec![Array::at(F32, &[2, 2], x.as_mut_ptr())];
    assert!(call(arguments, results).run(reverse).is_err());
}
