//! Every kind of typed access, as a function of its own.

#[path = "../cases.rs"]
pub mod cases;

use xlayout::{Branded, Index, LaidOut, Linear, Packed, Strided, View};

macro_rules! typed {
    ($($name:ident($($i:ident)*))*) => {$(
        pub mod $name {
            use super::*;
            use crate::cases::$name::{Element, L, Coordinates};
            #[inline(never)]
            pub fn linear($($i: usize),*) -> usize {
                L::NEW.linear_index(&[$($i),*])
            }
            #[inline(never)]
            pub fn index(linear: Linear<L>) -> Coordinates {
                linear.index().into_coordinates()
            }
            #[inline(never)]
            pub fn get(view: View<'_, Element, L>, index: Index<L>) -> Element {
                view[index]
            }
            #[inline(never)]
            pub fn checked(view: View<'_, Element, L>, $($i: usize),*) -> Element {
                view[[$($i),*]]
            }
        }
    )*};
}
typed! {
    dense2(i j) dense4(i j k l) permuted4(i j k l) padded2(i j) tiled(i j) ragged(i j)
    two_level(i j) tiled4(i j k l)
}

macro_rules! packed {
    ($($name:ident)*) => {$(
        pub mod $name {
            use super::*;
            use crate::cases::$name::{L, Coordinates};
            #[inline(never)]
            pub fn linear(i: usize, j: usize) -> usize {
                L::NEW.linear_index(&[i, j])
            }
            #[inline(never)]
            pub fn index(linear: Linear<L>) -> Coordinates {
                linear.index().into_coordinates()
            }
            #[inline(never)]
            pub fn get(view: Packed<'_, L>, index: Index<L>) -> u8 {
                view.at(&index)
            }
            #[inline(never)]
            pub fn checked(view: Packed<'_, L>, i: usize, j: usize) -> Option<u8> {
                view.get(&[i, j])
            }
        }
    )*};
}
packed!(packed packed_tiled);

macro_rules! mixed {
    ($($name:ident)*) => {$(
        pub mod $name {
            use super::*;
            use crate::cases::$name::{L, Coordinates, Element};
            #[inline(never)]
            pub fn linear(layout: L, i: usize, j: usize) -> usize {
                layout.linear_index(&[i, j])
            }
            #[inline(never)]
            pub fn index<'id>(
                layout: Branded<'id, L>,
                linear: Linear<Branded<'id, L>>,
            ) -> Coordinates {
                linear.to_index(&layout).into_coordinates()
            }
            #[inline(never)]
            pub fn get(view: View<'_, Element, L>, index: Index<L>) -> Element {
                view[index]
            }
            #[inline(never)]
            pub fn checked(view: View<'_, Element, L>, i: usize, j: usize) -> Element {
                view[[i, j]]
            }
        }
    )*};
}
mixed!(mixed_rows mixed_columns mixed_tiled mixed_tiles);

pub mod strided4 {
    use super::*;
    #[inline(never)]
    pub fn linear(layout: &Strided<4>, index: &[usize; 4]) -> usize {
        layout.linear_index(index)
    }
    #[inline(never)]
    pub fn index<'id>(
        layout: &Branded<'id, Strided<4>>,
        linear: Linear<Branded<'id, Strided<4>>>,
    ) -> [usize; 4] {
        linear.to_index(layout).into_coordinates()
    }
}

pub mod dynamic4 {
    use super::*;
    use xlayout::{Dyn, DynCoordinates};
    #[inline(never)]
    pub fn linear(layout: &Dyn, index: &DynCoordinates) -> usize {
        layout.linear_index(index)
    }
}
