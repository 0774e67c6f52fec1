//! The place of a part of an array in memory, and the modes of the part.
//!
//! A part has `sizes[d]` coordinates of dimension `d`, from `origin[d]` on. A **cut** of a
//! dimension is a width at which the step in memory changes. The cuts are the divisor of each mode,
//! and the divisor times the size of each mode but the most major one.
//!
//! The rule: for each cut `c` of dimension `d`, `origin[d]` is a multiple of `c`, or all
//! coordinates of the part have the same quotient by `c`.
//!
//! 1. Then a digit of `origin + i` is the digit of `origin` plus the digit of `i`, for every index
//!    `i` of the part. The reason, for both cuts of the mode: either `origin` is a multiple of the
//!    cut, or `i` is below the cut and the sum does not reach the next multiple. So the linear
//!    index of `origin + i` in the whole is that of `origin` plus that of `i`. Merged coordinates
//!    add up digits of several dimensions: a dimension that is merged is not divided.
//! 2. The linear index of `i` is at most the sum of the largest digits below `sizes`, times the
//!    strides. By 1 these digits plus those of `origin` are digits of the whole. So the linear
//!    index of `origin` plus that sum is below the number of allocated elements of the whole
//!    (`INSIDE`): the part is inside the memory of the whole, and `INSIDE` holds for the part with
//!    that sum plus 1 as its number of places.

use super::is_strided;
use crate::array_layout::{ArrayLayout, sealed};
use crate::coordinates::Coordinates;
use crate::layout_error::NotSlice;
use crate::list::List;
use crate::modes::{CONST_MODES, ElementCounts, Mode, Resolved};

/// The mode as far as coordinates below `size` need it; `None` if its digit is always 0.
#[inline]
pub(crate) const fn below(mode: Mode, size: usize) -> Option<Mode> {
    if size <= mode.divisor {
        return None;
    }
    let mut mode = mode;
    let values = (size - 1) / mode.divisor + 1;
    if mode.top || values <= mode.size {
        mode.size = values;
        mode.top = true;
    }
    Some(mode)
}

/// The numbers of a part with strides: 2. above, where each digit is a coordinate.
pub(crate) fn numbers<C: Coordinates>(
    sizes: &C,
    strides: &C,
    element_bits: usize,
) -> ElementCounts {
    let elements = sizes.as_ref().iter().product();
    let pairs = sizes.as_ref().iter().zip(strides.as_ref());
    let last = |last, (size, stride): (&usize, &usize)| last + (size - 1) * stride;
    ElementCounts {
        elements,
        buffer_len: match elements {
            0 => 0,
            _ => pairs.fold(0, last) + 1,
        },
        element_bits,
    }
}

/// The index of the whole whose linear index is that of an index of a part with these sizes,
/// counted from the lowest element of the part: a reversed dimension is counted from its other end.
/// It may be no index of the whole, where the part is larger than that in a dimension; then the
/// sums wrap to the right ones.
#[inline(always)]
pub(crate) fn in_whole<L: ArrayLayout>(
    whole: &L,
    index: &L::Coordinates,
    sizes: &L::Coordinates,
) -> L::Coordinates {
    moved(whole, index.clone(), sizes, usize::wrapping_add)
}

/// The index of the part that [`in_whole`] takes to an index; `None` if that is of no element of
/// the part.
#[inline]
pub(crate) fn in_part<L: ArrayLayout>(
    whole: &L,
    index: L::Coordinates,
    sizes: &L::Coordinates,
) -> Option<L::Coordinates> {
    let here = moved(whole, index, sizes, usize::wrapping_sub);
    here.below(sizes).then_some(here)
}

/// The index with each reversed dimension moved by what the part leaves out of it.
#[inline(always)]
fn moved<L: ArrayLayout>(
    whole: &L,
    mut index: L::Coordinates,
    sizes: &L::Coordinates,
    change: impl Fn(usize, usize) -> usize,
) -> L::Coordinates {
    if const { L::REVERSES } {
        let of_whole = whole.shape();
        for dim in (0..whole.rank()).filter(|&dim| whole.is_reversed(dim)) {
            let left_out = of_whole.coordinate(dim).wrapping_sub(sizes.coordinate(dim));
            index.set(dim, change(index.coordinate(dim), left_out));
        }
    }
    index
}

/// Calls `use_` with the table of a part that has these sizes. The strides are those of `whole`.
#[inline]
pub(crate) fn with_sizes<R>(
    whole: &Resolved<'_>,
    sizes: &[usize],
    use_: impl FnOnce(Resolved<'_>) -> R,
) -> R {
    let mut modes = List::from_slice(&[], Mode::NONE);
    use_(table_of_part(whole, sizes, &mut modes))
}

/// That table. A function of its own: the compiler makes code for it once, not for each use.
#[inline]
fn table_of_part<'a>(
    whole: &Resolved<'a>,
    sizes: &'a [usize],
    modes: &'a mut List<Mode, CONST_MODES>,
) -> Resolved<'a> {
    let elements = sizes.iter().product();
    let mut last = 0;
    for &mode in whole.modes {
        let in_part = match sizes.get(mode.dim) {
            Some(&size) => below(mode, size),
            // Of a merged coordinate, whose dimensions are not divided.
            None => Some(mode),
        };
        if let Some(mode) = in_part {
            last += (mode.size - 1) * mode.stride;
            // No more than the whole has, which has no more than that many.
            if modes.try_push(mode).is_err() {
                unreachable!("a layout has at most as many modes as a table");
            }
        }
    }
    Resolved {
        sizes,
        modes: if elements == 0 { &[] } else { modes },
        terms: if elements == 0 { &[] } else { whole.terms },
        numbers: ElementCounts {
            elements,
            buffer_len: if elements == 0 { 0 } else { last + 1 },
            element_bits: whole.numbers.element_bits,
        },
    }
}

/// Checks that a part is in bounds and begins where the rule above says.
///
/// # Errors
/// The first dimension in which it is not.
pub(crate) fn check<L: ArrayLayout>(
    whole: &L,
    origin: &L::Coordinates,
    sizes: &L::Coordinates,
) -> Result<(), NotSlice> {
    if const { is_strided::<L>() } {
        // All cuts are 1, of which everything is a multiple.
        let extents = whole.shape();
        for dim in 0..whole.rank() {
            let [start, len, size] = [origin, sizes, &extents].map(|list| list.coordinate(dim));
            NotSlice::end(dim, start, len, size)?;
        }
        return Ok(());
    }
    whole.with_resolved(sealed::Token, |whole| check_cuts(&whole, origin, sizes))
}

/// As [`check`], with the table of the whole.
pub(crate) fn check_cuts<C: Coordinates>(
    whole: &Resolved<'_>,
    origin: &C,
    sizes: &C,
) -> Result<(), NotSlice> {
    for (dimension, &size) in whole.sizes.iter().enumerate() {
        let start = origin.coordinate(dimension);
        let len = sizes.coordinate(dimension);
        NotSlice::end(dimension, start, len, size)?;
        // A part without elements has no places.
        if len == size || sizes.as_ref().contains(&0) {
            continue;
        }
        if whole.terms.iter().any(|term| term.digit.dim == dimension) {
            return Err(NotSlice::NoLayout { dimension });
        }
        for mode in whole.modes.iter().filter(|mode| mode.dim == dimension) {
            check_cut(dimension, start, len, size, mode.divisor)?;
            if !mode.top {
                check_cut(dimension, start, len, size, mode.divisor * mode.size)?;
            }
        }
    }
    Ok(())
}

#[inline]
fn check_cut(
    dimension: usize,
    start: usize,
    len: usize,
    size: usize,
    cut: usize,
) -> Result<(), NotSlice> {
    let beyond = start % cut;
    if beyond == 0 || len <= cut - beyond {
        return Ok(());
    }
    let below = start - beyond;
    Err(NotSlice::BeginsInTile {
        dimension,
        start,
        below,
        above: below.saturating_add(cut).min(size),
    })
}

/// The elements that share a byte, along one dimension: every part of the dimension that begins and
/// ends at multiples of the result shares no byte with another part. `None` if there is no such
/// number.
///
/// Let `p` be the number of elements of a byte. Each mode has a stride that is a multiple of `p`,
/// or one that divides `p`; the digits of the latter are split at `p / stride` into a low and a
/// high part. If the largest low parts times their strides are below `p` together, the byte of an
/// element depends on the high parts only, and by law 1 two elements share a byte only if all high
/// parts are equal. So along a dimension the elements of a byte have one quotient by the smallest
/// divisor of a high part that is above all low parts.
#[inline]
pub(crate) fn elements_of_byte(whole: &Resolved<'_>, dimension: usize) -> Option<usize> {
    let in_byte = 8 / whole.numbers.element_bits;
    let mut width = 1;
    let mut low = 0;
    for mode in whole.modes {
        if mode.stride.is_multiple_of(in_byte) {
            continue;
        }
        if !in_byte.is_multiple_of(mode.stride) || mode.dim >= whole.sizes.len() {
            return None;
        }
        let values = mode.size.min(in_byte / mode.stride);
        low += (values - 1) * mode.stride;
        if mode.dim == dimension {
            width = width.max(mode.divisor * values);
        }
    }
    let mut cuts = whole.modes.iter().filter(|mode| mode.dim == dimension);
    let nested =
        cuts.all(|mode| width.is_multiple_of(mode.divisor) || mode.divisor.is_multiple_of(width));
    (low < in_byte && nested).then_some(width)
}
