//! Kernels of [`networks`](crate::networks) in their slower form: without `reduce::max` and `math`,
//! or with numbers that a loop reads through references.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{In, Out, Pool, Result, Scalar, lines, reduce};

use crate::networks::channels_of_group;
use crate::share::share_of_lines;

/// `log_sum_exp_of_rows` with `f32::max`, `f32::exp` and `f32::ln`.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn log_sum_exp_scalar(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M]{0})>,
) {
    let [m, n] = x.layout().shape();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    pool.for_each(shares.zip(y.memory_mut().chunks_mut(rows)), |(x, y)| {
        for (x, y) in x.zip(y) {
            let largest = x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            *y = largest + x.iter().map(|x| (x - largest).exp()).sum::<f32>().ln();
        }
    });
}

/// `quantize` with `f32::max`, `f32::round` and `as`.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn quantize_scalar(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(s8[?M, ?N]{1,0})>,
    mut scale: Out<layout!(f32[?M]{0})>,
) {
    let [m, n] = x.layout().shape();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(y.memory_mut(), m).shares(rows));
    let shares = shares.zip(scale.memory_mut().chunks_mut(rows));
    pool.for_each(shares, |((x, y), scale)| {
        for ((x, y), scale) in x.zip(y).zip(scale) {
            let largest = x.iter().fold(0.0_f32, |largest, x| largest.max(x.abs()));
            *scale = largest / 127.0;
            let factor = if largest > 0.0 { 127.0 / largest } else { 0.0 };
            for (y, x) in y.iter_mut().zip(x) {
                *y = (x * factor).round() as i8;
            }
        }
    });
}

/// `group_norm`, which reads the scale and the bias of a channel through references.
#[xlayout_kernel::kernel(batch, independent = "B")]
pub fn group_norm_by_reference(
    pool: Pool,
    x: In<layout!(f32[?B, ?C, ?P]{2,1,0})>,
    scale: In<layout!(f32[?C]{0})>,
    bias: In<layout!(f32[?C]{0})>,
    mut y: Out<layout!(f32[?B, ?C, ?P]{2,1,0})>,
    groups: Scalar<u32>,
    epsilon: Scalar<f32>,
) -> Result<()> {
    let [items, channels, points] = x.layout().shape();
    let groups = *groups as usize;
    let of_group = channels_of_group(channels, groups)?;
    if x.memory().is_empty() {
        return Ok(());
    }
    let size = of_group * points;
    let parts = items * groups;
    let parts = lines(x.memory(), parts).zip(lines(y.memory_mut(), parts));
    let scales = lines(scale.memory(), groups).zip(lines(bias.memory(), groups));
    pool.for_each(parts.zip(scales.cycle()), |((x, y), (scale, bias))| {
        let mean = reduce::sum(x) / size as f32;
        let variance = reduce::sum_by(x, |x| (x - mean) * (x - mean)) / size as f32;
        let factor = 1.0 / (variance + *epsilon).sqrt();
        let channels = lines(x, of_group).zip(lines(y, of_group));
        for ((x, y), (scale, bias)) in channels.zip(scale.iter().zip(bias)) {
            for (y, x) in y.iter_mut().zip(x) {
                *y = (x - mean) * factor * scale + bias;
            }
        }
    });
    Ok(())
}
