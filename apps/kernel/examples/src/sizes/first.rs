//! The kernels of `first`.

use xlayout::{SliceView, layout};
use xlayout_kernel::{In, Pool, Scalar};

use super::{all, each, input, kernels, output};
use crate::first::{networks, others, points, sequences};

kernels! {
    dilated_convolution: |[b, t, c, k, o], poison| {
        // The result has 2 * (k - 1) times less.
        let times = t + 2 - 2 * k;
        let x = vec![3.0; b * t * c];
        let weight = vec![2.0; k * c * o];
        let mut y = poison.f32(b * times * o);
        networks::dilated_convolution(
            Pool::here(),
            input!(x, (f32[?B, ?T, ?C]{2,1,0}), [b, t, c]),
            input!(weight, (f32[?K, ?C, ?O]{2,1,0}), [k, c, o]),
            output!(y, (f32[?B, ?T - 2*?K + 2, ?O]{2,1,0}), [b, times, o]),
        );
        all(&y, 6.0 * (k * c) as f64);
    }
    selective_scan: |[b, t, d, n], poison| {
        let x = vec![3.0; b * t * d];
        let step = vec![0.5; b * t * d];
        let decay = vec![-1.0; d * n];
        let input = vec![2.0; b * t * n];
        let output = vec![4.0; b * t * n];
        let mut y = poison.f32(b * t * d);
        networks::selective_scan(
            Pool::here(),
            input!(x, (f32[?B, ?T, ?D]{2,1,0}), [b, t, d]),
            input!(step, (f32[?B, ?T, ?D]{2,1,0}), [b, t, d]),
            input!(decay, (f32[?D, ?N]{0,1}), [d, n]),
            input!(input, (f32[?B, ?T, ?N]{2,1,0}), [b, t, n]),
            input!(output, (f32[?B, ?T, ?N]{2,1,0}), [b, t, n]),
            output!(y, (f32[?B, ?T, ?D]{2,1,0}), [b, t, d]),
        );
        all(&y, 12.0 * n as f64);
    }
    residual_layer_norm: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let scale = vec![2.0; n];
        let bias = vec![7.0; n];
        let mut y = poison.f32(m * n);
        networks::residual_layer_norm(
            Pool::here(),
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            input!(scale, (f32[?N]{0}), [n]),
            input!(bias, (f32[?N]{0}), [n]),
            output!(y, (f32[?M, ?N]{1,0}), [m, n]),
        );
        all(&y, 7.0);
    }
    masked_softmax: |[m, n], poison| {
        for mask in [false, true] {
            let x = vec![3.0; m * n];
            let mask = vec![mask; m * n];
            let mut y = poison.f32(m * n);
            networks::masked_softmax(
                Pool::here(),
                input!(x, (f32[?M, ?N]{1,0}), [m, n]),
                input!(mask, (pred[?M, ?N]{1,0}), [m, n]),
                output!(y, (f32[?M, ?N]{1,0}), [m, n]),
            );
            all(&y, f64::from(u8::from(mask.first() == Some(&true))));
        }
    }
    viterbi: |[b, t, s], poison| {
        let cost = vec![3.0; b * t * s];
        let step = vec![2.0; s * s];
        let mut state = poison.i32(b * t);
        sequences::viterbi(
            Pool::here(),
            input!(cost, (f32[?B, ?T, ?S]{2,1,0}), [b, t, s]),
            input!(step, (f32[?S, ?S]{1,0}), [s, s]),
            output!(state, (s32[?B, ?T]{1,0}), [b, t]),
        );
        all(&state, 0.0);
    }
    max_pooling: |[b, h, w, c], poison| {
        let x = vec![3.0; 4 * b * h * w * c];
        let mut y = poison.f32(b * h * w * c);
        networks::max_pooling(
            Pool::here(),
            input!(x, (f32[?B, 2*?H, 2*?W, ?C]{3,2,1,0}), [b, 2 * h, 2 * w, c]),
            output!(y, (f32[?B, ?H, ?W, ?C]{3,2,1,0}), [b, h, w, c]),
        );
        all(&y, 3.0);
    }
    upsample: |[b, c, h, w], poison| {
        let x = vec![3.0; b * c * h * w];
        let mut y = poison.f32(4 * b * c * h * w);
        networks::upsample(
            Pool::here(),
            input!(x, (f32[?B, ?C, ?H, ?W]{3,2,1,0}), [b, c, h, w]),
            output!(y, (f32[?B, ?C, 2*?H, 2*?W]{3,2,1,0}), [b, c, 2 * h, 2 * w]),
        );
        all(&y, 3.0);
    }
    rotate: |[b, s, h, f], poison| {
        let x = vec![3.0; 2 * b * s * h * f];
        let cosine = vec![1.0; s * f];
        let sine = vec![0.0; s * f];
        let mut y = poison.f32(2 * b * s * h * f);
        networks::rotate(
            Pool::here(),
            input!(x, (f32[?B, ?S, ?H, 2*?F]{3,2,1,0}), [b, s, h, 2 * f]),
            input!(cosine, (f32[?S, ?F]{1,0}), [s, f]),
            input!(sine, (f32[?S, ?F]{1,0}), [s, f]),
            output!(y, (f32[?B, ?S, ?H, 2*?F]{3,2,1,0}), [b, s, h, 2 * f]),
        );
        all(&y, 3.0);
    }
    pairwise_l1: |[m, n, d], poison| {
        let x = vec![3.0; m * d];
        let y = vec![5.0; n * d];
        let mut distance = poison.f32(m * n);
        points::pairwise_l1(
            Pool::here(),
            input!(x, (f32[?M, ?D]{1,0}), [m, d]),
            input!(y, (f32[?N, ?D]{1,0}), [n, d]),
            output!(distance, (f32[?M, ?N]{1,0}), [m, n]),
        );
        all(&distance, 2.0 * d as f64);
    }
    mixture: |[m, d, k], poison| {
        let x = vec![3.0; m * d];
        let weight = vec![1.0; k];
        let mean = vec![3.0; k * d];
        let deviation = vec![1.0; k * d];
        let mut y = poison.f32(m);
        points::mixture(
            Pool::here(),
            input!(x, (f32[?M, ?D]{1,0}), [m, d]),
            input!(weight, (f32[?K]{0}), [k]),
            input!(mean, (f32[?K, ?D]{1,0}), [k, d]),
            input!(deviation, (f32[?K, ?D]{1,0}), [k, d]),
            output!(y, (f32[?M]{0}), [m]),
        );
        let normal = -0.5 * std::f64::consts::TAU.ln() * d as f64;
        all(&y, if k == 0 { f64::NEG_INFINITY } else { normal });
    }
    neighbours: |[m, n, d], poison| {
        for n in [n, 8] {
            let x = vec![3.0; m * d];
            let y = vec![5.0; n * d];
            let mut distance = poison.f32(8 * m);
            let mut index = poison.i32(8 * m);
            let result = points::neighbours(
                Pool::here(),
                input!(x, (f32[?M, ?D]{1,0}), [m, d]),
                input!(y, (f32[?N, ?D]{1,0}), [n, d]),
                output!(distance, (f32[?M, 8]{1,0}), [m, 8]),
                output!(index, (s32[?M, 8]{1,0}), [m, 8]),
            );
            assert_eq!(result.is_err(), n < 8);
            if n == 8 {
                all(&distance, 4.0 * d as f64);
                assert!(index.chunks(8).all(|row| row == [0, 1, 2, 3, 4, 5, 6, 7]));
            }
        }
    }
    edit_distance: |[m, a, b], poison| {
        let first = vec![3; m * a];
        let second = vec![5; m * b];
        let mut distance = poison.i32(m);
        points::edit_distance(
            Pool::here(),
            input!(first, (s32[?M, ?A]{1,0}), [m, a]),
            input!(second, (s32[?M, ?B]{1,0}), [m, b]),
            output!(distance, (s32[?M]{0}), [m]),
        );
        all(&distance, a.max(b) as f64);
    }
    top2: |[m, n], poison| {
        for n in [n, 2] {
            let x = vec![3.0; m * n];
            let mut value = poison.f32(2 * m);
            let mut index = poison.i32(2 * m);
            let result = others::top2(
                Pool::here(),
                input!(x, (f32[?M, ?N]{1,0}), [m, n]),
                output!(value, (f32[?M, 2]{1,0}), [m, 2]),
                output!(index, (s32[?M, 2]{1,0}), [m, 2]),
            );
            assert_eq!(result.is_err(), n < 2);
            if n == 2 {
                all(&value, 3.0);
                assert!(index.chunks(2).all(|row| row == [0, 1]));
            }
        }
    }
    histogram: |[n, bins], poison| {
        let x = vec![3.0; n];
        let mut count = poison.i32(bins);
        others::histogram(
            Pool::here(),
            input!(x, (f32[?N]{0}), [n]),
            Scalar(2.0),
            Scalar(4.0),
            output!(count, (s32[?B]{0}), [bins]),
        )
        .unwrap();
        all(&count, n as f64);
    }
    segment_sum: |[n, c, s], poison| {
        // Rows of a segment that is not there are left out.
        let x = vec![3.0; n * c];
        let segment = vec![0; n];
        let mut sums = poison.f32(s * c);
        others::segment_sum(
            Pool::here(),
            input!(x, (f32[?N, ?C]{1,0}), [n, c]),
            input!(segment, (s32[?N]{0}), [n]),
            output!(sums, (f32[?S, ?C]{1,0}), [s, c]),
        );
        all(&sums, 3.0 * n as f64);
    }
    s4_product: |[m, h], poison| {
        // -2 and 3.
        let weight = vec![0x3e; m * h];
        let x = vec![5.0; 2 * h];
        let mut y = poison.f32(m);
        let layout = <layout!(s4[?M, ?N]{1,0:E(4)})>::with_sizes([m, 2 * h]).unwrap();
        let result = others::s4_product(
            Pool::here(),
            In::new(SliceView::packed(layout, &weight).unwrap()),
            input!(x, (f32[?N]{0}), [2 * h]),
            output!(y, (f32[?M]{0}), [m]),
        );
        assert_eq!(result, Ok(()));
        all(&y, 5.0 * h as f64);
    }
    solve_triangular: |[b, n, k], poison| {
        let a = vec![2.0; b * n * n];
        let right = vec![6.0; b * n * k];
        let mut x = poison.f32(b * n * k);
        others::solve_triangular(
            Pool::here(),
            input!(a, (f32[?B, ?N, ?N]{2,1,0}), [b, n, n]),
            input!(right, (f32[?B, ?N, ?K]{2,1,0}), [b, n, k]),
            output!(x, (f32[?B, ?N, ?K]{2,1,0}), [b, n, k]),
        );
        all(&x, 3.0);
    }
}
