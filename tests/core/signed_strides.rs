//! Negative strides: arrays that NumPy makes with `a[::-1]` and ndarray with `invert_axis`.
#![cfg(feature = "std")]

use std::ptr::NonNull;

use proptest::prelude::*;
use xlayout::{
    Array, ArrayLayout, ArrayRef, DynCoordinates, DynLayout, LayoutError, SliceView, StridedLayout,
    View, ViewMut, layout,
};

/// An array whose elements encode their indices.
fn numbered(m: usize, n: usize, order: &str) -> Array<i32, xlayout::DynLayout<[usize; 2]>> {
    let layout: DynLayout = format!("s32[{m},{n}]{{{order}}}").parse().unwrap();
    let array = Array::from_fn(layout, |at| (1000 * at[0] + at[1]) as i32).unwrap();
    array.ranked().unwrap()
}

/// The coordinates that a range with steps has, by its definition in Python.
fn coordinates(start: usize, end: usize, step: isize) -> Vec<usize> {
    let range = start..end;
    match step {
        1.. => range.step_by(step as usize).collect(),
        _ => range.rev().step_by(step.unsigned_abs()).collect(),
    }
}

/// Each question of a layout has the answer that the elements give.
fn check<L>(part: &ArrayRef<i32, L>, rows: &[usize], columns: &[usize])
where
    L: ArrayLayout<Coordinates = [usize; 2]>,
{
    let layout = part.layout();
    assert_eq!(layout.shape(), [rows.len(), columns.len()]);
    let value = |[i, j]: [usize; 2]| (1000 * rows[i] + columns[j]) as i32;
    for i in 0..rows.len() {
        for j in 0..columns.len() {
            assert_eq!(part[[i, j]], value([i, j]));
            let linear = layout.linear_index(&[i, j]);
            assert!(linear < layout.buffer_len());
            assert_eq!(layout.multi_index(linear), Some([i, j]));
        }
    }
    for i in 0..rows.len() {
        let row = part.row(i).unwrap();
        assert!(
            row.iter()
                .copied()
                .eq((0..columns.len()).map(|j| value([i, j])))
        );
    }
    for j in 0..columns.len() {
        let column = part.column(j).unwrap();
        assert!(
            column
                .iter()
                .copied()
                .eq((0..rows.len()).map(|i| value([i, j])))
        );
    }
    let elements = rows.len() * columns.len();
    assert!(part.get([rows.len(), 0]).is_none());
    assert_eq!(part.iter().count(), elements);
    let mut last = None;
    let mut visited = 0;
    part.for_each_in_memory(|&at, element| {
        assert_eq!(*element, value(at));
        let linear = layout.linear_index(&at);
        assert!(last.is_none_or(|last| last < linear));
        last = Some(linear);
        visited += 1;
    });
    assert_eq!(visited, elements);
    // One step at a time, which is other code than a loop over all.
    let mut indices = layout.indices_in_memory();
    for _ in 0..elements {
        let (index, linear) = indices.next().unwrap();
        assert_eq!(layout.linear_index(index.coordinates()), linear.get());
    }
    assert!(indices.next().is_none());
    xlayout::branded(layout.clone(), |branded| {
        for (index, linear) in branded.indices_in_memory() {
            assert_eq!(layout.linear_index(index.coordinates()), linear.get());
        }
    });
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(miri) { 3 } else { 256 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    /// Steps of both dimensions, and steps and parts of what has steps.
    #[test]
    fn steps_of_either_sign(
        (m, n) in (0..7_usize, 0..7_usize),
        columns in any::<bool>(),
        bounds in any::<[u8; 8]>(),
        steps in [-3..=3_isize, -3..=3_isize, -3..=3_isize],
    ) {
        prop_assume!(!steps.contains(&0));
        let array = numbered(m, n, if columns { "0,1" } else { "1,0" });
        let range = |k: usize, size: usize| {
            let a = bounds[k] as usize % (size + 1);
            let b = bounds[k + 1] as usize % (size + 1);
            (a.min(b), a.max(b))
        };
        let (start, end) = range(0, m);
        let rows = coordinates(start, end, steps[0]);
        let all: Vec<usize> = (0..n).collect();
        let part = array.with_step::<0>(start..end, steps[0]).unwrap();
        check(&part, &rows, &all);
        let (start, end) = range(2, n);
        let columns = coordinates(start, end, steps[1]);
        let part = part.with_step::<1>(start..end, steps[1]).unwrap();
        check(&part, &rows, &columns);
        // A step of a reversed dimension.
        let (start, end) = range(4, rows.len());
        let again: Vec<usize> =
            coordinates(start, end, steps[2]).into_iter().map(|k| rows[k]).collect();
        check(&part.with_step::<0>(start..end, steps[2]).unwrap(), &again, &columns);
        // Parts of it.
        let at = bounds[6] as usize % (columns.len() + 1);
        let (left, right) = part.split_at::<1>(at).unwrap();
        check(&left, &rows, &columns[..at]);
        check(&right, &rows, &columns[at..]);
        let len = bounds[7] as usize % 3 + 1;
        for (chunk, rows) in part.chunks::<0>(len).zip(rows.chunks(len)) {
            check(&chunk, rows, &columns);
        }
    }
}

proptest! {
    #![proptest_config(config())]

    /// Strides in elements and in bytes are one layout, which says the same with coordinates of any
    /// rank, with 32 bits, and without signs.
    #[test]
    fn one_layout_however_it_is_made(
        sizes in [0..5_usize, 0..5_usize, 0..5_usize],
        strides in [-30..30_isize, -30..30_isize, -30..30_isize],
        unit in 1..4_isize,
    ) {
        let bytes = strides.map(|stride| 4 * stride);
        let of_bytes = StridedLayout::from_byte_strides::<f32>(sizes, bytes);
        let layout = StridedLayout::new::<f32>(sizes, strides);
        prop_assert_eq!(&layout, &of_bytes);
        let odd = StridedLayout::from_byte_strides::<f32>(sizes, bytes.map(|stride| stride + unit));
        let moves = sizes.iter().any(|&size| size > 1);
        prop_assert_eq!(matches!(odd, Err(LayoutError::PartOfElement { .. })), moves);
        let rows: DynLayout = format!("f32[{},{},{}]", sizes[0], sizes[1], sizes[2]).parse().unwrap();
        let dense = StridedLayout::<[usize; 3]>::row_major::<f32>(sizes).unwrap();
        let read = StridedLayout::<[usize; 3]>::of(&rows).unwrap();
        for index in rows.indices() {
            let index: [usize; 3] = index.coordinates()[..].try_into().unwrap();
            prop_assert_eq!(dense.linear_index(&index), read.linear_index(&index));
        }
        let Ok(layout) = layout else { return Ok(()) };
        let any_rank = StridedLayout::new::<f32>(DynCoordinates::from(sizes), strides).unwrap();
        let forwards = layout.forwards();
        let reversed = (0..3).any(|dim| layout.is_reversed(dim));
        prop_assert_eq!(matches!(forwards, Err(LayoutError::Reversed { .. })), reversed);
        for index in layout.indices() {
            let index = *index.coordinates();
            let linear = layout.linear_index(&index);
            prop_assert_eq!(any_rank.linear_index(&index.into()), linear);
            prop_assert_eq!(any_rank.multi_index(linear), Some(index.into()));
            prop_assert_eq!(any_rank.multi_index_of_element(linear), index.into());
            if let Ok(forwards) = &forwards {
                let narrow = forwards.narrow().unwrap();
                prop_assert_eq!(forwards.linear_index(&index), linear);
                prop_assert_eq!(narrow.linear_index(&index.map(|i| i as u32)) as usize, linear);
            }
        }
    }
}

/// Two threads write to the halves of a reversed array, and nothing else is written.
#[test]
fn parts_of_a_reversed_array_are_disjoint() {
    let mut array = numbered(4, 6, "1,0");
    let mut odd = array.with_step_mut::<1>(.., -2).unwrap();
    let (mut left, mut right) = odd.split_at_mut::<1>(1).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(move || left.fill(-1));
        scope.spawn(move || right.fill(-2));
    });
    for ([i, j], &x) in array.indexed_iter() {
        let expected = match j {
            5 => -1,
            1 | 3 => -2,
            _ => (1000 * i + j) as i32,
        };
        assert_eq!(x, expected);
    }
}

/// Rows of a part are read while another part is written.
#[test]
fn lines_of_parts() {
    let mut array = numbered(4, 6, "1,0");
    let mut reversed = array.with_step_mut::<0>(.., -1).unwrap();
    let (left, mut right) = reversed.split_at_mut::<1>(4).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| right.fill(-1));
        let sums = left.rows().map(|row| row.iter().sum::<i32>());
        assert!(sums.eq([12006, 8006, 4006, 6]));
    });
    let columns = left.columns().map(|column| column[0]);
    assert!(columns.eq([3000, 3001, 3002, 3003]));
}

/// The address is that of the element `[0, 0]`, as NumPy and ndarray give it.
#[test]
#[expect(unsafe_code, reason = "an address from elsewhere")]
fn an_address_above_other_elements() {
    let mut data: Vec<f32> = (0..12).map(|n| n as f32).collect();
    let layout = StridedLayout::new::<f32>([2, 3], [-6, -2]).unwrap();
    let first = NonNull::from(&mut data[..]).cast::<f32>();
    // SAFETY: index 10 is in `data`; the elements are at 10, 8, 6, 4, 2 and 0, and nothing else
    // uses them.
    let mut part = unsafe { ViewMut::from_address(layout, first.add(10)).unwrap() };
    assert_eq!((part[[0, 0]], part[[1, 0]], part[[1, 2]]), (10.0, 4.0, 0.0));
    part[[0, 2]] = -1.0;
    assert_eq!(data[6], -1.0);
    // Without elements there is no address below.
    let empty = StridedLayout::new::<f32>([0, 3], [-6, -2]).unwrap();
    // SAFETY: no element is read.
    let part = unsafe { View::<f32, _>::from_address(empty, NonNull::dangling()).unwrap() };
    assert_eq!(part.iter().count(), 0);
}

/// The functions whose results depend on the sign.
#[test]
fn what_a_sign_changes() {
    let layout = StridedLayout::new::<i32>([2, 3], [-3, 1]).unwrap();
    assert!(layout.is_reversed(0) && !layout.is_reversed(1) && !layout.is_reversed(2));
    assert_eq!(layout.strides(), None);
    assert_eq!(
        StridedLayout::new::<i32>([2, 3], [3, 1]).unwrap().strides(),
        Some([3, 1])
    );
    assert_eq!(
        format!("{layout:?}"),
        "StridedLayout(s32[2, 3], strides [-3, 1])"
    );
    let data = [0, 1, 2, 3, 4, 5];
    let view = SliceView::new(layout, &data[..]).unwrap();
    assert_eq!(
        view.to_nested::<[[i32; 3]; 2], 2>().unwrap(),
        [[3, 4, 5], [0, 1, 2]]
    );
    // It has the memory of a row-major array, and is not one.
    let rows: DynLayout = "s32[2,3]".parse().unwrap();
    assert!(matches!(
        view.try_reshape(rows),
        Err(LayoutError::NoBitcast(_))
    ));
    // A run-time rank.
    let sizes = DynCoordinates::from([2, 3]);
    let view = SliceView::new(
        StridedLayout::new::<i32>(sizes, [-3, 1]).unwrap(),
        &data[..],
    )
    .unwrap();
    assert_eq!(view[[0, 2]], 5);
}

/// Each message says what to do.
#[test]
fn what_is_refused() {
    let array = Array::<f32, _>::zeros(layout!(f32[4,6]{1,0:T(2,2)})).unwrap();
    assert!(matches!(
        array.with_step::<0>(.., -1),
        Err(LayoutError::NotStrided)
    ));
    let array = numbered(4, 6, "1,0");
    let refused = |range, step| array.with_step::<1>(range, step).unwrap_err().to_string();
    assert_eq!(
        refused(0..6, 0),
        "a slice of dimension 1 has step 0; use a step of at least 1, or `broadcast` to repeat an element"
    );
    assert_eq!(refused(0..7, -1), refused(0..7, 1));
    assert!(matches!(
        StridedLayout::new::<f32>([2, 3], [-1]),
        Err(LayoutError::Listed {
            what: "strides",
            expected: 2,
            found: 1
        })
    ));
    assert!(matches!(
        StridedLayout::new::<f32>([2, 3], [-2, 1]),
        Err(LayoutError::Overlap { dimension: 0, .. })
    ));
    assert!(StridedLayout::new::<f32>([3], [isize::MIN]).is_err());
    // A stride that is not used may have any value.
    let one = StridedLayout::new::<f32>([1, 3], [isize::MIN, -1]).unwrap();
    assert_eq!((one.linear_index(&[0, 0]), one.buffer_len()), (2, 3));
    assert_eq!(array.with_step::<1>(2..2, -1).unwrap().iter().count(), 0);
}
