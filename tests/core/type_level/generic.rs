//! Functions that are generic over sizes, packed arrays, and sizes that only the run time knows.

use xlayout::storage::Borrowed;
use xlayout::types::nat;
use xlayout::{Array, ArrayBase, ArrayLayout, DynLayout, SliceView, SliceViewMut, layout};

#[test]
fn packed_arrays_change_their_shape() {
    let bytes: Vec<u8> = vec![0x10, 0x32, 0x54];
    let view = SliceView::packed(layout!(s4[2,3]{1,0:E(4)}), &bytes).unwrap();
    let transposed = view.permute(nat![1, 0]);
    for (y, x) in (0..2).flat_map(|y| (0..3).map(move |x| (y, x))) {
        assert_eq!(transposed.get([x, y]), view.get([y, x]));
    }
}

/// A product by columns of `b`, whose three sizes follow from the arguments.
fn matmul<const M: usize, const K: usize, const N: usize>(
    a: SliceView<'_, f32, layout!(f32[M,K]{1,0})>,
    b: SliceView<'_, f32, layout!(f32[K,N]{0,1})>,
    mut out: SliceViewMut<'_, f32, layout!(f32[M,N])>,
) {
    // The transpose of `b` is row-major, as `a` is.
    let b: SliceView<'_, f32, layout!(f32[N,K]{1,0})> = b.permute(nat![1, 0]);
    let a = a.insert_unit::<0>();
    for i in 0..M {
        for j in 0..N {
            out[[i, j]] = (0..K).map(|k| a[[0, i, k]] * b[[j, k]]).sum();
        }
    }
}

/// A kernel that takes blocks from an array in any layout.
fn sum_of_rows<S: Borrowed<Item = f32>, const M: usize, const N: usize>(
    rows: ArrayBase<S, layout!(f32[M,N]{1,0})>,
) -> f32 {
    let first = rows.into_const_slice::<0, 0, 2>();
    let mut sum = 0.0;
    first.for_each_in_memory(|_, &value| sum += value);
    sum
}

#[test]
fn generic_functions_infer_the_sizes() {
    let a = Array::from_fn(layout!(f32[2,3]), |&[i, k]| (1 + i + 2 * k) as f32).unwrap();
    let b = Array::from_fn(layout!(f32[3,4]{0,1}), |&[k, j]| (1 + 3 * k + j) as f32).unwrap();
    let mut out = Array::zeros(layout!(f32[2,4])).unwrap();
    matmul(
        a.as_slice_view(),
        b.as_slice_view(),
        out.as_slice_view_mut(),
    );
    for (i, j) in (0..2).flat_map(|i| (0..4).map(move |j| (i, j))) {
        let expected: f32 = (0..3).map(|k| a[[i, k]] * b[[k, j]]).sum();
        assert_eq!(out[[i, j]], expected);
    }
    // A reshape to parameters that are found from elsewhere.
    let flat = a.as_view().reshape(layout!(f32[6]));
    assert_eq!(flat[[4]], a[[1, 1]]);
    assert_eq!(sum_of_rows(a.as_view()), 1.0 + 3.0 + 5.0 + 2.0 + 4.0 + 6.0);
}

/// A slice of a layout that only the run time knows is the part, or is refused for a reason.
#[test]
fn slices_of_run_time_layouts() {
    fn parts<const DIM: usize>(text: &str) -> usize {
        let layout: DynLayout = text.parse().expect("a layout");
        let data: Vec<i32> = (0..layout.buffer_len() as i32).collect();
        let view = SliceView::new(layout.clone(), &data[..]).expect("as long as the layout says");
        let size = layout.shape().as_ref()[DIM];
        let mut found = 0;
        for start in 0..=size {
            for end in start..=size {
                let Ok(part) = view.as_view().into_slice::<DIM>(start..end) else {
                    assert!((start, end) != (0, size), "{text}: the whole is a part");
                    continue;
                };
                found += 1;
                assert_eq!(part.layout().shape().as_ref()[DIM], end - start);
                part.layout().for_each_index(|index| {
                    let mut whole = index.clone();
                    whole.as_mut()[DIM] += start;
                    assert_eq!(part.get(index), view.get(&whole), "{text} {start}..{end}");
                });
            }
        }
        found
    }
    // All 15 parts of 4 steps where they are together; only the whole and the 5 empty ones
    // elsewhere.
    assert_eq!(parts::<0>("s32[4,3]{1,0}"), 15);
    assert_eq!(parts::<1>("s32[4,4]{1,0}"), 1);
    assert_eq!(parts::<1>("s32[3,4]{0,1}"), 15);
    assert_eq!(parts::<1>("s32[1,4]{1,0}"), 15);
    assert_eq!(parts::<0>("s32[4]{0:T(2)}"), 9);
    assert_eq!(parts::<0>("s32[4,3]{1,0:T(2,2)}"), 8);
    assert_eq!(parts::<0>("s32[<=4,3]{1,0}"), 15);
    assert_eq!(parts::<0>("s32[4,3]{1,0}, padded_dimensions = [5, 4]"), 15);
    assert_eq!(parts::<0>("s32[4,3]{1,0:L(16)}"), 6);

    let layout: DynLayout = "s32[2]".parse().expect("a layout");
    let view = SliceView::new(layout, &[0, 1][..]).expect("as long as the layout says");
    assert_eq!(
        view.as_view()
            .into_slice::<7>(..)
            .map(|_| ())
            .map_err(|error| error.to_string()),
        Err("there is no dimension 7: the layout has 1 dimension; dimensions count from 0".into())
    );
    assert_eq!(
        view.as_view()
            .into_slice_at::<0, 1>(1)
            .map(|part| part[[0]]),
        Ok(1)
    );
    assert_eq!(
        view.into_slice_at::<0, { usize::MAX }>(1)
            .map(|_| ())
            .map_err(|error| error.to_string()),
        Err(
            "a slice of dimension 0 that begins at 1 is out of bounds: the dimension has size 2; \
             end it at 2 or before"
                .into()
        )
    );
}

/// A run-time size must have room for the splits, as it must in a `DynLayout` (law 3).
#[test]
fn splits_are_checked_against_run_time_sizes() {
    type Split = layout!(f32[?,4]{1,0:SC(0:2)});
    let pattern: xlayout::ArrayShape = "f32[?,4]{1,0:SC(0:2)}".parse().unwrap();
    for rows in 0..6 {
        let typed = Split::with_sizes([rows, 4]);
        let dynamic = xlayout::DynLayout::with_sizes(&pattern, &[rows, 4]);
        assert_eq!(typed.is_ok(), rows > 2, "{rows}");
        assert_eq!(
            typed.map(xlayout::DynLayout::from).ok(),
            dynamic.ok(),
            "{rows}"
        );
    }
}
