//! Kernels that name the kernel of their derivatives.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, InOut, Out, Scalar, lines};

/// x to the third power.
#[xlayout_kernel::kernel(batch, independent = "N", vjp = cube_grad)]
fn cube(x: In<layout!(f32[?N]{0})>, mut y: Out<layout!(f32[?N]{0})>) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = x * x * x;
    }
}

/// The derivative of `cube`, which has one, too.
#[xlayout_kernel::kernel(batch, independent = "N", vjp = cube_grad_grad)]
fn cube_grad(
    x: In<layout!(f32[?N]{0})>,
    dy: In<layout!(f32[?N]{0})>,
    mut dx: Out<layout!(f32[?N]{0})>,
) {
    for ((dx, x), dy) in (dx.memory_mut().iter_mut().zip(x.memory())).zip(dy.memory()) {
        *dx = 3.0 * x * x * dy;
    }
}

#[xlayout_kernel::kernel(batch, independent = "N")]
fn cube_grad_grad(
    x: In<layout!(f32[?N]{0})>,
    dy: In<layout!(f32[?N]{0})>,
    ddx: In<layout!(f32[?N]{0})>,
    mut dx: Out<layout!(f32[?N]{0})>,
    mut ddy: Out<layout!(f32[?N]{0})>,
) {
    for (n, ddx) in ddx.memory().iter().enumerate() {
        let x = x.memory()[n];
        let dy = dy.memory()[n];
        dx.memory_mut()[n] = 6.0 * x * dy * ddx;
        ddy.memory_mut()[n] = 3.0 * x * x * ddx;
    }
}

/// The row `index` of `x` squared, times `w` and `a`, and the number of its elements; each column
/// of `x` is contiguous.
#[xlayout_kernel::kernel(batch, vjp = weigh_back)]
fn weigh(
    a: Scalar<f32>,
    #[also(layout!(f32[?M, ?N]{1,0}))] x: In<layout!(f32[?M, ?N]{0,1})>,
    index: In<layout!(s32[])>,
    w: In<layout!(f32[?N]{0})>,
    mut y: Out<layout!(f32[?N]{0})>,
    mut count: Out<layout!(s32[])>,
) {
    let [_, n] = x.layout().shape();
    let row = index.memory()[0] as usize;
    for j in 0..n {
        y[[j]] = *a * x[[row, j]] * x[[row, j]] * w[[j]];
    }
    count.memory_mut()[0] = n as i32;
}

/// The derivatives of `weigh`. Its arrays have other layouts and another sequence.
#[xlayout_kernel::kernel]
fn weigh_back(
    mut dw: Out<layout!(f32[?N]{0})>,
    mut dx: Out<layout!(f32[?M, ?N]{1,0})>,
    dy: In<layout!(f32[?N]{0})>,
    w: In<layout!(f32[?N]{0})>,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    index: In<layout!(s32[])>,
    a: Scalar<f32>,
) {
    let [m, n] = x.layout().shape();
    let row = index.memory()[0] as usize;
    for line in lines(dx.memory_mut(), m) {
        line.fill(0.0);
    }
    for j in 0..n {
        dx[[row, j]] = 2.0 * *a * x[[row, j]] * w[[j]] * dy[[j]];
        dw[[j]] = *a * x[[row, j]] * x[[row, j]] * dy[[j]];
    }
}

/// `a x` in place, with a derivative in place.
#[xlayout_kernel::kernel(vjp = times_back)]
fn times(a: Scalar<f32>, mut x: InOut<layout!(f32[?]{0})>) {
    x.memory_mut().iter_mut().for_each(|x| *x *= *a);
}

#[xlayout_kernel::kernel]
fn times_back(a: Scalar<f32>, mut dx: InOut<layout!(f32[?]{0})>) {
    dx.memory_mut().iter_mut().for_each(|dx| *dx *= *a);
}

/// `a exp(x)`, whose derivative takes the result.
#[xlayout_kernel::kernel(independent = "M", vjp = exp_back)]
fn exp(
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    lambda: Option<Scalar<f32>>,
) {
    let factor = lambda.map_or(1.0, |lambda| *lambda);
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = factor * x.exp();
    }
}

#[xlayout_kernel::kernel(independent = "M", name = "exp_back")]
fn back_through_exp(
    y: In<layout!(f32[?M, ?N]{1,0})>,
    dy: In<layout!(f32[?M, ?N]{1,0})>,
    mut dx: Out<layout!(f32[?M, ?N]{1,0})>,
    lambda: Option<Scalar<f32>>,
) {
    let _ = lambda;
    for ((dx, y), dy) in (dx.memory_mut().iter_mut().zip(y.memory())).zip(dy.memory()) {
        *dx = y * dy;
    }
}

/// The integer below each number.
#[xlayout_kernel::kernel]
fn round_down(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(s32[?]{0})>) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = x.floor() as i32;
    }
}
