//! Regions, splits, chunks, steps, packed parts and strides.

use proptest::prelude::*;
use xlayout::types::NotSlice;
use xlayout::{ArrayLayout, DynLayout, LayoutError, SliceViewMut, StridedLayout};

use crate::core_::parts::made::{
    check_part, config, has_no_part, layouts, merges, numbered, value,
};
use crate::core_::parts::tiles::tiles;

proptest! {
    #![proptest_config(config())]

    #[test]
    fn regions(layout in layouts(), a in any::<[u8; 2]>(), b in any::<[u8; 2]>()) {
        let array = numbered(layout);
        let [m, n] = array.layout().shape();
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
        let [m, n] = array.layout().shape();
        match array.split_at::<0>(at) {
            Ok((top, bottom)) => {
                check_part(&top, [0, 0], [at, n]);
                check_part(&bottom, [at, 0], [m - at, n]);
            }
            Err(LayoutError::NoSlice(NotSlice::OutOfBounds { .. })) => prop_assert!(at > m),
            Err(_) => prop_assert!(merges(array.layout()) || has_no_part(array.layout(), [at, 0], [m - at, n])),
        }
        if let Ok((mut left, mut right)) = array.split_at_mut::<1>(at) {
            left.for_each_in_memory_mut(|&[i, j], x| { assert_eq!(*x, value([i, j])); *x = -1; });
            right.for_each_in_memory_mut(|&[i, j], x| { assert_eq!(*x, value([i, at + j])); *x = -2; });
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
        let [m, n] = array.layout().shape();
        if let Ok(chunks) = array.try_chunks::<0>(len) {
            prop_assert_eq!(chunks.len(), m.div_ceil(len));
            for (k, chunk) in chunks.enumerate() {
                check_part(&chunk, [k * len, 0], [len.min(m - k * len), n]);
            }
        }
        if let Ok(mut chunks) = array.try_chunks_mut::<1>(len) {
            // All at once, on threads.
            let mut all: Vec<_> = chunks.by_ref().collect();
            prop_assert_eq!((all.len(), chunks.len()), (n.div_ceil(len), 0));
            std::thread::scope(|scope| {
                for (k, chunk) in all.iter_mut().enumerate() {
                    scope.spawn(move || chunk.for_each_in_memory_mut(|_, x| *x = -(k as i32) - 1));
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
        let [m, n] = array.layout().shape();
        let strided = array.layout().strides().is_some();
        match array.with_step::<1>(start.., step as isize) {
            Ok(part) => {
                prop_assert!(strided && start <= n);
                let len = (n - start).div_ceil(step);
                prop_assert_eq!(part.layout().shape(), [m, len]);
                for i in 0..m {
                    for j in 0..len {
                        prop_assert_eq!(part[[i, j]], value([i, start + j * step]));
                    }
                }
                // Both dimensions, and every second of those.
                let part = part.with_step::<0>(.., 2).unwrap();
                let part = part.with_step::<1>(1.min(len).., 2).unwrap();
                part.for_each_in_memory(|&[i, j], x| {
                    assert_eq!(*x, value([2 * i, start + (1 + 2 * j) * step]));
                });
            }
            Err(LayoutError::NotStrided) => prop_assert!(!strided),
            Err(LayoutError::NoSlice(NotSlice::OutOfBounds { .. })) => prop_assert!(start > n),
            Err(other) => panic!("{other}"),
        }
        if let Ok(mut part) = array.with_step_mut::<0>(start.min(m).., step as isize) {
            part.for_each_in_memory_mut(|_, x| *x = -1);
            for i in 0..m {
                for j in 0..n {
                    let taken = i >= start && (i - start) % step == 0;
                    prop_assert_eq!(array[[i, j]] == -1, taken);
                }
            }
        }
    }

    /// Parts of packed arrays are the whole, and no byte has elements of two: also where a thread
    /// writes each.
    #[test]
    fn packed_parts(
        m in 0..7_usize,
        n in 0..11_usize,
        rows in any::<bool>(),
        tiles in prop_oneof![
            4 => prop::sample::select(vec!["", "T(2,4)", "T(4,8)(2,1)", "T(3,2)", "T(2,3)(2,1)"]),
            // Tiles that do not divide each other, or merge dimensions.
            3 => prop::sample::select(vec!["T(3,2)(2)", "T(4)(6)", "T(3,1)(2)(*,2,1)", "T(4,3)(2,2)", "T(*,3)(2)", "T(3,8)(2,8)"]),
        ],
        bits in prop_oneof![Just(1_usize), Just(2), Just(4)],
        len in 1..6_usize,
    ) {
        let text = format!("u{bits}[{m},{n}]{{{}:{tiles}E({bits})}}", if rows { "1,0" } else { "0,1" });
        let Ok(layout) = text.parse::<DynLayout>() else { return Ok(()) };
        let mut bytes = vec![0; layout.bytes()];
        let mut array = SliceViewMut::packed(&layout, &mut bytes).unwrap();
        let mask = (1 << bits) - 1;
        let value = |i: usize, j: usize| ((5 * i + 3 * j) % 16) as i8 & mask;
        macro_rules! check {
            ($chunks:ident, $chunks_mut:ident, $dim:literal) => {
                let shares_a_byte = match array.$chunks_mut::<$dim>(len) {
                    Ok(chunks) => {
                        std::thread::scope(|scope| {
                            for (k, mut chunk) in chunks.enumerate() {
                                scope.spawn(move || {
                                    let [a, b] = <[usize; 2]>::try_from(&chunk.layout().shape()[..]).unwrap();
                                    for i in 0..a {
                                        for j in 0..b {
                                            let at = if $dim == 0 { [k * len + i, j] } else { [i, k * len + j] };
                                            assert!(chunk.set([i, j], value(at[0], at[1])));
                                        }
                                    }
                                });
                            }
                        });
                        for i in 0..m {
                            for j in 0..n {
                                assert_eq!(array.get([i, j]), Some(value(i, j)), "{}", text);
                            }
                        }
                        for (k, chunk) in array.$chunks::<$dim>(len).unwrap().enumerate() {
                            chunk.for_each_in_memory(|at, found| {
                                let at = if $dim == 0 { [k * len + at[0], at[1]] } else { [at[0], k * len + at[1]] };
                                assert_eq!(found, value(at[0], at[1]));
                            });
                        }
                        false
                    }
                    Err(LayoutError::SharedByte { .. }) => true,
                    Err(_) => continue_to!(),
                };
                // Law 3, but for layouts whose rows begin inside bytes, which are refused as a
                // whole.
                let byte = |at: [usize; 2]| layout.linear_index(&at.into()) * bits / 8;
                let shared = (0..m * n).any(|x| (0..x).any(|y| {
                    let x = [x / n, x % n];
                    let y = [y / n, y % n];
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
        check!(try_chunks, try_chunks_mut, 0);
        check!(try_chunks, try_chunks_mut, 1);
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
        match StridedLayout::new::<u8>(sizes, strides.map(|n| n as isize)) {
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
            // Strides that cross without overlapping are refused, too; `Overlap` says what is asked
            // for.
            Err(LayoutError::Overlap { stride, reached, .. }) => prop_assert!(stride <= reached),
            Err(other) => panic!("{other}"),
        }
    }
}
