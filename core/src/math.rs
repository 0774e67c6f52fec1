//! Functions of floats that the compiler turns into vector instructions.
//!
//! `f32::exp` is a call of a library for each element, so a loop with it has no vector instructions. The
//! function here is arithmetic only. It is always inlined: in a kernel, and in other functions with
//! `target_feature`, it uses the instructions that the function has.
//!
//! ```
//! use xlayout_core::math::exp;
//! use xlayout_core::reduce::{max, sum_by};
//!
//! // The logarithm of a sum of exponentials.
//! let x = [1000.0_f32, 1000.0];
//! let largest = max(&x).unwrap();
//! assert_eq!(largest + sum_by(&x, |x| exp(x - largest)).ln(), 1000.6932);
//! ```

/// The power of 2 of this number is 2^-127, whose bits are all 0, so the result is 0.
const LEAST: f32 = -88.0;
/// The power of 2 of this number is 2^128, whose bits are those of infinity.
const MOST: f32 = 89.0;
/// The sum with a number below 2^22 is rounded to an integer. Its low bits are that integer, plus the
/// 127 that the exponent of an `f32` has: 1.5 * 2^23 + 127.
const ROUND: f32 = 12_583_039.0;
/// ln 2 in two parts: a product of the first one with an integer is exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
/// (e^r - 1) / r for |r| <= ln 2 / 2, the highest power first: the smallest error of e^r, 9.2e-8, that 5
/// numbers have. One more number makes the error 30 times smaller and the function slower by a sixth.
const POLYNOMIAL: [f32; 5] = [
    8.290_306e-3,
    4.189_797_5e-2,
    1.666_763_7e-1,
    4.999_915e-1,
    9.999_997e-1,
];

/// e to the power of `x`, within 2.5 units in the last place for `x` from -87.3 to 88.3.
///
/// It is 0 below -87.69, where `f32` has subnormal numbers only, infinite above 88.38, and NaN of NaN.
///
/// It is fast where `f32::mul_add` is one instruction: in a kernel on a processor with FMA.
///
/// ```
/// use xlayout_core::math::exp;
///
/// assert_eq!(exp(0.0), 1.0);
/// assert_eq!(exp(f32::NEG_INFINITY), 0.0);
/// assert!((exp(1.0) - core::f32::consts::E).abs() < 3e-7);
/// ```
#[inline(always)]
#[must_use]
pub fn exp(x: f32) -> f32 {
    // One instruction each; a NaN stays.
    let x = if x < LEAST { LEAST } else { x };
    let x = if x > MOST { MOST } else { x };
    // x = n ln 2 + r with an integer n.
    let shifted = x.mul_add(core::f32::consts::LOG2_E, ROUND);
    let power = f32::from_bits(shifted.to_bits() << 23);
    let n = shifted - ROUND;
    let r = n.mul_add(-LN_2[1], n.mul_add(-LN_2[0], x));
    let mut p = POLYNOMIAL[0];
    for c in &POLYNOMIAL[1..] {
        p = p.mul_add(r, *c);
    }
    p.mul_add(r, 1.0) * power
}

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn within_two_and_a_half_units_of_the_true_value() {
        let mut worst = (0.0_f64, 0.0);
        for k in -873_000..=883_000 {
            let x = k as f32 * 1e-4;
            let exact = f64::from(x).exp();
            let unit = f64::from(exact as f32) - f64::from((exact as f32).next_down());
            let error = (f64::from(exp(x)) - exact).abs() / unit;
            if error > worst.0 {
                worst = (error, x);
            }
        }
        assert!(worst.0 <= 2.5, "{worst:?} units in the last place");
    }

    #[test]
    fn the_ends_of_the_range() {
        for x in [-87.7, -88.0, -100.0, -1e30, f32::NEG_INFINITY] {
            assert_eq!(exp(x).to_bits(), 0, "{x}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(f32::NAN).is_nan());
        assert!(exp(f32::from_bits(0x7f80_0001)).is_nan());
        for x in [88.4, 89.0, 1e10, f32::INFINITY] {
            assert_eq!(exp(x), f32::INFINITY, "{x}");
        }
        // The neighbours of both ends: no number is negative, and the results grow.
        for (from, to) in [(-88.5_f32, -87.2_f32), (88.2, 88.5)] {
            let (mut x, mut last) = (from, exp(from));
            while x < to {
                x += 1e-4;
                assert!(exp(x) >= last * (1.0 - 4e-7), "{x}: {} {last}", exp(x));
                last = exp(x);
            }
        }
    }
}
