//! Images of bytes as normalised floats.

use core::array::from_fn;

use xlayout::{ArrayLayout, layout};
use xlayout_kernel::{Code, Error, In, Out, Pool, Result};

use crate::share::share;

const CHANNELS: usize = 3;
/// The channels of this number of pixels side by side: whole vectors, in which each lane keeps its
/// channel.
const BLOCK: usize = 16 * CHANNELS;

/// `(x / 255 - mean) / std`, with a mean and a deviation for each channel.
#[xlayout_kernel::kernel]
pub fn normalize(
    pool: Pool,
    x: In<layout!(u8[?, ?H, ?W, 3]{3,2,1,0})>,
    mut y: Out<layout!(f32[?, ?H, ?W, 3]{3,2,1,0})>,
    mean: &[f32],
    std: &[f32],
) -> Result<()> {
    let change = Change::new(mean, std)?;
    let size = share(&pool, x.memory().len(), BLOCK);
    let shares = x.memory().chunks(size).zip(y.memory_mut().chunks_mut(size));
    pool.for_each(shares, |(x, y)| interleaved(x, y, &change));
    Ok(())
}

/// The same, with the channels apart: NHWC to NCHW on the way.
#[xlayout_kernel::kernel]
pub fn normalize_to_nchw(
    pool: Pool,
    x: In<layout!(u8[?, ?H, ?W, 3]{3,2,1,0})>,
    mut y: Out<layout!(f32[?, 3, ?H, ?W]{3,2,1,0})>,
    mean: &[f32],
    std: &[f32],
) -> Result<()> {
    let change = Change::new(mean, std)?;
    let [_, height, width, _] = x.layout().shape();
    let plane = (height * width).max(1);
    let size = share(&pool, x.memory().len() / CHANNELS, 1);
    let images = x
        .memory()
        .chunks(CHANNELS * plane)
        .zip(y.memory_mut().chunks_mut(CHANNELS * plane));
    let shares = images.flat_map(|(x, y)| {
        let (red, rest) = y.split_at_mut(plane);
        let (green, blue) = rest.split_at_mut(plane);
        let planes = red
            .chunks_mut(size)
            .zip(green.chunks_mut(size))
            .zip(blue.chunks_mut(size));
        x.chunks(CHANNELS * size).zip(planes)
    });
    pool.for_each(shares, |(x, ((red, green), blue))| {
        planar(x, [red, green, blue], &change)
    });
    Ok(())
}

/// `factor x + offset`, for each channel.
#[derive(Clone, Copy)]
struct Change {
    factor: [f32; CHANNELS],
    offset: [f32; CHANNELS],
}

impl Change {
    fn new(mean: &[f32], std: &[f32]) -> Result<Self> {
        let channels = |name: &str, numbers: &[f32]| {
            <[f32; CHANNELS]>::try_from(numbers).map_err(|_| {
                let found = numbers.len();
                let text = format!("`{name}` has {found} numbers; give one for each of 3 channels");
                Error::new(Code::InvalidArgument, text)
            })
        };
        let mean = channels("mean", mean)?;
        let std = channels("std", std)?;
        Ok(Self {
            factor: std.map(|std| 1.0 / (255.0 * std)),
            offset: from_fn(|c| -mean[c] / std[c]),
        })
    }
}

/// `x` begins with a whole pixel.
#[inline(always)]
fn interleaved(x: &[u8], y: &mut [f32], change: &Change) {
    let factor: [f32; BLOCK] = from_fn(|k| change.factor[k % CHANNELS]);
    let offset: [f32; BLOCK] = from_fn(|k| change.offset[k % CHANNELS]);
    let (x_blocks, x_rest) = x.as_chunks::<BLOCK>();
    let (y_blocks, y_rest) = y.as_chunks_mut::<BLOCK>();
    for (x, y) in x_blocks.iter().zip(y_blocks) {
        for k in 0..BLOCK {
            y[k] = f32::from(x[k]) * factor[k] + offset[k];
        }
    }
    for (k, (x, y)) in x_rest.iter().zip(y_rest).enumerate() {
        *y = f32::from(*x) * factor[k] + offset[k];
    }
}

#[inline(always)]
fn planar(x: &[u8], [red, green, blue]: [&mut [f32]; CHANNELS], change: &Change) {
    let Change { factor, offset } = *change;
    let (pixels, _) = x.as_chunks::<CHANNELS>();
    for (((x, red), green), blue) in pixels.iter().zip(red).zip(green).zip(blue) {
        *red = f32::from(x[0]) * factor[0] + offset[0];
        *green = f32::from(x[1]) * factor[1] + offset[1];
        *blue = f32::from(x[2]) * factor[2] + offset[2];
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Change, interleaved, planar};

    const CHANGE: Change = Change {
        factor: [1.0, 2.0, 3.0],
        offset: [0.5, 0.25, 0.125],
    };

    #[test]
    fn any_number_of_pixels() {
        for pixels in 0..3 * BLOCK {
            let x: Vec<u8> = (0..3 * pixels).map(|k| (k * 7 % 256) as u8).collect();
            let mut y = vec![f32::NAN; x.len()];
            interleaved(&x, &mut y, &CHANGE);
            let mut planes = vec![f32::NAN; x.len()];
            let (red, rest) = planes.split_at_mut(pixels);
            let (green, blue) = rest.split_at_mut(pixels);
            planar(&x, [red, green, blue], &CHANGE);
            for (k, x) in x.iter().enumerate() {
                let exact = f32::from(*x) * CHANGE.factor[k % 3] + CHANGE.offset[k % 3];
                assert_eq!(
                    (y[k], planes[k % 3 * pixels + k / 3]),
                    (exact, exact),
                    "{pixels}, {k}"
                );
            }
        }
    }

    #[test]
    fn a_number_for_each_channel() {
        let error = Change::new(&[0.5; 4], &[0.5; 3]).err().unwrap();
        assert_eq!(
            error.message(),
            "`mean` has 4 numbers; give one for each of 3 channels"
        );
    }
}
