//! Arithmetic that the compiler turns into vectors: what several kernels share.

/// Below it the result is no normal number any more, and counts as zero.
const LOWEST: f32 = -87.336_54;
/// Adding it rounds to a whole number, which then is in the low bits.
const ROUND: f32 = 12_582_912.0; // 1.5 * 2^23
/// ln 2 in two parts: whole numbers times the first one are exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2, the highest power first: those of Taylor, moved a little
/// so that the error is spread evenly (Cephes, `expf`).
const POLYNOMIAL: [f32; 6] = [
    1.987_569_1e-4,
    1.398_199_9e-3,
    8.333_452e-3,
    4.166_579_6e-2,
    1.666_666_5e-1,
    0.5,
];

/// e to the power of `x`, for `x` up to 88: within 2 units in the last place; zero below -87.3,
/// NaN of NaN.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // x = n ln 2 + r, n whole.
    let n = x.mul_add(core::f32::consts::LOG2_E, ROUND);
    let power = f32::from_bits((n.to_bits() << 23).wrapping_add(1.0_f32.to_bits()));
    let n = n - ROUND;
    let r = n.mul_add(-LN_2[1], n.mul_add(-LN_2[0], x));
    let mut p = POLYNOMIAL[0];
    for c in &POLYNOMIAL[1..] {
        p = p.mul_add(r, *c);
    }
    let p = p.mul_add(r * r, r) + 1.0;
    if x < LOWEST { 0.0 } else { p * power }
}

#[cfg(test)]
mod tests {
    use super::exp;

    fn worst() -> f64 {
        let mut worst = 0.0_f64;
        for k in -873_000..=880_000 {
            let x = k as f32 * 1e-4;
            let exact = f64::from(x).exp();
            let unit = f64::from(exact as f32) - f64::from((exact as f32).next_down());
            worst = worst.max((f64::from(exp(x)) - exact).abs() / unit);
        }
        worst
    }

    #[test]
    fn within_two_units_of_the_true_value() {
        let worst = worst();
        assert!(worst <= 2.0, "{worst} units in the last place");
    }

    #[test]
    fn what_is_too_small_is_zero_and_nan_stays_nan() {
        assert_eq!(exp(-87.4), 0.0);
        assert_eq!(exp(-1e30), 0.0);
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(f32::NAN).is_nan());
    }
}
