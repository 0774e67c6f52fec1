//! Broadcasts, large sizes, strides from elsewhere, and bounds of generic functions.

use xlayout::types::nat;
use xlayout::{
    Array, ArrayLayout, DynLayout, LayoutError, SliceView, SliceViewMut, StridedLayout, layout,
};

#[test]
fn broadcast_repeats_a_dimension() {
    let array = Array::from_fn(layout!(s32[1,3]{1,0:T(2,2)}), |&[_, j]| j as i32).unwrap();
    let rows = array.broadcast::<0>(4).unwrap();
    assert_eq!(rows.layout().shape(), [4, 3]);
    assert!(!rows.layout().is_unique());
    let mut seen = vec![];
    rows.for_each_in_memory(|&[i, j], x| {
        assert_eq!(*x, j as i32);
        seen.push([i, j]);
    });
    seen.sort_unstable();
    let all: Vec<[usize; 2]> = (0..4).flat_map(|i| (0..3).map(move |j| [i, j])).collect();
    assert_eq!(seen, all);
    assert_eq!(rows.layout().indices_in_memory().count(), 12);
    assert_eq!(
        (rows.layout().padding(), rows.layout().is_exhaustive()),
        (array.layout().padding(), false)
    );
    // Parts of it, and the same rank of any layout.
    let (_, below) = rows.split_at::<0>(3).unwrap();
    assert_eq!((below.layout().shape(), below[[0, 2]]), ([1, 3], 2));
    let found: Vec<_> = (0..4).map(|n| below.layout().multi_index(n)).collect();
    assert_eq!(found, [Some([0, 0]), Some([0, 1]), None, None]);
    let found: Vec<_> = (0..4).map(|n| rows.layout().multi_index(n)).collect();
    assert_eq!(found, [Some([0, 0]), Some([0, 1]), None, None]);
    assert!(array.broadcast::<1>(4).is_err());
    assert!(array.broadcast::<0>(usize::MAX).is_err());
    let none = array.broadcast::<0>(0).unwrap();
    none.for_each_in_memory(|_, _| panic!("there are no elements"));
    assert_eq!((none.layout().elements(), none.get([0, 0])), (0, None));
    assert_eq!(none.layout().multi_index(0), None);
    let merged: DynLayout = "s32[1,6,5]{2,1,0:T(*,3)}".parse().unwrap();
    let array = Array::<i32, _>::zeros(merged).unwrap();
    if !array.layout().terms().is_empty() {
        assert!(array.broadcast::<0>(2).is_err());
    }
}

/// Sizes that memory does not bound: arrays without elements, and repeated ones.
#[test]
fn large_sizes_are_counted_and_not_walked() {
    const LARGE: usize = isize::MAX as usize;
    // A size of 0 counts as 1: each part of the result has sizes with a product.
    let none = Array::<i32, _>::zeros(layout!(s32[1,1,0]{2,1,0})).unwrap();
    let once = none.broadcast::<0>(LARGE).unwrap();
    assert_eq!(once.layout().shape(), [LARGE, 1, 0]);
    assert!(none.broadcast::<0>(LARGE + 1).is_err());
    assert!(once.broadcast::<1>(2).is_err());
    assert!(once.broadcast::<2>(2).is_err()); // its size is 0, and not 1
    // The parts are checked without a walk over all of them.
    let mut chunks = once.try_chunks::<0>(1).unwrap();
    assert_eq!(chunks.len(), LARGE);
    assert_eq!(chunks.next().unwrap().layout().shape(), [1, 1, 0]);
    let one = Array::from_fn(layout!(s32[1,2]{1,0:T(2,2)}), |&[_, j]| j as i32).unwrap();
    let rows = one.broadcast::<0>(LARGE / 2).unwrap();
    assert_eq!(rows[[LARGE / 2 - 1, 1]], 1);
    let mut chunks = rows.try_chunks::<0>(LARGE / 3).unwrap();
    assert_eq!(chunks.len(), 2);
    assert_eq!(chunks.nth(1).unwrap()[[0, 1]], 1);
    assert!(one.broadcast::<0>(LARGE / 2 + 1).is_err());
}

/// A view of strides from elsewhere: NumPy's `a[1::2, ::3]`.
#[test]
fn strides_from_elsewhere() {
    let mut data: Vec<f32> = (0..60).map(|n| n as f32).collect();
    let layout = StridedLayout::new::<f32>([2, 4], [24, 3]).unwrap();
    let view = SliceView::new(layout, &data[12..][..layout.buffer_len()]).unwrap();
    for i in view.axis::<0>() {
        for j in view.axis::<1>() {
            assert_eq!(view[(i, j)], (12 + 24 * i.get() + 3 * j.get()) as f32);
        }
    }
    let mut view = SliceViewMut::new(layout, &mut data[12..][..layout.buffer_len()]).unwrap();
    view.fill_padding_with(-1.0); // the gaps are the rest of another array
    view.for_each_in_memory_mut(|_, x| *x = 0.0);
    let changed = data.iter().enumerate().filter(|&(n, &x)| x != n as f32);
    assert_eq!(changed.count(), 8);
    // Any rank.
    let layout = StridedLayout::new::<f32>(xlayout::DynCoordinates::from([2, 4]), [1, 15]);
    let view = SliceView::new(layout.unwrap(), &data[..47]).unwrap();
    assert_eq!(view[[1, 3]], data[46]);
    assert!(matches!(
        StridedLayout::new::<f32>([2, 2], [isize::MIN, 1]),
        Err(LayoutError::Lower(_))
    ));
    let large: usize = 1 << (usize::BITS / 2 + 8);
    assert!(matches!(
        StridedLayout::new::<f32>([large, large], [large as isize, 1]),
        Err(LayoutError::Lower(_))
    ));
}

/// Coordinates of one array in another: the sizes that the types do not fix are compared by the
/// access.
#[test]
fn axes_of_run_time_sizes() {
    let data = [1, 2, 3, 4, 5, 6];
    let strided: StridedLayout<[usize; 2]> = "s32[2,3]{0,1}".parse().unwrap();
    let a = SliceView::new(strided, &data[..]).unwrap();
    let b = SliceView::new(layout!(s32[?,3])([2, 3]).unwrap(), &data[..]).unwrap();
    let mut sum = 0;
    for i in a.axis::<0>() {
        sum += b.axis::<1>().map(|j| a[(i, j)] * b[(i, j)]).sum::<i32>();
    }
    assert_eq!(sum, 1 + 3 * 2 + 5 * 3 + 2 * 4 + 4 * 5 + 6 * 6);
    let narrow = SliceView::new(layout!(s32[?,2])([2, 2]).unwrap(), &data[..4]).unwrap();
    let beyond = std::panic::catch_unwind(|| {
        let last = a.axis::<1>().next_back().unwrap();
        let first = a.axis::<0>().next().unwrap();
        narrow[(first, last)]
    });
    assert!(beyond.is_err());
    // Ranges and blocks of an axis.
    let row = SliceView::new(layout!(s32[6]), &data[..]).unwrap();
    let axis = row.axis::<0>();
    assert_eq!(axis.clone().range(2..4).map(|i| row[(i,)]).sum::<i32>(), 7);
    assert!(axis.clone().try_range(2..7).is_err());
    #[expect(clippy::reversed_empty_ranges, reason = "it is refused")]
    let reversed = axis.clone().try_range(4..2);
    assert!(reversed.is_err());
    assert!(axis.clone().range(2..4).try_range(1..2).is_err());
    let (blocks, rest) = axis.blocks::<4>();
    assert_eq!((blocks.len(), rest.len()), (1, 2));
    let products: Vec<i32> = blocks
        .map(|block| block.map(|i| row[(i,)]).product())
        .collect();
    assert_eq!(products, [24]);
}

/// A function for any layout of rank 2.
#[test]
fn one_bound_for_all_layouts() {
    fn trace(x: &xlayout::ArrayRef<i32, impl xlayout::Rank<2>>) -> i32 {
        x.axis::<0>()
            .zip(x.axis::<1>())
            .map(|(i, j)| x[(i, j)])
            .sum()
    }
    let data = [1, 2, 3, 4];
    let fixed = SliceView::new(layout!(s32[2,2]), &data[..]).unwrap();
    let mixed = SliceView::new(layout!(s32[?,2])([2, 2]).unwrap(), &data[..]).unwrap();
    let dynamic: DynLayout = "s32[2,2]{0,1}".parse().unwrap();
    let borrowed = SliceView::new(&dynamic, &data[..])
        .unwrap()
        .ranked::<2>()
        .unwrap();
    let dynamic = SliceView::new(dynamic.clone(), &data[..])
        .unwrap()
        .ranked::<2>()
        .unwrap();
    let traces = [
        trace(&fixed.as_view()),
        trace(&mixed.as_view()),
        trace(&dynamic.as_view()),
        trace(&borrowed.as_view()),
        dynamic.branded(|view| trace(&view.as_view())),
    ];
    assert_eq!(traces, [5; 5]);
}

/// A message is true, and says what to write.
#[test]
fn messages_of_parts() {
    let layout: DynLayout = "s32[4,6]{1,0:T(2,2)}".parse().unwrap();
    let array = Array::<i32, _>::zeros(layout)
        .unwrap()
        .ranked::<2>()
        .unwrap();
    let empty = |dimension| {
        format!("a part would have size 0 in dimension {dimension}; use a size of at least 1")
    };
    macro_rules! says {
        ($($call:expr => $text:expr;)*) => {$(
            assert_eq!($call.map(|_| ()).unwrap_err().to_string(), $text);
        )*};
    }
    #[expect(clippy::reversed_empty_ranges, reason = "it is refused")]
    let reversed = array.with_step::<0>(3..2, 1).map(|_| ());
    says! {
        array.split_at::<0>(7) =>
            "a slice of dimension 0 from 0 to 7 is out of bounds: the dimension has size 4; end it at 4 or \
             before";
        array.split_at::<0>(1) =>
            "a slice of dimension 0 cannot begin at 1, inside a tile; begin it at 0 or 2";
        array.region([1, 0], [4, 6]) =>
            "a slice of dimension 0 from 1 to 5 is out of bounds: the dimension has size 4; end it at 4 or \
             before";
        array.try_chunks::<0>(0) => empty(0);
        array.try_chunks::<1>(3) =>
            "a slice of dimension 1 cannot begin at 3, inside a tile; begin it at 2 or 4";
        array.try_tiles(nat![2, 0]) => empty(1);
        array.try_tiles(nat![0, 2]) => empty(0);
        array.try_tiles(nat![3, 2]) =>
            "blocks of 3 of dimension 0 would begin inside tiles, which are 2 wide there; use a divisor or a \
             multiple of 2";
        array.try_tiles(nat![4, 2]) =>
            "the layout is tiled, so that not every dimension has a stride; loop over the coordinates of an `axis`, or \
             copy the array to a layout without tiles";
        reversed =>
            "the layout is tiled, so that not every dimension has a stride; loop over the coordinates of an `axis`, or \
             copy the array to a layout without tiles";
        array.broadcast::<0>(3) => "dimension 0 has size 4, but size 1 is needed; give it this size, or use another layout";
    }
    let dense = Array::<i32, _>::zeros("s32[4]".parse::<StridedLayout<[usize; 1]>>().unwrap());
    let dense = dense.unwrap();
    #[expect(clippy::reversed_empty_ranges, reason = "it is refused")]
    let reversed = dense.with_step::<0>(3..2, 1);
    says! {
        reversed => "a slice of dimension 0 from 3 to 2 ends before it begins; write the lower number first";
        dense.with_step::<0>(.., 0) =>
            "a slice of dimension 0 has step 0; use a step of at least 1, or `broadcast` to repeat an element";
        dense.with_step::<1>(.., 1) =>
            "there is no dimension 1: the layout has 1 dimension; dimensions count from 0";
    }
    let merged: DynLayout = "s32[3,4]{0,1:T(3,1)(2)(*,2,1)}".parse().unwrap();
    assert!(!merged.terms().is_empty());
    let merged = Array::<i32, _>::zeros(merged)
        .unwrap()
        .ranked::<2>()
        .unwrap();
    says! {
        merged.try_tiles(nat![1, 3]) =>
            "blocks of an array whose tiles merge dimensions have no layout of their own; copy the array to a \
             layout without `*`";
    }
    let any_rank = Array::<i32, _>::zeros("s32[4,6]".parse::<DynLayout>().unwrap()).unwrap();
    let one = || [1];
    says! {
        any_rank.region(one(), [1, 1]) =>
            "the number of coordinates is 1, but the layout has rank 2; give one for each dimension";
        any_rank.region([1, 1], one()) =>
            "the number of sizes is 1, but the layout has rank 2; give one for each dimension";
        StridedLayout::new::<f32>([2, 2], [1, 1]) =>
            "the stride 1 of dimension 0 lets elements overlap or interleave: dimensions of strides that are not larger reach \
             linear index 1; use a stride above 1, or `broadcast` for a dimension that is repeated";
    }
}
