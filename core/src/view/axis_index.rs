//! A view is indexed by a tuple of coordinates of its axes.

use super::ViewIndex;
use crate::array_layout::sealed::Token;
use crate::array_layout::view_index::Sealed;
use crate::array_layout::{
    ArrayLayout, ConstLayout, Coordinate, Index, Number, both_known, check_same,
};

/// One member of a tuple that indexes an array with layout `Of`: for dimension `TO`. Sealed by
/// `Number`.
///
/// # Invariant
/// If `PROVEN`, the number is below the size of dimension `TO` of every layout of type `Of`.
pub trait Member<Of, const TO: usize>: Number {
    /// A compile error where the type of the member says that it is of another size.
    const FITS: ();
    const PROVEN: bool;
}

#[diagnostic::do_not_recommend]
impl<Of, const TO: usize> Member<Of, TO> for usize {
    const FITS: () = ();
    const PROVEN: bool = false;
}

// `PROVEN`: both types fix the sizes, which `FITS` compares, and a coordinate is below its own.
#[diagnostic::do_not_recommend]
impl<Of, L, const D: usize, const TO: usize> Member<Of, TO> for Coordinate<L, D>
where
    Of: ArrayLayout,
    L: ArrayLayout,
{
    const FITS: () = check_same::<L, Of>(D, TO);
    const PROVEN: bool = both_known::<L, Of>(D, TO);
}

impl<L, const D: usize> Sealed for Coordinate<L, D> {}

/// The only coordinate of an array of rank 1 needs no tuple.
#[diagnostic::do_not_recommend]
impl<Of, L, const D: usize> ViewIndex<Of> for Coordinate<L, D>
where
    Of: ArrayLayout<Coordinates = [usize; 1]>,
    L: ArrayLayout,
{
    const FITS: () = <(Self,) as ViewIndex<Of>>::FITS;

    type Coordinates = [usize; 1];

    #[inline(always)]
    fn find_in(self, layout: &Of, token: Token) -> Result<usize, [usize; 1]> {
        (self,).find_in(layout, token)
    }
}

// A tuple of coordinates and numbers, one for each dimension, is an index. Up to the rank that XLA
// keeps inline.

macro_rules! tuples {
    ($($n:literal: $($layout:ident $from:ident $to:tt),*;)*) => {$(
        impl<$($layout),*> Sealed for ($($layout,)*) {}

        #[diagnostic::do_not_recommend]
        impl<Of, $($layout),*> ViewIndex<Of> for ($($layout,)*)
        where
            Of: ArrayLayout<Coordinates = [usize; $n]>,
            $($layout: Member<Of, $to>,)*
        {
            const FITS: () = { $(let () = $layout::FITS;)* };

            type Coordinates = [usize; $n];

            #[inline(always)]
            fn find_in(self, layout: &Of, _: Token) -> Result<usize, [usize; $n]> {
                let () = <Self as ViewIndex<Of>>::FITS;
                let index = [$(self.$to.number()),*];
                // A number, or a coordinate of an array whose type does not fix the size, may be
                // outside.
                let inside = true $(&& ($layout::PROVEN || index[$to] < layout.shape()[$to]))*;
                if inside { Ok(layout.linear_index(&index)) } else { Err(index) }
            }
        }

        impl<Of, $($layout, const $from: usize),*> From<($(Coordinate<$layout, $from>,)*)> for Index<Of>
        where
            Of: ConstLayout<Coordinates = [usize; $n]>,
            $($layout: ConstLayout,)*
        {
            #[inline(always)]
            fn from(coordinates: ($(Coordinate<$layout, $from>,)*)) -> Self {
                const { <($(Coordinate<$layout, $from>,)*) as ViewIndex<Of>>::FITS };
                Self::proven([$(coordinates.$to.get()),*])
            }
        }
    )*};
}

tuples! {
    1: A FROM_0 0;
    2: A FROM_0 0, B FROM_1 1;
    3: A FROM_0 0, B FROM_1 1, C FROM_2 2;
    4: A FROM_0 0, B FROM_1 1, C FROM_2 2, E FROM_3 3;
    5: A FROM_0 0, B FROM_1 1, C FROM_2 2, E FROM_3 3, F FROM_4 4;
    6: A FROM_0 0, B FROM_1 1, C FROM_2 2, E FROM_3 3, F FROM_4 4, G FROM_5 5;
}
