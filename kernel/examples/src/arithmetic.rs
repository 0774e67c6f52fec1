//! Arithmetic that the compiler turns into vectors: what several kernels share.

/// What a loop works on side by side: two of the widest vectors.
pub(crate) const LANES: usize = 32;

/// The lanes as one value, half onto half.
#[inline(always)]
pub(crate) fn fold(mut lanes: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = LANES / 2;
    while half > 0 {
        for k in 0..half {
            lanes[k] = join(lanes[k], lanes[k + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// `a * b + c`: in one step where the processor has one for it, else in two. Rust itself would call
/// a function of the C library there, which is exact and slow.
#[inline(always)]
pub(crate) fn fused<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// Below it the result is no normal number any more, and counts as zero.
const LOWEST: f32 = -87.336_54;
/// Adding it rounds to a whole number, which then stands in the low bits.
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
pub(crate) fn exp<const FMA: bool>(x: f32) -> f32 {
    // x = n ln 2 + r, n whole.
    let n = fused::<FMA>(x, core::f32::consts::LOG2_E, ROUND);
    let power = f32::from_bits((n.to_bits() << 23).wrapping_add(1.0_f32.to_bits()));
    let n = n - ROUND;
    let r = fused::<FMA>(n, -LN_2[1], fused::<FMA>(n, -LN_2[0], x));
    let mut p = POLYNOMIAL[0];
    for c in &POLYNOMIAL[1..] {
        p = fused::<FMA>(p, r, *c);
    }
    let p = fused::<FMA>(p, r * r, r) + 1.0;
    if x < LOWEST { 0.0 } else { p * power }
}

#[cfg(test)]
mod tests {
    use super::exp;

    fn worst<const FMA: bool>() -> f64 {
        let mut worst = 0.0_f64;
        for k in -873_000..=880_000 {
            let x = k as f32 * 1e-4;
            let exact = f64::from(x).exp();
            let unit = f64::from(exact as f32) - f64::from((exact as f32).next_down());
            worst = worst.max((f64::from(exp::<FMA>(x)) - exact).abs() / unit);
        }
        worst
    }

    #[test]
    fn within_two_units_of_the_true_value() {
        let worst = [worst::<false>(), worst::<true>()];
        assert!(
            worst.iter().all(|&w| w <= 2.0),
            "{worst:?} units in the last place"
        );
    }

    #[test]
    fn what_is_too_small_is_zero_and_nan_stays_nan() {
        assert_eq!(exp::<true>(-87.4), 0.0);
        assert_eq!(exp::<false>(-1e30), 0.0);
        assert_eq!(exp::<true>(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp::<false>(0.0), 1.0);
        assert!(exp::<true>(f32::NAN).is_nan());
    }
}
