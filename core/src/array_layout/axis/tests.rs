//! An axis gives the same coordinates however it is run through, and access by them is access by
//! the numbers.

use alloc::vec::Vec;
use std::panic::AssertUnwindSafe;

use crate::layouts::types::{ElementWidth, MinorToMajor, Nat, Star, StaticLayout, Tile};
use crate::{Array, ConstLayout, Coordinate, DynLayout, Index, LayoutError, Rank};

type Columns = MinorToMajor<(Nat<0>, Nat<1>)>;
type Rows = MinorToMajor<(Nat<1>, Nat<0>)>;

/// Every way through an axis visits every coordinate once, in sequence.
fn runs<L: ConstLayout<Coordinates: crate::HasDimension<DIM>>, const DIM: usize>() {
    let expected: Vec<usize> = (0..L::SIZES[DIM]).collect();
    let mut looped = Vec::new();
    for i in L::axis::<DIM>() {
        looped.push(i.get());
    }
    assert_eq!(looped, expected);
    let mut folded = Vec::new();
    L::axis::<DIM>().for_each(|i| folded.push(i.get()));
    assert_eq!(folded, expected);
    assert_eq!(L::axis::<DIM>().len(), expected.len());
    assert!(
        L::axis::<DIM>()
            .rev()
            .map(Coordinate::get)
            .eq(expected.iter().rev().copied())
    );
    // An axis that something was taken from.
    let mut rest = L::axis::<DIM>();
    assert_eq!(rest.nth(2).map(Coordinate::get), expected.get(2).copied());
    let mut left = Vec::new();
    rest.for_each(|i| left.push(i.get()));
    assert_eq!(left, expected.get(3..).unwrap_or_default());
}

/// Access by coordinates of the axes is access by the numbers, row by row.
fn accesses<L: ConstLayout<Type = i32> + Rank<2>>() {
    runs::<L, 0>();
    runs::<L, 1>();
    let value = |i: usize, j: usize| (1000 * i + j) as i32;
    let mut array = Array::<i32, L>::zeros(L::NEW).unwrap();
    array.fill_padding_with(-1);
    for i in L::axis::<0>() {
        L::axis::<1>().for_each(|j| array[(i, j)] = value(i.get(), j.get()));
    }
    let view = array.as_view();
    for i in L::axis::<0>() {
        let sum: i32 = L::axis::<1>().map(|j| view[(i, j)]).sum();
        assert_eq!(
            sum,
            (0..L::SIZES[1]).map(|j| value(i.get(), j)).sum::<i32>()
        );
        for j in L::axis::<1>() {
            assert_eq!(view[[i.get(), j.get()]], value(i.get(), j.get()));
            assert_eq!(Index::<L>::from((i, j)).coordinates(), &[i.get(), j.get()]);
        }
    }
    mixes(&array);
    // Sizes that only the run time knows: each coordinate is checked.
    let layout = DynLayout::new(L::NEW.array_shape())
        .unwrap()
        .ranked::<2>()
        .unwrap();
    let copy = Array::new(layout, array.memory().to_vec()).unwrap();
    mixes(&copy);
    for i in copy.axis::<0>() {
        // A coordinate of an array that only the run time knows.
        copy.axis::<1>()
            .for_each(|j| assert_eq!(view[(i, j)], copy[(i, j)]));
    }
}

/// Tuples of coordinates and numbers are the numbers; what is outside is refused.
fn mixes<L: Rank<2>>(array: &Array<i32, L>) {
    let [rows, columns] = array.shape();
    for i in array.axis::<0>() {
        for j in array.axis::<1>() {
            let expected = array[[i.get(), j.get()]];
            assert_eq!(array[(i, j.get())], expected);
            assert_eq!(array[(i.get(), j)], expected);
            assert_eq!(array[(i.get(), j.get())], expected);
        }
        let refused = std::panic::catch_unwind(AssertUnwindSafe(|| array[(i, columns)]));
        assert!(refused.is_err());
    }
    for j in array.axis::<1>() {
        let refused = std::panic::catch_unwind(AssertUnwindSafe(|| array[(rows, j)]));
        assert!(refused.is_err());
    }
}

#[test]
fn whole_arrays() {
    accesses::<StaticLayout<i32, (Nat<5>, Nat<7>), Columns, ()>>();
    accesses::<StaticLayout<i32, (Nat<5>, Nat<7>), Rows, ()>>();
    accesses::<StaticLayout<i32, (Nat<7>, Nat<9>), Rows, (Tile<(Nat<2>, Nat<4>)>,)>>();
    accesses::<
        StaticLayout<
            i32,
            (Nat<9>, Nat<9>),
            Columns,
            (Tile<(Nat<4>, Nat<4>)>, Tile<(Nat<2>, Nat<1>)>),
        >,
    >();
    // Miri takes minutes for them.
    if !cfg!(miri) {
        accesses::<StaticLayout<i32, (Nat<37>, Nat<300>), Rows, (Tile<(Nat<8>, Nat<128>)>,)>>();
        accesses::<
            StaticLayout<
                i32,
                (Nat<37>, Nat<300>),
                Columns,
                (Tile<(Nat<8>, Nat<128>)>, Tile<(Nat<4>, Nat<1>)>),
            >,
        >();
        accesses::<
            StaticLayout<
                i32,
                (Nat<16>, Nat<256>),
                Rows,
                (Tile<(Nat<8>, Nat<128>)>, Tile<(Nat<2>, Nat<1>)>),
            >,
        >();
    }
    accesses::<StaticLayout<i32, (Nat<3>, Nat<5>), Rows, (Tile<(Nat<8>, Nat<128>)>,)>>();
    accesses::<StaticLayout<i32, (Nat<5>, Nat<7>), Rows, (Tile<(Nat<2>, Nat<3>)>, Tile<(Nat<2>,)>)>>(
    );
    accesses::<StaticLayout<i32, (Nat<5>, Nat<7>), Rows, (Tile<(Star, Nat<3>)>,)>>();
    accesses::<StaticLayout<i32, (Nat<0>, Nat<7>), Rows, (Tile<(Nat<2>, Nat<3>)>,)>>();
    accesses::<StaticLayout<i32, (Nat<7>, Nat<0>), Rows, ()>>();
    accesses::<StaticLayout<i32, (Nat<1>, Nat<1>), Rows, (ElementWidth<32>,)>>();
}

#[test]
fn three_levels_of_tiles() {
    type Vector<const N: usize, Tiles> =
        StaticLayout<i32, (Nat<N>,), MinorToMajor<(Nat<0>,)>, Tiles>;
    runs::<Vector<30, (Tile<(Nat<8>,)>, Tile<(Nat<4>,)>, Tile<(Nat<2>, Nat<1>)>)>, 0>();
    if !cfg!(miri) {
        runs::<
            Vector<
                3000,
                (
                    Tile<(Nat<1024>,)>,
                    Tile<(Nat<128>,)>,
                    Tile<(Nat<2>, Nat<1>)>,
                ),
            >,
            0,
        >();
    }
}

/// A neighbour of each coordinate, and the coordinate of each number, within what is left of an
/// axis.
#[test]
fn neighbours() {
    let layout = "s32[7]"
        .parse::<DynLayout>()
        .unwrap()
        .ranked::<1>()
        .unwrap();
    let array = Array::from_fn(layout, |&[i]| i as i32).unwrap();
    for (start, end) in (0..=7).flat_map(|end| (0..=end).map(move |start| (start, end))) {
        let axis = array.axis::<0>().range(start..end);
        assert_eq!(axis.size(), end - start);
        assert!(
            axis.clone()
                .eq(array.axis::<0>().range(start..).take(end - start))
        );
        for number in 0..9 {
            let left = (start..end).contains(&number);
            assert_eq!(axis.coordinate(number).is_ok(), left);
            for steps in [isize::MIN, -8, -1, 0, 1, 8, isize::MAX] {
                let expected = number
                    .checked_add_signed(steps)
                    .filter(|at| (start..end).contains(at));
                let found = axis.offset(number, steps);
                assert_eq!(found.map(usize::from), expected);
                assert_eq!(found.map(|i| array[i] as usize), expected);
            }
        }
        let last = axis.clone().next_back();
        let inclusive = last.map(|last| array.axis::<0>().range(..=last).size());
        assert_eq!(inclusive, last.map(|last| last + 1));
    }
    assert!(array.axis::<0>().try_range(..=usize::MAX).is_err());
    let start = 5;
    let end = 3;
    assert!(array.axis::<0>().try_range(start..end).is_err());
}

#[test]
fn numbers_are_proven() {
    type L = StaticLayout<i32, (Nat<2>, Nat<3>), Rows, ()>;
    type Larger = StaticLayout<i32, (Nat<3>, Nat<4>), Columns, ()>;
    let last = Coordinate::<L, 1>::new(2).unwrap();
    assert_eq!(last.along::<Larger, 1>().get(), 2);
    let beyond = LayoutError::OutOfBounds {
        dimension: 1,
        coordinate: 3,
        size: 3,
    };
    assert_eq!(Coordinate::<L, 1>::new(3), Err(beyond));
}

/// What is refused is said of the coordinates that are left, whatever the size of the dimension is.
#[test]
fn what_an_axis_has_left_is_said() {
    let layout = DynLayout::new("f32[2,3]").unwrap().ranked::<2>().unwrap();
    let array = Array::<f32, _>::zeros(layout).unwrap();
    let axis = array.axis::<1>();
    let said = |error: LayoutError| std::format!("{error}");
    assert_eq!(
        said(axis.clone().range(1..2).coordinate(0).unwrap_err()),
        "coordinate 0 of dimension 1 is not on this axis, which has the coordinates 1 to 1; use one of these",
    );
    assert_eq!(
        said(axis.clone().range(1..1).coordinate(1).unwrap_err()),
        "coordinate 1 of dimension 1 is not on this axis: no coordinate is left; make the axis anew, or look at its size first",
    );
    assert_eq!(
        said(axis.clone().range(1..3).try_range(0..1).unwrap_err()),
        "the range 0..1 of dimension 1 is not on this axis, which has the coordinates 1..3; begin it at 1 or after, and end \
         it at 3 or before",
    );
    assert_eq!(
        said(array.region([usize::MAX, 0], [2, 1]).unwrap_err()),
        std::format!(
            "a slice of dimension 0 that begins at {} is out of bounds: the dimension has size 2; end it at 2 \
             or before",
            usize::MAX,
        ),
    );
}
