//! Parts of neural networks.

use xlayout::math::{exp, ln, round_i8};
use xlayout::{ArrayLayout, layout, reduce};
use xlayout_kernel::{Error, In, Out, Pool, Result, Scalar};

use crate::share::share;

/// Normalises each of `groups` groups of channels of each item, over the channels and the points `P`.
#[xlayout::kernel(batch, independent = "B")]
pub fn group_norm(
    pool: Pool,
    x: In<layout!(f32[?B, ?C, ?P]{2,1,0})>,
    scale: In<layout!(f32[?C]{0})>,
    bias: In<layout!(f32[?C]{0})>,
    mut y: Out<layout!(f32[?B, ?C, ?P]{2,1,0})>,
    groups: Scalar<u32>,
    epsilon: Scalar<f32>,
) -> Result<()> {
    let [_, channels, points] = x.layout().sizes();
    let groups = *groups as usize;
    if groups == 0 || !channels.is_multiple_of(groups) {
        return Err(Error::invalid_argument(format!(
            "{channels} channels are not {groups} groups of the same size: use a divisor of {channels}"
        )));
    }
    let (of_group, points) = ((channels / groups).max(1), points.max(1));
    let size = of_group * points;
    let parts = x.memory().chunks(size).zip(y.memory_mut().chunks_mut(size));
    let scales = scale
        .memory()
        .chunks(of_group)
        .zip(bias.memory().chunks(of_group));
    pool.for_each(parts.zip(scales.cycle()), |((x, y), (scale, bias))| {
        let mean = reduce::sum(x) / size as f32;
        let variance = reduce::sum_by(x, |x| (x - mean) * (x - mean)) / size as f32;
        let factor = 1.0 / (variance + *epsilon).sqrt();
        let channels = x.chunks(points).zip(y.chunks_mut(points));
        for ((x, y), (&scale, &bias)) in channels.zip(scale.iter().zip(bias)) {
            for (y, x) in y.iter_mut().zip(x) {
                *y = (x - mean) * factor * scale + bias;
            }
        }
    });
    Ok(())
}

/// A convolution of each channel with its own 3 x 3 weights. Outside of the image, `x` is 0.
#[xlayout::kernel(batch, independent = "B")]
pub fn depthwise_convolution(
    pool: Pool,
    x: In<layout!(f32[?B, ?H, ?W, ?C]{3,2,1,0})>,
    weight: In<layout!(f32[3, 3, ?C]{2,1,0})>,
    mut y: Out<layout!(f32[?B, ?H, ?W, ?C]{3,2,1,0})>,
) {
    let [_, h, w, c] = x.layout().sizes();
    let (h, w, c) = (h.max(1), w.max(1), c.max(1));
    let (x, weight) = (x.memory(), weight.memory());
    pool.for_each(y.memory_mut().chunks_mut(w * c).enumerate(), |(line, y)| {
        let (image, line) = (&x[line / h * h * w * c..][..h * w * c], line % h);
        for (column, y) in y.chunks_mut(c).enumerate() {
            let terms = weight.chunks(c).enumerate().filter_map(|(k, weight)| {
                let (line, column) = (line + k / 3, column + k % 3);
                let inside = (1..=h).contains(&line) && (1..=w).contains(&column);
                inside.then(|| (&image[((line - 1) * w + column - 1) * c..][..c], weight))
            });
            reduce::sum_products(y, terms);
        }
    });
}

/// The two largest numbers of each row: their places, and their weights, which add up to 1.
#[xlayout::kernel(batch, independent = "M")]
pub fn top2_gate(
    pool: Pool,
    logits: In<layout!(f32[?M, ?E]{1,0})>,
    mut index: Out<layout!(s32[?M, 2]{1,0})>,
    mut weight: Out<layout!(f32[?M, 2]{1,0})>,
) -> Result<()> {
    let [_, experts] = logits.layout().sizes();
    if experts < 2 {
        return Err(Error::invalid_argument(format!(
            "a row has {experts} numbers: pass two or more"
        )));
    }
    let rows = share(&pool, logits.memory().len(), experts) / experts;
    let shares = logits.memory().chunks(rows * experts);
    let shares = shares.zip(index.memory_mut().chunks_mut(2 * rows));
    let shares = shares.zip(weight.memory_mut().chunks_mut(2 * rows));
    pool.for_each(shares, |((logits, index), weight)| {
        let results = index.chunks_mut(2).zip(weight.chunks_mut(2));
        for (row, (index, weight)) in logits.chunks(experts).zip(results) {
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
#[xlayout::kernel(batch, independent = "M")]
pub fn log_sum_exp_of_rows(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M]{0})>,
) {
    let [_, n] = x.layout().sizes();
    let rows = (share(&pool, x.memory().len(), n) / n.max(1)).max(1);
    let shares = x
        .memory()
        .chunks((rows * n).max(1))
        .zip(y.memory_mut().chunks_mut(rows));
    pool.for_each(shares, |(x, y)| {
        let mut largest = vec![0.0; y.len()];
        for (x, largest) in x.chunks(n.max(1)).zip(&mut largest) {
            *largest = reduce::max(x).unwrap_or(0.0);
        }
        for ((x, y), &largest) in x.chunks(n.max(1)).zip(&mut *y).zip(&largest) {
            *y = reduce::sum_by(x, |x| exp(x - largest));
        }
        for (y, largest) in y.iter_mut().zip(&largest) {
            *y = largest + ln(*y);
        }
    });
}

/// The logarithm of the sum of the exponentials of each column.
#[xlayout::kernel(batch, independent = "N")]
pub fn log_sum_exp_of_columns(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?N]{0})>,
) {
    const COLUMNS: usize = 256;
    let [_, n] = x.layout().sizes();
    let x = x.memory();
    pool.for_each(y.memory_mut().chunks_mut(COLUMNS).enumerate(), |(k, y)| {
        let columns = k * COLUMNS..k * COLUMNS + y.len();
        let mut largest = vec![f32::NEG_INFINITY; y.len()];
        for row in x.chunks(n.max(1)) {
            for (largest, x) in largest.iter_mut().zip(&row[columns.clone()]) {
                *largest = largest.max(*x);
            }
        }
        y.fill(0.0);
        for row in x.chunks(n.max(1)) {
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
#[xlayout::kernel(batch, independent = "M")]
pub fn embedding(
    pool: Pool,
    table: In<layout!(f32[?V, ?D]{1,0})>,
    index: In<layout!(s32[?M]{0})>,
    mut y: Out<layout!(f32[?M, ?D]{1,0})>,
) -> Result<()> {
    let [v, d] = table.layout().sizes();
    let (table, index) = (table.memory(), index.memory());
    if let Some(at) = index
        .iter()
        .position(|&index| index < 0 || index as usize >= v)
    {
        return Err(Error::invalid_argument(format!(
            "index {} at {at} is no row of the table: use numbers from 0 on, below {v}",
            index[at]
        )));
    }
    let d = d.max(1);
    let rows = share(&pool, y.memory().len(), d) / d;
    let shares = index.chunks(rows).zip(y.memory_mut().chunks_mut(rows * d));
    pool.for_each(shares, |(index, y)| {
        for (&index, y) in index.iter().zip(y.chunks_mut(d)) {
            y.copy_from_slice(&table[index as usize * d..][..d]);
        }
    });
    Ok(())
}

/// Each row as bytes times a scale: the largest number of the row is 127 or -127.
#[xlayout::kernel(batch, independent = "M")]
pub fn quantize(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(s8[?M, ?N]{1,0})>,
    mut scale: Out<layout!(f32[?M]{0})>,
) {
    let [_, n] = x.layout().sizes();
    let n = n.max(1);
    let rows = share(&pool, x.memory().len(), n) / n;
    let shares = x
        .memory()
        .chunks(rows * n)
        .zip(y.memory_mut().chunks_mut(rows * n));
    let shares = shares.zip(scale.memory_mut().chunks_mut(rows));
    pool.for_each(shares, |((x, y), scale)| {
        for ((x, y), scale) in x.chunks(n).zip(y.chunks_mut(n)).zip(scale) {
            let largest = reduce::max_by(x, f32::abs).unwrap_or(0.0);
            *scale = largest / 127.0;
            let factor = if largest > 0.0 { 127.0 / largest } else { 0.0 };
            for (y, x) in y.iter_mut().zip(x) {
                *y = round_i8(x * factor);
            }
        }
    });
}
