//! Permuted dimensions of layouts of which the type says the rank, and the run time the rest.

use super::permute::{PermutationOf, Permute, permuted};
use super::{Rearrange, SliceLayout};
use crate::Coordinates;
use crate::array_layout::ArrayLayout;
use crate::dynamic::{BrandedLayout, DynLayout, RegionLayout, Stride, StridedLayout};
use crate::types::sealed::ChangedBy;

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
