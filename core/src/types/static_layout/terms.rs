//! The terms of a linear index, one for each mode. Each is a function of its own, so that the
//! compiler checks its body once, and not for every mode that a layout may have.

use super::StaticLayout;
use super::run::Unsigned;
use crate::Coordinates;
use crate::array_layout::ArrayLayout;
use crate::const_text::stop;
use crate::element::DType;
use crate::modes::{Mode, each_mode, merged_coordinate, nth};
use crate::types::parts::{Attributes, StaticDimensions};
use crate::types::spec::OrderOf;

/// The linear index: the terms of the sum, written out. `$term` is the function of one term.
macro_rules! sum {
    ($term:ident, $index:ident, $int:ty) => {{
        let mut linear: $int = 0;
        // The most major term first, as a person would write it.
        macro_rules! add {
            ($k:literal) => {
                linear = linear.wrapping_add(Self::$term::<$k>($index))
            };
        }
        each_mode!(add);
        linear
    }};
}

/// The term of the `K`-th mode, in one integer type.
macro_rules! term {
    ($index:ident, $int:ty, $coordinate:expr) => {{
        let mode = const { nth(Self::MODES, K) };
        let coordinate = if const { Self::MERGES && nth(Self::MODES, K).dim >= D::SIZES.len() } {
            Self::merged($index.as_ref(), mode.dim) as $int
        } else {
            $coordinate(mode.dim)
        };
        let digit = if const { nth(Self::MODES, K).divisor != 1 } {
            coordinate / mode.divisor as $int
        } else {
            coordinate
        };
        let digit = if mode.top {
            digit
        } else {
            digit % mode.size as $int
        };
        digit.wrapping_mul(mode.stride as $int)
    }};
}

/// The `k`-th mode, and the stride of the one above it; 0 for the most major one.
#[inline]
const fn mode_and_above(modes: &[Mode], k: usize) -> (Mode, usize) {
    if k >= modes.len() {
        return (Mode::NONE, 0);
    }
    (
        modes[k],
        if k + 1 < modes.len() {
            modes[k + 1].stride
        } else {
            0
        },
    )
}

/// Whether each stride divides the next.
#[inline]
pub(super) const fn divide(modes: &[Mode]) -> bool {
    let mut divide = true;
    each!(k, 1..modes.len(), {
        divide &= modes[k].stride.is_multiple_of(modes[k - 1].stride);
    });
    divide
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> StaticLayout<E, D, O, A> {
    /// The value of a coordinate that a `*` merged.
    #[cold]
    fn merged(index: &[impl Unsigned], coordinate: usize) -> usize {
        let mut wide = D::SIZE_COORDINATES;
        for (to, from) in wide.as_mut().iter_mut().zip(index) {
            *to = from.widen();
        }
        merged_coordinate(Self::RESOLVED.terms, wide.as_ref(), coordinate)
    }

    /// The linear index of an index in bounds.
    #[inline(always)]
    pub(super) fn sum(index: &D::Coordinates) -> usize {
        sum!(term, index, usize)
    }

    /// The term of the `K`-th mode.
    #[inline(always)]
    fn term<const K: usize>(index: &D::Coordinates) -> usize {
        term!(index, usize, |dim| index.coordinate(dim))
    }

    /// Adds the digit of the `K`-th mode to the coordinates. Each digit is taken from the whole
    /// linear index, so that none waits for another.
    #[inline(always)]
    pub(super) fn add_digit<const K: usize>(index: &mut D::Coordinates, linear_index: usize) {
        let (mode, above) = const { mode_and_above(Self::MODES, K) };
        let digit = if above == 0 {
            linear_index / mode.stride
        } else if const { mode_and_above(Self::MODES, K).0.stride.is_power_of_two() } {
            linear_index % above / mode.stride
        } else {
            linear_index / mode.stride - linear_index / above * (above / mode.stride)
        };
        index.set(mode.dim, index.coordinate(mode.dim) + digit * mode.divisor);
    }
}

impl<E, D, O, A, const N: usize> StaticLayout<E, D, O, A>
where
    E: DType,
    D: StaticDimensions<Coordinates = [usize; N]>,
    O: OrderOf,
    A: Attributes,
{
    /// The linear index, in elements, of an index **in bounds**, also in a constant: see
    /// [`ArrayLayout::linear_index`].
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>; // layout!(f32[2,3]{0,1})
    /// const PLACE: usize = A::NEW.linear_index(&[1, 2]);
    /// assert_eq!(PLACE, 5);
    /// ```
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn linear_index(&self, index: &[usize; N]) -> usize {
        if const { Self::MERGES } {
            return Self::RESOLVED.linear_index_in_const(index);
        }
        sum!(const_term, index, usize)
    }

    /// The term of the `K`-th mode, which is no merged coordinate.
    #[inline(always)]
    const fn const_term<const K: usize>(index: &[usize; N]) -> usize {
        let mode = const { nth(Self::MODES, K) };
        mode.digit(index[mode.dim]).wrapping_mul(mode.stride)
    }

    /// The term of the `K`-th mode.
    #[inline(always)]
    fn term_u32<const K: usize>(index: &[u32; N]) -> u32 {
        term!(index, u32, |dim: usize| index[dim])
    }

    /// The linear index in 32-bit arithmetic, as GPU-shaped code wants it, of an index **in
    /// bounds**. A layout of more than 2^32 - 1 allocated elements does not compile here.
    #[inline(always)]
    #[must_use]
    pub fn linear_index_u32(&self, index: &[u32; N]) -> u32 {
        const {
            if Self::BUFFER_LEN as u64 > u32::MAX as u64 {
                stop("the layout allocates more than 2^32 - 1 elements; use linear_index");
            }
        }
        sum!(term_u32, index, u32)
    }
}
