//! The properties of the types: their size and traits.
#![cfg(feature = "std")]

use std::panic::{RefUnwindSafe, UnwindSafe};

use xlayout::iter::{Indices, IndicesInMemory};
use xlayout::shape::{ErrorKind, List, Mode, NotLowered, Shape, SplitConfigs, Term, Tiles};
use xlayout::{
    Array, ArrayLayout, ArrayShape, Axis, BrandedLayout, ConstLayout, Coordinate, DynCoordinates,
    DynLayout, ElementType, Index, Layout, LayoutError, LinearIndex, Packed, ParseError, SliceView,
    SliceViewMut, StridedLayout, layout,
};

use xlayout::xla::Compare;

type Dense = layout!(f32[2,3]{0,1});
type Tiled = layout!(bf16[16,256]{1,0:T(8,128)(2,1)});
type Rows = layout!(f32[?,3]{1,0});
type Both = layout!(f32[?,3,?]{1,0,2:T(8,128)});

#[test]
fn sizes() {
    // Sizes that are known at compile time take no memory. Each other size takes one number.
    assert_eq!((size_of::<Dense>(), size_of::<Tiled>()), (0, 0));
    assert_eq!((align_of::<Dense>(), align_of::<Tiled>()), (1, 1));
    assert_eq!(size_of::<Rows>(), size_of::<usize>());
    assert_eq!(size_of::<Both>(), 2 * size_of::<usize>());
    // An index is its coordinates, a view its slice.
    assert_eq!(size_of::<Index<Dense>>(), size_of::<[usize; 2]>());
    assert_eq!(size_of::<LinearIndex<Dense>>(), size_of::<usize>());
    assert_eq!(size_of::<LinearIndex<DynLayout>>(), size_of::<usize>());
    assert_eq!(size_of::<Coordinate<Dense, 1>>(), size_of::<usize>());
    assert_eq!(size_of::<SliceView<'_, f32, Dense>>(), size_of::<&[f32]>());
    assert_eq!(
        size_of::<SliceView<'_, f32, Rows>>(),
        size_of::<&[f32]>() + size_of::<usize>()
    );
    assert_eq!(size_of::<Array<f32, Dense>>(), size_of::<Box<[f32]>>());
    assert_eq!(size_of::<BrandedLayout<'_, Dense>>(), 0);
    assert_eq!(
        size_of::<BrandedLayout<'_, &DynLayout>>(),
        size_of::<&DynLayout>()
    );
    // Errors are returned often.
    assert!(
        size_of::<ParseError>() <= 128,
        "{}",
        size_of::<ParseError>()
    );
    assert_eq!(size_of::<NotLowered>(), 1);
    assert_eq!(size_of::<ElementType>(), 1);
}

#[test]
fn auto_traits() {
    fn all<T: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe>() {}
    fn of_layout<L: ArrayLayout + Send + Sync + Unpin + UnwindSafe + RefUnwindSafe>()
    where
        L::Coordinates: Send + Sync + Unpin + UnwindSafe + RefUnwindSafe,
    {
        all::<L>();
        all::<Index<L>>();
        all::<LinearIndex<L>>();
        all::<Indices<L>>();
        all::<IndicesInMemory<L>>();
        all::<SliceView<'static, f32, L>>();
        all::<Array<f32, L>>();
        all::<SliceView<'static, Packed, L>>();
    }
    of_layout::<Dense>();
    of_layout::<Tiled>();
    of_layout::<Rows>();
    of_layout::<DynLayout>();
    of_layout::<&'static DynLayout>();
    of_layout::<StridedLayout<[usize; 3]>>();
    of_layout::<BrandedLayout<'static, Dense>>();
    all::<(
        ArrayShape,
        Shape,
        Layout,
        Tiles,
        SplitConfigs,
        List<i64, 4>,
        Compare,
    )>();
    all::<(
        ParseError,
        ErrorKind,
        LayoutError,
        NotLowered,
        Mode,
        Term,
        StridedLayout<[u32; 2]>,
        DynCoordinates,
    )>();
    all::<(Axis<Dense, 0>, Coordinate<Dense, 0>)>();
    // A view that writes is as its slice: not unwind-safe.
    fn shared<T: Send + Sync + Unpin>() {}
    shared::<SliceViewMut<'static, f32, Dense>>();
    shared::<SliceViewMut<'static, Packed, Dense>>();
}

#[test]
fn copies_and_defaults() {
    fn copy<T: Copy>() {}
    fn fixed<L: ConstLayout + Copy + Default + PartialEq + Eq + std::hash::Hash>() {
        assert!(L::default() == L::NEW);
    }
    fixed::<Dense>();
    fixed::<Tiled>();
    copy::<Index<Dense>>();
    copy::<LinearIndex<DynLayout>>();
    copy::<Rows>();
    copy::<SliceView<'static, f32, Dense>>();
    copy::<Coordinate<Dense, 0>>();
    copy::<StridedLayout<[usize; 3], isize>>();
    fn error<E: std::error::Error + Send + Sync + 'static>() {}
    error::<ParseError>();
    error::<LayoutError>();
}
