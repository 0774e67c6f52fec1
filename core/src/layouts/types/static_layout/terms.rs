//! The terms of a linear index, one for each mode, and the digits of one.

use super::StaticLayout;
use crate::array_layout::ArrayLayout;
use crate::const_text::stop;
use crate::coordinates::Coordinates;
use crate::element::DType;
use crate::layouts::types::parts::{Attributes, StaticDimensions};
use crate::layouts::types::spec::OrderOf;
use crate::modes::{KnownModes, Mode, TakeDigit, Unsigned, merged_coordinate, nth, sum};

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
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> KnownModes<D::Coordinates>
    for StaticLayout<E, D, O, A>
{
    const MODES: &'static [Mode] = Self::MODES;

    #[inline(always)]
    fn term<const K: usize>(&self, index: &D::Coordinates) -> usize {
        term!(index, usize, |dim| index.coordinate(dim))
    }

    #[inline(always)]
    fn visit_run<const K: usize>(
        at: D::Coordinates,
        linear: usize,
        visit: &mut impl FnMut(&D::Coordinates, usize),
    ) -> bool {
        if const { Self::RUN.modes != K + 1 } || !Self::holds_run(&at) {
            return false;
        }
        // Counters as wide as the elements: the compiler computes several indices at once when they
        // fit beside the elements that it loads at once.
        if const { Self::ELEMENT_BITS <= 16 && Self::RUN.len <= u16::MAX as usize } {
            for step in 0..const { Self::RUN.len as u16 } {
                visit(&Self::in_run(at, step), linear + step as usize);
            }
        } else {
            for step in 0..const { Self::RUN.len as u32 } {
                visit(&Self::in_run(at, step), linear + step as usize);
            }
        }
        true
    }
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> TakeDigit<D::Coordinates>
    for StaticLayout<E, D, O, A>
{
    /// Each digit is taken from the whole linear index, so that none waits for another.
    #[inline(always)]
    fn take_digit<const K: usize>(
        &self,
        index: &mut D::Coordinates,
        linear_index: usize,
        _: &mut usize,
    ) -> bool {
        let (mode, above) = const { mode_and_above(Self::MODES, K) };
        let digit = if above == 0 {
            linear_index / mode.stride
        } else if const { mode_and_above(Self::MODES, K).0.stride.is_power_of_two() } {
            linear_index % above / mode.stride
        } else {
            linear_index / mode.stride - linear_index / above * (above / mode.stride)
        };
        index.set(mode.dim, index.coordinate(mode.dim) + digit * mode.divisor);
        true
    }
}

impl<E, D, O, A, const N: usize> KnownModes<[u32; N], u32> for StaticLayout<E, D, O, A>
where
    E: DType,
    D: StaticDimensions<Coordinates = [usize; N]>,
    O: OrderOf,
    A: Attributes,
{
    const MODES: &'static [Mode] = Self::MODES;

    #[inline(always)]
    fn term<const K: usize>(&self, index: &[u32; N]) -> u32 {
        term!(index, u32, |dim: usize| index[dim])
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
    /// // layout!(f32[2,3]{0,1})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
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
        // Written out, as in `modes/unrolled.rs`.
        macro_rules! sum {
            ($($k:literal)*) => {
                0_usize$(.wrapping_add(Self::const_term(index, $k)))*
            };
        }
        let first_eight = sum!(7 6 5 4 3 2 1 0);
        if Self::MODES.len() <= 8 {
            return first_eight;
        }
        sum!(31 30 29 28 27 26 25 24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8)
            .wrapping_add(first_eight)
    }

    /// The term of the `k`-th mode, which is no merged coordinate.
    #[inline(always)]
    const fn const_term(index: &[usize; N], k: usize) -> usize {
        if k >= Self::MODES.len() {
            return 0;
        }
        let mode = Self::MODES[k];
        mode.digit(index[mode.dim]).wrapping_mul(mode.stride)
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
        sum(self, index)
    }
}
