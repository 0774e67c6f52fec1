//! Permuted dimensions of layouts of which the type says the rank, and the run time the rest, and
//! of those that have the memory of another layout: parts, blocks, repeated dimensions.

use super::permute::{PermutationOf, Permute, permuted};
use super::{EditSizes, Rearrange, SliceLayout};
use crate::array_layout::ArrayLayout;
use crate::array_layout::sealed::Token;
use crate::coordinates::Coordinates;
use crate::layouts::types::list::Nth;
use crate::layouts::types::sealed::ChangedBy;
use crate::layouts::types::{Nat, StaticDimensions};
use crate::layouts::{
    BlockLayout, BrandedLayout, BroadcastLayout, DynLayout, RegionLayout, Stride, StridedLayout,
};

#[diagnostic::do_not_recommend]
impl<C: Coordinates, I: Stride, P: PermutationOf<C>> Rearrange<Permute<P>> for StridedLayout<C, I> {
    type Layout = Self;
    const FITS: () = ();

    fn rearranged(&self) -> Self {
        self.permuted(permuted::<P, C>, P::SIZES)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Coordinates, P: PermutationOf<C>> Rearrange<Permute<P>> for DynLayout<C> {
    type Layout = Self;
    const FITS: () = ();

    fn rearranged(&self) -> Self {
        self.permuted(permuted::<P, C>, P::SIZES)
    }
}

#[diagnostic::do_not_recommend]
impl<C: Coordinates, P: PermutationOf<C>> Rearrange<Permute<P>> for &DynLayout<C> {
    type Layout = DynLayout<C>;
    const FITS: () = ();

    fn rearranged(&self) -> DynLayout<C> {
        Rearrange::<Permute<P>>::rearranged(*self)
    }
}

// What has the memory of another layout is permuted as that is.

#[diagnostic::do_not_recommend]
impl<L, P> Rearrange<Permute<P>> for RegionLayout<L>
where
    P: PermutationOf<L::Coordinates>,
    L: Rearrange<Permute<P>, Layout: ArrayLayout<Coordinates = L::Coordinates>>,
{
    type Layout = RegionLayout<L::Layout>;
    const FITS: () = L::FITS;

    fn rearranged(&self) -> Self::Layout {
        let sizes = permuted::<P, L::Coordinates>(&self.shape());
        RegionLayout::new(self.whole().rearranged(), sizes)
    }
}

/// The brand is of one layout, which the permuted one is not.
#[diagnostic::do_not_recommend]
impl<L: Rearrange<Permute<P>>, P> Rearrange<Permute<P>> for BrandedLayout<'_, L>
where
    Self: ChangedBy<Permute<P>>,
{
    type Layout = L::Layout;
    const FITS: () = L::FITS;

    fn rearranged(&self) -> L::Layout {
        self.get().rearranged()
    }
}

#[diagnostic::do_not_recommend]
impl<L: Rearrange<Permute<P>>, P> Rearrange<Permute<P>> for SliceLayout<L>
where
    Self: ChangedBy<Permute<P>>,
{
    type Layout = SliceLayout<L::Layout>;
    const FITS: () = L::FITS;

    fn rearranged(&self) -> SliceLayout<L::Layout> {
        SliceLayout(self.0.rearranged())
    }
}

#[diagnostic::do_not_recommend]
impl<L, B, P> Rearrange<Permute<P>> for BlockLayout<L, B>
where
    P: PermutationOf<B::Coordinates>,
    B: StaticDimensions + EditSizes<Permute<P>>,
    B::Edited: StaticDimensions<Coordinates = B::Coordinates>,
    L: Rearrange<Permute<P>, Coordinates = B::Coordinates>,
    L::Layout: ArrayLayout<Coordinates = B::Coordinates>,
{
    type Layout = BlockLayout<L::Layout, B::Edited>;
    const FITS: () = L::FITS;

    fn rearranged(&self) -> Self::Layout {
        BlockLayout::new(self.whole().rearranged())
    }
}

/// A dimension that is repeated, by its number as a type.
pub trait Repeated<L> {
    /// The layout with this dimension repeated.
    type Layout: ArrayLayout<Type = <L as ArrayLayout>::Type, Coordinates = <L as ArrayLayout>::Coordinates>
    where
        L: ArrayLayout;

    /// The caller promises what [`BroadcastLayout::new`] wants.
    fn repeated(whole: L, size: usize, _: Token) -> Self::Layout
    where
        L: ArrayLayout;
}

impl<L, const DIM: usize> Repeated<L> for Nat<DIM> {
    type Layout
        = BroadcastLayout<L, DIM>
    where
        L: ArrayLayout;

    fn repeated(whole: L, size: usize, _: Token) -> BroadcastLayout<L, DIM>
    where
        L: ArrayLayout,
    {
        BroadcastLayout::new(whole, size)
    }
}

#[diagnostic::do_not_recommend]
impl<L, P, const DIM: usize> Rearrange<Permute<P>> for BroadcastLayout<L, DIM>
where
    P: PermutationOf<L::Coordinates, Inverse: Nth<Nat<DIM>, Item: Repeated<L::Layout>>>,
    L: Rearrange<Permute<P>>,
{
    type Layout = <<P::Inverse as Nth<Nat<DIM>>>::Item as Repeated<L::Layout>>::Layout;
    const FITS: () = L::FITS;

    fn rearranged(&self) -> Self::Layout {
        <P::Inverse as Nth<Nat<DIM>>>::Item::repeated(
            self.whole().rearranged(),
            self.times(),
            Token,
        )
    }
}
