//! Every kind of typed access, as a function of its own.

#[path = "../cases.rs"]
pub mod cases;
pub mod packed_dot;
pub mod product;

use xlayout::{ArrayLayout, BrandedLayout, Index, LinearIndex, Packed, SliceView, StridedLayout};

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
            pub fn index(linear: LinearIndex<L>) -> Coordinates {
                *linear.to_index(&L::NEW).coordinates()
            }
            #[inline(never)]
            pub fn get(view: SliceView<'_, Element, L>, index: Index<L>) -> Element {
                view[index]
            }
            #[inline(never)]
            pub fn checked(view: SliceView<'_, Element, L>, $($i: usize),*) -> Element {
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
            pub fn index(linear: LinearIndex<L>) -> Coordinates {
                *linear.to_index(&L::NEW).coordinates()
            }
            #[inline(never)]
            pub fn get(view: SliceView<'_, Packed, L>, index: Index<L>) -> u8 {
                view.bits_at(&index)
            }
            #[inline(never)]
            pub fn checked(view: SliceView<'_, Packed, L>, i: usize, j: usize) -> Option<u8> {
                view.get_bits([i, j])
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
                layout: BrandedLayout<'id, L>,
                linear: LinearIndex<BrandedLayout<'id, L>>,
            ) -> Coordinates {
                *linear.to_index(&layout).coordinates()
            }
            #[inline(never)]
            pub fn get(view: SliceView<'_, Element, L>, index: Index<L>) -> Element {
                view[index]
            }
            #[inline(never)]
            pub fn checked(view: SliceView<'_, Element, L>, i: usize, j: usize) -> Element {
                view[[i, j]]
            }
        }
    )*};
}
mixed!(mixed_rows mixed_columns mixed_tiled mixed_tiles);

pub mod strided4 {
    use super::*;
    #[inline(never)]
    pub fn linear(layout: &StridedLayout<[usize; 4]>, index: &[usize; 4]) -> usize {
        layout.linear_index(index)
    }
    #[inline(never)]
    pub fn index<'id>(
        layout: &BrandedLayout<'id, StridedLayout<[usize; 4]>>,
        linear: LinearIndex<BrandedLayout<'id, StridedLayout<[usize; 4]>>>,
    ) -> [usize; 4] {
        *linear.to_index(layout).coordinates()
    }
}

pub mod dynamic4 {
    use super::*;
    use xlayout::{DynCoordinates, DynLayout};
    #[inline(never)]
    pub fn linear(layout: &DynLayout, index: &DynCoordinates) -> usize {
        layout.linear_index(index)
    }
}
