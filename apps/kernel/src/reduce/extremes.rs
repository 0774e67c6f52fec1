//! The largest and the smallest elements, and where they are.

use super::{LANES, ReducedNumber, join};

const HALF: usize = LANES / 2;

/// The largest element; `None` if `x` is empty. NaN if an element is NaN, as XLA's `maximum`. 0.0
/// and -0.0 are equal, so the result may be either of them.
#[inline(always)]
#[must_use]
pub fn max<T: ReducedNumber>(x: &[T]) -> Option<T> {
    max_by(x, |x| x)
}

/// The largest `value` of an element; `None` if `x` is empty. NaN if a value is NaN.
///
/// `value` must give the same result each time: it may be called more than once for an element.
///
/// ```
/// use xlayout_kernel::reduce::max_by;
///
/// assert_eq!(max_by(&[1.0_f32, -3.0, 2.0], f32::abs), Some(3.0));
/// ```
#[inline(always)]
#[must_use]
pub fn max_by<A: Copy, T: ReducedNumber>(x: &[A], value: impl Fn(A) -> T) -> Option<T> {
    extreme(x, value, |a, b| a > b)
}

/// The smallest element; `None` if `x` is empty. NaN if an element is NaN, as XLA's `minimum`. 0.0
/// and -0.0 are equal, so the result may be either of them.
#[inline(always)]
#[must_use]
pub fn min<T: ReducedNumber>(x: &[T]) -> Option<T> {
    min_by(x, |x| x)
}

/// The smallest `value` of an element; `None` if `x` is empty. NaN if a value is NaN.
///
/// `value` must give the same result each time: it may be called more than once for an element.
#[inline(always)]
#[must_use]
pub fn min_by<A: Copy, T: ReducedNumber>(x: &[A], value: impl Fn(A) -> T) -> Option<T> {
    extreme(x, value, |a, b| a < b)
}

/// NaN if a value is NaN; else the value that no other is `beyond`.
///
/// A comparison that also chooses NaN is several instructions, each of which waits for the one
/// before. So the lanes of the result ignore NaN, which is one instruction. Whether there is a NaN
/// is a mask: one instruction compares two registers, because a comparison with a NaN on either
/// side is unordered.
#[inline(always)]
fn extreme<A: Copy, T: ReducedNumber>(
    x: &[A],
    value: impl Fn(A) -> T,
    beyond: impl Fn(T, T) -> bool,
) -> Option<T> {
    let &filler = x.first()?;
    let first = value(filler);
    let choose = |a: T, b: T| if beyond(b, a) { b } else { a };
    if T::EXACT {
        return Some(x.iter().fold(first, |a, &x| choose(a, value(x))));
    }
    let (blocks, rest) = x.as_chunks::<LANES>();
    let mut lanes = [first; LANES];
    let mut nans = [0_u32; HALF];
    let step = |lanes: &mut [T; LANES], nans: &mut [u32; HALF], block: &[A; LANES]| {
        for k in 0..HALF {
            let a = value(block[k]);
            let b = value(block[k + HALF]);
            lanes[k] = choose(lanes[k], a);
            lanes[k + HALF] = choose(lanes[k + HALF], b);
            nans[k] = if a.is_nan() | b.is_nan() {
                u32::MAX
            } else {
                nans[k]
            };
        }
    };
    for block in blocks {
        step(&mut lanes, &mut nans, block);
    }
    if !rest.is_empty() {
        // The last block is filled with the first value. All lanes begin with this value, so it
        // does not change the result.
        let mut last = [filler; LANES];
        last[..rest.len()].copy_from_slice(rest);
        step(&mut lanes, &mut nans, &last);
    }
    if nans.iter().fold(0, |any, nan| any | nan) == 0 {
        return Some(join(lanes, choose));
    }
    x.iter().map(|&x| value(x)).find(|value| value.is_nan())
}

/// The index of the first largest element; `None` if `x` is empty. NaN is larger than any number,
/// as in `jnp.argmax`.
#[inline(always)]
#[must_use]
pub fn argmax<T: ReducedNumber>(x: &[T]) -> Option<usize> {
    first(x, max(x)?)
}

/// The index of the first smallest element; `None` if `x` is empty. NaN is smaller than any number,
/// as in `jnp.argmin`.
#[inline(always)]
#[must_use]
pub fn argmin<T: ReducedNumber>(x: &[T]) -> Option<usize> {
    first(x, min(x)?)
}

/// The first index of a value. For NaN, the index of the first NaN.
#[inline(always)]
fn first<T: ReducedNumber>(x: &[T], value: T) -> Option<usize> {
    let is = |x: T| (x == value) | (x.is_nan() & value.is_nan());
    let (blocks, rest) = x.as_chunks::<LANES>();
    // A block is compared as a whole: a loop that stops at an element is no vector instruction.
    let block = blocks
        .iter()
        .position(|block| block.iter().fold(false, |any, &x| any | is(x)));
    let (start, found) = match block {
        Some(block) => (block * LANES, &blocks[block][..]),
        None => (blocks.len() * LANES, rest),
    };
    found.iter().position(|&x| is(x)).map(|k| start + k)
}
