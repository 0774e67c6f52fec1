//! Which layouts are divided into blocks, and the layouts of the blocks.

use super::block::{BlockLayout, check, sizes_inside};
use crate::array_layout::{ArrayLayout, sealed};
use crate::element::DType;
use crate::layout_error::LayoutError;
use crate::layouts::region::widths_of;
use crate::layouts::types::{
    Attributes, Dimensions, MixedLayout, OrderOf, SliceLayout, StaticDimensions, StaticLayout,
};
use crate::layouts::{BrandedLayout, DynLayout, RegionLayout, StridedLayout};

/// A layout that is divided into blocks: `B` is the tuple of their sizes, as `(Nat<8>, Nat<128>)`.
///
/// Each layout of known rank is one. [`DynLayout::ranked`](crate::DynLayout::ranked) gives a layout
/// a known rank. [`BlockLayout`](crate::BlockLayout) has an example.
#[diagnostic::on_unimplemented(
    message = "this layout is not divided into blocks of `{B}`",
    label = "expected one size for each dimension; in a generic function a bound",
    note = "write the sizes as `tiles(nat![8, 128])`; where the layout is a type parameter, bound \
            it by `L: TileBy<nat![8, 128]>` for `try_tiles`, and by `ConstTiles` for `tiles`",
    note = "give a layout that only the run time knows a rank first: `view.ranked::<2>()?`"
)]
pub trait TileBy<B: StaticDimensions>: ArrayLayout<Coordinates = B::Coordinates> {
    /// The layout of a block that is inside the array.
    type Block: ArrayLayout<Type = Self::Type, Coordinates = Self::Coordinates>;

    /// Stops the compiler where blocks do not begin where tiles do.
    #[doc(hidden)]
    const FITS: () = ();

    /// The layout of a block. The caller promises that an array with this layout has one.
    ///
    /// # Errors
    /// Where blocks of these sizes have no strides, or would begin inside tiles.
    #[doc(hidden)]
    fn block(&self, token: sealed::Token) -> Result<Self::Block, LayoutError>;
}

/// A layout that the compiler knows to be divisible into blocks of the sizes `B`. A layout that is
/// known only at run time is not: `try_tiles` checks it. A function with this bound can use
/// [`tiles`](crate::ArrayRef::tiles), which cannot fail.
///
/// ```
/// use xlayout_core::types::{Nat, nat};
/// use xlayout_core::{ArrayRef, ConstTiles, Rank};
///
/// /// The number of tiles of 8 by 128.
/// fn tiles(array: &ArrayRef<f32, impl Rank<2> + ConstTiles<(Nat<8>, Nat<128>)>>) -> usize {
///     array.tiles(nat![8, 128]).count()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "only the run time knows whether this layout is divided into blocks of `{B}`",
    label = "the compiler does not know its tiles, or the number of sizes is another",
    note = "use `try_tiles`; give a layout of unknown rank a rank first: `view.ranked::<2>()?`"
)]
pub trait ConstTiles<B: StaticDimensions>: TileBy<B> {}

macro_rules! known {
    ($([$($generics:tt)*] $of:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<B: StaticDimensions, $($generics)*> TileBy<B> for $of
        where
            Self: ArrayLayout<Coordinates = B::Coordinates>,
        {
            type Block = BlockLayout<Self, B>;
            const FITS: () = BlockLayout::<Self, B>::FITS;

            #[inline(always)]
            fn block(&self, _: sealed::Token) -> Result<BlockLayout<Self, B>, LayoutError> {
                Ok(BlockLayout::new(self.clone()))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<B: StaticDimensions, $($generics)*> ConstTiles<B> for $of
        where
            Self: ArrayLayout<Coordinates = B::Coordinates>,
        {
        }
    )*};
}

known! {
    [E: DType, D: StaticDimensions, O: OrderOf, A: Attributes] StaticLayout<E, D, O, A>;
    [E: DType, D: Dimensions, O: OrderOf, A: Attributes] MixedLayout<E, D, O, A>;
    [L: ArrayLayout, P: StaticDimensions] BlockLayout<L, P>;
}

// What has the memory of another layout is divided as that is.

macro_rules! as_inside {
    ($([$($generics:tt)*] $of:ty, $inside:ty, $field:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)* B: StaticDimensions, L: TileBy<B>> TileBy<B> for $of {
            type Block = L::Block;
            const FITS: () = L::FITS;

            #[inline(always)]
            fn block(&self, token: sealed::Token) -> Result<L::Block, LayoutError> {
                self.$field().block(token)
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($generics)* B: StaticDimensions, L: ConstTiles<B>> ConstTiles<B> for $of {}
    )*};
}

as_inside! {
    [] RegionLayout<L>, L, whole;
    ['id,] BrandedLayout<'id, L>, L, get;
    [] SliceLayout<L>, L, inside;
}

/// The sizes and strides of a block of a layout that the run time knows.
fn strided_block<B: StaticDimensions<Coordinates = [usize; N]>, const N: usize>(
    layout: &impl ArrayLayout<Coordinates = [usize; N]>,
) -> Result<([usize; N], [usize; N]), LayoutError> {
    layout.with_resolved(sealed::Token, |resolved| {
        check::<B>(resolved.modes, !resolved.terms.is_empty())?;
        let mut strides = [0; N];
        for mode in resolved.modes {
            if mode.divisor < B::SIZES[mode.dim] {
                if mode.divisor > 1 || strides[mode.dim] > 0 {
                    return Err(LayoutError::NotStrided);
                }
                strides[mode.dim] = mode.stride;
            }
        }
        Ok((sizes_inside::<B>(resolved.sizes), strides))
    })
}

macro_rules! run_time {
    ($($of:ty, $n:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<B, const $n: usize> TileBy<B> for $of
        where
            B: StaticDimensions<Coordinates = [usize; $n]>,
        {
            type Block = BlockLayout<StridedLayout<[usize; $n]>, B>;

            fn block(&self, token: sealed::Token) -> Result<Self::Block, LayoutError> {
                let (sizes, strides) = strided_block::<B, $n>(self)?;
                Ok(BlockLayout::new(StridedLayout::of_part(
                    (self.element_type(), self.element_bits()),
                    sizes,
                    strides,
                    |_| false,
                    token,
                )))
            }
        }
    )*};
}

// The block is a strided layout of its own, whose reversed dimensions are counted from the end of
// the block.
#[diagnostic::do_not_recommend]
impl<B, const N: usize> TileBy<B> for StridedLayout<[usize; N], isize>
where
    B: StaticDimensions<Coordinates = [usize; N]>,
{
    type Block = BlockLayout<Self, B>;

    fn block(&self, token: sealed::Token) -> Result<Self::Block, LayoutError> {
        check::<B>(&[], false)?;
        let widths = widths_of(self).ok_or(LayoutError::NotStrided)?;
        Ok(BlockLayout::new(Self::of_part(
            (self.element_type(), self.element_bits()),
            B::SIZE_COORDINATES,
            widths,
            |dim| self.is_reversed(dim),
            token,
        )))
    }
}

run_time! {
    StridedLayout<[usize; N]>, N;
    DynLayout<[usize; N]>, N;
    &DynLayout<[usize; N]>, N;
}
