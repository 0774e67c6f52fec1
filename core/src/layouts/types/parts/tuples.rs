//! Tuples are the lists of a layout's type: dimensions, numbers, tile entries, attributes.

use super::*;

// A path names its trait, because the compiler looks for the item in all traits otherwise.
macro_rules! tuples {
    ($($n:literal: $($name:ident $at:tt),*;)*) => {$(const _: () = {
        // The rank is a constant, which rustc checks once for the name.
        type Array = [usize; $n];
        // No other crate can implement a trait of this one for a tuple.
        impl<$($name),*> Sealed for ($($name,)*) {}
        impl<$($name: Dimension),*> Dimensions for ($($name,)*) {
            type Coordinates = Array;
            type Values = ($($name::Value,)*);
            // In braces: without them the compiler evaluates the list as a constant of its own.
            const DIMS: &'static [Dim] = &{
                let dims = [$(<$name as Dimension>::DIM),*];
                dims
            };
            const SIZES: &'static [usize] = &Self::SIZE_COORDINATES;
            const NAMES: &'static [Option<&'static str>] = &[$(<$name as Dimension>::NAME),*];
            type Unnamed = ($($name::Unnamed,)*);
            const SIZE_COORDINATES: Array = [$(<$name as Dimension>::SIZE),*];
            #[inline(always)]
            fn sizes(_values: Self::Values) -> Array {
                [$(<$name as Dimension>::size(_values.$at)),*]
            }
            #[allow(clippy::unused_unit, reason = "it is one for no dimensions")]
            #[inline(always)]
            fn hold(_sizes: &Array) -> Self::Values {
                ($(<$name as Dimension>::hold(_sizes[$at]),)*)
            }
        }
        impl<$($name: StaticDimension),*> StaticDimensions for ($($name,)*) {
            const NEW: Self = ($(<$name as StaticDimension>::NEW,)*);
        }
        impl<$($name: Number),*> NumberList for ($($name,)*) {
            const LIST: &'static [i64] = &[$(<$name as Number>::N),*];
            const SIZES: &'static [usize] = &[$(unsigned(<$name as Number>::N)),*];
        }
        impl<$($name: TileEntry),*> TileEntries for ($($name,)*) {
            const ENTRIES: &'static [TileDim] = &[$(<$name as TileEntry>::ENTRY),*];
        }
        impl<$($name: Attribute),*> Attributes for ($($name,)*) {
            const LIST: &'static [AttributeValue] = &[$(<$name as Attribute>::VALUE),*];
        }
    };)*};
}

tuples! {
    0: ;
    1: A0 0;
    2: A0 0, A1 1;
    3: A0 0, A1 1, A2 2;
    4: A0 0, A1 1, A2 2, A3 3;
    5: A0 0, A1 1, A2 2, A3 3, A4 4;
    6: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5;
    7: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6;
    8: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7;
    9: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8;
    10: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9;
    11: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10;
    12: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10, A11 11;
    13: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10, A11 11, A12 12;
    14: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10, A11 11, A12 12, A13 13;
    15: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10, A11 11, A12 12, A13 13, A14 14;
    16: A0 0, A1 1, A2 2, A3 3, A4 4, A5 5, A6 6, A7 7, A8 8, A9 9, A10 10, A11 11, A12 12, A13 13, A14 14, A15 15;
}
