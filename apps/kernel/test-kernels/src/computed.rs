//! Kernels with sizes that are computed from others.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, Scalar, lines};

/// The first half of each row times the second.
#[xlayout_kernel::kernel(batch, independent = "B", vjp = halves_grad)]
fn halves(x: In<layout!(f32[?B, 2*?H]{1,0})>, mut y: Out<layout!(f32[?B, ?H]{1,0})>) {
    let [rows, half] = y.layout().shape();
    for (x, y) in lines(x.memory(), rows).zip(lines(y.memory_mut(), rows)) {
        let (a, b) = x.split_at(half);
        for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
            *y = a * b;
        }
    }
}

/// The derivative with respect to `x`, from that with respect to `y`.
#[xlayout_kernel::kernel(independent = "B")]
fn halves_grad(
    x: In<layout!(f32[?B, 2*?H]{1,0})>,
    dy: In<layout!(f32[?B, ?H]{1,0})>,
    mut dx: Out<layout!(f32[?B, ?H*2]{1,0})>,
) {
    let [rows, half] = dy.layout().shape();
    let ins = lines(x.memory(), rows).zip(lines(dy.memory(), rows));
    for ((x, dy), dx) in ins.zip(lines(dx.memory_mut(), rows)) {
        for j in 0..half {
            dx[j] = dy[j] * x[half + j];
            dx[half + j] = dy[j] * x[j];
        }
    }
}

/// Each row twice, and a number behind it; row-major and column-major.
#[xlayout_kernel::kernel(independent = "B")]
fn twice(
    a: Scalar<f32>,
    #[also(layout!(f32[?B, ?H]{0,1}))] x: In<layout!(f32[?B, ?H]{1,0})>,
    mut y: Out<layout!(f32[?B, 1 + 2*?H]{1,0})>,
) {
    let [rows, columns] = x.layout().shape();
    for (i, y) in lines(y.memory_mut(), rows).enumerate() {
        for j in 0..columns {
            y[j] = x[[i, j]];
            y[columns + j] = x[[i, j]];
        }
        y[2 * columns] = *a;
    }
}

/// The products of `w` with all parts of `x` that are as long.
#[xlayout_kernel::kernel]
fn correlate(
    x: In<layout!(f32[?H]{0})>,
    w: In<layout!(f32[?K]{0})>,
    mut y: Out<layout!(f32[?H - ?K + 1]{0})>,
) {
    let width = w.memory().len();
    for (k, y) in y.memory_mut().iter_mut().enumerate() {
        let part = &x.memory()[k..k + width];
        *y = part.iter().zip(w.memory()).map(|(x, w)| x * w).sum();
    }
}

/// The differences of neighbours. No array has the size `?R` alone but the result.
#[xlayout_kernel::kernel]
fn differences(x: In<layout!(f32[?R + 1]{0})>, mut y: Out<layout!(f32[?R]{0})>) {
    for (y, pair) in y.memory_mut().iter_mut().zip(x.memory().windows(2)) {
        *y = pair[1] - pair[0];
    }
}

/// The last bounds, one more than are not in `of`. No array has `?R`, nor `?K`, alone.
#[xlayout_kernel::kernel]
fn last_of_bounds(
    bounds: In<layout!(s32[?R + 1]{0})>,
    of: In<layout!(s32[?R - ?K]{0})>,
    mut y: Out<layout!(s32[?K + 1]{0})>,
) {
    // The size of `of` is all that is used of it: its elements are not read.
    let [_] = of.layout().shape();
    let bounds = bounds.memory();
    for (y, bound) in y.memory_mut().iter_mut().rev().zip(bounds.iter().rev()) {
        *y = *bound;
    }
}
