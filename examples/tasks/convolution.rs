//! A convolution of an image by 3 x 3 weights, with a halo of zeros, on threads: each thread has
//! some rows of the result.

use std::thread;

use xlayout::prelude::*;

/// The rows of `out` from row `first` of the whole result on. Beyond the edge of `image` there are
/// zeros.
fn convolve(
    image: &ArrayRef<f32, impl Rank<2>>,
    weights: &[[f32; 3]; 3],
    first: usize,
    out: &mut ArrayRef<f32, impl Rank<2>>,
) {
    for i in out.axis::<0>() {
        for j in out.axis::<1>() {
            let mut sum = 0.0;
            for (di, row) in weights.iter().enumerate() {
                for (dj, weight) in row.iter().enumerate() {
                    // The image begins one row and one column behind the halo.
                    let y = (first + i + di).wrapping_sub(1);
                    let x = (j + dj).wrapping_sub(1);
                    sum += weight * image.get([y, x]).copied().unwrap_or(0.0);
                }
            }
            out[(i, j)] = sum;
        }
    }
}

pub(crate) fn run() -> Result<(), LayoutError> {
    const ROWS: usize = 8;
    let image = Array::from_fn(layout!(f32[20,30]{1,0:T(8,128)}), |&[i, j]| {
        ((i * j) % 5) as f32
    })?;
    let mut out = Array::zeros(layout!(f32[20,30]{1,0:T(8,128)}))?;
    let blur = [[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]];
    thread::scope(|scope| {
        for (number, mut rows) in out.chunks_mut::<0>(ROWS).enumerate() {
            let image = &image;
            scope.spawn(move || convolve(image, &blur, number * ROWS, &mut rows));
        }
        Ok::<(), LayoutError>(())
    })?;
    let mut whole = Array::zeros(layout!(f32[20,30]))?;
    convolve(&image, &blur, 0, &mut whole);
    assert_eq!(out, whole);
    assert_eq!(out[[0, 0]], 1.0);
    let first: Vec<f32> = out.iter().copied().take(4).collect();
    println!("the first row begins with {first:?}");
    Ok(())
}
