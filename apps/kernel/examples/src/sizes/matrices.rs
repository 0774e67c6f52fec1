//! Kernels of the rows or columns of a matrix.

use xlayout_kernel::{In, Out, Pool, Scalar};

use super::{all, each, input, kernels, output};
use crate::{
    batch, columns, networks, plain, rms_norm, scalar, softmax, steps, transpose, various,
};

kernels! {
    sum_of_columns: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let mut y = poison.f32(n);
        batch::sum_of_columns(
            input!(x, (f32[?M, ?N]{0,1}), [m, n]),
            output!(y, (f32[?N]{0}), [n]),
        );
        all(&y, 3.0 * m as f64);
    }
    center_columns: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let mut y = poison.f32(m * n);
        batch::center_columns(
            input!(x, (f32[?M, ?N]{0,1}), [m, n]),
            output!(y, (f32[?M, ?N]{0,1}), [m, n]),
        );
        all(&y, 0.0);
    }
    argmax_by_columns: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let mut y = poison.i32(m);
        let result = columns::argmax_by_columns(
            Pool::here(),
            input!(x, (f32[?M, ?N]{0,1}), [m, n]),
            output!(y, (s32[?M]{0}), [m]),
        );
        assert_eq!(result.is_err(), n == 0);
        if n > 0 {
            all(&y, 0.0);
        }
    }
    top2_gate: |[m, e], poison| {
        // With one number, too, there is no second largest.
        for experts in [e, 2] {
            let x = vec![3.0; m * experts];
            let mut index = poison.i32(2 * m);
            let mut weight = poison.f32(2 * m);
            let result = networks::top2_gate(
                Pool::here(),
                input!(x, (f32[?M, ?E]{1,0}), [m, experts]),
                output!(index, (s32[?M, 2]{1,0}), [m, 2]),
                output!(weight, (f32[?M, 2]{1,0}), [m, 2]),
            );
            assert_eq!(result.is_err(), experts < 2);
            if experts == 2 {
                assert!(index.chunks(2).all(|row| row == [0, 1]));
                all(&weight, 0.5);
            }
        }
    }
    log_sum_exp_of_rows and log_sum_exp_scalar: |[m, n], poison| {
        let x = vec![3.0; m * n];
        for function in [networks::log_sum_exp_of_rows, scalar::log_sum_exp_scalar] {
            let mut y = poison.f32(m);
            function(
                Pool::here(),
                input!(x, (f32[?M, ?N]{1,0}), [m, n]),
                output!(y, (f32[?M]{0}), [m]),
            );
            all(&y, [f64::NEG_INFINITY, 3.0][n]);
        }
    }
    log_sum_exp_of_columns: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let mut y = poison.f32(n);
        networks::log_sum_exp_of_columns(
            Pool::here(),
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            output!(y, (f32[?N]{0}), [n]),
        );
        all(&y, [f64::NEG_INFINITY, 3.0][m]);
    }
    quantize and quantize_scalar: |[m, n], poison| {
        let x = vec![3.0; m * n];
        for function in [networks::quantize, scalar::quantize_scalar] {
            let mut y = poison.i8(m * n);
            let mut scale = poison.f32(m);
            function(
                Pool::here(),
                input!(x, (f32[?M, ?N]{1,0}), [m, n]),
                output!(y, (s8[?M, ?N]{1,0}), [m, n]),
                output!(scale, (f32[?M]{0}), [m]),
            );
            all(&y, 127.0);
            all(&scale, 3.0 / 127.0 * n as f64);
        }
    }
    layer_norm: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let scale = vec![2.0; n];
        let bias = vec![7.0; n];
        let mut y = poison.f32(m * n);
        plain::layer_norm(
            Pool::here(),
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            input!(scale, (f32[?N]{0}), [n]),
            input!(bias, (f32[?N]{0}), [n]),
            output!(y, (f32[?M, ?N]{1,0}), [m, n]),
            Scalar(1.0),
        );
        all(&y, 7.0);
    }
    layer_norm_grad: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let scale = vec![5.0; n];
        let dy = vec![2.0; m * n];
        let mut dx = poison.f32(m * n);
        let mut dscale = poison.f32(n);
        let mut dbias = poison.f32(n);
        plain::layer_norm_grad(
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            input!(scale, (f32[?N]{0}), [n]),
            input!(dy, (f32[?M, ?N]{1,0}), [m, n]),
            output!(dx, (f32[?M, ?N]{1,0}), [m, n]),
            output!(dscale, (f32[?N]{0}), [n]),
            output!(dbias, (f32[?N]{0}), [n]),
            Scalar(1.0),
        );
        all(&dx, 0.0);
        all(&dscale, 0.0);
        all(&dbias, 2.0 * m as f64);
    }
    argmax: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let mut y = poison.i32(m);
        let result = plain::argmax(
            Pool::here(),
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            output!(y, (s32[?M]{0}), [m]),
        );
        assert_eq!(result.is_err(), n == 0);
        if n > 0 {
            all(&y, 0.0);
        }
    }
    add_rms_norm: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let residual = vec![1.0; m * n];
        let scale = vec![2.0; n];
        let mut sum = poison.f32(m * n);
        let mut y = poison.f32(m * n);
        rms_norm::add_rms_norm(
            Pool::here(),
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            input!(residual, (f32[?M, ?N]{1,0}), [m, n]),
            input!(scale, (f32[?N]{0}), [n]),
            output!(sum, (f32[?M, ?N]{1,0}), [m, n]),
            output!(y, (f32[?M, ?N]{1,0}), [m, n]),
            Scalar(0.0),
        );
        all(&sum, 4.0);
        all(&y, 2.0);
    }
    softmax: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let mut y = poison.f32(m * n);
        softmax::softmax(
            Pool::here(),
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            output!(y, (f32[?M, ?N]{1,0}), [m, n]),
            None,
        );
        all(&y, 1.0);
    }
    softmax_grad: |[m, n], poison| {
        let y = vec![1.0; m * n];
        let dy = vec![2.0; m * n];
        let mut dx = poison.f32(m * n);
        softmax::softmax_grad(
            Pool::here(),
            input!(y, (f32[?M, ?N]{1,0}), [m, n]),
            input!(dy, (f32[?M, ?N]{1,0}), [m, n]),
            output!(dx, (f32[?M, ?N]{1,0}), [m, n]),
            None,
        );
        all(&dx, 0.0);
    }
    layer_norm_plain and layer_norm_slices and layer_norm_lanes and layer_norm_pool: |[m, n], poison| {
        let x = vec![3.0; m * n];
        for function in [
            steps::layer_norm_plain,
            steps::layer_norm_slices,
            steps::layer_norm_lanes,
            |x: In<'_, _>, y: Out<'_, _>, epsilon| {
                steps::layer_norm_pool(Pool::here(), x, y, epsilon);
            },
        ] {
            let mut y = poison.f32(m * n);
            function(
                input!(x, (f32[?M, ?N]{1,0}), [m, n]),
                output!(y, (f32[?M, ?N]{1,0}), [m, n]),
                Scalar(1.0),
            );
            all(&y, 0.0);
        }
    }
    matrix_transpose: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let mut y = poison.f32(m * n);
        transpose::matrix_transpose(
            Pool::here(),
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            output!(y, (f32[?N, ?M]{1,0}), [n, m]),
        )
        .unwrap();
        all(&y, 3.0);
    }
    cross_entropy: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let label = vec![0; m];
        let mut loss = poison.f32(m);
        let result = various::cross_entropy(
            Pool::here(),
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            input!(label, (s32[?M]{0}), [m]),
            output!(loss, (f32[?M]{0}), [m]),
        );
        assert_eq!(result.is_err(), n < m);
        if n >= m {
            all(&loss, 0.0);
        }
    }
    cumulative_sum: |[m, n], poison| {
        let x = vec![3.0; m * n];
        let mut y = poison.f32(m * n);
        various::cumulative_sum(
            Pool::here(),
            input!(x, (f32[?M, ?N]{1,0}), [m, n]),
            output!(y, (f32[?M, ?N]{1,0}), [m, n]),
        );
        all(&y, 3.0);
    }
    swiglu: |[m, n], poison| {
        let a = vec![1.0; m * n];
        let b = vec![2.0; m * n];
        let mut y = poison.f32(m * n);
        various::swiglu(
            Pool::here(),
            input!(a, (f32[?M, ?N]{1,0}), [m, n]),
            input!(b, (f32[?M, ?N]{1,0}), [m, n]),
            output!(y, (f32[?M, ?N]{1,0}), [m, n]),
        );
        all(&y, 2.0 / (1.0 + (-1.0_f64).exp()));
    }
    cosine: |[m, n], poison| {
        let a = vec![3.0; m * n];
        let b = vec![2.0; m * n];
        let mut y = poison.f32(m);
        various::cosine(
            Pool::here(),
            input!(a, (f32[?M, ?N]{1,0}), [m, n]),
            input!(b, (f32[?M, ?N]{1,0}), [m, n]),
            output!(y, (f32[?M]{0}), [m]),
        );
        // A row without elements has no angle.
        all(&y, [f64::NAN, 1.0][n]);
    }
}
