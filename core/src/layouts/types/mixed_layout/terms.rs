//! The terms of a linear index, and the digits of one. Strides are multiplied by the sizes that a
//! value holds.

use super::MixedLayout;
use crate::array_layout::ArrayLayout;
use crate::coordinates::Coordinates;
use crate::dims::{Dim, INLINE_RANK};
use crate::element::DType;
use crate::layouts::types::parts::{Attributes, Dimensions};
use crate::layouts::types::spec::OrderOf;
use crate::modes::{CONST_MODES, KnownModes, Mode, Table, TakeDigit, masks, merge_neighbours, nth};

/// Gives the modes of a table their numbers for these sizes, none of which is 0. Returns how many
/// modes are left. A function of its own: the compiler makes code for it once, not for each layout.
#[inline]
pub(super) fn resolve(table: &Table, sizes: &[usize], modes: &mut [Mode; CONST_MODES]) -> usize {
    let used = table.filled.modes;
    let mut product = 1_usize;
    let mut multiplied = 0;
    for mode in &mut modes[..used] {
        while multiplied < mode.run_time {
            product = product.wrapping_mul(table.run_time[multiplied].of(sizes));
            multiplied += 1;
        }
        if mode.size == 0 && mode.dim < sizes.len() {
            mode.size = sizes[mode.dim].div_ceil(mode.divisor);
        }
        mode.stride = mode.stride.wrapping_mul(product);
        mode.run_time = 0;
    }
    // With all sizes known, digits may turn out to be the top one or to have one value.
    let mut dims = [Dim::Unbounded; INLINE_RANK];
    for (dim, &size) in dims.iter_mut().zip(sizes) {
        *dim = Dim::Static(size as i64);
    }
    let terms = table.used_terms();
    let Ok(kept) = merge_neighbours(&dims[..sizes.len()], terms, modes, used, terms.len()) else {
        unreachable!("a digit takes fewer values than there are places, which were counted");
    };
    kept
}

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> MixedLayout<E, D, O, A> {
    /// The product of the first `count` run-time extents.
    #[inline(always)]
    pub(super) fn product(sizes: &D::Coordinates, count: usize) -> usize {
        let mut product = 1_usize;
        macro_rules! multiply {
            ($($r:literal)*) => {
                $(if const { Self::TABLE.filled.run_time > $r } && count > $r {
                    let extent = const { Self::TABLE.run_time[$r] };
                    product = product.wrapping_mul(extent.of_size(sizes.coordinate(extent.dim)));
                })*
            };
        }
        multiply!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
        product
    }

    /// The value of a coordinate that a re-tiled tile made.
    #[cold]
    fn merged(index: &[usize], coordinate: usize) -> usize {
        let terms = Self::TABLE.used_terms();
        crate::modes::merged_coordinate(terms, index, coordinate)
    }
}

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> KnownModes<D::Coordinates>
    for MixedLayout<E, D, O, A>
{
    const MODES: &'static [Mode] = Self::MODES;

    #[inline(always)]
    fn term<const K: usize>(&self, index: &D::Coordinates) -> usize {
        let mode = const { nth(Self::MODES, K) };
        let merged = const { Self::MODES.len() > K && Self::MODES[K].dim >= D::SIZES.len() };
        let digit = mode.digit(if merged {
            Self::merged(index.as_ref(), mode.dim)
        } else {
            index.coordinate(mode.dim)
        });
        digit.wrapping_mul(self.stride_of(&mode))
    }
}

impl<E: DType, D: Dimensions, O: OrderOf, A: Attributes> TakeDigit<D::Coordinates>
    for MixedLayout<E, D, O, A>
{
    #[inline(always)]
    fn take_digit<const K: usize>(
        &self,
        index: &mut D::Coordinates,
        linear_index: usize,
        rest: &mut usize,
    ) -> bool {
        let mode = const { nth(Self::MODES, K) };
        let stride = self.stride_of(&mode);
        // A stride is 0 only where there is no element.
        let Some(digit) = rest.checked_div(stride) else {
            return false;
        };
        *rest = if const { Self::MODES.len() > K && masks(Self::MODES, K) } {
            linear_index % mode.stride
        } else {
            *rest % stride
        };
        index.set(mode.dim, index.coordinate(mode.dim) + digit * mode.divisor);
        true
    }
}
