//! Arrays whose elements encode their indices, and the expected part of them.

use proptest::prelude::*;

use xlayout::{Array, ArrayLayout, ArrayRef, DynLayout, LayoutError, layout};

/// Layouts of rank 2 of many kinds.
pub(crate) fn layouts() -> impl Strategy<Value = DynLayout> {
    let tiles = prop_oneof![
        Just(""),
        Just(":T(2,4)"),
        Just(":T(4,8)(2,1)"),
        Just(":T(4)"),
        Just(":T(2,2)(4)"),
        Just(":T(*,3)"),
        Just(":T(3,4)(2,2)"),
        Just(":T(3,1)(2)(*,2,1)"),
        Just(":T(4,3)(2,2)"),
        Just(":T(4,5,4)(2,3)"),
        Just(":T(4)(6)"),
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

/// An array whose elements encode their indices.
pub(crate) fn numbered(layout: DynLayout) -> Array<i32, DynLayout<[usize; 2]>> {
    let layout = layout.ranked().expect("the rank is 2");
    Array::from_fn(layout, |&[i, j]| (1000 * i + j) as i32).expect("it is small")
}

pub(crate) fn value([i, j]: [usize; 2]) -> i32 {
    (1000 * i + j) as i32
}

/// Law 1 for a part of an array that [`numbered`] made.
pub(crate) fn check_part<L>(part: &ArrayRef<i32, L>, origin: [usize; 2], sizes: [usize; 2])
where
    L: ArrayLayout<Coordinates = [usize; 2]>,
{
    assert_eq!(part.layout().shape(), sizes);
    let mut seen = 0;
    for i in 0..sizes[0] {
        for j in 0..sizes[1] {
            let expected = value([origin[0] + i, origin[1] + j]);
            assert_eq!(part[[i, j]], expected, "{}", part.layout().array_shape());
            seen += 1;
        }
    }
    assert_eq!(part.layout().elements(), seen);
    // The visit of the elements sees each once.
    let mut visited = 0;
    let mut last = None;
    part.for_each_in_memory(|&[i, j], element| {
        assert_eq!(*element, value([origin[0] + i, origin[1] + j]));
        let linear = part.layout().linear_index(&[i, j]);
        assert_eq!(part.layout().multi_index(linear), Some([i, j]));
        assert!(linear < part.layout().buffer_len() && last.is_none_or(|last| last < linear));
        last = Some(linear);
        visited += 1;
    });
    assert_eq!(visited, seen);
    assert!(part.get([sizes[0], 0]).is_none());
}

/// Law 3: the elements from `origin` on do not have the distances of the first ones.
pub(crate) fn has_no_part(
    of: &DynLayout<[usize; 2]>,
    origin: [usize; 2],
    sizes: [usize; 2],
) -> bool {
    let first = of.linear_index(&origin);
    (0..sizes[0]).any(|i| {
        (0..sizes[1]).any(|j| {
            let there = of.linear_index(&[origin[0] + i, origin[1] + j]);
            there.wrapping_sub(first) != of.linear_index(&[i, j])
        })
    })
}

pub(crate) fn merges(of: &DynLayout<[usize; 2]>) -> bool {
    !of.terms().is_empty()
}

/// Miri interprets: it sees a wrong access in any case that has one.
pub(crate) fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(miri) { 3 } else { 256 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// Threads write the lines of an array that is divided.
#[test]
fn lines_are_written() {
    for text in [
        "s32[5,7]{1,0}",
        "s32[5,7]{0,1}",
        "s32[5,7]<0,1>, padded_dimensions = [6,8]",
    ] {
        let layout: DynLayout = text.parse().unwrap();
        let layout = layout.ranked::<2>().unwrap();
        let mut array = Array::<i32, _>::zeros(layout).unwrap();
        let (mut top, mut bottom) = array.split_at_mut::<0>(2).unwrap();
        std::thread::scope(|scope| {
            scope.spawn(|| (0..2).for_each(|i| top.row_mut(i).unwrap().fill(1 + i as i32)));
            scope.spawn(|| (0..7).for_each(|j| bottom.column_mut(j).unwrap().fill(10 + j as i32)));
        });
        array.for_each_in_memory(|&[i, j], &x| {
            assert_eq!(x as usize, if i < 2 { 1 + i } else { 10 + j });
        });
        assert!(array.row_mut(5).is_err() && array.line_mut::<0>([9, 7]).is_err());
        let contiguous = array.row(1).unwrap().as_slice().is_some();
        assert_eq!(contiguous, text.contains("{1,0}"), "{text}");
    }
}

/// The lines along the minor dimension are slices, also of parts and of arrays without elements;
/// those along the others are not.
#[test]
fn lines_are_slices() {
    let sizes = [[3, 4, 5], [1, 4, 1], [0, 2, 3], [2, 0, 3], [2, 3, 0]];
    let orders = ["2,1,0", "2,0,1", "1,0,2", "0,2,1"];
    for ([l, m, n], order) in sizes.iter().flat_map(|s| orders.map(|order| (*s, order))) {
        let layout: DynLayout = format!("s32[{l},{m},{n}]{{{order}}}").parse().unwrap();
        let array = Array::from_fn(layout, |at| (100 * at[0] + 10 * at[1] + at[2]) as i32).unwrap();
        let mut array = array.ranked::<3>().unwrap();
        let expected: Vec<i32> = array.iter().map(|x| -x).collect();
        let minor = [l, m, n]["012".find(&order[..1]).unwrap()];
        // The same for each dimension.
        let found = [
            array.lines::<0>().is_ok(),
            array.lines::<1>().is_ok(),
            array.lines::<2>().is_ok(),
        ];
        for (dimension, found) in found.into_iter().enumerate() {
            let adjacent = order.starts_with(&dimension.to_string()) || [l, m, n][dimension] <= 1;
            // With a minor dimension of size 1, the next one is adjacent, too. Without elements
            // each line is empty.
            let next = minor <= 1 || l * m * n == 0;
            assert!(
                found == adjacent || found && next,
                "{:?} {dimension}",
                array.layout()
            );
        }
        if let Ok(slices) = array.lines_mut::<2>() {
            assert_eq!(slices.len(), l * m);
            for slice in slices {
                assert_eq!(slice.len(), n);
                slice.iter_mut().for_each(|x| *x = -*x);
            }
            assert!(array.iter().eq(&expected));
        }
    }
    let mut array = Array::<i32, _>::zeros(layout!(s32[4,6])).unwrap();
    let (_, mut right) = array.split_at_mut::<1>(2).unwrap();
    for slice in right.lines_mut::<1>().unwrap() {
        slice.copy_from_slice(&[1, 2, 3, 4]);
    }
    assert!(
        array
            .lines::<1>()
            .unwrap()
            .all(|slice| slice == [0, 0, 1, 2, 3, 4])
    );
    // A reversed dimension is no slice, and the lines of reversed rows come in their sequence.
    let back = array.with_step::<1>(.., -1).unwrap();
    assert_eq!(
        back.lines::<1>().err(),
        Some(LayoutError::NotAdjacent { dimension: 1 })
    );
    let numbered = Array::from_fn(layout!(s32[4,6]), |&[i, j]| (10 * i + j) as i32).unwrap();
    let up = numbered.with_step::<0>(.., -1).unwrap();
    let firsts: Vec<i32> = up.lines::<1>().unwrap().map(|slice| slice[0]).collect();
    assert_eq!(firsts, [30, 20, 10, 0]);
}
