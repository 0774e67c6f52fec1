//! Arrays that XLA passes row-major, and that the kernels have in other layouts.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{Converted, Error, In, InOut, Out, Result, Scalar, lines};

/// Returns x, and its memory in the kernel.
#[xlayout_kernel::kernel(batch)]
fn columns(
    x: In<Converted<layout!(f32[?,?]{0,1})>>,
    mut y: Out<Converted<layout!(f32[?,?]{0,1})>>,
    mut memory: Out<layout!(f32[?_]{0})>,
) {
    memory.memory_mut().copy_from_slice(x.memory());
    y.memory_mut().copy_from_slice(x.memory());
}

/// Returns x times 2, and its memory in the kernel, padding included.
#[xlayout_kernel::kernel]
fn tiles(
    x: In<Converted<layout!(s32[3,5]{1,0:T(2,4)})>>,
    mut y: Out<Converted<layout!(s32[3,5]{1,0:T(2,4)})>>,
    mut memory: Out<layout!(s32[32]{0})>,
) {
    memory.memory_mut().copy_from_slice(x.memory());
    // The padding of a result is not copied.
    y.memory_mut().fill(-1);
    y.for_each_in_memory_mut(|index, y| *y = 2 * x[*index]);
}

/// Increases x in place, in column-major memory.
#[xlayout_kernel::kernel]
fn increase(mut x: InOut<Converted<layout!(s8[?,?]{0,1})>>) {
    let [m, _] = x.layout().shape();
    for (k, x) in x.memory_mut().iter_mut().enumerate() {
        *x += (k / m) as i8;
    }
}

/// Which numbers are positive, in reversed memory.
#[xlayout_kernel::kernel]
fn positive(
    x: In<Converted<layout!(f32[?,?,?]{0,1,2})>>,
    mut y: Out<Converted<layout!(pred[?,?,?]{0,1,2})>>,
) {
    for (x, y) in x.memory().iter().zip(y.memory_mut()) {
        *y = *x > 0.0;
    }
}

/// Fails after its result was written.
#[xlayout_kernel::kernel]
fn converted_and_failed(
    mut y: Out<Converted<layout!(f32[2,3]{0,1})>>,
    panics: Scalar<bool>,
) -> Result<()> {
    y.memory_mut().fill(1.0);
    assert!(!*panics, "on purpose");
    Err(Error::invalid_argument("on purpose"))
}

/// Returns x, and its memory in the kernel; XLA passes x in the layout that is declared, or
/// row-major where there is a batch.
#[xlayout_kernel::kernel(batch)]
fn plain_columns(
    x: In<layout!(f32[?,?]{0,1})>,
    mut y: Out<layout!(f32[?,?]{0,1})>,
    mut memory: Out<layout!(f32[?_]{0})>,
) {
    memory.memory_mut().copy_from_slice(x.memory());
    y.memory_mut().copy_from_slice(x.memory());
}

/// Adds x to y in place, column-major.
#[xlayout_kernel::kernel(batch)]
fn add_columns(x: In<layout!(f32[?M,?N]{0,1})>, mut y: InOut<layout!(f32[?M,?N]{0,1})>) {
    for (x, y) in x.memory().iter().zip(y.memory_mut()) {
        *y += x;
    }
}

/// The sum of each column, which XLA may divide among devices.
#[xlayout_kernel::kernel(batch, independent = "N")]
fn sums_of_columns(x: In<layout!(f32[?M, ?N]{0,1})>, mut sums: Out<layout!(f32[?N]{0})>) {
    let [_, n] = x.layout().shape();
    for (sum, x) in sums.memory_mut().iter_mut().zip(lines(x.memory(), n)) {
        *sum = x.iter().sum();
    }
}
