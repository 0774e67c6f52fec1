//! A view is indexed by a tuple of coordinates of its axes.

use super::ViewIndex;
use crate::array_layout::sealed::Token;
use crate::array_layout::view_index::Sealed;
use crate::array_layout::{ConstLayout, Coordinate, Index, check_same};

// A tuple of coordinates, one for each dimension, is an index. Up to the rank that XLA keeps inline.

macro_rules! tuples {
    ($($n:literal: $($layout:ident $from:ident $to:tt),*;)*) => {$(
        impl<$($layout, const $from: usize),*> Sealed for ($(Coordinate<$layout, $from>,)*) {}

        #[diagnostic::do_not_recommend]
        impl<Of, $($layout, const $from: usize),*> ViewIndex<Of> for ($(Coordinate<$layout, $from>,)*)
        where
            Of: ConstLayout<Coordinates = [usize; $n]>,
            $($layout: ConstLayout,)*
        {
            const FITS: () = { $(check_same::<$layout, Of>($from, $to);)* };

            #[inline(always)]
            fn item<'a, T>(self, data: &'a [T], layout: &Of, token: Token) -> &'a T {
                Index::<Of>::proven([$(self.$to.get()),*]).item(data, layout, token)
            }

            #[inline(always)]
            fn item_mut<'a, T>(self, data: &'a mut [T], layout: &Of, token: Token) -> &'a mut T {
                Index::<Of>::proven([$(self.$to.get()),*]).item_mut(data, layout, token)
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
