//! Permuted dimensions of blocks and of repeated dimensions.

use super::{BlockLayout, BroadcastLayout};
use crate::array_layout::{ArrayLayout, sealed::Token};
use crate::types::list::Nth;
use crate::types::{EditSizes, Nat, PermutationOf, Permute, Rearrange, StaticDimensions};

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
