//! The iterators over parts of an array.

use std::format;

use crate::array_layout::tests::check_len;
use crate::dtype::s4;
use crate::types::{ElementWidth, MinorToMajor, Nat, StaticLayout, Tile};
use crate::{Array, LayoutError, PackedViewMut};

type Order = MinorToMajor<(Nat<1>, Nat<0>)>;
type Rows = StaticLayout<f32, (Nat<5>, Nat<7>), Order, ()>;
type Packed = StaticLayout<s4, (Nat<5>, Nat<8>), Order, (ElementWidth<4>,)>;
type Block = (Nat<2>, Nat<3>);

#[test]
fn iterators_know_their_length() {
    let mut array = Array::<f32, _>::zeros(Rows::NEW).unwrap();
    check_len(array.iter(), 35);
    check_len(array.indexed_iter(), 35);
    check_len(array.iter_mut(), 35);
    check_len(array.chunks::<0>(2).unwrap(), 3);
    check_len(array.chunks_mut::<1>(4).unwrap(), 2);
    check_len(array.tiles::<Block>(), 9);
    check_len(array.tiles_mut::<Block>(), 9);
    let mut bytes = [0; 20];
    let mut packed = PackedViewMut::new(&mut bytes[..], Packed::NEW).unwrap();
    check_len(packed.chunks::<0>(3).unwrap(), 2);
    check_len(packed.chunks_mut::<1>(2).unwrap(), 4);
}

#[test]
fn blocks_say_how_many_are_left() {
    let mut array = Array::<f32, _>::zeros(Rows::NEW).unwrap();
    let mut tiles = array.tiles::<Block>();
    assert_eq!(format!("{tiles:?}"), "9 blocks of [2, 3]");
    tiles.next();
    assert_eq!(format!("{tiles:?}"), "8 blocks of [2, 3]");
    let tiles = array.tiles_mut::<Block>();
    assert_eq!(format!("{tiles:?}"), "9 blocks of [2, 3]");
}

/// A part begins and ends where a byte does: rows of eight elements of four bits do, and every second
/// column; rows of three such elements do not.
#[test]
fn parts_of_packed_arrays_share_no_byte() {
    type Odd = StaticLayout<s4, (Nat<4>, Nat<3>), Order, (ElementWidth<4>,)>;
    let mut bytes = [0; 20];
    let mut even = PackedViewMut::new(&mut bytes[..], Packed::NEW).unwrap();
    for at in 0..=5 {
        assert!(even.split_at_mut::<0>(at).is_ok(), "rows at {at}");
    }
    for at in 0..=8 {
        let found = even.split_at_mut::<1>(at);
        assert_eq!(found.is_ok(), at % 2 == 0, "columns at {at}");
    }
    let mut odd = PackedViewMut::new(&mut bytes[..6], Odd::NEW).unwrap();
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
        let expected = LayoutError::Length {
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
