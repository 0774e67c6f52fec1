//! The iterators over parts of an array.

use std::format;
use std::vec::Vec;

use crate::array_layout::tests::check_len;
use crate::dtype::{s4, u1, u2};
use crate::layouts::region::is_strided;
use crate::layouts::types::{
    ElementWidth, MinorToMajor, MixedLayout, Nat, RunTime, StaticLayout, Tile, nat,
};
use crate::{
    Array, ArrayLayout, ArrayRef, DynLayout, LayoutError, Packed, Rank, SliceView, SliceViewMut,
};

type Order = MinorToMajor<(Nat<1>, Nat<0>)>;
type Rows = StaticLayout<f32, (Nat<5>, Nat<7>), Order, ()>;
type PackedRows = StaticLayout<s4, (Nat<5>, Nat<8>), Order, (ElementWidth<4>,)>;

#[test]
fn iterators_know_their_length() {
    let mut array = Array::<f32, _>::zeros(Rows::NEW).unwrap();
    check_len(array.iter(), 35);
    check_len(array.indexed_iter(), 35);
    check_len(array.iter_mut(), 35);
    check_len(array.chunks::<0>(2), 3);
    check_len(array.chunks_mut::<1>(4), 2);
    check_len(array.tiles(nat![2, 3]), 9);
    check_len(array.tiles_mut(nat![2, 3]), 9);
    let mut bytes = [0; 20];
    let mut packed = SliceViewMut::packed(PackedRows::NEW, &mut bytes).unwrap();
    check_len(packed.chunks::<0>(3), 2);
    check_len(packed.chunks_mut::<1>(2), 4);
    check_len(packed.try_tiles(nat![2, 2]).unwrap(), 12);
    check_len(packed.try_tiles_mut(nat![2, 2]).unwrap(), 12);
}

/// With a negative step, the first element is the last one of the range.
#[test]
fn steps_forwards_and_backwards() {
    let line: DynLayout = "s32[7]{0}".parse().unwrap();
    let array = Array::from_fn(line, |at| at[0] as i32).unwrap();
    for (start, end) in (0..=7).flat_map(|start| (start..=7).map(move |end| (start, end))) {
        for width in 1..=4 {
            let forwards: Vec<i32> = (start as i32..end as i32).step_by(width).collect();
            let backwards: Vec<i32> = (start as i32..end as i32).rev().step_by(width).collect();
            for (step, expected) in [(width as isize, forwards), (-(width as isize), backwards)] {
                let part = array.with_step::<0>(start..end, step).unwrap();
                let found: Vec<i32> = part.iter().copied().collect();
                assert_eq!(found, expected, "{start}..{end} by {step}");
            }
        }
    }
}

/// The dimensions that a tile merges are not divided; the others are.
#[test]
fn merged_dimensions_are_not_divided() {
    let layout: DynLayout = "s32[4,2,3,2]{3,2,1,0:T(*,*,4)(3,2)}".parse().unwrap();
    assert!(!layout.terms().is_empty());
    let array = Array::from_fn(layout, |at| (100 * at[0] + 10 * at[2] + at[3]) as i32).unwrap();
    let region = |origin: [usize; 4], sizes: [usize; 4]| array.region(origin, sizes);
    let part = region([1, 0, 0, 0], [2, 2, 3, 2]).unwrap();
    assert_eq!(part[[1, 0, 2, 1]], 221);
    assert!(region([0, 0, 1, 0], [4, 2, 1, 2]).is_err());
    assert!(region([0, 0, 0, 1], [4, 2, 3, 1]).is_err());
    // Regions of other sizes have other layouts.
    let other = region([1, 0, 0, 0], [1, 2, 3, 2]).unwrap();
    assert_ne!(part.layout(), other.layout());
    let same = region([2, 0, 0, 0], [2, 2, 3, 2]).unwrap();
    assert_eq!(part.layout(), same.layout());
}

/// Of a large array, a list of more than seven is printed as three and three.
#[test]
fn long_lists_are_cut_in_the_middle() {
    for (size, row) in [(7, "[0, 1, 2, 3, 4, 5, 6]"), (8, "[0, 1, 2, ..., 5, 6, 7]")] {
        let layout: DynLayout = format!("s32[2000,{size}]").parse().unwrap();
        let array = Array::from_fn(layout, |at| at[1] as i32).unwrap();
        let text = format!("{array:?}");
        assert!(text.contains(row), "{text}");
    }
}

#[test]
fn blocks_say_how_many_are_left() {
    let mut array = Array::<f32, _>::zeros(Rows::NEW).unwrap();
    let mut tiles = array.tiles(nat![2, 3]);
    assert_eq!(format!("{tiles:?}"), "9 blocks of [2, 3]");
    tiles.next();
    assert_eq!(format!("{tiles:?}"), "8 blocks of [2, 3]");
    let tiles = array.tiles_mut(nat![2, 3]);
    assert_eq!(format!("{tiles:?}"), "9 blocks of [2, 3]");
}

/// Loops over axes and over all elements read a byte once; the numbers are those at the indices.
#[test]
fn packed_numbers_in_loops() {
    fn check<L: Rank<2>>(mut array: Array<Packed, L>) {
        let mut next = 0_i8;
        array.for_each_in_memory_mut(|_, number| {
            next = next.wrapping_mul(5).wrapping_add(3);
            *number = next;
        });
        let [rows, columns] = array.shape();
        let mut expected = Vec::new();
        for i in 0..rows {
            expected.extend((0..columns).map(|j| array.get([i, j]).unwrap()));
        }
        let mut found = Vec::new();
        for i in array.axis::<0>() {
            array.axis::<1>().for_each(|j| found.push(array.at((i, j))));
        }
        assert_eq!(found, expected);
        let mut found = Vec::new();
        array.iter().for_each(|number| found.push(number));
        assert_eq!(found, expected);
        found.clear();
        array
            .indexed_iter()
            .for_each(|(_, number)| found.push(number));
        assert_eq!(found, expected);
        found.clear();
        for j in array.axis::<1>() {
            array.axis::<0>().for_each(|i| found.push(array.at((i, j))));
        }
        let by_columns = (0..rows * columns).map(|n| expected[n % rows * columns + n / rows]);
        assert!(found.into_iter().eq(by_columns));
    }
    type Columns = MinorToMajor<(Nat<0>, Nat<1>)>;
    type Fixed<O, A> = StaticLayout<s4, (Nat<5>, Nat<7>), O, A>;
    check(Array::<Packed, _>::zeros(Fixed::<Order, (ElementWidth<4>,)>::NEW).unwrap());
    check(Array::<Packed, _>::zeros(Fixed::<Columns, (ElementWidth<4>,)>::NEW).unwrap());
    check(
        Array::<Packed, _>::zeros(Fixed::<Order, (Tile<(Nat<2>, Nat<4>)>, ElementWidth<4>)>::NEW)
            .unwrap(),
    );
    check(
        Array::<Packed, _>::zeros(Fixed::<Order, (Tile<(Nat<2>, Nat<3>)>, ElementWidth<4>)>::NEW)
            .unwrap(),
    );
    type Twos = (
        Tile<(Nat<8>, Nat<4>)>,
        Tile<(Nat<2>, Nat<1>)>,
        ElementWidth<4>,
    );
    check(Array::<Packed, _>::zeros(Fixed::<Order, Twos>::NEW).unwrap());
    type Mixed<E, A> = MixedLayout<E, (RunTime, RunTime), Order, A>;
    for sizes in [[0, 3], [1, 1], [3, 9], [2, 16]] {
        check(
            Array::<Packed, _>::zeros(Mixed::<u1, (ElementWidth<1>,)>::with_sizes(sizes).unwrap())
                .unwrap(),
        );
        check(
            Array::<Packed, _>::zeros(Mixed::<u2, (ElementWidth<2>,)>::with_sizes(sizes).unwrap())
                .unwrap(),
        );
        check(
            Array::<Packed, _>::zeros(Mixed::<s4, (ElementWidth<4>,)>::with_sizes(sizes).unwrap())
                .unwrap(),
        );
    }
}

/// Inside one tile there are strides, also at the edge: no access divides.
#[test]
fn the_type_of_a_block_at_the_edge_says_its_strides() {
    fn is_edge<T, L: ArrayLayout<Coordinates = [usize; 2]>>(
        tile: &ArrayRef<T, L>,
        sizes: [usize; 2],
    ) {
        assert_eq!(tile.layout().shape(), sizes);
        assert!(const { is_strided::<L>() });
    }
    type Tiled = StaticLayout<f32, (Nat<5>, Nat<7>), Order, (Tile<(Nat<2>, Nat<4>)>,)>;
    let array = Array::<f32, _>::zeros(Tiled::NEW).unwrap();
    is_edge(&array.tiles(nat![2, 4]).get([2, 1]).unwrap(), [1, 3]);
    let mixed =
        MixedLayout::<f32, (RunTime, RunTime), Order, (Tile<(Nat<2>, Nat<4>)>,)>::with_sizes([
            5, 7,
        ]);
    let array = Array::<f32, _>::zeros(mixed.unwrap()).unwrap();
    is_edge(&array.tiles(nat![2, 4]).get([1, 1]).unwrap(), [2, 3]);
}

/// A part begins and ends where a byte does: rows of eight elements of four bits do, and every
/// second column; rows of three such elements do not.
#[test]
fn parts_of_packed_arrays_share_no_byte() {
    type Odd = StaticLayout<s4, (Nat<4>, Nat<3>), Order, (ElementWidth<4>,)>;
    let mut bytes = [0; 20];
    let mut even = SliceViewMut::packed(PackedRows::NEW, &mut bytes).unwrap();
    for at in 0..=5 {
        assert!(even.split_at_mut::<0>(at).is_ok(), "rows at {at}");
    }
    for at in 0..=8 {
        let found = even.split_at_mut::<1>(at);
        assert_eq!(found.is_ok(), at % 2 == 0, "columns at {at}");
    }
    let mut odd = SliceViewMut::packed(Odd::NEW, &mut bytes[..6]).unwrap();
    for at in 0..=4 {
        let found = odd.split_at_mut::<0>(at);
        assert_eq!(found.is_ok(), at == 0 || at == 4, "rows at {at}");
    }
}

#[test]
fn elements_in_logical_sequence_fill_a_slice_of_their_number() {
    type Tiled = StaticLayout<f32, (Nat<2>, Nat<3>), Order, (Tile<(Nat<2>, Nat<2>)>,)>;
    let array = Array::from_fn(Tiled::NEW, |[y, x]| (3 * y + x) as f32).unwrap();
    for len in 0..9 {
        let mut out = [9.0; 9];
        let found = array.to_row_major(&mut out[..len]);
        let expected = LayoutError::Elements {
            expected: 6,
            found: len,
        };
        assert_eq!(found, if len == 6 { Ok(()) } else { Err(expected) });
        let written = if len == 6 {
            [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
        } else {
            [9.0; 6]
        };
        assert_eq!(out[..6], written);
    }
}

#[test]
fn packed_elements_are_visited_in_the_sequence_of_memory() {
    let bytes: Vec<u8> = (0..20)
        .map(|k| ((2 * k) % 16) | (((2 * k + 1) % 16) << 4))
        .collect();
    let packed = SliceView::packed(PackedRows::NEW, &bytes).unwrap();
    let mut visited = Vec::new();
    packed.for_each_in_memory(|&[i, j], number| visited.push((8 * i + j, number)));
    assert!(
        visited
            .into_iter()
            .eq((0..40).map(|k| (k, (k as i8 + 8) % 16 - 8)))
    );
}

/// Rows to write are there at the same time, of each kind of array that has them, and no element is
/// in two.
#[test]
fn rows_to_write() {
    let layout: DynLayout = "s32[3,4]{0,1}".parse().unwrap();
    let mut array = Array::<i32, _>::zeros(layout)
        .unwrap()
        .ranked::<2>()
        .unwrap();
    let mut part = array.with_step_mut::<1>(.., -2).unwrap();
    let mut rows: Vec<_> = part.rows_mut().collect();
    for (i, row) in rows.iter_mut().enumerate() {
        row.for_each_in_memory_mut(|&[j], item| *item = (10 * i + j + 1) as i32);
    }
    assert_eq!(rows.len(), 3);
    let expected = [[0, 2, 0, 1], [0, 12, 0, 11], [0, 22, 0, 21]];
    assert_eq!(array, expected);
    assert_eq!(*array.as_view(), expected);
    assert_ne!(array, [[0, 2, 0, 1], [0, 12, 0, 11], [0, 22, 0, 0]]);
    assert_ne!(array, [[0; 3]; 4]);
}
