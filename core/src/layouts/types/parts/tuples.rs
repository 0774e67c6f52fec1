//! Tuples are the lists of a layout's type: dimensions, numbers, tile entries, attributes.

use super::*;

// A path names its trait, because the compiler looks for the item in all traits otherwise.
macro_rules! tuples {
    ([$($name:ident $at:tt)*] $n:tt) => {const _: () = {
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
    };};
    ([$($name:ident $at:tt)*] $n:tt $next:ident $($more:tt)*) => {
        tuples!([$($name $at)*] $n);
        tuples!([$($name $at)* $next $n] $($more)*);
    };
}

tuples! {
    [] 0 A0 1 A1 2 A2 3 A3 4 A4 5 A5 6 A6 7 A7 8 A8
    9 A9 10 A10 11 A11 12 A12 13 A13 14 A14 15 A15 16
}
