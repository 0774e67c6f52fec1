//! A view is indexed by a tuple of coordinates of its axes.

use super::ViewIndex;
use crate::array_layout::sealed::Token;
use crate::array_layout::view_index::Sealed;
use crate::array_layout::{
    ArrayLayout, ConstLayout, Coordinate, Index, both_known, check_same, out_of_bounds,
};

// A tuple of coordinates, one for each dimension, is an index. Up to the rank that XLA keeps inline.

macro_rules! tuples {
    ($($n:literal: $($layout:ident $from:ident $to:tt),*;)*) => {$(
        impl<$($layout, const $from: usize),*> Sealed for ($(Coordinate<$layout, $from>,)*) {}

        #[diagnostic::do_not_recommend]
        impl<Of, $($layout, const $from: usize),*> ViewIndex<Of> for ($(Coordinate<$layout, $from>,)*)
        where
            Of: ArrayLayout<Coordinates = [usize; $n]>,
            $($layout: ArrayLayout,)*
        {
            const FITS: () = { $(check_same::<$layout, Of>($from, $to);)* };

            #[inline(always)]
            #[track_caller]
            fn linear_in(self, layout: &Of, _: Token) -> usize {
                let () = <Self as ViewIndex<Of>>::FITS;
                let index = [$(self.$to.get()),*];
                // Of a size that a type does not fix, the coordinate may be one of another array.
                let inside = true $(&& (const { both_known::<$layout, Of>($from, $to) }
                    || index[$to] < layout.sizes()[$to]))*;
                if !inside {
                    out_of_bounds(&{ index }, &layout.sizes());
                }
                layout.linear_index(&index)
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
