//! Kernels as they are written first: plain loops and the reductions of `xlayout_kernel::reduce`.
//! Nothing here names a set of instructions: the attribute compiles each body for several.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{Error, In, Out, Pool, Result, Scalar, lines, reduce};

use crate::share::share_of_lines;

/// Each row of `x` with mean 0 and variance 1, times `scale`, plus `bias`.
#[xlayout_kernel::kernel(batch, independent = "M", vjp = layer_norm_grad)]
pub fn layer_norm(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    scale: In<layout!(f32[?N]{0})>,
    bias: In<layout!(f32[?N]{0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
    epsilon: Scalar<f32>,
) {
    let [m, n] = x.layout().shape();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(y.memory_mut(), m).shares(rows));
    pool.for_each(shares, |(x, y)| {
        for (x, y) in x.zip(y) {
            let mean = reduce::sum(x) / n as f32;
            let variance = reduce::sum_by(x, |x| (x - mean) * (x - mean)) / n as f32;
            let factor = 1.0 / (variance + *epsilon).sqrt();
            let parameters = scale.memory().iter().zip(bias.memory());
            for ((y, x), (scale, bias)) in y.iter_mut().zip(x).zip(parameters) {
                *y = (x - mean) * factor * scale + bias;
            }
        }
    });
}

/// The derivatives of a function of `layer_norm` by `x`, `scale` and `bias`, from that by `y`.
#[xlayout_kernel::kernel]
pub fn layer_norm_grad(
    x: In<layout!(f32[?M, ?N]{1,0})>,
    scale: In<layout!(f32[?N]{0})>,
    dy: In<layout!(f32[?M, ?N]{1,0})>,
    mut dx: Out<layout!(f32[?M, ?N]{1,0})>,
    mut dscale: Out<layout!(f32[?N]{0})>,
    mut dbias: Out<layout!(f32[?N]{0})>,
    epsilon: Scalar<f32>,
) {
    let [m, n] = x.layout().shape();
    let scale = scale.memory();
    let dscale = dscale.memory_mut();
    let dbias = dbias.memory_mut();
    dscale.fill(0.0);
    dbias.fill(0.0);
    let rows = lines(x.memory(), m).zip(lines(dy.memory(), m));
    for ((x, dy), dx) in rows.zip(lines(dx.memory_mut(), m)) {
        let mean = reduce::sum(x) / n as f32;
        let variance = reduce::sum_by(x, |x| (x - mean) * (x - mean)) / n as f32;
        let factor = 1.0 / (variance + *epsilon).sqrt();
        // dx holds the derivative by the normalised row until its two means are known.
        for ((dx, dy), scale) in dx.iter_mut().zip(dy).zip(scale) {
            *dx = dy * scale;
        }
        let by_mean = reduce::sum(dx) / n as f32;
        let by_factor = reduce::dot_by(dx, x, |d, x| d * (x - mean)) * factor / n as f32;
        for (((dx, x), dy), (dscale, dbias)) in
            (dx.iter_mut().zip(x).zip(dy)).zip(dscale.iter_mut().zip(dbias.iter_mut()))
        {
            let normal = (x - mean) * factor;
            *dscale += dy * normal;
            *dbias += dy;
            *dx = (*dx - by_mean - normal * by_factor) * factor;
        }
    }
}

/// The index of the first largest number of each row.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn argmax(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut index: Out<layout!(s32[?M]{0})>,
) -> Result<()> {
    let [m, n] = x.layout().shape();
    if n == 0 {
        return Err(Error::invalid_argument(
            "a row without numbers has no largest one",
        ));
    }
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(index.memory_mut().chunks_mut(rows));
    pool.for_each(shares, |(x, index)| {
        for (x, index) in x.zip(index) {
            *index = reduce::argmax(x).map_or(0, |k| k as i32);
        }
    });
    Ok(())
}
