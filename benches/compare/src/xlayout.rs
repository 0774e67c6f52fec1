//! Layouts as types.

use xlayout::{SliceView, SliceViewMut, layout};

use crate::{COLUMNS, INNER, ROWS};

pub type Rows = layout!(f32[ROWS, COLUMNS]);
pub type Columns = layout!(f32[ROWS, COLUMNS]{0,1});
pub type Tiles = layout!(f32[ROWS, COLUMNS]{1,0:T(8,128)});
pub type B = layout!(f32[COLUMNS, INNER]);
pub type C = layout!(f32[ROWS, INNER]);
pub type Sums = layout!(f32[ROWS]);

#[inline(never)]
pub fn transpose(a: SliceView<'_, f32, Rows>, mut b: SliceViewMut<'_, f32, Columns>) {
    for i in a.axis::<0>() {
        for j in a.axis::<1>() {
            b[(i, j)] = a[(i, j)];
        }
    }
}

#[inline(never)]
pub fn product(
    a: SliceView<'_, f32, Rows>,
    b: SliceView<'_, f32, B>,
    mut c: SliceViewMut<'_, f32, C>,
) {
    for i in a.axis::<0>() {
        for k in a.axis::<1>() {
            for j in b.axis::<1>() {
                c[(i, j)] += a[(i, k)] * b[(k, j)];
            }
        }
    }
}

#[inline(never)]
pub fn blur(a: SliceView<'_, f32, Rows>, mut b: SliceViewMut<'_, f32, Rows>) {
    for i in 1..ROWS - 1 {
        for j in 1..COLUMNS - 1 {
            let sum = a[[i, j]] + a[[i - 1, j]] + a[[i + 1, j]] + a[[i, j - 1]];
            b[[i, j]] = (sum + a[[i, j + 1]]) / 5.0;
        }
    }
}

#[inline(never)]
pub fn sums(a: SliceView<'_, f32, Columns>, mut sums: SliceViewMut<'_, f32, Sums>) {
    for j in a.axis::<1>() {
        for i in a.axis::<0>() {
            sums[(i,)] += a[(i, j)];
        }
    }
}

#[inline(never)]
pub fn tiles(a: SliceView<'_, f32, Rows>, mut b: SliceViewMut<'_, f32, Tiles>) {
    for i in a.axis::<0>() {
        a.axis::<1>().for_each(|j| b[(i, j)] = a[(i, j)]);
    }
}
