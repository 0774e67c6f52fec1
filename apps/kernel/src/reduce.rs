//! Reductions of slices, in an order that the compiler can turn into vector instructions.
//!
//! `x.iter().sum::<f32>()` adds one element after the other, because the order decides how a float
//! is rounded. The functions here use [`LANES`] partial results instead. The order is fixed, so
//! that a reduction gives the same bits on every processor and in every build:
//!
//! 1. Element `k` goes to lane `k % LANES`. Each lane takes its elements in sequence.
//! 2. Lane `k` takes lane `k + LANES / 2`, for each `k < LANES / 2`. This is repeated with half of
//!    the lanes until one lane is left.
//!
//! ```
//! use xlayout_kernel::reduce::{dot, max, sum, sum_by};
//!
//! let x = [1.0_f32, 2.0, 6.0, 3.0];
//! let mean = sum(&x) / 4.0;
//! assert_eq!(mean, 3.0);
//! assert_eq!(sum_by(&x, |x| (x - mean) * (x - mean)), 14.0);
//! assert_eq!(max(&x), Some(6.0));
//! assert_eq!(dot(&x, &x), 50.0);
//! ```
//!
//! For a convolution, which has a sum of products for each element, see [`sum_products`].
//!
//! For products of matrices, distances between points and convolutions of many channels, which have
//! a sum for each pair of a row and a column, see [`Columns`]. It adds in sequence. For products of
//! integers see [`IntegerColumns`].
//!
//! The functions are always inlined: in a kernel, and in other functions with `target_feature`,
//! they use the instructions that the function has.

use core::hint::black_box;

mod columns;
mod extremes;
mod integer_columns;
mod products;

pub use columns::Columns;
pub use extremes::{argmax, argmin, max, max_by, min, min_by};
pub use integer_columns::IntegerColumns;
pub use products::sum_products;

/// The number of partial results.
///
/// 32 lanes of `f32` are two registers of AVX-512, four of AVX2, and eight of SSE or NEON: enough
/// that an addition does not wait for the one before it.
pub const LANES: usize = 32;
/// The number of lanes that [`short`] fills together.
const PART: usize = LANES / 4;

/// A number that can be reduced: Rust's integers, `f32` and `f64`.
///
/// Integers wrap, as XLA's do. The trait is sealed.
pub trait ReducedNumber: Copy + PartialOrd + sealed::Sealed {
    /// 0.
    const ZERO: Self;
    /// Whether the result of a sum does not depend on the order.
    #[doc(hidden)]
    const EXACT: bool;
    /// `self + other`; an integer wraps.
    #[must_use]
    fn plus(self, other: Self) -> Self;
    /// `self * other`; an integer wraps, a float is rounded.
    #[must_use]
    fn times(self, other: Self) -> Self;
    /// Whether this is not a number.
    fn is_nan(self) -> bool;
}

mod sealed {
    /// Only this crate implements it.
    pub trait Sealed {}
}

macro_rules! numbers {
    ($($number:ident)*, $exact:literal, $plus:expr, $times:expr, $nan:expr) => {$(
        impl sealed::Sealed for $number {}
        impl ReducedNumber for $number {
            const ZERO: Self = 0 as Self;
            const EXACT: bool = $exact;
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                let plus: fn(Self, Self) -> Self = $plus;
                plus(self, other)
            }
            #[inline(always)]
            fn times(self, other: Self) -> Self {
                let times: fn(Self, Self) -> Self = $times;
                times(self, other)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                let nan: fn(Self) -> bool = $nan;
                nan(self)
            }
        }
    )*};
}
numbers!(i8 i16 i32 i64 u8 u16 u32 u64, true, |a, b| a.wrapping_add(b), |a, b| a.wrapping_mul(b), |_| false);
numbers!(f32 f64, false, |a, b| a + b, |a, b| a * b, |a| a.is_nan());

/// Joins the upper half of the lanes to the lower half, until one lane is left.
#[inline(always)]
fn join<T: Copy>(mut lanes: [T; LANES], join: impl Fn(T, T) -> T) -> T {
    let mut half = LANES / 2;
    while half > 0 {
        for k in 0..half {
            lanes[k] = join(lanes[k], lanes[k + half]);
        }
        half /= 2;
    }
    lanes[0]
}

/// The sum of the products of two slices of one length: of whole blocks, of fewer elements than a
/// block has, or of both.
#[inline(always)]
fn sum_of<A: Copy, B: Copy, T: ReducedNumber>(a: &[A], b: &[B], product: impl Fn(A, B) -> T) -> T {
    // The compiler itself divides a sum of integers into lanes, and multiplies narrow ones in
    // pairs.
    if T::EXACT {
        let mut sum = T::ZERO;
        for (&a, &b) in a.iter().zip(b) {
            sum = sum.plus(product(a, b));
        }
        return sum;
    }
    let (blocks, rest) = a.as_chunks();
    let (blocks_b, rest_b) = b.as_chunks();
    // One `join` after all three cases: with one in each, the compiler makes registers of two lanes
    // for the blocks.
    let lanes = if rest.is_empty() {
        whole(blocks, blocks_b, &product)
    } else if blocks.is_empty() {
        short(rest, rest_b, &product)
    } else {
        // Through memory, in which all registers of a block are stored: else the sums of the blocks
        // are computed in the pieces that `short` has.
        let Lanes(mut lanes) = black_box(Lanes(whole(blocks, blocks_b, &product)));
        let rest = short(rest, rest_b, &product);
        for k in 0..LANES {
            lanes[k] = lanes[k].plus(rest[k]);
        }
        lanes
    };
    join(lanes, T::plus)
}

/// Lanes in memory, in whole lines of the cache: a register of AVX-512 that is stored across two
/// lines cannot be loaded until the store is complete.
#[repr(align(64))]
struct Lanes<T>([T; LANES]);

/// The sums of the products of whole blocks, lane by lane.
#[inline(always)]
fn whole<A: Copy, B: Copy, T: ReducedNumber>(
    a: &[[A; LANES]],
    b: &[[B; LANES]],
    product: &impl Fn(A, B) -> T,
) -> [T; LANES] {
    let mut lanes = [T::ZERO; LANES];
    for (a, b) in a.iter().zip(b) {
        for k in 0..LANES {
            lanes[k] = lanes[k].plus(product(a[k], b[k]));
        }
    }
    lanes
}

/// The products of fewer than [`LANES`] elements, each in its lane, in registers.
///
/// A loop over some of the lanes takes their addresses, and so has them in memory. Here each number
/// of whole parts has code of its own, in which every lane is known. A lane without an element is
/// 0, which changes nothing: no lane is -0.0, because it began as 0.
#[inline(always)]
fn short<A: Copy, B: Copy, T: ReducedNumber>(
    a: &[A],
    b: &[B],
    product: &impl Fn(A, B) -> T,
) -> [T; LANES] {
    let (a, last_a) = a.as_chunks::<PART>();
    let (b, last_b) = b.as_chunks::<PART>();
    let mut last = [T::ZERO; PART];
    for k in 0..PART - 1 {
        if k < last_a.len() && k < last_b.len() {
            last[k] = T::ZERO.plus(product(last_a[k], last_b[k]));
        }
    }
    match (a, b) {
        ([], []) => parts([], [], last, product),
        ([a], [b]) => parts([a], [b], last, product),
        ([a, c], [b, d]) => parts([a, c], [b, d], last, product),
        ([a, c, e], [b, d, f]) => parts([a, c, e], [b, d, f], last, product),
        _ => unreachable!("both have one length, which is less than that of a block"),
    }
}

/// The products of `N` whole parts, and the last products behind them.
#[inline(always)]
fn parts<const N: usize, A: Copy, B: Copy, T: ReducedNumber>(
    a: [&[A; PART]; N],
    b: [&[B; PART]; N],
    last: [T; PART],
    product: &impl Fn(A, B) -> T,
) -> [T; LANES] {
    let mut lanes = [T::ZERO; LANES];
    for part in 0..N {
        for k in 0..PART {
            lanes[PART * part + k] = T::ZERO.plus(product(a[part][k], b[part][k]));
        }
    }
    lanes[PART * N..][..PART].copy_from_slice(&last);
    lanes
}

/// The sum of all elements; 0 if `x` is empty.
#[inline(always)]
#[must_use]
pub fn sum<T: ReducedNumber>(x: &[T]) -> T {
    sum_by(x, |x| x)
}

/// The sum of `value` of all elements; 0 if `x` is empty.
///
/// ```
/// // A sum of integers in a wider type.
/// let sum = xlayout_kernel::reduce::sum_by(&[200_u8, 100], u32::from);
/// assert_eq!(sum, 300);
/// ```
#[inline(always)]
#[must_use]
pub fn sum_by<A: Copy, T: ReducedNumber>(x: &[A], value: impl Fn(A) -> T) -> T {
    sum_of(x, x, |x, _| value(x))
}

/// The sum of the products of two slices; 0 if they are empty.
///
/// A product of floats is rounded before it is added.
///
/// # Panics
/// If the slices differ in length.
#[inline(always)]
#[must_use]
#[track_caller]
pub fn dot<T: ReducedNumber>(a: &[T], b: &[T]) -> T {
    dot_by(a, b, T::times)
}

/// The sum of `product` of the elements of two slices; 0 if they are empty.
///
/// ```
/// use xlayout_kernel::reduce::dot_by;
///
/// let (a, b) = ([100_i8, -100], [100_i8, 100]);
/// assert_eq!(dot_by(&a, &b, |a, b| i32::from(a) * i32::from(b)), 0);
/// ```
///
/// # Panics
/// If the slices differ in length.
#[inline(always)]
#[must_use]
#[track_caller]
pub fn dot_by<A: Copy, B: Copy, T: ReducedNumber>(
    a: &[A],
    b: &[B],
    product: impl Fn(A, B) -> T,
) -> T {
    let found = b.len();
    let expected = a.len();
    assert!(
        found == expected,
        "the second slice has {found} elements and the first has {expected}: pass \
         slices of one length"
    );
    sum_of(a, b, product)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers whose sums depend on the order.
    fn numbers(n: usize) -> Vec<f32> {
        (0..n)
            .map(|k| ((k * 37 % 101) as f32 - 50.0) * 1.1)
            .collect()
    }

    /// A second implementation of the documented order.
    fn in_order(x: &[f32]) -> f32 {
        let mut lanes = [0.0; LANES];
        for (k, x) in x.iter().enumerate() {
            lanes[k % LANES] += x;
        }
        for half in [16, 8, 4, 2, 1] {
            for k in 0..half {
                lanes[k] += lanes[k + half];
            }
        }
        lanes[0]
    }

    #[test]
    fn the_order_is_that_of_the_documentation() {
        for n in 0..200 {
            let x = numbers(n);
            assert_eq!(sum(&x).to_bits(), in_order(&x).to_bits(), "{n}");
            let squares: Vec<f32> = x.iter().map(|x| x * x).collect();
            assert_eq!(dot(&x, &x).to_bits(), in_order(&squares).to_bits(), "{n}");
            assert_eq!(sum_by(&x, |x| x * x), dot(&x, &x));
            // A lane without elements is 0, which changes the sign of a sum of -0.
            let zeros = vec![-0.0_f32; n];
            assert_eq!(sum(&zeros).to_bits(), in_order(&zeros).to_bits(), "{n}");
            assert_eq!(
                dot(&zeros, &vec![1.0; n]).to_bits(),
                in_order(&zeros).to_bits(),
                "{n}"
            );
        }
    }

    #[test]
    fn largest_and_smallest_are_the_first_of_all() {
        for n in 1..200 {
            let x = numbers(n);
            let largest = x.iter().copied().fold(f32::MIN, f32::max);
            assert_eq!(max(&x), Some(largest));
            assert_eq!(argmax(&x), x.iter().position(|&x| x == largest));
            let smallest = x.iter().copied().fold(f32::MAX, f32::min);
            assert_eq!(min(&x), Some(smallest));
            assert_eq!(min_by(&x, |x| -x), Some(-largest));
            assert_eq!(max_by(&x, f32::abs), Some(largest.max(-smallest)));
            assert_eq!(argmin(&x), x.iter().position(|&x| x == smallest));
        }
        assert_eq!((max::<f32>(&[]), argmax::<i8>(&[])), (None, None));
        assert_eq!((min::<u8>(&[]), argmin::<f64>(&[])), (None, None));
    }

    #[test]
    fn a_nan_anywhere_is_the_result() {
        for n in [1, 5, 32, 33, 100] {
            for at in 0..n {
                let mut x = numbers(n);
                x[at] = f32::NAN;
                assert!(max(&x).unwrap().is_nan() && min(&x).unwrap().is_nan());
                assert_eq!((argmax(&x), argmin(&x)), (Some(at), Some(at)));
                assert!(max_by(&x, f32::abs).unwrap().is_nan());
            }
        }
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(sum(&[i8::MAX, 1]), i8::MIN);
        assert_eq!(dot(&[16_u8; 40], &[16; 40]), 0);
    }

    #[test]
    #[should_panic(expected = "the second slice has 2 elements and the first has 3")]
    fn slices_of_two_lengths_are_refused() {
        let _ = dot(&[1, 2, 3], &[1, 2]);
    }
}
