//! Slices: their elements are those of the whole array.

use xlayout::bitcast::Bitcast;
use xlayout::types::{RunTime, SliceDimension, SliceLayout, Sliced, nat};
use xlayout::{Array, ArrayBase, ArrayLayout, LayoutError, SliceView, layout};

use crate::core_::type_level::rearranged::same;

macro_rules! of {
    ([$($a:tt)*]) => { layout!($($a)*) };
}

/// Tests every range of every dimension: a slice has the expected position, or an error gives a
/// reason.
#[test]
fn every_slice() {
    macro_rules! each {
        ($tile:literal: $($a:tt $($dim:literal)*;)*) => {$($({
            let layout = of!($a);
            let size = layout.shape()[$dim];
            let whole = layout.array_shape();
            let mut found = 0;
            for (start, end) in (0..=size).flat_map(|end| (0..=end).map(move |start| (start, end))) {
                let memory = places(&layout);
                let view = SliceView::new(layout, &memory[..]).unwrap();
                match view.into_slice::<$dim>(start..end) {
                    Ok(part) => {
                        found += 1;
                        sliced($dim, start, &layout, part.memory(), part.layout());
                    }
                    Err(why) => {
                        let at_edge = |n: usize| n.is_multiple_of($tile);
                        let inside = !at_edge(start) || !at_edge(end) && end != size;
                        assert!(inside, "{whole} {} {start}..{end}: {why}", $dim);
                    }
                }
            }
            assert!(found > size, "{whole}: {found}");
        })*)*};
    }
    each! { 1:
        [s32[5]] 0;
        [s32[3,4]] 0 1;
        [s32[3,4]{0,1}] 0 1;
        [s32[2,3,4]] 0 1 2;
        [s32[2,3,4]{1,2,0}] 0 1 2;
        [s32[2,3,4]{0,2,1}] 0 1 2;
        [s32[2,1,4]{0,2,1}] 0 1 2;
        [s32[2,2,2,3]{1,3,0,2}] 0 1 2 3;
        [s32[3,5]{1,0:T(2)}] 0;
    }
    each! { 1:
        [s32[3,4,5]{2,0,1:T(4,2)}] 1;
        [s32[9,3]{1,0:T(1,2)}] 0;
    }
    each! { 2:
        [s32[8,6]{1,0:T(2,2)}] 0;
        [s32[7,3]{1,0:T(2,2)}] 0;
        [s32[6,8]{0,1:T(2,2)}] 1;
    }
    each! { 4:
        [s32[9,4]{1,0:T(4,4)(2,1)}] 0;
        [s32[10]{0:T(4)}] 0;
        [s32[12]{0:T(4)(2)}] 0;
    }
}

/// A memory that counts its places.
fn places(layout: &impl ArrayLayout) -> Vec<i32> {
    (0..layout.buffer_len() as i32).collect()
}

/// Law 2: every element of a slice of such a memory has its position in the whole, and nothing else
/// is written.
fn sliced<A, S, const N: usize>(dim: usize, start: usize, layout: &A, memory: &[i32], slice: &S)
where
    A: ArrayLayout<Coordinates = [usize; N]>,
    S: ArrayLayout<Coordinates = [usize; N]>,
{
    // An empty slice has no first element, so only its layout is compared.
    let first = memory.first().map_or(0, |&first| first as usize);
    let mut count = 0;
    let mut expected = layout.shape();
    expected[dim] = slice.shape()[dim];
    assert_eq!(slice.shape(), expected);
    assert!(first + slice.buffer_len() <= layout.buffer_len());
    slice.for_each_index(|index| {
        let mut old = *index;
        old[dim] += start;
        assert!(layout.in_bounds(&old));
        assert!(slice.linear_index(index) < slice.buffer_len());
        assert_eq!(first + slice.linear_index(index), layout.linear_index(&old));
        count += 1;
    });
    assert_eq!(count, slice.elements());
    let mut visited = 0;
    slice.for_each_in_memory(|index, linear| {
        assert_eq!(linear, slice.linear_index(index));
        assert_eq!(slice.multi_index(linear), Some(*index));
        visited += 1;
    });
    assert_eq!(visited, count);
}

macro_rules! slices {
    ($($a:tt $dim:literal: $($start:literal $len:literal),*;)*) => {$($(
        let layout = of!($a);
        let memory = places(&layout);
        let view = SliceView::new(layout, &memory[..]).unwrap();
        let part = view.into_const_slice::<$dim, $start, $len>();
        sliced($dim, $start, &layout, part.memory(), part.layout());
        let part = view.into_slice_at::<$dim, $len>($start).unwrap();
        sliced($dim, $start, &layout, part.memory(), part.layout());
    )*)*};
}

macro_rules! run_time_slices {
    ($($a:tt $dim:literal: $($start:literal $len:literal),*;)*) => {$($(
        let layout = of!($a);
        let memory = places(&layout);
        let view = SliceView::new(layout, &memory[..]).unwrap();
        let part = view.into_slice::<$dim>($start..$start + $len).unwrap();
        sliced($dim, $start, &layout, part.memory(), part.layout());
    )*)*};
}

#[test]
fn slices_lie_in_the_whole() {
    macro_rules! both {
        ($($t:tt)*) => { slices!($($t)*); run_time_slices!($($t)*); };
    }
    both! {
        [s32[3,4]] 0: 0 3, 0 1, 1 2, 2 1, 1 1, 3 0, 0 0;
        [s32[3,4]] 1: 0 4, 0 1, 1 2, 3 1, 2 2, 4 0;
        [s32[3,4]{0,1}] 0: 0 3, 1 2, 2 1;
        [s32[3,4]{0,1}] 1: 0 4, 1 2, 3 1;
        [s32[5]] 0: 0 5, 2 2, 4 1;
        [s32[2,3,4]] 1: 0 3, 1 1, 1 2, 2 1;
        [s32[2,3,4]{0,2,1}] 2: 0 4, 1 3;
        [s32[2,3,4]{0,2,1}] 1: 2 1, 0 2;
        [s32[1,3]] 0: 0 1;
        [s32[6,3]{1,0:T(2,2)}] 0: 0 2, 2 2, 2 4, 4 2, 0 6;
        [s32[5,3]{1,0:T(2,2)}] 0: 0 2, 2 2, 4 1, 2 3, 0 5;
        [s32[7,3]{0,1:T(2)}] 1: 1 2, 0 1, 2 1;
        [s32[7,4]{1,0:T(4,4)(2,1)}] 0: 0 4, 4 3;
        [s32[3,4]{1,0:S(1)}] 1: 1 2;
    }
    slices! {
        [s32[3,4] <1,0>, padded_dimensions = [4, 6]] 1: 0 4, 1 2, 3 1;
        [s32[3,4] <1,0>, padded_dimensions = [4, 6], padding_value = one] 0: 0 3, 1 2;
        [s32[3,4] <0,1>, padded_dimensions = [4, 6]] 1: 1 2, 0 4;
        [s32[<=3,4]] 1: 1 2;
    }
    same::<Sliced<layout!(f32[24,256]{1,0:T(8,128)}), 0, 8>, layout!(f32[8,256]{1,0:T(8,128)})>();
    same::<Sliced<layout!(f32[3,4]{0,1}), 1, 2>, layout!(f32[3,2]{0,1})>();
    same::<
        Sliced<layout!(f32[3,4]), 1, 2>,
        SliceLayout<layout!(f32[3,2] <1,0>, padded_dimensions = [3, 4])>,
    >();
    same::<<layout!(f32[3,4]) as SliceDimension<0, RunTime>>::Layout, layout!(f32[?,4])>();
    same::<<layout!(f32[?,4]) as SliceDimension<0, RunTime>>::Layout, layout!(f32[?,4])>();
    // A part of a part.
    for (y, x) in (0..2).flat_map(|y| (0..2).map(move |x| (y, x))) {
        let data: Vec<i32> = (0..24).collect();
        let view = SliceView::new(layout!(s32[4,6]), &data[..]).unwrap();
        let part = view
            .into_const_slice::<1, 2, 3>()
            .into_const_slice::<0, 1, 2>()
            .into_const_slice::<1, 1, 2>();
        assert_eq!(part[[y, x]], view[[y + 1, x + 3]]);
        let part = view
            .into_slice::<1>(2..5)
            .unwrap()
            .into_slice::<0>(1..3)
            .unwrap();
        assert_eq!(part[[y, x]], view[[y + 1, x + 2]]);
    }
    // A part without a gap is an array like any other.
    const { assert!(Bitcast::<Sliced<layout!(f32[1,8,3]), 1, 4>, layout!(f32[4,3])>::IS_RESHAPE) };
    const {
        assert!(!Bitcast::<Sliced<layout!(f32[2,8,3]), 1, 4>, layout!(f32[2,4,3])>::IS_RESHAPE);
    }
}

#[test]
fn slices_of_run_time_sizes() {
    for rows in 0..5 {
        let layout = layout!(s32[?,3]{1,0})([rows, 3]).unwrap();
        for (start, end) in (0..=rows).flat_map(|end| (0..=end).map(move |start| (start, end))) {
            let memory = places(&layout);
            let view = SliceView::new(layout, &memory[..]).unwrap();
            let part = view.into_slice::<0>(start..end).unwrap();
            assert_eq!(part.memory().len(), 3 * (end - start));
            sliced(0, start, &layout, part.memory(), part.layout());
        }
    }
    let tiled = layout!(s32[?,3]{1,0:T(2,2)})([5, 3]).unwrap();
    let data = vec![0; tiled.buffer_len()];
    let view = SliceView::new(tiled, &data[..]).unwrap();
    let message =
        |found: Result<_, LayoutError>| found.map(drop::<ArrayBase<_, _>>).unwrap_err().to_string();
    assert_eq!(
        message(view.into_slice::<0>(1..4)),
        "a slice of dimension 0 cannot begin at 1, inside a tile; begin it at 0 or 2"
    );
    assert_eq!(
        message(view.into_slice::<0>(2..3)),
        "a slice of dimension 0 cannot end at 3, inside a tile; end it at 4, or where a tile before it ends"
    );
    assert_eq!(
        message(view.into_slice::<0>(..=5)),
        "a slice of dimension 0 from 0 to 6 is out of bounds: the dimension has size 5; end it at 5 or \
         before"
    );
    #[expect(clippy::reversed_empty_ranges, reason = "a mistake")]
    let backwards = view.into_slice::<0>(3..2);
    assert!(message(backwards).contains("from 3 to 2 ends before it begins"));
    assert!(view.into_slice::<0>(usize::MAX..).is_err());
    assert!(view.into_slice::<0>(..=usize::MAX).is_err());
    assert!(view.into_slice::<0>(2..).is_ok() && view.into_slice::<0>(4..5).is_ok());
}

#[test]
fn slices_that_would_allocate_what_is_not_theirs_have_no_layout() {
    // The tail alignment of the part would reach behind the whole.
    let data = [0; 16];
    let view = SliceView::new(layout!(s32[3,4]{1,0:L(16)}), &data[..]).unwrap();
    let found = view.into_slice_at::<0, 1>(2).map(|_| ()).unwrap_err();
    assert!(
        found.to_string().contains("no layout of its own"),
        "{found}"
    );
    // Padding of the part would be elements of the whole, even where that is one row of tiles.
    let tiles = SliceView::new(layout!(s32[4,4]{1,0:T(4,2)}), &data[..]).unwrap();
    let found = tiles.into_slice_at::<0, 2>(0).map(|_| ()).unwrap_err();
    assert!(found.to_string().contains("end it at 4"), "{found}");
    assert!(tiles.into_slice::<0>(..3).is_err() && tiles.into_slice::<0>(..4).is_ok());
    let split = SliceView::new(layout!(s32[4,4]{1,0:SC(0:1)}), &data[..]).unwrap();
    assert!(split.into_slice_at::<0, 2>(0).is_err());
}

#[test]
fn what_is_written_to_a_part_is_written_to_the_whole() {
    let mut array = Array::from_fn(layout!(s32[4,6]), |&[y, x]| (10 * y + x) as i32).unwrap();
    let mut middle = array
        .as_slice_view_mut()
        .into_const_slice::<0, 1, 2>()
        .into_const_slice::<1, 2, 3>();
    middle.for_each_in_memory_mut(|_, slot| *slot = -*slot);
    middle[[0, 0]] = 99;
    // The gaps are other elements, which no padding fills.
    middle.fill_padding();
    let expected = |y: usize, x: usize| match (y, x) {
        (1, 2) => 99,
        (1..3, 2..5) => -((10 * y + x) as i32),
        _ => (10 * y + x) as i32,
    };
    array.for_each_in_memory(|&[y, x], &value| assert_eq!(value, expected(y, x), "{y} {x}"));
    // Owned arrays keep their memory and change their shape.
    let owned = array
        .permute(nat![1, 0])
        .insert_unit::<1>()
        .delete_unit::<1>();
    assert_eq!(owned[[2, 1]], 99);
    let typed: &Array<i32, layout!(s32[6,4]{0,1})> = &owned;
    assert_eq!(typed.memory()[8], 99);
}
