//! Parts of arrays. Laws:
//! 1. An element of a part is the element of the whole at the part's first index plus the index.
//! 2. The parts of a split, of chunks and of tiles are disjoint, and together they are the whole.
//! 3. What is refused has no such part: the memory of the elements is not that of the first ones.
#![cfg(feature = "std")]

use proptest::prelude::*;
use xlayout::types::{Nat, NotSlice};
use xlayout::{
    Array, ArrayBase, ArrayLayout, DynLayout, GappedLayout, LayoutError, PackedViewMut, Part,
    RankedLayout, Storage, StridedLayout, TileOf, View, ViewMut, layout,
};

/// Layouts of rank 2 of many kinds.
fn layouts() -> impl Strategy<Value = DynLayout> {
    let tiles = prop_oneof![
        Just(""),
        Just(":T(2,4)"),
        Just(":T(4,8)(2,1)"),
        Just(":T(4)"),
        Just(":T(2,2)(4)"),
        Just(":T(*,3)"),
        Just(":T(3,4)(2,2)"),
    ];
    // Miri takes a minute for one of the large ones.
    let (m, n) = if cfg!(miri) {
        (5_usize, 7_usize)
    } else {
        (14, 19)
    };
    (0..m, 0..n, any::<bool>(), tiles, 0..3_usize).prop_filter_map(
        "it is no layout",
        |(m, n, rows, tiles, padding)| {
            let order = if rows { "1,0" } else { "0,1" };
            let text = match padding {
                0 if tiles.is_empty() => format!(
                    "s32[{m},{n}]<{order}>, padded_dimensions = [{}, {}]",
                    m + 1,
                    n + 2
                ),
                _ => format!("s32[{m},{n}]{{{order}{tiles}}}"),
            };
            text.parse().ok()
        },
    )
}

/// An array in which each element says its index.
fn numbered(layout: DynLayout) -> Array<i32, RankedLayout<2>> {
    let layout = RankedLayout::new(layout).expect("the rank is 2");
    Array::from_fn(layout, |&[i, j]| (1000 * i + j) as i32).expect("it is small")
}

fn value([i, j]: [usize; 2]) -> i32 {
    (1000 * i + j) as i32
}

/// Law 1 for a part of an array that [`numbered`] made.
fn check_part<S, L>(part: &ArrayBase<S, L>, origin: [usize; 2], sizes: [usize; 2])
where
    S: Storage<Item = i32>,
    L: ArrayLayout<Coordinates = [usize; 2]>,
{
    assert_eq!(part.layout().sizes(), sizes);
    let mut seen = 0;
    for i in 0..sizes[0] {
        for j in 0..sizes[1] {
            let expected = value([origin[0] + i, origin[1] + j]);
            assert_eq!(part[[i, j]], expected, "{}", part.layout().shape());
            seen += 1;
        }
    }
    assert_eq!(part.layout().elements(), seen);
    // The visit of the elements sees each once.
    let mut visited = 0;
    let mut last = None;
    part.for_each(|&[i, j], element| {
        assert_eq!(*element, value([origin[0] + i, origin[1] + j]));
        let linear = part.layout().linear_index(&[i, j]);
        assert_eq!(part.layout().multi_index(linear), Some([i, j]));
        assert!(linear < part.layout().buffer_len() && last.is_none_or(|last| last < linear));
        last = Some(linear);
        visited += 1;
    });
    assert_eq!(visited, seen);
    assert!(part.get(&[sizes[0], 0]).is_none());
}

/// Law 3: the elements from `origin` on do not have the distances of the first ones.
fn has_no_part(of: &RankedLayout<2>, origin: [usize; 2], sizes: [usize; 2]) -> bool {
    let first = of.linear_index(&origin);
    (0..sizes[0]).any(|i| {
        (0..sizes[1]).any(|j| {
            let there = of.linear_index(&[origin[0] + i, origin[1] + j]);
            there.wrapping_sub(first) != of.linear_index(&[i, j])
        })
    })
}

fn merges(of: &RankedLayout<2>) -> bool {
    !of.get().terms().is_empty()
}

/// Miri interprets: it sees a wrong access in any case that has one.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(miri) { 3 } else { 256 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn regions(layout in layouts(), a in any::<[u8; 2]>(), b in any::<[u8; 2]>()) {
        let array = numbered(layout);
        let [m, n] = array.layout().sizes();
        let origin = [a[0] as usize % (m + 1), a[1] as usize % (n + 1)];
        let sizes = [b[0] as usize % (m - origin[0] + 1), b[1] as usize % (n - origin[1] + 1)];
        match array.region(origin, sizes) {
            Ok(part) => {
                check_part(&part, origin, sizes);
                // A part of the part.
                if let (Some(i), Some(j)) = (sizes[0].checked_sub(1), sizes[1].checked_sub(1))
                    && let Ok(part) = part.region([i, j], [1, 1])
                {
                    check_part(&part, [origin[0] + i, origin[1] + j], [1, 1]);
                }
            }
            Err(LayoutError::NoSlice(NotSlice::NoLayout { .. })) => {
                prop_assert!(merges(array.layout()));
            }
            Err(LayoutError::NoSlice(NotSlice::BeginsInTile { start, below, above, .. })) => {
                prop_assert!(below < start && start < above);
                prop_assert!(has_no_part(array.layout(), origin, sizes));
            }
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn splits(layout in layouts(), at in 0..20_usize) {
        let mut array = numbered(layout);
        let [m, n] = array.layout().sizes();
        match array.split_at::<0>(at) {
            Ok((top, bottom)) => {
                check_part(&top, [0, 0], [at, n]);
                check_part(&bottom, [at, 0], [m - at, n]);
            }
            Err(LayoutError::NoSlice(NotSlice::OutOfBounds { .. })) => prop_assert!(at > m),
            Err(_) => prop_assert!(merges(array.layout()) || has_no_part(array.layout(), [at, 0], [m - at, n])),
        }
        if let Ok((mut left, mut right)) = array.split_at_mut::<1>(at) {
            left.for_each_mut(|&[i, j], x| { assert_eq!(*x, value([i, j])); *x = -1; });
            right.for_each_mut(|&[i, j], x| { assert_eq!(*x, value([i, at + j])); *x = -2; });
            for j in 0..n {
                for i in 0..m {
                    prop_assert_eq!(array[[i, j]], if j < at { -1 } else { -2 });
                }
            }
        }
    }

    #[test]
    fn chunks_are_the_whole(layout in layouts(), len in 1..9_usize) {
        let mut array = numbered(layout);
        let [m, n] = array.layout().sizes();
        if let Ok(chunks) = array.chunks::<0>(len) {
            prop_assert_eq!(chunks.len(), m.div_ceil(len));
            for (k, chunk) in chunks.enumerate() {
                check_part(&chunk, [k * len, 0], [len.min(m - k * len), n]);
            }
        }
        if let Ok(mut chunks) = array.chunks_mut::<1>(len) {
            // All at once, on threads.
            let mut all: Vec<_> = chunks.by_ref().collect();
            prop_assert_eq!((all.len(), chunks.len()), (n.div_ceil(len), 0));
            std::thread::scope(|scope| {
                for (k, chunk) in all.iter_mut().enumerate() {
                    scope.spawn(move || chunk.for_each_mut(|_, x| *x = -(k as i32) - 1));
                }
            });
            for i in 0..m {
                for j in 0..n {
                    prop_assert_eq!(array[[i, j]], -((j / len) as i32) - 1);
                }
            }
        } else {
            prop_assert!(merges(array.layout())
                || (0..n).step_by(len).any(|j| has_no_part(array.layout(), [0, j], [m, len.min(n - j)])));
        }
    }

    #[test]
    fn tiles_are_the_whole(layout in layouts()) {
        tiles::<2, 4>(layout.clone());
        tiles::<4, 8>(layout.clone());
        tiles::<1, 1>(layout.clone());
        tiles::<3, 5>(layout);
    }

    #[test]
    fn steps(layout in layouts(), start in 0..10_usize, step in 1..5_usize) {
        let mut array = numbered(layout);
        let [m, n] = array.layout().sizes();
        let strided = array.layout().strides().is_some();
        match array.with_step::<1>(start.., step) {
            Ok(part) => {
                prop_assert!(strided && start <= n);
                let len = (n - start).div_ceil(step);
                prop_assert_eq!(part.layout().sizes(), [m, len]);
                for i in 0..m {
                    for j in 0..len {
                        prop_assert_eq!(part[[i, j]], value([i, start + j * step]));
                    }
                }
                // Both dimensions, and every second of those.
                let part = part.with_step::<0>(.., 2).unwrap();
                let part = part.with_step::<1>(1.min(len).., 2).unwrap();
                part.for_each(|&[i, j], x| {
                    assert_eq!(*x, value([2 * i, start + (1 + 2 * j) * step]));
                });
            }
            Err(LayoutError::NotStrided) => prop_assert!(!strided),
            Err(LayoutError::NoSlice(NotSlice::OutOfBounds { .. })) => prop_assert!(start > n),
            Err(other) => panic!("{other}"),
        }
        if let Ok(mut part) = array.with_step_mut::<0>(start.min(m).., step) {
            part.for_each_mut(|_, x| *x = -1);
            for i in 0..m {
                for j in 0..n {
                    let taken = i >= start && (i - start) % step == 0;
                    prop_assert_eq!(array[[i, j]] == -1, taken);
                }
            }
        }
    }

    /// Parts of packed arrays are the whole, and no byte has elements of two: also where a thread writes
    /// each.
    #[test]
    fn packed_parts(
        m in 0..7_usize,
        n in 0..11_usize,
        rows in any::<bool>(),
        tiles in prop_oneof![Just(""), Just("T(2,4)"), Just("T(4,8)(2,1)"), Just("T(3,2)"), Just("T(2,3)(2,1)")],
        bits in prop_oneof![Just(1_usize), Just(2), Just(4)],
        len in 1..6_usize,
    ) {
        let text = format!("u{bits}[{m},{n}]{{{}:{tiles}E({bits})}}", if rows { "1,0" } else { "0,1" });
        let Ok(layout) = text.parse::<DynLayout>() else { return Ok(()) };
        let mut bytes = vec![0; layout.bytes()];
        let mut array = PackedViewMut::new(&mut bytes[..], &layout).unwrap();
        let mask = (1 << bits) - 1;
        let value = |i: usize, j: usize| ((5 * i + 3 * j) % 16) as u8 & mask;
        macro_rules! check {
            ($chunks:ident, $chunks_mut:ident, $dim:literal) => {
                let shares_a_byte = match array.$chunks_mut::<$dim>(len) {
                    Ok(chunks) => {
                        std::thread::scope(|scope| {
                            for (k, mut chunk) in chunks.enumerate() {
                                scope.spawn(move || {
                                    let [a, b] = <[usize; 2]>::try_from(&chunk.layout().sizes()[..]).unwrap();
                                    for i in 0..a {
                                        for j in 0..b {
                                            let at = if $dim == 0 { [k * len + i, j] } else { [i, k * len + j] };
                                            assert!(chunk.set(&[i, j].into(), value(at[0], at[1])));
                                        }
                                    }
                                });
                            }
                        });
                        for i in 0..m {
                            for j in 0..n {
                                assert_eq!(array.get(&[i, j].into()), Some(value(i, j)), "{}", text);
                            }
                        }
                        for (k, chunk) in array.$chunks::<$dim>(len).unwrap().enumerate() {
                            chunk.for_each(|at, found| {
                                let at = if $dim == 0 { [k * len + at[0], at[1]] } else { [at[0], k * len + at[1]] };
                                assert_eq!(found, value(at[0], at[1]));
                            });
                        }
                        false
                    }
                    Err(LayoutError::SharedByte { .. }) => true,
                    Err(_) => continue_to!(),
                };
                // Law 3, but for layouts whose rows begin inside bytes, which are refused as a whole.
                let byte = |at: [usize; 2]| layout.linear_index(&at.into()) * bits / 8;
                let shared = (0..m * n).any(|x| (0..x).any(|y| {
                    let (x, y) = ([x / n, x % n], [y / n, y % n]);
                    x[$dim] / len != y[$dim] / len && byte(x) == byte(y)
                }));
                prop_assert!(shares_a_byte || !shared, "{}", text);
            };
        }
        macro_rules! continue_to {
            () => {
                return Ok(())
            };
        }
        check!(chunks, chunks_mut, 0);
        check!(chunks, chunks_mut, 1);
    }

    /// Two elements have one linear index, or the layout is taken.
    #[test]
    fn strides(sizes in any::<[u8; 3]>(), strides in any::<[u8; 3]>()) {
        let sizes = sizes.map(|n| n as usize % 5);
        let strides = strides.map(|n| n as usize % 24);
        let mut places: Vec<usize> = Vec::new();
        for i in 0..sizes[0] {
            for j in 0..sizes[1] {
                for k in 0..sizes[2] {
                    places.push(i * strides[0] + j * strides[1] + k * strides[2]);
                }
            }
        }
        let elements = places.len();
        places.sort_unstable();
        places.dedup();
        match GappedLayout::new::<u8>(sizes, strides) {
            Ok(layout) => {
                prop_assert_eq!(places.len(), elements);
                prop_assert_eq!(layout.elements(), elements);
                prop_assert_eq!(layout.buffer_len(), places.last().map_or(0, |last| last + 1));
                for index in layout.indices() {
                    let linear = layout.linear_index(index.coordinates());
                    prop_assert_eq!(layout.multi_index(linear), Some(*index.coordinates()));
                }
                let in_memory: Vec<usize> = layout.indices_in_memory().map(|(_, l)| l.get()).collect();
                prop_assert_eq!(in_memory, places);
            }
            // Strides that cross without overlapping are refused, too; `Overlap` says what is asked for.
            Err(LayoutError::Overlap { stride, reached, .. }) => prop_assert!(stride <= reached),
            Err(other) => panic!("{other}"),
        }
    }
}

/// Law 2 for blocks of `M` and `N`.
fn tiles<const M: usize, const N: usize>(layout: DynLayout) {
    let mut array = numbered(layout);
    let [m, n] = array.layout().sizes();
    let of = array.layout().clone();
    let tiles = match array.try_tiles::<(Nat<M>, Nat<N>)>() {
        Ok(tiles) => tiles,
        Err(LayoutError::NotStrided) => return assert!(of.strides().is_none()),
        Err(LayoutError::NoSlice(NotSlice::NoLayout { .. })) => return assert!(merges(&of)),
        Err(LayoutError::NoSlice(NotSlice::BeginsInTile { dimension, .. })) => {
            // A mode of this dimension is cut.
            let size = [M, N][dimension];
            return assert!(of.modes().any(|mode| {
                mode.dim == dimension
                    && [mode.divisor, mode.divisor * mode.size]
                        .iter()
                        .any(|cut| !size.is_multiple_of(*cut) && !cut.is_multiple_of(size))
            }));
        }
        Err(other) => panic!("{other}"),
    };
    let mut seen = 0;
    assert_eq!(
        tiles.len(),
        if m * n == 0 {
            0
        } else {
            m.div_ceil(M) * n.div_ceil(N)
        }
    );
    let again = array.try_tiles::<(Nat<M>, Nat<N>)>().unwrap();
    assert!(again.get([m.div_ceil(M), 0]).is_none());
    for ([a, b], tile) in tiles {
        let origin = [a * M, b * N];
        let sizes = [M.min(m - origin[0]), N.min(n - origin[1])];
        match tile {
            TileOf::Whole(tile) => {
                assert_eq!(sizes, [M, N]);
                check_part(&tile, origin, sizes);
            }
            TileOf::Edge(tile) => {
                assert_ne!(sizes, [M, N]);
                check_part(&tile, origin, sizes);
            }
        }
        check_part(&again.region([a, b]).unwrap(), origin, sizes);
        seen += sizes[0] * sizes[1];
    }
    assert_eq!(seen, m * n);
    // To write: each element once.
    for ([a, b], tile) in array.try_tiles_mut::<(Nat<M>, Nat<N>)>().unwrap() {
        let number = -((100 * a + b) as i32) - 1;
        match tile {
            TileOf::Whole(mut tile) => tile.for_each_mut(|_, x| *x = number),
            TileOf::Edge(mut tile) => tile.for_each_mut(|_, x| *x = number),
        }
    }
    for i in 0..m {
        for j in 0..n {
            assert_eq!(array[[i, j]], -((100 * (i / M) + j / N) as i32) - 1);
        }
    }
}

/// Blocks of layouts that the type fixes, in whole or in part, and of chunks of them.
#[test]
fn typed_tiles() {
    type Block = (Nat<4>, Nat<8>);
    // A macro, because blocks of blocks need bounds of their own in a function.
    macro_rules! check {
        ($layout:expr) => {{
            let array = Array::from_fn($layout, |&at| value(at)).unwrap();
            let [m, n] = array.layout().sizes();
            let mut seen = 0;
            for ([a, b], tile) in array.tiles::<Block>() {
                let origin = [4 * a, 8 * b];
                let sizes = [4.min(m - origin[0]), 8.min(n - origin[1])];
                match tile {
                    TileOf::Whole(tile) => {
                        check_part(&tile, origin, sizes);
                        // By coordinates, which are not checked, and by an index.
                        for i in tile.axis::<0>() {
                            for j in tile.axis::<1>() {
                                assert_eq!(
                                    tile[(i, j)],
                                    value([origin[0] + i.get(), origin[1] + j.get()])
                                );
                            }
                        }
                        let index = tile.layout().index([3, 7]).unwrap();
                        assert_eq!(tile[index], value([origin[0] + 3, origin[1] + 7]));
                        // Blocks of the block.
                        for ([a, b], inside) in tile.tiles::<(Nat<2>, Nat<8>)>() {
                            let TileOf::Whole(inside) = inside else {
                                panic!("2 divides 4")
                            };
                            check_part(&inside, [origin[0] + 2 * a, origin[1] + 8 * b], [2, 8]);
                        }
                    }
                    TileOf::Edge(tile) => check_part(&tile, origin, sizes),
                }
                seen += sizes[0] * sizes[1];
            }
            assert_eq!(seen, m * n);
            // The blocks of a part of the array.
            for (k, chunk) in array.chunks::<0>(8).unwrap().enumerate() {
                for ([a, b], tile) in chunk.tiles::<Block>() {
                    let origin = [8 * k + 4 * a, 8 * b];
                    let sizes = [4.min(m - origin[0]), 8.min(n - origin[1])];
                    match tile {
                        TileOf::Whole(tile) => check_part(&tile, origin, sizes),
                        TileOf::Edge(tile) => check_part(&tile, origin, sizes),
                    }
                }
            }
        }};
    }
    check!(layout!(s32[13,20]));
    check!(layout!(s32[13,20]{0,1}));
    check!(layout!(s32[13,20]{1,0:T(4,8)}));
    check!(layout!(s32[16,24]{1,0:T(4,8)(2,1)}));
    check!(layout!(s32[13,20]{1,0:T(8,16)}));
    check!(layout!(s32[3,40]{1,0:T(2,4)}));
    check!(layout!(s32[13,20] <0,1>, padded_dimensions = [16, 24]));
    check!(layout!(s32[?,?]{1,0:T(4,8)})([13, 20]).unwrap());
    check!(layout!(s32[?,20]{0,1:T(8,4)})([13, 20]).unwrap());
    check!(layout!(s32[?,?])([12, 24]).unwrap());
    check!(layout!(s32[?,?])([0, 24]).unwrap());
    // A slice of a static layout.
    let array = Array::from_fn(layout!(s32[8,24]), |&at| value(at)).unwrap();
    let part = array.as_view().slice::<1, 8, 16>();
    for ([a, b], tile) in part.tiles::<Block>() {
        let TileOf::Whole(tile) = tile else { panic!() };
        check_part(&tile, [4 * a, 8 + 8 * b], [4, 8]);
    }
}

#[test]
fn broadcast_repeats_a_dimension() {
    let array = Array::from_fn(layout!(s32[1,3]{1,0:T(2,2)}), |&[_, j]| j as i32).unwrap();
    let rows = array.broadcast::<0>(4).unwrap();
    assert_eq!(rows.layout().sizes(), [4, 3]);
    assert!(!rows.layout().is_unique());
    let mut seen = vec![];
    rows.for_each(|&[i, j], x| {
        assert_eq!(*x, j as i32);
        seen.push([i, j]);
    });
    seen.sort_unstable();
    let all: Vec<[usize; 2]> = (0..4).flat_map(|i| (0..3).map(move |j| [i, j])).collect();
    assert_eq!(seen, all);
    assert_eq!(rows.layout().indices_in_memory().count(), 12);
    assert_eq!(
        (rows.layout().padding(), rows.layout().is_exhaustive()),
        (0, true)
    );
    // Parts of it, and the same rank of any layout.
    let (_, below) = rows.split_at::<0>(3).unwrap();
    assert_eq!((below.layout().sizes(), below[[0, 2]]), ([1, 3], 2));
    let found: Vec<_> = (0..4).map(|n| below.layout().multi_index(n)).collect();
    assert_eq!(found, [Some([0, 0]), Some([0, 1]), None, None]);
    let found: Vec<_> = (0..4).map(|n| rows.layout().multi_index(n)).collect();
    assert_eq!(found, [Some([0, 0]), Some([0, 1]), None, None]);
    assert!(array.broadcast::<1>(4).is_err());
    assert!(array.broadcast::<0>(usize::MAX).is_err());
    let none = array.broadcast::<0>(0).unwrap();
    none.for_each(|_, _| panic!("there are no elements"));
    assert_eq!((none.layout().elements(), none.get(&[0, 0])), (0, None));
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
    assert_eq!(once.layout().sizes(), [LARGE, 1, 0]);
    assert!(none.broadcast::<0>(LARGE + 1).is_err());
    assert!(once.broadcast::<1>(2).is_err());
    assert!(once.broadcast::<2>(2).is_err()); // its size is 0, and not 1
    // The parts are checked without a walk over all of them.
    let mut chunks = once.chunks::<0>(1).unwrap();
    assert_eq!(chunks.len(), LARGE);
    assert_eq!(chunks.next().unwrap().layout().sizes(), [1, 1, 0]);
    let one = Array::from_fn(layout!(s32[1,2]{1,0:T(2,2)}), |&[_, j]| j as i32).unwrap();
    let rows = one.broadcast::<0>(LARGE / 2).unwrap();
    assert_eq!(rows[[LARGE / 2 - 1, 1]], 1);
    let mut chunks = rows.chunks::<0>(LARGE / 3).unwrap();
    assert_eq!(chunks.len(), 2);
    assert_eq!(chunks.nth(1).unwrap()[[0, 1]], 1);
    assert!(one.broadcast::<0>(LARGE / 2 + 1).is_err());
}

/// A view of strides from elsewhere: NumPy's `a[1::2, ::3]`.
#[test]
fn strides_from_elsewhere() {
    let mut data: Vec<f32> = (0..60).map(|n| n as f32).collect();
    let layout = GappedLayout::new::<f32>([2, 4], [24, 3]).unwrap();
    let view = View::new(&data[12..][..layout.buffer_len()], layout).unwrap();
    for i in view.axis::<0>() {
        for j in view.axis::<1>() {
            assert_eq!(view[(i, j)], (12 + 24 * i.get() + 3 * j.get()) as f32);
        }
    }
    let mut view = ViewMut::new(&mut data[12..][..layout.buffer_len()], layout).unwrap();
    view.fill_padding_with(-1.0); // the gaps are the rest of another array
    view.for_each_mut(|_, x| *x = 0.0);
    let changed = data.iter().enumerate().filter(|&(n, &x)| x != n as f32);
    assert_eq!(changed.count(), 8);
    // Any rank.
    let layout = GappedLayout::new::<f32>(
        xlayout::DynCoordinates::from([2, 4]),
        xlayout::DynCoordinates::from([1, 15]),
    );
    let view = View::new(&data[..47], layout.unwrap()).unwrap();
    assert_eq!(view[[1, 3]], data[46]);
    assert!(matches!(
        GappedLayout::new::<f32>([2, 2], [usize::MAX, 1]),
        Err(LayoutError::Lower(_))
    ));
    let large = 1 << (usize::BITS / 2 + 8);
    assert!(matches!(
        GappedLayout::new::<f32>([large, large], [large, 1]),
        Err(LayoutError::Lower(_))
    ));
}

/// Coordinates of one array in another: the sizes that the types do not fix are compared by the access.
#[test]
fn axes_of_run_time_sizes() {
    let data = [1, 2, 3, 4, 5, 6];
    let strided: StridedLayout<2> = "s32[2,3]{0,1}".parse().unwrap();
    let a = View::new(&data[..], strided).unwrap();
    let b = View::new(&data[..], layout!(s32[?,3])([2, 3]).unwrap()).unwrap();
    let mut sum = 0;
    for i in a.axis::<0>() {
        sum += b.axis::<1>().map(|j| a[(i, j)] * b[(i, j)]).sum::<i32>();
    }
    assert_eq!(sum, 1 + 3 * 2 + 5 * 3 + 2 * 4 + 4 * 5 + 6 * 6);
    let narrow = View::new(&data[..4], layout!(s32[?,2])([2, 2]).unwrap()).unwrap();
    let beyond = std::panic::catch_unwind(|| {
        let last = a.axis::<1>().next_back().unwrap();
        let first = a.axis::<0>().next().unwrap();
        narrow[(first, last)]
    });
    assert!(beyond.is_err());
    // Ranges and blocks of an axis.
    let row = View::new(&data[..], layout!(s32[6])).unwrap();
    let axis = row.axis::<0>();
    assert_eq!(
        axis.clone()
            .range(2..4)
            .unwrap()
            .map(|i| row[(i,)])
            .sum::<i32>(),
        7
    );
    assert!(axis.clone().range(2..7).is_err());
    #[expect(clippy::reversed_empty_ranges, reason = "it is refused")]
    let reversed = axis.clone().range(4..2);
    assert!(reversed.is_err());
    assert!(axis.clone().range(2..4).unwrap().range(1..2).is_err());
    let blocks = axis.blocks::<4>();
    assert_eq!((blocks.len(), blocks.remainder().len()), (1, 2));
    let products: Vec<i32> = blocks
        .map(|block| block.map(|i| row[(i,)]).product())
        .collect();
    assert_eq!(products, [24]);
}

/// A function for any layout of rank 2.
#[test]
fn one_bound_for_all_layouts() {
    fn trace(x: &Part<'_, i32, impl xlayout::Rank<2>>) -> i32 {
        x.axis::<0>()
            .zip(x.axis::<1>())
            .map(|(i, j)| x[(i, j)])
            .sum()
    }
    let data = [1, 2, 3, 4];
    let fixed = View::new(&data[..], layout!(s32[2,2])).unwrap();
    let mixed = View::new(&data[..], layout!(s32[?,2])([2, 2]).unwrap()).unwrap();
    let dynamic: DynLayout = "s32[2,2]{0,1}".parse().unwrap();
    let borrowed = View::new(&data[..], &dynamic)
        .unwrap()
        .ranked::<2>()
        .unwrap();
    let dynamic = View::new(&data[..], dynamic.clone())
        .unwrap()
        .ranked::<2>()
        .unwrap();
    let traces = [
        trace(&fixed.as_part()),
        trace(&mixed.as_part()),
        trace(&dynamic.as_part()),
        trace(&borrowed.as_part()),
        dynamic.branded(|view| trace(&view.as_part())),
    ];
    assert_eq!(traces, [5; 5]);
}
