//! What a layout answers, for every kind of layout: all answers follow from the linear indices of
//! all indices. And parts of an array have the elements of the array.

use std::collections::BTreeMap;
use std::vec::Vec;

use super::ArrayLayout;
use super::sealed::Token;
use crate::array::ArrayRef;
use crate::layouts::types::{
    MinorToMajor, MixedLayout, Nat, Padded, RunTime, Star, StaticLayout, Tile, nat,
};
use crate::{Array, ConstTiles, Coordinates, Dim, DynLayout, LayoutError, StridedLayout};

/// All indices below the sizes, the last dimension fastest.
fn indices<C: Coordinates>(sizes: &C, rank: usize) -> Vec<C> {
    let mut all = Vec::from([C::origin(rank)]);
    for dim in 0..rank {
        let longer = |index: &C| {
            let index = index.clone();
            (0..sizes.coordinate(dim)).map(move |i| {
                let mut longer = index.clone();
                longer.set(dim, i);
                longer
            })
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

pub(crate) fn check<L: ArrayLayout>(layout: &L) {
    let rank = layout.rank();
    let sizes = layout.shape();
    assert_eq!(sizes.as_ref().len(), rank);
    let dims = sizes.as_ref().iter().map(|&n| Dim::Static(n as i64));
    assert!(layout.array_shape().dims.iter().copied().eq(dims));
    let all = indices(&sizes, rank);
    let mut visited = Vec::new();
    layout.for_each_index(|index| visited.push(index.clone()));
    assert_eq!(visited, all);
    assert_eq!(layout.elements(), all.len());

    let mut places = BTreeMap::new();
    for index in &all {
        let linear = layout.linear_index(index);
        assert!(layout.in_bounds(index) && layout.in_bounds_again(index));
        let inside = layout.linear_index_in_bounds(index.as_ref());
        assert_eq!(inside, Some(linear), "{index:?}");
        let there = layout.in_table(index);
        let resolved = layout.with_resolved(Token, |of| of.linear_index(there.as_ref()));
        assert_eq!(resolved, linear, "{index:?}");
        if let Some(strides) = layout.strides() {
            assert_eq!(index.dot(&strides), linear, "{index:?}");
        }
        if !L::KNOWN_MODES.is_empty() && L::KNOWN_MODES.iter().all(|mode| mode.dim < rank) {
            let digits = L::KNOWN_MODES.iter();
            let steps =
                digits.map(|mode| mode.digit(index.coordinate(mode.dim)) * layout.stride_of(mode));
            assert_eq!(steps.sum::<usize>(), linear, "{index:?}");
        }
        let other = places.insert(linear, index);
        assert!(other.is_none() || !L::UNIQUE, "{index:?} and {other:?}");
        let bits = linear * layout.element_bits();
        assert_eq!(layout.bit_offset(linear), (bits / 8, (bits % 8) as u32));
    }
    let beyond = places.keys().last().map_or(0, |last| last + 1);
    assert!(beyond <= layout.buffer_len());
    // A part that ends inside a tile has the buffer up to the end of the tile.
    if !layout.owns_padding() && layout.strides().is_some() {
        assert_eq!(beyond, layout.buffer_len());
    }
    let bits = layout.buffer_len() * layout.element_bits();
    assert_eq!(layout.bytes(), bits.div_ceil(8));

    for dim in 0..rank {
        let mut outside = L::Coordinates::origin(rank);
        outside.set(dim, sizes.coordinate(dim));
        assert!(!layout.in_bounds(&outside));
        assert_eq!(layout.linear_index_in_bounds(outside.as_ref()), None);
    }
    let long = [0; 17];
    assert_eq!(layout.linear_index_in_bounds(&long[..rank + 1]), None);

    if L::UNIQUE {
        for place in 0..layout.buffer_len() + 2 {
            let found = layout.multi_index(place);
            assert_eq!(found.as_ref(), places.get(&place).copied(), "{place}");
            if let Some(index) = found {
                assert_eq!(layout.multi_index_of_element(place), index);
            }
        }
        let mut expected = places.iter();
        layout.for_each_in_memory(|index, linear| {
            assert_eq!(expected.next(), Some((&linear, &index)));
        });
        assert_eq!(expected.next(), None);
        let contiguous = beyond == all.len() || layout.buffer_len() == all.len();
        assert_eq!(layout.is_contiguous(), contiguous);
        assert_eq!(layout.padding(), layout.buffer_len() - all.len());
    }
}

/// The parts of all sizes that begin anywhere: each has the elements of the whole, or is refused.
fn check_parts<L: ArrayLayout<Coordinates = [usize; 2]> + ConstTiles<Block>>(layout: L)
where
    L::Type: crate::dtype::StoredAs<i32>,
{
    check(&layout);
    let [rows, columns] = layout.shape();
    let value = |[i, j]: [usize; 2]| (100 * i + j) as i32;
    let array = Array::from_fn(layout, |index| value(*index)).unwrap();
    let whole = [0, 0];
    for [y, x] in indices(&[rows + 1, columns + 1], 2) {
        for [height, width] in indices(&[rows + 1 - y, columns + 1 - x], 2) {
            if let Ok(part) = array.region([y, x], [height, width]) {
                check_elements(&part, [y, x], value);
            } else {
                assert_ne!([y, x], whole, "{height} {width}");
            }
        }
    }
    let tiles = array.tiles(nat![2, 2]);
    assert_eq!(tiles.len(), rows.div_ceil(2) * columns.div_ceil(2));
    for (number, tile) in tiles {
        let first = [2 * number[0], 2 * number[1]];
        check_elements(&tile, first, value);
        if let Some(tile) = tile.whole() {
            check_elements(&tile, first, value);
        }
    }
}

type Block = (Nat<2>, Nat<2>);

/// All elements in logical sequence, however the sequence is run through.
fn check_sequence<L: ArrayLayout>(array: &ArrayRef<i32, L>) {
    let all = indices(&array.layout().shape(), array.layout().rank());
    let element = |index: &L::Coordinates| *array.get(index).unwrap();
    let expected: Vec<i32> = all.iter().map(element).collect();
    // Miri takes seconds for each.
    let step = if cfg!(miri) { 5 } else { 1 };
    for taken in (0..=expected.len()).step_by(step) {
        let mut some = array.iter();
        assert!(
            some.by_ref().take(taken).eq(&expected[..taken]),
            "{array:?}"
        );
        assert_eq!(some.len(), expected.len() - taken);
        let mut rest = Vec::new();
        some.for_each(|&element| rest.push(element));
        assert_eq!(rest, expected[taken..]);
    }
    let mut indexed = array.indexed_iter();
    for (index, element) in all.iter().zip(&expected) {
        assert_eq!(indexed.next(), Some((index.clone(), element)));
    }
    assert!(indexed.next().is_none());
}

/// A part, and its own parts, have these values from the first index on.
fn check_elements<L: ArrayLayout<Coordinates = [usize; 2]>>(
    part: &ArrayRef<i32, L>,
    [y, x]: [usize; 2],
    value: impl Fn([usize; 2]) -> i32,
) {
    check(part.layout());
    let sizes = part.layout().shape();
    for [i, j] in indices(&sizes, 2) {
        assert_eq!(part.get([i, j]), Some(&value([y + i, x + j])));
    }
    check_sequence(part);
    // Its lines, if dimensions have strides.
    for i in 0..sizes[0] {
        let expected = (0..sizes[1]).map(|j| value([y + i, x + j]));
        match part.row(i) {
            Ok(row) => assert!(row.iter().copied().eq(expected)),
            Err(why) => assert!(!part.layout().is_strided(), "{why}"),
        }
    }
    for j in 0..sizes[1] {
        let expected = (0..sizes[0]).map(|i| value([y + i, x + j]));
        match part.column(j) {
            Ok(column) => assert!(column.iter().copied().eq(expected)),
            Err(why) => assert!(!part.layout().is_strided(), "{why}"),
        }
    }
    assert!(part.row(sizes[0]).is_err() && part.column(sizes[1]).is_err());
    // Its lines as slices, if their elements are adjacent.
    if let Ok(slices) = part.lines::<1>() {
        assert_eq!(slices.len(), sizes[0]);
        for (i, slice) in slices.enumerate() {
            let expected = (0..sizes[1]).map(|j| value([y + i, x + j]));
            assert!(slice.iter().copied().eq(expected));
        }
    }
    if let Ok(slices) = part.lines::<0>() {
        assert_eq!(slices.len(), sizes[1]);
        for (j, slice) in slices.enumerate() {
            let expected = (0..sizes[0]).map(|i| value([y + i, x + j]));
            assert!(slice.iter().copied().eq(expected));
        }
    }
    // Its first row.
    let row = part.region([0, 0], [1, sizes[1]]);
    if let (true, Ok(row)) = (sizes[0] > 0, row) {
        check(row.layout());
        for j in 0..sizes[1] {
            assert_eq!(row.get([0, j]), Some(&value([y, x + j])));
        }
    }
}

type Rows = MinorToMajor<(Nat<1>, Nat<0>)>;
type Columns = MinorToMajor<(Nat<0>, Nat<1>)>;
type Of<O, A> = StaticLayout<i32, (Nat<4>, Nat<6>), O, A>;

#[test]
fn typed_layouts_and_their_parts() {
    check_parts(Of::<Rows, ()>::NEW);
    check_parts(Of::<Columns, ()>::NEW);
    check_parts(Of::<Columns, (Tile<Block>,)>::NEW);
    check_parts(Of::<Rows, (Tile<(Nat<4>, Nat<2>)>, Tile<(Nat<2>, Nat<1>)>)>::NEW);
    check_parts(Of::<Rows, (Padded<(Nat<5>, Nat<8>)>,)>::NEW);
    // Tiles and blocks hang over the edges.
    check_parts(StaticLayout::<i32, (Nat<3>, Nat<5>), Rows, (Tile<(Nat<4>, Nat<2>)>,)>::NEW);
    check(&Of::<Rows, (Tile<(Star, Nat<5>)>,)>::NEW);
    check(&Of::<Rows, (Tile<(Nat<2>, Nat<4>)>, Tile<(Nat<3>,)>)>::NEW);
    check(&StaticLayout::<i32, (), MinorToMajor<()>, ()>::NEW);
    check(&StaticLayout::<i32, (Nat<0>, Nat<3>), Rows, ()>::NEW);
}

#[test]
fn layouts_of_run_time_sizes_and_their_parts() {
    type Open<A> = MixedLayout<i32, (RunTime, Nat<6>), Columns, A>;
    for rows in [0, 1, 2, 5] {
        check(&Open::<()>::with_sizes([rows, 6]).unwrap());
        check(&Open::<(Tile<Block>,)>::with_sizes([rows, 6]).unwrap());
    }
    check_parts(Open::<()>::with_sizes([4, 6]).unwrap());
    for rows in [1, 3, 4] {
        check_parts(Open::<(Tile<Block>,)>::with_sizes([rows, 6]).unwrap());
    }
    for text in [
        "s32[4,6]{1,0}",
        "s32[4,6]{0,1}",
        "s32[4,6]{1,0:T(2,4)}",
        "s32[4,6]{0,1:T(4,2)(2,1)}",
        "s32[4,6]{1,0:T(*,5)}",
        "s32[4,6]<1,0>, padded_dimensions = [5,8]",
        "s32[4,6]{1,0:L(16)}",
        "s32[0,6]",
        "s32[1,1]",
    ] {
        let layout: DynLayout = text.parse().unwrap();
        check(&layout);
        check(&layout.ranked::<2>().unwrap());
        if let Ok(strided) = text.parse::<StridedLayout<[usize; 2]>>() {
            check(&strided);
        }
    }
}

/// Runs of elements end where tiles do, and at the edge of the array.
#[test]
fn elements_of_tiles_in_logical_sequence() {
    for text in [
        "s32[]",
        "s32[0,5]{1,0:T(2,2)}",
        "s32[7]{0:T(4)}",
        "s32[13]{0:T(8)(4)(2,1)}",
        "s32[9]{0:T(3,4)(2,3)}",
        "s32[3,5]{1,0:T(2,1)}",
        "s32[5,7]{1,0:T(2,3)}",
        "s32[5,7]{0,1:T(4,2)}",
        "s32[5,9]{1,0:T(4,4)(2,1)}",
        "s32[3,8]{1,0:T(2,4)(1,2)}",
        "s32[4,6]{1,0:T(*,5)}",
        "s32[4,6]{1,0:T(2,4)(3)}",
        "s32[2,3,5]{2,1,0:T(2,2)}",
        "s32[2,5,1]{2,1,0:T(2,2)}",
        "s32[5,2,3]{2,1,0:T(2,1,1)}",
        "s32[2,2,3,4]{0,3,2,1:T(2,3)(2,1)}",
    ] {
        let layout = text.parse::<DynLayout>().unwrap();
        let mut number = 0..;
        let array = Array::from_fn(layout, |_| number.next().unwrap()).unwrap();
        check_sequence(&array);
        if array.rank() == 2 {
            check_sequence(&*array.ranked::<2>().unwrap());
        }
    }
    let column = Array::from_fn(DynLayout::new("s32[5,1]{1,0:T(2,1)}").unwrap(), |at| {
        at[0] as i32
    });
    check_sequence(&*column.unwrap().broadcast::<1>(3).unwrap());
}

#[test]
fn parts_with_gaps_and_repeated_elements() {
    let array = Array::<i32, _>::zeros(Of::<Rows, ()>::NEW).unwrap();
    check(array.as_view().into_const_slice::<1, 2, 3>().layout());
    check(array.as_view().into_const_slice::<0, 1, 2>().layout());
    check(array.as_view().into_slice::<0>(1..3).unwrap().layout());
    let row = array.as_view().into_const_slice::<0, 1, 1>();
    let repeated = row.broadcast::<0>(3).unwrap();
    check(repeated.layout());
    assert!(!repeated.layout().is_unique());
    // A part of it has fewer places than elements, and no padding.
    let part = repeated.region([1, 0], [2, 6]).unwrap();
    check(part.layout());
    assert_eq!((part.layout().padding(), part.layout().elements()), (0, 12));
    assert!(!part.layout().is_contiguous() && !repeated.layout().is_contiguous());
}

/// Strides are accepted if each is above what the dimensions of smaller strides reach together.
#[test]
fn strides_from_elsewhere() {
    for [a, b, s, t] in indices(&[4, 4, 10, 10], 4) {
        let reach = |size: usize, stride: usize| size.saturating_sub(1) * stride;
        let one = (a, s);
        let other = (b, t);
        let (small, large) = if s <= t { (one, other) } else { (other, one) };
        let apart =
            (small.0 <= 1 || small.1 > 0) && (large.0 <= 1 || large.1 > reach(small.0, small.1));
        for signs in [[1, 1], [-1, 1], [1, -1], [-1, -1]] {
            let signed = [s as isize * signs[0], t as isize * signs[1]];
            let found = StridedLayout::new::<i32>([a, b], signed);
            assert_eq!(found.is_ok(), apart, "{a} {b} {signed:?}");
            let Ok(layout) = found else { continue };
            check(&layout);
            // A layout without strides of its own is the same map.
            if let Ok(dense) = DynLayout::try_from(layout) {
                assert_eq!(dense.buffer_len(), layout.elements());
                for index in layout.indices() {
                    let there = &(*index.coordinates()).into();
                    assert_eq!(
                        dense.linear_index(there),
                        layout.linear_index(index.coordinates())
                    );
                }
            }
            // A part has the factors of the whole.
            check(&layout.region([a - a / 2, b.saturating_sub(1)], Token));
            match layout.forwards() {
                Ok(forwards) => check(&forwards),
                Err(error) => assert!(matches!(error, LayoutError::Reversed { .. }), "{error}"),
            }
        }
    }
}
