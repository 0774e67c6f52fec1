//! Copies from one layout to another, as custom calls: the plans of xlayout-relayout on XLA's
//! threads.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, Pool, Result};
use xlayout_relayout::Plan;

/// A transposed matrix.
#[xlayout_kernel::kernel]
pub fn matrix_transpose(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?N, ?M]{1,0})>,
) -> Result<()> {
    // The result under the dimensions of `x`: what was its row is a column.
    let [m, n] = x.layout().shape();
    let to = layout!(f32[?, ?]{0,1})([m, n])?;
    Ok(pool.relayout(&Plan::new(x.layout(), &to)?, x.memory(), y.memory_mut())?)
}

/// Images with the channels last.
#[xlayout_kernel::kernel]
pub fn nchw_to_nhwc(
    pool: Pool,
    x: In<layout!(f32[?N, ?C, ?H, ?W]{3,2,1,0})>,
    mut y: Out<layout!(f32[?N, ?H, ?W, ?C]{3,2,1,0})>,
) -> Result<()> {
    let to = layout!(f32[?, ?, ?, ?]{1,3,2,0})(x.layout().shape())?;
    Ok(pool.relayout(&Plan::new(x.layout(), &to)?, x.memory(), y.memory_mut())?)
}

/// `[batch, position, head, feature]` to `[batch, head, position, feature]`, what attention wants.
#[xlayout_kernel::kernel]
pub fn swap_heads(
    pool: Pool,
    x: In<layout!(f32[?B, ?S, ?H, ?D]{3,2,1,0})>,
    mut y: Out<layout!(f32[?B, ?H, ?S, ?D]{3,2,1,0})>,
) -> Result<()> {
    let to = layout!(f32[?, ?, ?, ?]{3,1,2,0})(x.layout().shape())?;
    Ok(pool.relayout(&Plan::new(x.layout(), &to)?, x.memory(), y.memory_mut())?)
}
