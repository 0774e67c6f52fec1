//! An axis gives the same coordinates however it is run through, and access by them is access by
//! the numbers.

use alloc::vec::Vec;

use crate::fixed::{D, E, Fixed, MinorToMajor, Star, T};
use crate::{Array, Coordinate, FixedLayout, Index, Misfit};

type Columns = MinorToMajor<(D<0>, D<1>)>;
type Rows = MinorToMajor<(D<1>, D<0>)>;

/// Every way through an axis visits every coordinate once, in sequence.
fn runs<L: FixedLayout<Coordinates: crate::HasDimension<DIM>>, const DIM: usize>() {
    let expected: Vec<usize> = (0..L::DIMS[DIM]).collect();
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
fn accesses<L: FixedLayout<Type = i32, Coordinates = [usize; 2]>>() {
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
        assert_eq!(sum, (0..L::DIMS[1]).map(|j| value(i.get(), j)).sum::<i32>());
        for j in L::axis::<1>() {
            assert_eq!(view[[i.get(), j.get()]], value(i.get(), j.get()));
            assert_eq!(Index::<L>::from((i, j)).coordinates(), &[i.get(), j.get()]);
        }
    }
}

#[test]
fn whole_arrays() {
    accesses::<Fixed<i32, (D<5>, D<7>), Columns, ()>>();
    accesses::<Fixed<i32, (D<5>, D<7>), Rows, ()>>();
    accesses::<Fixed<i32, (D<7>, D<9>), Rows, (T<(D<2>, D<4>)>,)>>();
    accesses::<Fixed<i32, (D<9>, D<9>), Columns, (T<(D<4>, D<4>)>, T<(D<2>, D<1>)>)>>();
    // Miri takes minutes for them.
    if !cfg!(miri) {
        accesses::<Fixed<i32, (D<37>, D<300>), Rows, (T<(D<8>, D<128>)>,)>>();
        accesses::<Fixed<i32, (D<37>, D<300>), Columns, (T<(D<8>, D<128>)>, T<(D<4>, D<1>)>)>>();
        accesses::<Fixed<i32, (D<16>, D<256>), Rows, (T<(D<8>, D<128>)>, T<(D<2>, D<1>)>)>>();
    }
    accesses::<Fixed<i32, (D<3>, D<5>), Rows, (T<(D<8>, D<128>)>,)>>();
    accesses::<Fixed<i32, (D<5>, D<7>), Rows, (T<(D<2>, D<3>)>, T<(D<2>,)>)>>();
    accesses::<Fixed<i32, (D<5>, D<7>), Rows, (T<(Star, D<3>)>,)>>();
    accesses::<Fixed<i32, (D<0>, D<7>), Rows, (T<(D<2>, D<3>)>,)>>();
    accesses::<Fixed<i32, (D<7>, D<0>), Rows, ()>>();
    accesses::<Fixed<i32, (D<1>, D<1>), Rows, (E<32>,)>>();
}

#[test]
fn three_levels_of_tiles() {
    type Vector<const N: usize, Tiles> = Fixed<i32, (D<N>,), MinorToMajor<(D<0>,)>, Tiles>;
    runs::<Vector<30, (T<(D<8>,)>, T<(D<4>,)>, T<(D<2>, D<1>)>)>, 0>();
    if !cfg!(miri) {
        runs::<Vector<3000, (T<(D<1024>,)>, T<(D<128>,)>, T<(D<2>, D<1>)>)>, 0>();
    }
}

#[test]
fn numbers_are_proven() {
    type L = Fixed<i32, (D<2>, D<3>), Rows, ()>;
    type Larger = Fixed<i32, (D<3>, D<4>), Columns, ()>;
    let last = Coordinate::<L, 1>::new(2).unwrap();
    assert_eq!(last.along::<Larger, 1>().get(), 2);
    let beyond = Misfit::OutOfBounds {
        dimension: 1,
        coordinate: 3,
        size: 3,
    };
    assert_eq!(Coordinate::<L, 1>::new(3), Err(beyond));
}
