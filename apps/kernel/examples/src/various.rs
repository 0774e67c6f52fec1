//! Kernels of several kinds.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::math::exp;
use xlayout_kernel::{Error, In, Out, Pool, Result, lines, reduce};

use crate::share::{share, share_of_lines};

/// The cross entropy of each row of `logits` with the class that `label` names:
/// `log(sum(exp(logits))) - logits[label]`.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn cross_entropy(
    pool: Pool,
    logits: In<layout!(f32[?M, ?N]{1,0})>,
    label: In<layout!(s32[?M]{0})>,
    mut loss: Out<layout!(f32[?M]{0})>,
) -> Result<()> {
    let [m, n] = logits.layout().shape();
    let is_class = |&label: &i32| usize::try_from(label).is_ok_and(|label| label < n);
    if let Some(row) = label.memory().iter().position(|label| !is_class(label)) {
        return Err(Error::invalid_argument(format!(
            "label {} of row {row} is no class: use labels from 0 on, below {n}",
            label.memory()[row]
        )));
    }
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(logits.memory(), m).shares(rows);
    let shares = shares.zip(label.memory().chunks(rows));
    let shares = shares.zip(loss.memory_mut().chunks_mut(rows));
    pool.for_each(shares, |((logits, label), loss)| {
        for ((row, &label), loss) in logits.zip(label).zip(loss) {
            let largest = reduce::max(row).unwrap_or(0.0);
            let sum = reduce::sum_by(row, |x| exp(x - largest));
            *loss = sum.ln() + largest - row[label as usize];
        }
    });
    Ok(())
}

/// A causal convolution of each channel with its own 4 weights, over the time `T`: before the first
/// time, `x` is 0.
#[xlayout_kernel::kernel(batch, independent = "B")]
pub fn causal_convolution(
    pool: Pool,
    x: In<layout!(f32[?B, ?T, ?C]{2,1,0})>,
    weight: In<layout!(f32[4, ?C]{1,0})>,
    mut y: Out<layout!(f32[?B, ?T, ?C]{2,1,0})>,
) {
    let [b, t, c] = x.layout().shape();
    let items = lines(x.memory(), b).zip(lines(y.memory_mut(), b));
    pool.for_each(items, |(x, y)| {
        for (time, y) in lines(y, t).enumerate() {
            let terms = lines(weight.memory(), 4).enumerate();
            let terms = terms.filter_map(|(k, weight)| {
                // The last weight is that of the present time.
                let time = (time + k).checked_sub(3)?;
                Some((&x[time * c..][..c], weight))
            });
            reduce::sum_products(y, terms);
        }
    });
}

/// The number of the point of `centers` that is nearest to each point of `x`. The centers are
/// column-major: one coordinate of all centers is contiguous, and is compared with that of `x` in
/// lanes.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn nearest(
    pool: Pool,
    x: In<layout!(f32[?M, ?D]{1,0})>,
    centers: In<layout!(f32[?N, ?D]{0,1})>,
    mut index: Out<layout!(s32[?M]{0})>,
) -> Result<()> {
    let [m, d] = x.layout().shape();
    let [n, _] = centers.layout().shape();
    if n == 0 {
        return Err(Error::invalid_argument(
            "without centers there is no nearest one: pass one or more",
        ));
    }
    let rows = share_of_lines(&pool, m, d);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(index.memory_mut().chunks_mut(rows));
    pool.for_each(shares, |(x, index)| {
        let mut distances = vec![0.0; n];
        for (x, index) in x.zip(index) {
            distances.fill(0.0);
            for (x, centers) in x.iter().zip(lines(centers.memory(), d)) {
                for (distance, center) in distances.iter_mut().zip(centers) {
                    *distance += (x - center) * (x - center);
                }
            }
            *index = reduce::argmin(&distances).map_or(0, |number| number as i32);
        }
    });
    Ok(())
}

/// The sums of the numbers of each row up to each place.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn cumulative_sum(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let [m, n] = x.layout().shape();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(y.memory_mut(), m).shares(rows));
    pool.for_each(shares, |(x, y)| {
        for (x, y) in x.zip(y) {
            let mut sum = 0.0;
            for (y, x) in y.iter_mut().zip(x) {
                sum += x;
                *y = sum;
            }
        }
    });
}

/// `a` times its logistic function, times `b`: SwiGLU without the products of matrices.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn swiglu(
    pool: Pool,
    a: In<layout!(f32[?M, ?N]{1,0})>,
    b: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let [_, n] = a.layout().shape();
    let size = share(&pool, a.memory().len(), n);
    let shares = a.memory().chunks(size).zip(b.memory().chunks(size));
    pool.for_each(
        shares.zip(y.memory_mut().chunks_mut(size)),
        |((a, b), y)| {
            for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
                *y = a / (1.0 + exp(-a)) * b;
            }
        },
    );
}

/// The cosine of the angle between each row of `a` and that of `b`.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn cosine(
    pool: Pool,
    a: In<layout!(f32[?M, ?N]{1,0})>,
    b: In<layout!(f32[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M]{0})>,
) {
    let [m, n] = a.layout().shape();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(a.memory(), m).shares(rows);
    let shares = shares.zip(lines(b.memory(), m).shares(rows));
    pool.for_each(
        shares.zip(y.memory_mut().chunks_mut(rows)),
        |((a, b), y)| {
            for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
                *y = reduce::dot(a, b) / (reduce::dot(a, a) * reduce::dot(b, b)).sqrt();
            }
        },
    );
}
