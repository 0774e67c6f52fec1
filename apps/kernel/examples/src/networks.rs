//! Parts of neural networks.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::math::{exp, ln, round_i8};
use xlayout_kernel::{Error, In, Out, Pool, Result, Scalar, lines, reduce};

use crate::share::share_of_lines;

/// Normalises each of `groups` groups of channels of each item, over the channels and the points
/// `P`.
#[xlayout_kernel::kernel(batch, independent = "B")]
pub fn group_norm(
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
        for ((x, y), (&scale, &bias)) in channels.zip(scale.iter().zip(bias)) {
            for (y, x) in y.iter_mut().zip(x) {
                *y = (x - mean) * factor * scale + bias;
            }
        }
    });
    Ok(())
}

/// The channels of a group, if the groups are of one size.
pub(crate) fn channels_of_group(channels: usize, groups: usize) -> Result<usize> {
    if groups == 0 || !channels.is_multiple_of(groups) {
        return Err(Error::invalid_argument(format!(
            "{channels} channels are not {groups} groups of the same size: use a divisor of {channels}"
        )));
    }
    Ok(channels / groups)
}

/// A convolution of each channel with its own 3 x 3 weights. Outside of the image, `x` is 0.
#[xlayout_kernel::kernel(batch, independent = "B")]
pub fn depthwise_convolution(
    pool: Pool,
    x: In<layout!(f32[?B, ?H, ?W, ?C]{3,2,1,0})>,
    weight: In<layout!(f32[3, 3, ?C]{2,1,0})>,
    mut y: Out<layout!(f32[?B, ?H, ?W, ?C]{3,2,1,0})>,
) {
    let [b, h, w, c] = x.layout().shape();
    let x = x.memory();
    let weight = weight.memory();
    pool.for_each(lines(y.memory_mut(), b * h).enumerate(), |(line, y)| {
        let image = &x[line / h * h * w * c..][..h * w * c];
        let line = line % h;
        for (column, y) in lines(y, w).enumerate() {
            let terms = lines(weight, 9).enumerate().filter_map(|(k, weight)| {
                let line = line + k / 3;
                let column = column + k % 3;
                let inside = (1..=h).contains(&line) && (1..=w).contains(&column);
                inside.then(|| (&image[((line - 1) * w + column - 1) * c..][..c], weight))
            });
            reduce::sum_products(y, terms);
        }
    });
}

/// The two largest numbers of each row: their places, and their weights, which add up to 1.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn top2_gate(
    pool: Pool,
    logits: In<layout!(f32[?M, ?E]{1,0})>,
    mut index: Out<layout!(s32[?M, 2]{1,0})>,
    mut weight: Out<layout!(f32[?M, 2]{1,0})>,
) -> Result<()> {
    let [m, experts] = logits.layout().shape();
    if experts < 2 {
        return Err(Error::invalid_argument(format!(
            "a row has {experts} numbers: pass two or more"
        )));
    }
    let rows = share_of_lines(&pool, m, experts);
    let shares = lines(logits.memory(), m).shares(rows);
    let shares = shares.zip(lines(index.memory_mut(), m).shares(rows));
    let shares = shares.zip(lines(weight.memory_mut(), m).shares(rows));
    pool.for_each(shares, |((logits, index), weight)| {
        for (row, (index, weight)) in logits.zip(index.zip(weight)) {
            let mut best = [(f32::NEG_INFINITY, 0); 2];
            for (k, &x) in row.iter().enumerate() {
                if x > best[0].0 {
                    best = [(x, k as i32), best[0]];
                } else if x > best[1].0 {
                    best[1] = (x, k as i32);
                }
            }
            let second = exp(best[1].0 - best[0].0);
            index.copy_from_slice(&best.map(|(_, k)| k));
            weight.copy_from_slice(&[1.0 / (1.0 + second), second / (1.0 + second)]);
        }
    });
    Ok(())
}

/// The logarithm of the sum of the exponentials of each row.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn log_sum_exp_of_rows(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M]{0})>,
) {
    let [m, n] = x.layout().shape();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    pool.for_each(shares.zip(y.memory_mut().chunks_mut(rows)), |(x, y)| {
        let mut largest = vec![0.0; y.len()];
        for (x, largest) in x.clone().zip(&mut largest) {
            *largest = reduce::max(x).unwrap_or(0.0);
        }
        for ((x, y), &largest) in x.zip(&mut *y).zip(&largest) {
            *y = reduce::sum_by(x, |x| exp(x - largest));
        }
        for (y, largest) in y.iter_mut().zip(&largest) {
            *y = largest + ln(*y);
        }
    });
}

/// The logarithm of the sum of the exponentials of each column.
#[xlayout_kernel::kernel(batch, independent = "N")]
pub fn log_sum_exp_of_columns(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?N]{0})>,
) {
    const COLUMNS: usize = 256;
    let [m, _] = x.layout().shape();
    let rows = lines(x.memory(), m);
    pool.for_each(y.memory_mut().chunks_mut(COLUMNS).enumerate(), |(k, y)| {
        let columns = k * COLUMNS..k * COLUMNS + y.len();
        let mut largest = vec![f32::NEG_INFINITY; y.len()];
        for row in rows.clone() {
            for (largest, x) in largest.iter_mut().zip(&row[columns.clone()]) {
                *largest = largest.max(*x);
            }
        }
        y.fill(0.0);
        for row in rows.clone() {
            for ((y, x), largest) in y.iter_mut().zip(&row[columns.clone()]).zip(&largest) {
                *y += exp(x - largest);
            }
        }
        for (y, largest) in y.iter_mut().zip(&largest) {
            *y = largest + ln(*y);
        }
    });
}

/// The rows of `table` that `index` names.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn embedding(
    pool: Pool,
    table: In<layout!(f32[?V, ?D]{1,0})>,
    index: In<layout!(s32[?M]{0})>,
    mut y: Out<layout!(f32[?M, ?D]{1,0})>,
) -> Result<()> {
    let [v, d] = table.layout().shape();
    let table = table.memory();
    let index = index.memory();
    if let Some(at) = index
        .iter()
        .position(|&index| index < 0 || index as usize >= v)
    {
        return Err(Error::invalid_argument(format!(
            "index {} at {at} is no row of the table: use numbers from 0 on, below {v}",
            index[at]
        )));
    }
    let rows = share_of_lines(&pool, index.len(), d);
    let results = lines(y.memory_mut(), index.len()).shares(rows);
    pool.for_each(index.chunks(rows).zip(results), |(index, y)| {
        for (&index, y) in index.iter().zip(y) {
            y.copy_from_slice(&table[index as usize * d..][..d]);
        }
    });
    Ok(())
}

/// Each row as bytes times a scale: the largest number of the row is 127 or -127.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn quantize(
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
            let largest = reduce::max_by(x, f32::abs).unwrap_or(0.0);
            *scale = largest / 127.0;
            let factor = if largest > 0.0 { 127.0 / largest } else { 0.0 };
            for (y, x) in y.iter_mut().zip(x) {
                *y = round_i8(x * factor);
            }
        }
    });
}
