//! Functions of floats that the compiler turns into vector instructions.
//!
//! `f32::exp` and `f32::ln` are calls of a library for each element, and `x as i8` is a comparison
//! with each limit. Loops with them have no vector instructions. The functions here are arithmetic
//! only. They are always inlined: in a kernel, and in other functions with `target_feature`, they
//! use the instructions that the function has.
//!
//! ```
//! use xlayout_kernel::math::exp;
//! use xlayout_kernel::reduce::{max, sum_by};
//!
//! // The logarithm of a sum of exponentials.
//! let x = [1000.0_f32, 1000.0];
//! let largest = max(&x).unwrap();
//! assert_eq!(largest + sum_by(&x, |x| exp(x - largest)).ln(), 1000.6932);
//! ```
//!
//! `exp` and `ln` are fast where `f32::mul_add` is one instruction: in a kernel on a processor with
//! FMA.

/// Half of the power of 2 of this number is 2^-127, whose bits are all 0, so the result is 0.
const LEAST: f32 = -87.5;
/// e to the power of this number is more than the largest `f32`. Half of its power of 2 is 2^127.
const MOST: f32 = 89.0;
/// The sum with a number below 2^22 is rounded to an integer. Its low bits are that integer, plus
/// 126: the 127 that the exponent of an `f32` has, less 1 for half of the power. The number is 1.5
/// * 2^23 + 126.
const ROUND: f32 = 12_583_038.0;
/// ln 2 in two parts: a product of the first one with an integer is exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
/// (e^r - 1) / r for |r| <= ln 2 / 2, the highest power first: the smallest error of e^r, 9.2e-8,
/// that 5 numbers have. One more number makes the error 30 times smaller and the function slower by
/// a sixth.
const POLYNOMIAL: [f32; 5] = [
    8.290_306e-3,
    4.189_797_5e-2,
    1.666_763_7e-1,
    4.999_915e-1,
    9.999_997e-1,
];

/// e to the power of `x`, within 2.5 units in the last place for `x` from -86.9 to 88.72.
///
/// The result is 0 below -86.99, where the true value is less than 1.7e-38. It is infinite if the
/// true value is more than the largest `f32`, and NaN for NaN.
///
/// ```
/// use xlayout_kernel::math::exp;
///
/// assert_eq!(exp(0.0), 1.0);
/// assert_eq!(exp(f32::NEG_INFINITY), 0.0);
/// assert!((exp(1.0) - core::f32::consts::E).abs() < 3e-7);
/// ```
#[inline(always)]
#[must_use]
pub fn exp(x: f32) -> f32 {
    // Each line is one instruction. NaN stays NaN.
    let x = if x < LEAST { LEAST } else { x };
    let x = if x > MOST { MOST } else { x };
    // x = n ln 2 + r with an integer n.
    let shifted = x.mul_add(core::f32::consts::LOG2_E, ROUND);
    let half_power = f32::from_bits(shifted.to_bits() << 23);
    let n = shifted - ROUND;
    let r = n.mul_add(-LN_2[1], n.mul_add(-LN_2[0], x));
    // 2 e^r times 2^(n-1): 2^128 is not an `f32`, but the product may be.
    let mut p = 2.0 * POLYNOMIAL[0];
    for c in &POLYNOMIAL[1..] {
        p = p.mul_add(r, 2.0 * c);
    }
    p.mul_add(r, 2.0) * half_power
}

/// The bits of the square root of 1/2.
const SQRT_HALF: u32 = 0x3f35_04f3;
/// (ln(1 + f) - f + f^2 / 2) / f^3 for 1 + f from the square root of 1/2 to that of 2, the highest
/// power first (Cephes, `logf`).
const LOGARITHM: [f32; 9] = [
    7.037_683_6e-2,
    -1.151_461e-1,
    1.167_699_9e-1,
    -1.242_014_1e-1,
    1.424_932_3e-1,
    -1.666_805_8e-1,
    2.000_071_5e-1,
    -2.499_999_4e-1,
    3.333_333e-1,
];

/// The natural logarithm of `x`, within 2.5 units in the last place.
///
/// The result is minus infinity for 0, infinity for infinity, and NaN for NaN and for negative
/// numbers.
///
/// Use it in loops over many numbers. For a single number `f32::ln` is as fast.
///
/// ```
/// use xlayout_kernel::math::ln;
///
/// assert_eq!(ln(1.0), 0.0);
/// assert_eq!(ln(0.0), f32::NEG_INFINITY);
/// assert!((ln(10.0) - core::f32::consts::LN_10).abs() < 3e-7);
/// ```
#[inline(always)]
#[must_use]
pub fn ln(x: f32) -> f32 {
    // A subnormal number is made a normal one.
    let small = x < f32::MIN_POSITIVE;
    let normal = if small { x * 8_388_608.0 } else { x };
    // normal = 2^n (1 + f)
    let n = (normal.to_bits().wrapping_sub(SQRT_HALF) as i32) >> 23;
    let f = f32::from_bits(normal.to_bits().wrapping_sub((n as u32) << 23)) - 1.0;
    let n = n as f32 - if small { 23.0 } else { 0.0 };
    let mut p = LOGARITHM[0];
    for c in &LOGARITHM[1..] {
        p = p.mul_add(f, *c);
    }
    let square = f * f;
    let rest = n.mul_add(LN_2[1], (p * f).mul_add(square, -0.5 * square));
    let result = n.mul_add(LN_2[0], f + rest);
    if x > 0.0 && x < f32::INFINITY {
        result
    } else if x == 0.0 {
        f32::NEG_INFINITY
    } else if x < 0.0 {
        f32::NAN
    } else {
        x
    }
}

/// The integer nearest to `x`; ties go to the even one. It is -128 or 127 if `x` is out of range,
/// and 0 for NaN.
///
/// ```
/// use xlayout_kernel::math::round_i8;
///
/// assert_eq!([2.4, 2.5, 3.5, -0.6, 1000.0, f32::NAN].map(round_i8), [2, 2, 4, -1, 127, 0]);
/// ```
#[inline(always)]
#[must_use]
pub fn round_i8(x: f32) -> i8 {
    let x = if x < -128.0 { -128.0 } else { x };
    let x = if x > 127.0 { 127.0 } else { x };
    let x = if x.is_nan() { 0.0 } else { x };
    // The sum is rounded to an integer, which is then in the low bits: 1.5 * 2^23.
    (x + 12_582_912.0).to_bits() as i8
}

/// The largest integer that is not above `x`. It is -4194304 or 4194303 if `x` is out of this
/// range, and -4194304 for NaN.
///
/// ```
/// use xlayout_kernel::math::floor_i32;
///
/// assert_eq!([2.9, -0.1, 3.0, f32::INFINITY].map(floor_i32), [2, -1, 3, 4194303]);
/// ```
#[inline(always)]
#[must_use]
pub fn floor_i32(x: f32) -> i32 {
    let x = if x > -4_194_304.0 { x } else { -4_194_304.0 };
    let x = if x < 4_194_303.0 { x } else { 4_194_303.0 };
    // As in `round_i8`; the integer may be above `x`. In the low bits it has 2^22 added.
    let rounded = x + 12_582_912.0;
    let integer = rounded.to_bits().wrapping_sub(0x4b40_0000) as i32;
    integer - i32::from(rounded - 12_582_912.0 > x)
}

#[cfg(test)]
mod tests {
    use super::{exp, floor_i32, ln, round_i8};

    #[test]
    fn within_two_and_a_half_units_of_the_true_value() {
        let mut worst = (0.0_f64, 0.0);
        for k in -869_000..=887_228 {
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
        for x in [-87.1, -87.4, -87.5, -88.0, -1e30, f32::NEG_INFINITY] {
            assert_eq!(exp(x).to_bits(), 0, "{x}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(f32::NAN).is_nan());
        assert!(exp(f32::from_bits(0x7f80_0001)).is_nan());
        for x in [88.723, 88.8, 89.0, 1e10, f32::INFINITY] {
            assert_eq!(exp(x), f32::INFINITY, "{x}");
        }
        // The neighbours of both ends: no number is negative, and the results grow.
        for (from, to) in [(-88.5_f32, -86.8_f32), (88.2, 88.8)] {
            let mut x = from;
            let mut last = exp(from);
            while x < to {
                x += 1e-4;
                assert!(exp(x) >= last * (1.0 - 4e-7), "{x}: {} {last}", exp(x));
                last = exp(x);
            }
        }
    }

    #[test]
    fn a_logarithm_is_within_two_and_a_half_units() {
        let mut worst = (0.0_f64, 0.0);
        // All exponents, and numbers near 1, where the logarithm is small.
        let all = (1..0x7f80_0000).step_by(1009).map(f32::from_bits);
        let near = (0x3f70_0000..0x3f90_0000).step_by(7).map(f32::from_bits);
        for x in all.chain(near).filter(|&x| x != 1.0) {
            let exact = f64::from(x).ln();
            let size = (exact as f32).abs();
            let unit = f64::from(size) - f64::from(size.next_down());
            let error = (f64::from(ln(x)) - exact).abs() / unit;
            if error > worst.0 {
                worst = (error, x);
            }
        }
        assert!(worst.0 <= 2.5, "{worst:?} units in the last place");
    }

    #[test]
    fn logarithms_at_the_ends() {
        assert_eq!(ln(1.0), 0.0);
        assert_eq!((ln(0.0), ln(-0.0)), (f32::NEG_INFINITY, f32::NEG_INFINITY));
        assert_eq!(ln(f32::INFINITY), f32::INFINITY);
        for x in [-1.0, -1e-40, f32::NEG_INFINITY, f32::NAN] {
            assert!(ln(x).is_nan(), "{x}");
        }
    }

    #[test]
    fn bytes_are_rounded_as_by_the_library() {
        for k in -4_000_i32..=4_000 {
            let x = k as f32 / 16.0;
            assert_eq!(round_i8(x), x.round_ties_even() as i8, "{x}");
        }
        for (x, expected) in [
            (f32::INFINITY, 127),
            (f32::NEG_INFINITY, -128),
            (-f32::NAN, 0),
        ] {
            assert_eq!(round_i8(x), expected, "{x}");
        }
    }

    #[test]
    fn floors_are_those_of_the_library() {
        let end = 4_194_304.0_f32;
        let near = [
            -end,
            -end + 0.5,
            end - 1.5,
            end - 1.0,
            -0.5,
            -0.0,
            0.5,
            1.0_f32.next_down(),
        ];
        for x in (-8_000..=8_000).map(|k| k as f32 / 8.0).chain(near) {
            assert_eq!(floor_i32(x), x.floor() as i32, "{x}");
        }
        for x in [-1e9, f32::NEG_INFINITY, f32::NAN] {
            assert_eq!(floor_i32(x), -4_194_304, "{x}");
        }
        for x in [end - 0.5, end, 1e9, f32::INFINITY] {
            assert_eq!(floor_i32(x), 4_194_303, "{x}");
        }
    }
}
