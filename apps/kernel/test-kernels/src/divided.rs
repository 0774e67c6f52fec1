//! Kernels with independent dimensions, which XLA divides among devices.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, InOut, Out, Scalar, lines};

/// Each row of x divided by its sum.
#[xlayout_kernel::kernel(independent = "M")]
fn shares(x: In<layout!(f32[?M,?N]{1,0})>, mut y: Out<layout!(f32[?M,?N]{1,0})>) {
    let [m, _] = x.layout().shape();
    for (x, y) in lines(x.memory(), m).zip(lines(y.memory_mut(), m)) {
        let sum: f32 = x.iter().sum();
        for (x, y) in x.iter().zip(y) {
            *y = x / sum;
        }
    }
}

/// From y, the shares of x, and the derivative by y, that by x.
#[xlayout_kernel::kernel(independent = "M")]
fn shares_grad(
    x: In<layout!(f32[?M,?N]{1,0})>,
    dy: In<layout!(f32[?M,?N]{1,0})>,
    mut dx: Out<layout!(f32[?M,?N]{1,0})>,
) {
    let [m, _] = x.layout().shape();
    let rows = lines(x.memory(), m).zip(lines(dy.memory(), m));
    for ((x, dy), dx) in rows.zip(lines(dx.memory_mut(), m)) {
        let sum: f32 = x.iter().sum();
        let inner: f32 = x.iter().zip(dy).map(|(x, dy)| x * dy).sum();
        for (dx, dy) in dx.iter_mut().zip(dy) {
            *dx = (dy - inner / sum) / sum;
        }
    }
}

/// y = a @ x, and the number of columns for each row. Rule: the rows of a are independent.
#[xlayout_kernel::kernel(independent = "i j, j -> i, i")]
fn rows_product(
    a: In<layout!(f32[?M,?K]{1,0})>,
    x: In<layout!(f32[?K]{0})>,
    mut y: Out<layout!(f32[?M]{0})>,
    mut columns: Out<layout!(s32[?M]{0})>,
) {
    let [m, k] = a.layout().shape();
    let rows = lines(a.memory(), m);
    for ((row, y), columns) in rows.zip(y.memory_mut()).zip(columns.memory_mut()) {
        *y = row.iter().zip(x.memory()).map(|(a, x)| a * x).sum();
        *columns = k as i32;
    }
}

/// x += a, in place; both dimensions are independent, and x is column-major.
#[xlayout_kernel::kernel(batch, independent = "M N")]
fn add_number(a: Scalar<f32>, mut x: InOut<layout!(f32[?M,?N]{0,1})>) {
    for x in x.memory_mut() {
        *x += *a;
    }
}

/// y = a @ x for each item of a batch.
#[xlayout_kernel::kernel(batch, independent = "i _, _ -> i")]
fn batch_product(
    a: In<layout!(f32[?M,?K]{1,0})>,
    x: In<layout!(f32[?K]{0})>,
    mut y: Out<layout!(f32[?M]{0})>,
) {
    let [m, _] = a.layout().shape();
    for (row, y) in lines(a.memory(), m).zip(y.memory_mut()) {
        *y = row.iter().zip(x.memory()).map(|(a, x)| a * x).sum();
    }
}
