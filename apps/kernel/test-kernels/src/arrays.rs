//! Kernels with arrays: related sizes, several outputs, in place, batches.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, InOut, Out, Scalar};

/// y = a * x
#[xlayout_kernel::kernel]
fn scale(a: Scalar<f32>, x: In<layout!(f32[?,128]{1,0})>, mut y: Out<layout!(f32[?,128]{1,0})>) {
    y.for_each_in_memory_mut(|index, y| *y = *a * x[*index]);
}

/// y = 3 * x, compiled for one set of instructions.
#[xlayout_kernel::kernel(isa = "baseline")]
fn compiled_once(x: In<layout!(f32[?]{0})>, mut y: Out<layout!(f32[?]{0})>) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = 3.0 * x;
    }
}

/// y = 2 * x
#[xlayout_kernel::kernel]
fn double(x: In<layout!(f32[])>, mut y: Out<layout!(f32[])>) {
    y.memory_mut()[0] = 2.0 * x.memory()[0];
}

/// The smallest and the largest element of each row.
#[xlayout_kernel::kernel]
fn min_max(
    x: In<layout!(f32[?,4]{1,0})>,
    mut min: Out<layout!(f32[?]{0})>,
    mut max: Out<layout!(f32[?]{0})>,
) {
    let rows = x.memory().chunks_exact(4);
    let places = min.memory_mut().iter_mut().zip(max.memory_mut());
    for (row, (min, max)) in rows.zip(places) {
        *min = row.iter().copied().fold(f32::INFINITY, f32::min);
        *max = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    }
}

/// All elements are a.
#[xlayout_kernel::kernel]
fn fill(a: Scalar<f32>, mut y: Out<layout!(f32[?,?]{1,0})>) {
    y.memory_mut().fill(*a);
}

/// The rows of x below each other until y is full.
#[xlayout_kernel::kernel]
fn tile(x: In<layout!(f32[?_,?C]{1,0})>, mut y: Out<layout!(f32[?_,?C]{1,0})>) {
    let x = x.memory();
    for (y, x) in y.memory_mut().iter_mut().zip(x.iter().cycle()) {
        *y = *x;
    }
}

/// x += y, in the memory of x
#[xlayout_kernel::kernel]
fn add(mut x: InOut<layout!(f32[?]{0})>, y: In<layout!(f32[?]{0})>) {
    for (x, y) in x.memory_mut().iter_mut().zip(y.memory()) {
        *x += y;
    }
}

/// x += y, for a whole batch in one call
#[xlayout_kernel::kernel(batch)]
fn batch_add(mut x: InOut<layout!(f32[?]{0})>, y: In<layout!(f32[?]{0})>) {
    for (x, y) in x.memory_mut().iter_mut().zip(y.memory()) {
        *x += y;
    }
}

macro_rules! matmul {
    ($(#[$kernel:meta] $name:ident)*) => {$(
        /// y = x @ w; w is column-major.
        #[$kernel]
        fn $name(
            x: In<layout!(f32[?M,?K]{1,0})>,
            w: In<layout!(f32[?K,?N]{0,1})>,
            mut y: Out<layout!(f32[?M,?N]{1,0})>,
        ) {
            let [_, k] = x.layout().shape();
            y.for_each_in_memory_mut(|&[i, j], y| {
                let x = &x.memory()[i * k..][..k];
                let w = &w.memory()[j * k..][..k];
                *y = x.iter().zip(w).map(|(x, w)| x * w).sum();
            });
        }
    )*};
}
matmul! {
    #[xlayout_kernel::kernel] matmul
    #[xlayout_kernel::kernel(batch)] batch_matmul
}

/// y = 2 * x, where x is spread over eight devices.
#[xlayout_kernel::kernel]
fn double_part(
    x: In<layout!(f32[16,6]{1,0}, sharding = {devices=[4,2]<=[8]})>,
    mut y: Out<layout!(f32[16,6]{1,0}, sharding = {devices=[4,2]<=[8]})>,
) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = 2.0 * x;
    }
}

/// The same with the devices the other way round, and all rows on each.
#[xlayout_kernel::kernel]
fn double_columns(
    x: In<
        layout!(f32[16,6]{0,1}, sharding = {devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}),
    >,
    mut y: Out<
        layout!(f32[16,6]{0,1}, sharding = {devices=[1,2,4]<=[4,2]T(1,0) last_tile_dim_replicate}),
    >,
) {
    for (y, x) in y.memory_mut().iter_mut().zip(x.memory()) {
        *y = 2.0 * x;
    }
}
