//! Kernels of several matrices, and of arrays with more dimensions.

use xlayout_kernel::{Pool, Scalar};

use super::{all, each, input, kernels, output};
use crate::{gemv, images, int8, networks, rope, scalar, small, transpose, various, windows};

kernels! {
    median and median_of_each: |[h, w], poison| {
        for median in [windows::median, windows::median_of_each] {
            let x = vec![3.0; (h + 2) * (w + 2)];
            let mut y = poison.f32(h * w);
            median(
                Pool::here(),
                input!(x, (f32[?H, ?W]{1,0}), [h + 2, w + 2]),
                output!(y, (f32[?H - 2, ?W - 2]{1,0}), [h, w]),
            );
            all(&y, 3.0);
        }
    }
    gemv: |[m, k], poison| {
        let a = vec![3.0; m * k];
        let x = vec![2.0; k];
        let mut y = poison.f32(m);
        gemv::gemv(
            Pool::here(),
            input!(a, (f32[?M, ?K]{0,1}), [m, k]),
            input!(x, (f32[?K]{0}), [k]),
            output!(y, (f32[?M]{0}), [m]),
        );
        all(&y, 6.0 * k as f64);
    }
    normalize: |[n, h, w], poison| {
        let x = vec![255; n * h * w * 3];
        let mut y = poison.f32(n * h * w * 3);
        images::normalize(
            Pool::here(),
            input!(x, (u8[?, ?H, ?W, 3]{3,2,1,0}), [n, h, w, 3]),
            output!(y, (f32[?, ?H, ?W, 3]{3,2,1,0}), [n, h, w, 3]),
            &[0.5; 3],
            &[0.25; 3],
        )
        .unwrap();
        all(&y, 2.0);
    }
    normalize_to_nchw: |[n, h, w], poison| {
        let x = vec![255; n * h * w * 3];
        let mut y = poison.f32(n * h * w * 3);
        images::normalize_to_nchw(
            Pool::here(),
            input!(x, (u8[?, ?H, ?W, 3]{3,2,1,0}), [n, h, w, 3]),
            output!(y, (f32[?, 3, ?H, ?W]{3,2,1,0}), [n, 3, h, w]),
            &[0.5; 3],
            &[0.25; 3],
        )
        .unwrap();
        all(&y, 2.0);
    }
    int8_product: |[m, k, n], poison| {
        let a = vec![2; m * k];
        let b = vec![3; k * n];
        let mut c = poison.f32(m * n);
        let rows = vec![0.5; m];
        let columns = vec![4.0; n];
        int8::int8_product(
            Pool::here(),
            input!(a, (s8[?M, ?K]{1,0}), [m, k]),
            input!(b, (s8[?K, ?N]{0,1}), [k, n]),
            input!(rows, (f32[?M]{0}), [m]),
            input!(columns, (f32[?N]{0}), [n]),
            output!(c, (f32[?M, ?N]{1,0}), [m, n]),
        );
        all(&c, 12.0 * k as f64);
    }
    int8_product_blocks: |[m, k, n], poison| {
        let a = vec![2; m * k];
        let b = vec![3; k * n];
        let mut c = poison.f32(m * n);
        let rows = vec![0.5; m];
        let columns = vec![4.0; n];
        int8::int8_product_blocks(
            Pool::here(),
            input!(a, (s8[?M, ?K]{1,0}), [m, k]),
            input!(b, (s8[?K, ?N]{1,0}), [k, n]),
            input!(rows, (f32[?M]{0}), [m]),
            input!(columns, (f32[?N]{0}), [n]),
            output!(c, (f32[?M, ?N]{1,0}), [m, n]),
        );
        all(&c, 12.0 * k as f64);
    }
    group_norm and group_norm_by_reference: |[b, c, p], poison| {
        let x = vec![3.0; b * c * p];
        let scale = vec![2.0; c];
        let bias = vec![7.0; c];
        for function in [networks::group_norm, scalar::group_norm_by_reference] {
            let mut y = poison.f32(b * c * p);
            function(
                Pool::here(),
                input!(x, (f32[?B, ?C, ?P]{2,1,0}), [b, c, p]),
                input!(scale, (f32[?C]{0}), [c]),
                input!(bias, (f32[?C]{0}), [c]),
                output!(y, (f32[?B, ?C, ?P]{2,1,0}), [b, c, p]),
                Scalar(1),
                Scalar(1.0),
            )
            .unwrap();
            all(&y, 7.0);
        }
    }
    depthwise_convolution: |[b, h, w, c], poison| {
        let x = vec![3.0; b * h * w * c];
        let weight = vec![2.0; 9 * c];
        let mut y = poison.f32(b * h * w * c);
        networks::depthwise_convolution(
            Pool::here(),
            input!(x, (f32[?B, ?H, ?W, ?C]{3,2,1,0}), [b, h, w, c]),
            input!(weight, (f32[3, 3, ?C]{2,1,0}), [3, 3, c]),
            output!(y, (f32[?B, ?H, ?W, ?C]{3,2,1,0}), [b, h, w, c]),
        );
        all(&y, 6.0);
    }
    embedding: |[v, d, m], poison| {
        let table = vec![3.0; v * d];
        let index = vec![0; m];
        let mut y = poison.f32(m * d);
        let result = networks::embedding(
            Pool::here(),
            input!(table, (f32[?V, ?D]{1,0}), [v, d]),
            input!(index, (s32[?M]{0}), [m]),
            output!(y, (f32[?M, ?D]{1,0}), [m, d]),
        );
        assert_eq!(result.is_err(), v < m);
        if v >= m {
            all(&y, 3.0);
        }
    }
    rope: |[b, s, h], poison| {
        let x = vec![3.0; b * s * h * 64];
        let mut y = poison.f32(b * s * h * 64);
        rope::rope(
            Pool::here(),
            input!(x, (f32[?B, ?S, ?H, 64]{3,2,1,0}), [b, s, h, 64]),
            output!(y, (f32[?B, ?S, ?H, 64]{3,2,1,0}), [b, s, h, 64]),
            None,
            None,
            None,
        );
        // Position 0 is rotated by no angle.
        all(&y, 3.0);
    }
    nchw_to_nhwc: |[n, c, h, w], poison| {
        let x = vec![3.0; n * c * h * w];
        let mut y = poison.f32(n * c * h * w);
        transpose::nchw_to_nhwc(
            Pool::here(),
            input!(x, (f32[?N, ?C, ?H, ?W]{3,2,1,0}), [n, c, h, w]),
            output!(y, (f32[?N, ?H, ?W, ?C]{3,2,1,0}), [n, h, w, c]),
        )
        .unwrap();
        all(&y, 3.0);
    }
    swap_heads: |[b, s, h, d], poison| {
        let x = vec![3.0; b * s * h * d];
        let mut y = poison.f32(b * s * h * d);
        transpose::swap_heads(
            Pool::here(),
            input!(x, (f32[?B, ?S, ?H, ?D]{3,2,1,0}), [b, s, h, d]),
            output!(y, (f32[?B, ?H, ?S, ?D]{3,2,1,0}), [b, h, s, d]),
        )
        .unwrap();
        all(&y, 3.0);
    }
    causal_convolution: |[b, t, c], poison| {
        let x = vec![3.0; b * t * c];
        let weight = vec![2.0; 4 * c];
        let mut y = poison.f32(b * t * c);
        various::causal_convolution(
            Pool::here(),
            input!(x, (f32[?B, ?T, ?C]{2,1,0}), [b, t, c]),
            input!(weight, (f32[4, ?C]{1,0}), [4, c]),
            output!(y, (f32[?B, ?T, ?C]{2,1,0}), [b, t, c]),
        );
        all(&y, 6.0);
    }
    nearest: |[m, n, d], poison| {
        let x = vec![3.0; m * d];
        let centers = vec![2.0; n * d];
        let mut index = poison.i32(m);
        let result = various::nearest(
            Pool::here(),
            input!(x, (f32[?M, ?D]{1,0}), [m, d]),
            input!(centers, (f32[?N, ?D]{0,1}), [n, d]),
            output!(index, (s32[?M]{0}), [m]),
        );
        assert_eq!(result.is_err(), n == 0);
        if n > 0 {
            all(&index, 0.0);
        }
    }
    depth_to_space and depth_to_space_by_rows: |[b, h, w, c], poison| {
        for depth_to_space in [small::depth_to_space, small::depth_to_space_by_rows] {
            let x = vec![3.0; 4 * b * h * w * c];
            let mut y = poison.f32(4 * b * h * w * c);
            depth_to_space(
                Pool::here(),
                input!(x, (f32[?B, ?H, ?W, 4*?C]{3,2,1,0}), [b, h, w, 4 * c]),
                output!(y, (f32[?B, 2*?H, 2*?W, ?C]{3,2,1,0}), [b, 2 * h, 2 * w, c]),
            );
            all(&y, 3.0);
        }
    }
    cholesky_by_sums and cholesky_by_rows: |[n], poison| {
        for cholesky in [small::cholesky_by_sums, small::cholesky_by_rows] {
            let a = vec![9.0; n];
            let mut l = poison.f32(n);
            cholesky(
                input!(a, (f32[?N, ?N]{1,0}), [n, n]),
                output!(l, (f32[?N, ?N]{1,0}), [n, n]),
            );
            all(&l, 3.0);
        }
    }
    cholesky_of_32: |[], poison| {
        let a: Vec<f32> = (0..32 * 32).map(|k| if k % 33 == 0 { 9.0 } else { 0.0 }).collect();
        let mut l = poison.f32(32 * 32);
        small::cholesky_of_32(
            input!(a, (f32[32, 32]{1,0}), [32, 32]),
            output!(l, (f32[32, 32]{1,0}), [32, 32]),
        );
        for (k, l) in l.iter().enumerate() {
            all(&[*l], if k % 33 == 0 { 3.0 } else { 0.0 });
        }
    }
    cholesky: |[b], poison| {
        let a = vec![9.0; b * 32 * 32];
        let mut l = poison.f32(b * 32 * 32);
        small::cholesky(
            input!(a, (f32[?B, 32, 32]{2,1,0}), [b, 32, 32]),
            output!(l, (f32[?B, 32, 32]{2,1,0}), [b, 32, 32]),
        );
        // The first column is 3; a matrix of equal numbers has no other one.
        for l in l.chunks(32) {
            all(&l[..1], 3.0);
        }
        assert!(l.iter().skip(1).take(31).all(|l| *l == 0.0));
    }
}
