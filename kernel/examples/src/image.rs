//! Normalisation of images.
use multiversion::multiversion;

const CHANNELS: usize = 3;
/// Pixels side by side: their channels fill whole vectors.
const PIXELS: usize = 16;

#[derive(Clone, Copy)]
struct Normal { factor: [f32; CHANNELS], offset: [f32; CHANNELS] }

#[multiversion(targets = "simd")]
fn interleaved(x: &[u8], y: &mut [f32], normal: &Normal) {
    let factor: [f32; CHANNELS * PIXELS] = core::array::from_fn(|k| normal.factor[k % CHANNELS]);
    let offset: [f32; CHANNELS * PIXELS] = core::array::from_fn(|k| normal.offset[k % CHANNELS]);
    for (x, y) in x.chunks(CHANNELS * PIXELS).zip(y.chunks_mut(CHANNELS * PIXELS)) {
        for ((y, x), (f, o)) in y.iter_mut().zip(x).zip(factor.iter().zip(&offset)) {
            *y = f32::from(*x) * f + o;
        }
    }
}

#[multiversion(targets = "simd")]
fn planar(x: &[u8], planes: [&mut [f32]; CHANNELS], normal: &Normal) {
    let [r, g, b] = planes;
    let (x, _) = x.as_chunks::<CHANNELS>();
    for (((x, r), g), b) in x.iter().zip(r).zip(g).zip(b) {
        *r = f32::from(x[0]) * normal.factor[0] + normal.offset[0];
        *g = f32::from(x[1]) * normal.factor[1] + normal.offset[1];
        *b = f32::from(x[2]) * normal.factor[2] + normal.offset[2];
    }
}
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn time() {
        for n in [1, 32] {
            let x: Vec<u8> = (0..n * 224 * 224 * 3).map(|i| (i * 7919 % 256) as u8).collect();
            let mut y = vec![0.0; x.len()];
            let normal = Normal { factor: [1.0, 2.0, 3.0], offset: [0.1, 0.2, 0.3] };
            let mut best = f64::MAX;
            for _ in 0..20 { let t = std::time::Instant::now(); interleaved(&x, &mut y, &normal); best = best.min(t.elapsed().as_secs_f64()); }
            println!("nhwc {n}: {} us", best * 1e6);
            let mut best = f64::MAX;
            for _ in 0..20 { let t = std::time::Instant::now();
                for (x, y) in x.chunks(224*224*3).zip(y.chunks_mut(224*224*3)) {
                    let (r, y) = y.split_at_mut(224*224); let (g, b) = y.split_at_mut(224*224);
                    planar(x, [r, g, b], &normal); }
                best = best.min(t.elapsed().as_secs_f64()); }
            println!("nchw {n}: {} us", best * 1e6);
        }
    }
}
