//! Views of ndarray.

use ndarray::{ArrayView2, ArrayViewMut1, ArrayViewMut2, ArrayViewMut4};

use crate::TILE;

#[inline(never)]
pub fn transpose(a: ArrayView2<'_, f32>, mut b: ArrayViewMut2<'_, f32>) {
    b.assign(&a);
}

#[inline(never)]
pub fn product(a: ArrayView2<'_, f32>, b: ArrayView2<'_, f32>, mut c: ArrayViewMut2<'_, f32>) {
    for i in 0..a.nrows() {
        for k in 0..a.ncols() {
            for j in 0..b.ncols() {
                c[[i, j]] += a[[i, k]] * b[[k, j]];
            }
        }
    }
}

#[inline(never)]
pub fn blur(a: ArrayView2<'_, f32>, mut b: ArrayViewMut2<'_, f32>) {
    for i in 1..a.nrows() - 1 {
        for j in 1..a.ncols() - 1 {
            let sum = a[[i, j]] + a[[i - 1, j]] + a[[i + 1, j]] + a[[i, j - 1]];
            b[[i, j]] = (sum + a[[i, j + 1]]) / 5.0;
        }
    }
}

#[inline(never)]
pub fn sums(a: ArrayView2<'_, f32>, mut sums: ArrayViewMut1<'_, f32>) {
    for column in a.columns() {
        sums += &column;
    }
}

#[inline(never)]
pub fn tiles(a: ArrayView2<'_, f32>, mut b: ArrayViewMut4<'_, f32>) {
    for ((i, j), &element) in a.indexed_iter() {
        b[[i / TILE[0], j / TILE[1], i % TILE[0], j % TILE[1]]] = element;
    }
}
