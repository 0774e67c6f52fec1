//! Parts of neural networks.

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::math::exp;
use xlayout_kernel::reduce::{self, Columns};
use xlayout_kernel::{In, Out, Pool, lines};

use crate::share::share_of_lines;

/// A convolution over the time `T` of all channels `C` to all channels `O`. Its weights are two
/// times apart.
#[xlayout_kernel::kernel(independent = "B")]
pub fn dilated_convolution(
    pool: Pool,
    x: In<layout!(f32[?B, ?T, ?C]{2,1,0})>,
    weight: In<layout!(f32[?K, ?C, ?O]{2,1,0})>,
    mut y: Out<layout!(f32[?B, ?T - 2*?K + 2, ?O]{2,1,0})>,
) {
    let [b, _, c] = x.layout().shape();
    let [k, _, o] = weight.layout().shape();
    let [_, times, _] = y.layout().shape();
    let taps = lines(weight.memory(), k).map(|weight| Columns::of_rows(lines(weight, c)));
    let taps: Vec<_> = taps.collect();
    let rows = share_of_lines(&pool, b * times, o);
    let items = lines(x.memory(), b).zip(lines(y.memory_mut(), b));
    let shares = items.flat_map(|(x, y)| {
        let shares = lines(y, times).shares(rows).enumerate();
        shares.map(move |(share, y)| (&x[share * rows * c..], y))
    });
    pool.for_each(shares, |(x, y)| {
        let count = y.len();
        let y = y.memory();
        y.fill(0.0);
        for (tap, columns) in taps.iter().enumerate() {
            let x = lines(&x[2 * tap * c..][..count * c], count);
            columns.fold(x.zip(lines(&mut *y, count)), |sum, x, weight| {
                x.mul_add(weight, sum)
            });
        }
    });
}

/// The selective scan of Mamba: for each channel `D` a state of `N` numbers, which decays by
/// `exp(step * decay)`. The decays and the state have the channels in lanes.
#[xlayout_kernel::kernel(independent = "B")]
pub fn selective_scan(
    pool: Pool,
    x: In<layout!(f32[?B, ?T, ?D]{2,1,0})>,
    step: In<layout!(f32[?B, ?T, ?D]{2,1,0})>,
    decay: In<layout!(f32[?D, ?N]{0,1})>,
    input: In<layout!(f32[?B, ?T, ?N]{2,1,0})>,
    output: In<layout!(f32[?B, ?T, ?N]{2,1,0})>,
    mut y: Out<layout!(f32[?B, ?T, ?D]{2,1,0})>,
) {
    let [b, t, d] = x.layout().shape();
    let [_, n] = decay.layout().shape();
    let items = lines(x.memory(), b).zip(lines(step.memory(), b));
    let items = items.zip(lines(input.memory(), b).zip(lines(output.memory(), b)));
    pool.for_each(
        items.zip(lines(y.memory_mut(), b)),
        |(((x, step), (input, output)), y)| {
            let mut state = vec![0.0; n * d];
            let times = lines(x, t)
                .zip(lines(step, t))
                .zip(lines(input, t).zip(lines(output, t)));
            for (((x, step), (input, output)), y) in times.zip(lines(y, t)) {
                y.fill(0.0);
                let states = lines(&mut state[..], n).zip(lines(decay.memory(), n));
                for ((state, decay), (&input, &output)) in states.zip(input.iter().zip(output)) {
                    let channels = y.iter_mut().zip(x).zip(step).zip(state).zip(decay);
                    for ((((y, x), step), state), decay) in channels {
                        *state = exp(step * decay) * *state + step * x * input;
                        *y += *state * output;
                    }
                }
            }
        },
    );
}

/// Layer norm of the sum of two arrays.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn residual_layer_norm(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    residual: In<layout!(f32[?M, ?N]{1,0})>,
    scale: In<layout!(f32[?N]{0})>,
    bias: In<layout!(f32[?N]{0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let [m, n] = x.layout().shape();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(residual.memory(), m).shares(rows));
    let shares = shares.zip(lines(y.memory_mut(), m).shares(rows));
    pool.for_each(shares, |((x, residual), y)| {
        for ((x, residual), y) in x.zip(residual).zip(y) {
            for ((y, x), residual) in y.iter_mut().zip(x).zip(residual) {
                *y = x + residual;
            }
            let mean = reduce::sum(y) / n as f32;
            let variance = reduce::sum_by(y, |x| (x - mean) * (x - mean)) / n as f32;
            let factor = 1.0 / (variance + 1e-5).sqrt();
            for ((y, scale), bias) in y.iter_mut().zip(scale.memory()).zip(bias.memory()) {
                *y = (*y - mean) * factor * scale + bias;
            }
        }
    });
}

/// The softmax of the numbers of each row whose `mask` is true; 0 for the others.
#[xlayout_kernel::kernel(batch, independent = "M")]
pub fn masked_softmax(
    pool: Pool,
    x: In<layout!(f32[?M, ?N]{1,0})>,
    mask: In<layout!(pred[?M, ?N]{1,0})>,
    mut y: Out<layout!(f32[?M, ?N]{1,0})>,
) {
    let [m, n] = x.layout().shape();
    let rows = share_of_lines(&pool, m, n);
    let shares = lines(x.memory(), m).shares(rows);
    let shares = shares.zip(lines(mask.memory(), m).shares(rows));
    let shares = shares.zip(lines(y.memory_mut(), m).shares(rows));
    pool.for_each(shares, |((x, mask), y)| {
        for ((x, mask), y) in x.zip(mask).zip(y) {
            for ((y, &x), &mask) in y.iter_mut().zip(x).zip(mask) {
                *y = if mask { x } else { f32::NEG_INFINITY };
            }
            let largest = reduce::max(y).unwrap_or(0.0).max(f32::MIN);
            for y in &mut *y {
                *y = exp(*y - largest);
            }
            let sum = reduce::sum(y);
            let factor = if sum > 0.0 { 1.0 / sum } else { 0.0 };
            for y in y {
                *y *= factor;
            }
        }
    });
}

/// The largest number of each 2 x 2 points, in each channel.
#[xlayout_kernel::kernel(batch, independent = "B")]
pub fn max_pooling(
    pool: Pool,
    x: In<layout!(f32[?B, 2*?H, 2*?W, ?C]{3,2,1,0})>,
    mut y: Out<layout!(f32[?B, ?H, ?W, ?C]{3,2,1,0})>,
) {
    let [b, h, w, c] = y.layout().shape();
    let rows = share_of_lines(&pool, b * h, 4 * w * c);
    let shares = lines(x.memory(), b * h).shares(rows);
    let shares = shares.zip(lines(y.memory_mut(), b * h).shares(rows));
    let larger = |a: f32, b: f32| if a >= b || a.is_nan() { a } else { b };
    pool.for_each(shares, |(x, y)| {
        for (x, y) in x.zip(y) {
            let (upper, lower) = x.split_at(2 * w * c);
            let points = lines(upper, w).zip(lines(lower, w)).zip(lines(y, w));
            for ((upper, lower), y) in points {
                let (a, b) = upper.split_at(c);
                let (d, e) = lower.split_at(c);
                for ((((y, a), b), d), e) in y.iter_mut().zip(a).zip(b).zip(d).zip(e) {
                    *y = larger(larger(*a, *b), larger(*d, *e));
                }
            }
        }
    });
}

/// Each point of each image four times: twice as many lines, and twice as many columns.
#[xlayout_kernel::kernel(batch, independent = "B")]
pub fn upsample(
    pool: Pool,
    x: In<layout!(f32[?B, ?C, ?H, ?W]{3,2,1,0})>,
    mut y: Out<layout!(f32[?B, ?C, 2*?H, 2*?W]{3,2,1,0})>,
) {
    let [b, c, h, w] = x.layout().shape();
    let count = b * c * h;
    let rows = share_of_lines(&pool, count, 4 * w);
    let shares = lines(x.memory(), count).shares(rows);
    let shares = shares.zip(lines(y.memory_mut(), count).shares(rows));
    pool.for_each(shares, |(x, y)| {
        for (x, y) in x.zip(y) {
            for y in lines(y, 2) {
                for (pair, &x) in y.as_chunks_mut::<2>().0.iter_mut().zip(x) {
                    *pair = [x; 2];
                }
            }
        }
    });
}

/// A rotary embedding with given cosines and sines: the first half of a head with the second one.
#[xlayout_kernel::kernel(batch, independent = "B")]
pub fn rotate(
    pool: Pool,
    x: In<layout!(f32[?B, ?S, ?H, 2*?F]{3,2,1,0})>,
    cosine: In<layout!(f32[?S, ?F]{1,0})>,
    sine: In<layout!(f32[?S, ?F]{1,0})>,
    mut y: Out<layout!(f32[?B, ?S, ?H, 2*?F]{3,2,1,0})>,
) {
    let [b, s, h, _] = x.layout().shape();
    let [_, f] = cosine.layout().shape();
    let rows = share_of_lines(&pool, b * s, 2 * h * f);
    let shares = lines(x.memory(), b * s).shares(rows);
    let shares = shares.zip(lines(y.memory_mut(), b * s).shares(rows));
    pool.for_each(shares.enumerate(), |(share, (x, y))| {
        for (place, (x, y)) in x.zip(y).enumerate() {
            let at = (share * rows + place) % s * f;
            let cosine = &cosine.memory()[at..][..f];
            let sine = &sine.memory()[at..][..f];
            for (x, y) in lines(x, h).zip(lines(y, h)) {
                let (a, b) = x.split_at(f);
                let (c, d) = y.split_at_mut(f);
                let angles = cosine.iter().zip(sine);
                for (((y, a), b), (cos, sin)) in c.iter_mut().zip(a).zip(b).zip(angles.clone()) {
                    *y = a * cos - b * sin;
                }
                for (((y, a), b), (cos, sin)) in d.iter_mut().zip(a).zip(b).zip(angles) {
                    *y = b * cos + a * sin;
                }
            }
        }
    });
}
