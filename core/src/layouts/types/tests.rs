//! Law 3: a layout that is known at compile time, in whole or in part, answers as the same layout
//! that only the run time knows. (`modes/tests.rs` holds that one against XLA's formula.)

use std::fmt::{Debug, Display};
use std::format;
use std::string::ToString;
use std::vec::Vec;

use super::*;
use crate::array_layout::sealed::Token;
use crate::{
    ArrayLayout, ArrayShape, ConstLayout, Coordinates, DynCoordinates, DynLayout, LayoutError,
    SliceView, Specialize,
};

type Rows1 = MinorToMajor<(Nat<0>,)>;
type Rows2 = MinorToMajor<(Nat<1>, Nat<0>)>;
type Columns2 = MinorToMajor<(Nat<0>, Nat<1>)>;
type Rows3 = MinorToMajor<(Nat<2>, Nat<1>, Nat<0>)>;
type Tile1<const A: usize> = Tile<(Nat<A>,)>;
type Tile2<const A: usize, const B: usize> = Tile<(Nat<A>, Nat<B>)>;

/// Asks a layout and its twin what decides about memory, for every index and every place.
fn alike<L: ArrayLayout>(layout: &L, twin: &DynLayout) {
    let name = twin.to_string();
    assert_eq!(layout.element_type(), twin.element_type(), "{name}");
    assert_eq!(layout.rank(), twin.rank(), "{name}");
    assert_eq!(layout.shape().as_ref(), twin.dims(), "{name}");
    assert_eq!(layout.elements(), twin.elements(), "{name}");
    assert_eq!(layout.buffer_len(), twin.buffer_len(), "{name}");
    assert_eq!(layout.element_bits(), twin.element_bits(), "{name}");
    assert_eq!(layout.bytes(), twin.bytes(), "{name}");
    assert_eq!(layout.padding(), twin.padding(), "{name}");
    assert_eq!(layout.is_contiguous(), twin.is_contiguous(), "{name}");
    let strides = layout.strides();
    let of_twin = twin.strides();
    assert_eq!(
        strides.as_ref().map(AsRef::as_ref),
        of_twin.as_ref().map(AsRef::as_ref),
        "{name}"
    );
    // A table for any size may merge what a table for one size need not: the known limit of law 6.
    if layout.modes().all(|mode| mode.dim < layout.rank()) {
        let key = |mode: crate::Mode| {
            (
                mode.dim,
                mode.divisor,
                mode.size,
                mode.stride,
                mode.run_time,
            )
        };
        assert!(layout.modes().map(key).eq(twin.modes().map(key)), "{name}");
    }
    let mut expected = Vec::new();
    twin.for_each_in_memory(|index, linear| expected.push((index.to_vec(), linear)));
    let mut found = Vec::new();
    layout.for_each_in_memory(|index, linear| found.push((index.as_ref().to_vec(), linear)));
    assert!(found == expected, "{name}: {found:?}");
    for (index, linear) in &expected {
        let mut coordinates = L::Coordinates::origin(layout.rank());
        coordinates.as_mut().copy_from_slice(index);
        assert_eq!(layout.linear_index(&coordinates), *linear, "{name}");
        assert_eq!(
            layout.linear_index_in_bounds(index),
            Some(*linear),
            "{name}"
        );
        assert!(layout.in_bounds_again(&coordinates), "{name}");
        assert_eq!(
            layout.multi_index_of_element(*linear),
            coordinates,
            "{name}"
        );
    }
    for place in 0..=layout.buffer_len() {
        let found = layout.multi_index(place);
        let expected = twin.multi_index(place);
        assert_eq!(
            found.as_ref().map(AsRef::as_ref),
            expected.as_deref(),
            "{name} {place}"
        );
    }
}

fn fixed<L>(text: &str)
where
    L: ConstLayout + FromDynLayout + PartialEq + Debug + Display,
    DynLayout: From<L>,
{
    let twin: DynLayout = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
    assert_eq!(L::NEW.to_string(), text);
    assert_eq!(format!("{:?}", L::NEW), format!("layout!({text})"));
    assert_eq!(DynLayout::from(L::NEW).array_shape(), twin.array_shape());
    alike(&L::NEW, &twin);
    assert_eq!(L::SIZES, twin.dims(), "{text}");
    assert_eq!(L::MODES, twin.mode_table(), "{text}");
    assert_eq!(
        (L::BUFFER_LEN, L::ELEMENTS, L::BYTES),
        (twin.buffer_len(), twin.elements(), twin.bytes()),
        "{text}"
    );
    assert_eq!(L::from_dyn(&twin), Ok(L::NEW), "{text}");
}

macro_rules! fixed {
    ($($text:literal $type:ty;)*) => {$( fixed::<$type>($text); )*};
}

#[test]
fn every_element_of_a_dense_layout() {
    fixed! {
        "f32[]" StaticLayout<f32, (), MinorToMajor<()>, ()>;
        "f32[0]{0}" StaticLayout<f32, (Nat<0>,), Rows1, ()>;
        "f32[4,2,3]{0,2,1}" StaticLayout<f32, (Nat<4>, Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<2>, Nat<1>)>, ()>;
        "s8[32,3]{0,1}" StaticLayout<i8, (Nat<32>, Nat<3>), Columns2, ()>;
        "f32[<=3,2]{1,0}" StaticLayout<f32, (AtMost<3>, Nat<2>), Rows2, ()>;
        // More digits than there are loops that are written out.
        "u8[2,2,2,2,2,2,2,2,2,2,2]{9,10,8,7,6,5,4,3,2,1,0}" StaticLayout<
            u8,
            (Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>),
            MinorToMajor<(Nat<9>, Nat<10>, Nat<8>, Nat<7>, Nat<6>, Nat<5>, Nat<4>, Nat<3>, Nat<2>, Nat<1>, Nat<0>)>,
            (),
        >;
    }
}

#[test]
fn every_element_of_a_layout_with_attributes() {
    fixed! {
        "s4[3,5]{0,1:E(4)S(2)}" StaticLayout<crate::dtype::s4, (Nat<3>, Nat<5>), Columns2, (ElementWidth<4>, MemSpace<2>)>;
        "f32[9,4]{1,0:SC(0:3,5)M(16)}" StaticLayout<f32, (Nat<9>, Nat<4>), Rows2, (SplitDim<0, (At<3>, At<5>)>, MetadataBytes<16>)>;
                "f32[2,3]{1,0}, padded_dimensions = [3, 5], padding_value = one"
            StaticLayout<f32, (Nat<2>, Nat<3>), Rows2, (Padded<(Nat<3>, Nat<5>)>, Fill<One>)>;
        "f32[5,3]{0,1:T(2,2)L(20)}" StaticLayout<f32, (Nat<5>, Nat<3>), Columns2, (Tile2<2, 2>, TailAlign<20>)>;
        "u8[7,9]{1,0:T(4,8)(2,1)}" StaticLayout<u8, (Nat<7>, Nat<9>), Rows2, (Tile2<4, 8>, Tile2<2, 1>)>;
        "f32[4,16]{1,0:T(2,8)(2,2)}" StaticLayout<f32, (Nat<4>, Nat<16>), Rows2, (Tile2<2, 8>, Tile2<2, 2>)>;
        "f32[6,6]{1,0:T(3,3)}" StaticLayout<f32, (Nat<6>, Nat<6>), Rows2, (Tile2<3, 3>,)>;
        "u8[6,9]{1,0:T(2,3)(2,1)}" StaticLayout<u8, (Nat<6>, Nat<9>), Rows2, (Tile2<2, 3>, Tile2<2, 1>)>;
        // Merged coordinates.
        "f32[9]{0:T(3,4)(2,3)}" StaticLayout<f32, (Nat<9>,), Rows1, (Tile2<3, 4>, Tile2<2, 3>)>;
        "f32[7,9]{1,0:T(5,4)(3,3)(2)}" StaticLayout<f32, (Nat<7>, Nat<9>), Rows2, (Tile2<5, 4>, Tile2<3, 3>, Tile1<2>)>;
    }
    type Narrow = StaticLayout<f32, (Nat<7>, Nat<9>), Rows2, (Tile2<5, 4>, Tile2<3, 3>, Tile1<2>)>;
    type Tiled = StaticLayout<u8, (Nat<7>, Nat<9>), Rows2, (Tile2<4, 8>, Tile2<2, 1>)>;
    for i in 0..7 {
        for j in 0..9 {
            let narrow = [i as u32, j as u32];
            let a = Narrow::NEW;
            let b = Tiled::NEW;
            assert_eq!(
                a.linear_index_u32(&narrow) as usize,
                a.linear_index(&[i, j])
            );
            assert_eq!(
                b.linear_index_u32(&narrow) as usize,
                b.linear_index(&[i, j])
            );
        }
    }
}

/// The type with each of these sizes, and its pattern.
macro_rules! mixed {
    ($($text:literal $type:ty: $($sizes:expr),*;)*) => {$({
        type Of = $type;
        assert_eq!(Of::pattern().to_string(), $text);
        let shape: ArrayShape = $text.parse().unwrap();
        for sizes in [$($sizes),*] {
            let twin = DynLayout::with_sizes(&shape, &sizes).unwrap();
            let layout = Of::with_sizes(sizes).unwrap();
            assert_eq!(layout.to_string(), twin.to_string());
            assert_eq!(format!("{layout:?}"), format!("layout!({twin})"));
            alike(&layout, &twin);
            assert_eq!(DynLayout::from(layout).array_shape(), twin.array_shape());
            assert_eq!(Of::from_dyn(&twin), Ok(layout), "{twin}");
            bounds(&layout, &shape);
            for other in [$($sizes),*] {
                let other_layout = Of::with_sizes(other).unwrap();
                assert_eq!(other_layout == layout, other == sizes, "{twin}");
            }
        }
    })*};
}

/// What only the run time knows is checked again where a view is indexed.
fn bounds<L: ArrayLayout>(layout: &L, shape: &ArrayShape) {
    let sizes = layout.shape();
    for (dim, of_type) in shape.dims.iter().enumerate() {
        let mut index = L::Coordinates::origin(layout.rank());
        index.set(dim, sizes.coordinate(dim));
        let others = (0..layout.rank())
            .all(|d| d == dim || shape.dims[d] != crate::Dim::Unbounded || sizes.coordinate(d) > 0);
        let expected = *of_type != crate::Dim::Unbounded && others;
        assert_eq!(layout.in_bounds_again(&index), expected, "{shape} {dim}");
        assert!(!layout.in_bounds(&index), "{shape} {dim}");
        assert_eq!(layout.linear_index_in_bounds(index.as_ref()), None);
    }
}

#[test]
fn every_element_of_a_layout_with_run_time_sizes() {
    mixed! {
        "f32[?]{0:T(4)}" MixedLayout<f32, (RunTime,), Rows1, (Tile1<4>,)>: [0], [1], [4], [7];
        "f32[?,?]{1,0:L(8)}" MixedLayout<f32, (RunTime, RunTime), Rows2, (TailAlign<8>,)>: [1, 1], [3, 5], [2, 4], [0, 5], [5, 0];
        "s4[?,5]{0,1:L(8)E(4)}" MixedLayout<crate::dtype::s4, (RunTime, Nat<5>), Columns2, (TailAlign<8>, ElementWidth<4>)>: [3, 5], [1, 5];
        "f32[?,?,4]{2,1,0}" MixedLayout<f32, (RunTime, RunTime, Nat<4>), Rows3, ()>: [2, 3, 4], [1, 3, 4], [2, 1, 4], [0, 0, 4];
        "f32[?,5]{1,0:T(2,2)}" MixedLayout<f32, (RunTime, Nat<5>), Rows2, (Tile2<2, 2>,)>: [3, 5], [1, 5], [0, 5], [4, 5];
        "f32[?,?]{0,1:T(2,4)(2,1)}" MixedLayout<f32, (RunTime, RunTime), Columns2, (Tile2<2, 4>, Tile2<2, 1>)>:
            [3, 5], [1, 1], [2, 4], [4, 2], [9, 9], [0, 9];
        "f32[<=4,?]{1,0}" MixedLayout<f32, (AtMost<4>, RunTime), Rows2, ()>: [4, 5], [4, 0];
        "f32[?,3]{0,1}, padded_dimensions = [4, 5]" MixedLayout<f32, (RunTime, Nat<3>), Columns2, (Padded<(Nat<4>, Nat<5>)>,)>:
            [0, 3], [2, 3], [4, 3];
        "f32[?,9]{1,0:T(3,4)(2,3)}" MixedLayout<f32, (RunTime, Nat<9>), Rows2, (Tile2<3, 4>, Tile2<2, 3>)>: [7, 9], [4, 9];
        "u8[2,2,2,?,2,2,2,2,2,2,2]{10,9,3,8,7,6,5,4,2,1,0}" MixedLayout<
            u8,
            (Nat<2>, Nat<2>, Nat<2>, RunTime, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>, Nat<2>),
            MinorToMajor<(Nat<10>, Nat<9>, Nat<3>, Nat<8>, Nat<7>, Nat<6>, Nat<5>, Nat<4>, Nat<2>, Nat<1>, Nat<0>)>,
            (),
        >: [2, 2, 2, 3, 2, 2, 2, 2, 2, 2, 2];
    }
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    type Rows = MixedLayout<f32, (RunTime, Nat<3>), Rows2, ()>;
    type Pads = MixedLayout<f32, (RunTime, Nat<3>), Rows2, (Padded<(Nat<4>, Nat<5>)>,)>;
    type Split = MixedLayout<f32, (RunTime, Nat<3>), Rows2, (SplitDim<0, (At<2>,)>,)>;
    let size = |dimension, expected, found| LayoutError::Size {
        dimension,
        expected,
        found,
    };
    assert_eq!(Rows::with_sizes([4, 5]), Err(size(1, 3, 5)));
    assert_eq!(Pads::with_sizes([4, 2]), Err(size(1, 3, 2)));
    for rows in 0..8 {
        let expected = LayoutError::AboveBound {
            dimension: 0,
            size: rows,
            bound: 4,
        };
        let found = Pads::with_sizes([rows, 3]).err();
        assert_eq!(found, (rows > 4).then_some(expected), "{rows}");
        assert_eq!(Split::with_sizes([rows, 3]).is_ok(), rows > 2, "{rows}");
    }
    // 2^63 - 1 bytes, on a target whose addresses have 64 bits.
    for rows in [
        usize::MAX,
        usize::MAX / 12 + 1,
        isize::MAX as usize / 12 + 1,
    ] {
        assert!(Rows::with_sizes([rows, 3]).is_err(), "{rows}");
    }
    assert!(Rows::with_sizes([isize::MAX as usize / 12, 3]).is_ok());
}

/// What a layout of this type is refused for, by the fields that the messages name.
#[test]
fn a_type_takes_the_layouts_of_its_memory_map() {
    type A = StaticLayout<f32, (Nat<2>, Nat<3>), Columns2, ()>;
    type Spaced = StaticLayout<f32, (Nat<2>, Nat<3>), Columns2, (MemSpace<1>,)>;
    type Bits = StaticLayout<f32, (Nat<2>, Nat<3>), Columns2, (ElementWidth<64>,)>;
    type Merged = StaticLayout<f32, (Nat<6>,), Rows1, (Tile1<4>, Tile1<3>)>;
    fn takes<L: FromDynLayout>(text: &str) -> Option<LayoutError> {
        L::from_dyn(&text.parse().unwrap()).err()
    }
    use LayoutError::{ElementBits, ElementType, MemoryMap, MemorySpace, Rank, Size};
    for (text, refused) in [
        ("f32[2,3]{0,1}", None),
        ("f32[2,3]{1,0}", Some(MemoryMap)),
        ("f32[2,3]{0,1:L(8)}", Some(MemoryMap)),
        ("f32[2,3]{0,1:T(2)}", None),
    ] {
        assert_eq!(takes::<A>(text), refused, "{text}");
    }
    let size = |dimension, expected, found| Size {
        dimension,
        expected,
        found,
    };
    assert_eq!(takes::<A>("f32[2,4]{0,1}"), Some(size(1, 3, 4)));
    assert_eq!(takes::<A>("f32[3,3]{0,1}"), Some(size(0, 2, 3)));
    let expected = crate::ElementType::F32;
    let found = crate::ElementType::S32;
    let types = ElementType { expected, found };
    assert_eq!(takes::<A>("s32[2,3]{0,1}"), Some(types));
    let expected = 2;
    let found = 1;
    assert_eq!(takes::<A>("f32[2]{0}"), Some(Rank { expected, found }));
    let expected = 0;
    let found = 1;
    let space = MemorySpace { expected, found };
    assert_eq!(takes::<A>("f32[2,3]{0,1:S(1)}"), Some(space));
    assert_eq!(takes::<Spaced>("f32[2,3]{0,1:S(1)}"), None);
    assert!(takes::<Spaced>("f32[2,3]{0,1}").is_some());
    let expected = 64;
    let found = 32;
    let bits = ElementBits { expected, found };
    assert_eq!(takes::<Bits>("f32[2,3]{0,1}"), Some(bits));
    assert_eq!(takes::<Bits>("f32[2,3]{0,1:E(64)}"), None);
    assert_eq!(takes::<Merged>("f32[6]{0:T(4)(3)}"), None);
    assert_eq!(takes::<Merged>("f32[6]{0:T(2)(4)}"), Some(MemoryMap));
    // Of equal modes, the merged coordinates decide: T(3)(2) over 6 elements, 9 places.
    let from = |text: &str| A::try_from(&text.parse::<DynLayout>().unwrap());
    assert_eq!(from("f32[2,3]{0,1}"), Ok(A::NEW));
    assert!(from("f32[2,3]{1,0}").is_err());
    type Rows = MixedLayout<f32, (RunTime, Nat<3>), Rows2, ()>;
    let rows = |text: &str| Rows::try_from(&text.parse::<DynLayout>().unwrap());
    assert_eq!(rows("f32[4,3]"), Rows::with_sizes([4, 3]));
    assert_eq!(rows("f32[4,3]{0,1}"), Err(MemoryMap));
    assert_eq!(rows("f32[4,2]"), Err(size(1, 3, 2)));
}

/// The constants of a type's dimensions, sizes with names among them.
#[test]
fn dimensions_say_their_sizes() {
    fn said<X: Dimension>(size: usize) -> (usize, Option<&'static str>) {
        (X::size(X::hold(size)), X::NAME)
    }
    assert_eq!(said::<Nat<3>>(3), (3, None));
    // The type says the size, whatever is held.
    assert_eq!(said::<Nat<3>>(2), (3, None));
    assert_eq!(said::<AtMost<3>>(3), (3, None));
    assert_eq!(said::<RunTime>(5), (5, None));
    assert_eq!(RunTime::size(RunTime::hold(6)), 6);
    assert_eq!(said::<Named<'M'>>(5), (5, Some("M")));
    assert_eq!(<Named<'M'>>::size(<Named<'M'>>::hold(6)), 6);
    assert_eq!(said::<Named<'_'>>(1).1, Some("_"));
    assert_eq!(said::<Named<'Z', 'ä', '中', 'x'>>(1).1, Some("Zä中x"));
    type Rows = MixedLayout<f32, (Named<'M'>, Nat<3>), Rows2, ()>;
    let rows = Rows::with_sizes([4, 3]).unwrap();
    alike(&rows, &"f32[4,3]{1,0}".parse().unwrap());
    let plain: MixedLayout<f32, (RunTime, Nat<3>), Rows2, ()> = rows.renamed();
    assert_eq!(plain.shape(), [4, 3]);
}

/// Sizes of one name are equal, whatever a layout is made of.
#[test]
fn sizes_of_one_name_are_equal() {
    type Square = MixedLayout<f32, (Named<'N'>, Named<'N'>), Rows2, ()>;
    type Free = MixedLayout<f32, (Named<'_'>, Named<'_'>), Rows2, ()>;
    type Pair = MixedLayout<f32, (Named<'N'>, Named<'N', 'N'>), Rows2, ()>;
    let unequal = LayoutError::UnequalSizes {
        name: "N",
        dimensions: [0, 1],
        sizes: [2, 3],
    };
    let dynamic: DynLayout = "f32[2,3]".parse().unwrap();
    assert_eq!(Square::with_sizes([2, 3]), Err(unequal.clone()));
    assert_eq!(Square::from_dyn(&dynamic), Err(unequal.clone()));
    assert_eq!(Square::try_from(&dynamic), Err(unequal.clone()));
    let view = SliceView::new(dynamic, &[0.0_f32; 6][..]).unwrap();
    assert!(Specialize::<Square>::specialize(view).is_err());
    assert!(Free::with_sizes([2, 3]).is_ok() && Pair::with_sizes([2, 3]).is_ok());
    let square = Square::with_sizes([3, 3]).unwrap();
    let other = square.renamed::<(Named<'M'>, Named<'M'>)>();
    assert_eq!(other.renamed::<(Named<'A'>, Named<'B'>)>().shape(), [3, 3]);
    // A part has another size: that one has no name.
    let part = SliceDimension::<0, RunTime>::with_len(&square, 2).unwrap();
    assert_eq!(ArrayLayout::shape(&part), [2, 3]);
    // Three dimensions, the last of which differs.
    type Cube = MixedLayout<
        f32,
        (Named<'N'>, Nat<1>, Named<'N'>),
        MinorToMajor<(Nat<2>, Nat<1>, Nat<0>)>,
        (),
    >;
    assert!(Cube::with_sizes([2, 1, 2]).is_ok());
    let error = Cube::with_sizes([2, 1, 5]).unwrap_err();
    assert!(matches!(
        error,
        LayoutError::UnequalSizes {
            dimensions: [0, 2],
            ..
        }
    ));
}

/// The mode table, the strides and the numbers of every type that has any.
#[test]
fn a_type_resolves_to_its_table() {
    type A = StaticLayout<f32, (Nat<3>, Nat<5>), Rows2, (Tile2<2, 2>,)>;
    let twin: DynLayout = "f32[3,5]{1,0:T(2,2)}".parse().unwrap();
    A::NEW.with_resolved(Token, |of| {
        assert_eq!((of.sizes, of.modes), (A::SIZES, A::MODES));
        assert_eq!(
            of.linear_index(&[2, 3]),
            twin.linear_index(&DynCoordinates::from(&[2, 3][..]))
        );
    });
    assert_eq!(A::MINOR_TO_MAJOR, [1, 0]);
    assert_eq!(A::ELEMENT_BITS, 32);
}
