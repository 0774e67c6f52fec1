use nalgebra::{Const, DMatrix, DVector, Dyn, Matrix2x3, MatrixView, SMatrix};
use xlayout::{
    Array, ArrayLayout, DynLayout, LayoutError, SliceView, SliceViewMut, StridedLayout, index,
    layout,
};
use xlayout_conversions::{ConversionError, to_nalgebra, to_xlayout};

use xlayout::typenum::U2;

use crate::cases::{CASES, Case, Random, Steps, negate};

type Columns = layout!(f32[2,3]{0,1});

/// A part of a column-major matrix.
fn case(random: &mut Random) -> Case {
    let mut case = Case::random(random, 2, Steps::Positive);
    case.major_to_minor = vec![1, 0];
    case
}

#[test]
fn random_parts_of_nalgebra_are_viewed_and_written() {
    let mut random = Random::new(3);
    for _ in 0..CASES {
        let case = case(&mut random);
        let [rows, columns] = [case.parts[0], case.parts[1]];
        let start = (rows.start, columns.start);
        let size = (rows.size, columns.size);
        // nalgebra counts the rows between two of the view.
        let steps = (rows.step as usize - 1, columns.step as usize - 1);
        let mut whole = DMatrix::from_vec(rows.width, columns.width, case.memory());
        let part = whole.view_with_steps(start, size, steps);
        let view = to_xlayout(&part).unwrap();
        assert_eq!(view.shape(), [size.0, size.1]);
        for (index, place) in case.elements() {
            let index = [index[0], index[1]];
            assert_eq!(view[index], place, "{case:?}");
            assert!(std::ptr::eq(&view[index], &part[(index[0], index[1])]));
        }
        let back: MatrixView<'_, f32, Dyn, Dyn, Dyn, Dyn> = to_nalgebra(view).unwrap();
        assert_eq!(back, part);
        let mut part = whole.view_with_steps_mut(start, size, steps);
        assert_eq!(to_xlayout(&part).unwrap().shape(), [size.0, size.1]);
        to_xlayout(&mut part)
            .unwrap()
            .for_each_in_memory_mut(|_, element| negate(element));
        assert!(
            to_xlayout(part)
                .unwrap()
                .iter()
                .all(|&element| element < 0.0)
        );
        case.assert_negated(whole.as_slice());
    }
}

#[test]
fn random_strides_of_xlayout_are_viewed_and_written() {
    let mut random = Random::new(4);
    for _ in 0..CASES {
        let case = Case::random(&mut random, 2, Steps::Positive);
        let [rows, columns] = [case.parts[0].size, case.parts[1].size];
        if rows * columns == 0 {
            continue;
        }
        let layout = StridedLayout::new::<f32>([rows, columns], &case.strides()[..]).unwrap();
        let mut memory = case.memory();
        let slice = &mut memory[case.place(&[0, 0])..][..layout.buffer_len()];
        let mut view = SliceViewMut::new(layout, slice).unwrap();
        let matrix = to_nalgebra(&view).unwrap();
        assert_eq!(matrix.shape(), (rows, columns));
        for (index, place) in case.elements() {
            assert_eq!(matrix[(index[0], index[1])], place, "{case:?}");
        }
        // By index: for a stride between rows, `iter_mut` of nalgebra 0.35 computes an address
        // beyond the memory, which Miri refuses, also of nalgebra's own views.
        let mut matrix = to_nalgebra(&mut view).unwrap();
        for (index, _) in case.elements() {
            negate(&mut matrix[(index[0], index[1])]);
        }
        case.assert_negated(&memory);
    }
}

#[test]
fn sizes_are_types_in_both_directions() {
    let mut matrix = Matrix2x3::new(0.0, 1.0, 2.0, 10.0, 11.0, 12.0);
    let view: SliceView<'_, f32, Columns> = to_xlayout(&matrix).unwrap();
    assert_eq!(
        (view[index!(Columns[1, 2])], view.memory().as_ptr()),
        (12.0, matrix.as_ptr())
    );
    to_xlayout(&mut matrix).unwrap()[index!(Columns[1, 2])] = 13.0;
    let array: Array<f32, Columns> = to_xlayout(matrix).unwrap();
    let view: MatrixView<'_, f32, Const<2>, Const<3>, Dyn, Dyn> = to_nalgebra(&array).unwrap();
    assert_eq!(view, matrix);
    let back: SMatrix<f32, 2, 3> = to_nalgebra(array).unwrap();
    assert_eq!(back, matrix);

    let rows = layout!(f32[?N,3])([2, 3]).unwrap();
    let array = Array::from_fn(rows, |&[i, j]| (10 * i + j) as f32).unwrap();
    let view: MatrixView<'_, f32, Dyn, Const<3>, Dyn, Dyn> = to_nalgebra(&array).unwrap();
    assert_eq!((view.nrows(), view[(1, 2)]), (2, 12.0));
    let bounded = Array::<f32, _>::zeros(layout!(f32[<=4])).unwrap();
    let view: MatrixView<'_, f32, Const<4>, Const<1>, Dyn, Dyn> = to_nalgebra(&bounded).unwrap();
    assert_eq!(view.len(), 4);
    let numbers = Array::<f32, _>::zeros(layout!(f32[type U2,3])).unwrap();
    let view: MatrixView<'_, f32, Dyn, Const<3>, Dyn, Dyn> = to_nalgebra(&numbers).unwrap();
    assert_eq!(view.shape(), (2, 3));
}

/// Parts of arrays, and layouts that only the run time knows.
#[test]
fn all_layouts_of_matrices_are_viewed() {
    let array = Array::from_fn(layout!(f32[4,6]), |&[i, j]| (10 * i + j) as f32).unwrap();
    assert_eq!(
        to_nalgebra(array.region([1, 2], [2, 3]).unwrap()).unwrap()[(1, 2)],
        24.0
    );
    assert_eq!(to_nalgebra(array.row(2).unwrap()).unwrap()[(3, 0)], 23.0);
    let read: DynLayout = "f32[4,6]{0,1}".parse().unwrap();
    let array = Array::from_fn(read, |at| (10 * at[0] + at[1]) as f32).unwrap();
    assert_eq!(to_nalgebra(&array).unwrap()[(3, 5)], 35.0);
    assert_eq!(
        to_nalgebra(array.as_view().ranked::<2>().unwrap()).unwrap()[(3, 5)],
        35.0
    );
    let view = array.branded(|view| to_nalgebra(&view).unwrap().clone_owned());
    assert_eq!(view[(3, 5)], 35.0);
    let deep: DynLayout = "f32[2,3,4]".parse().unwrap();
    let array = Array::<f32, _>::zeros(deep).unwrap();
    let error = LayoutError::from(to_nalgebra(&array).unwrap_err());
    assert_eq!(
        error,
        LayoutError::Rank {
            expected: 2,
            found: 3
        }
    );
}

#[test]
fn owned_matrices_keep_their_memory() {
    let matrix = DMatrix::from_fn(2, 3, |i, j| (10 * i + j) as f32);
    let address = matrix.as_ptr();
    let array = to_xlayout(matrix).unwrap();
    assert_eq!((array.as_ptr(), array[[1, 2]]), (address, 12.0));
    let matrix = to_nalgebra(array).unwrap();
    assert_eq!((matrix.as_ptr(), matrix[(1, 2)]), (address, 12.0));
    let vector = to_xlayout(DVector::from_vec(vec![1.0_f32, 2.0])).unwrap();
    assert_eq!((vector.shape(), vector[[1, 0]]), ([2, 1], 2.0));
    let rows = Array::<f32, _>::zeros("f32[2,3]{1,0}".parse::<DynLayout>().unwrap()).unwrap();
    assert_eq!(
        to_nalgebra(rows).unwrap_err().to_string(),
        "nalgebra takes the memory of a column-major matrix without padding, and f32[2,3]{1,0} \
         has the strides [3, 1]; pass a reference, if a view is enough, or copy the array to \
         such a layout first: `relayout` of the crate xlayout-relayout"
    );
}

#[test]
fn what_nalgebra_has_not_is_refused() {
    let array = Array::<f32, _>::zeros(layout!(f32[4,6]{1,0:T(2,2)})).unwrap();
    assert!(matches!(
        to_nalgebra(&array),
        Err(ConversionError::Tiled { .. })
    ));
    let array = Array::<f32, _>::zeros(layout!(f32[4,6])).unwrap();
    let mut reversed = array.with_step::<1>(.., -1).unwrap();
    let expected = "dimension 1 has a negative stride, and strides of nalgebra have no sign; \
                    convert the array first and reverse the dimension then, or copy it to a \
                    layout whose strides are positive: `relayout` of the crate xlayout-relayout";
    assert_eq!(to_nalgebra(&reversed).unwrap_err().to_string(), expected);
    reversed = array.with_step::<1>(..1, -1).unwrap();
    assert_eq!(
        to_nalgebra(&reversed).unwrap().shape(),
        (4, 1),
        "one coordinate has no sign"
    );
}

#[test]
fn matrices_without_elements() {
    for sizes in [(0, 3), (3, 0), (0, 0)] {
        let matrix = DMatrix::<f32>::zeros(sizes.0, sizes.1);
        let view = to_xlayout(&matrix).unwrap();
        assert_eq!(to_nalgebra(&view).unwrap().shape(), sizes);
        assert_eq!(
            to_nalgebra(to_xlayout(matrix).unwrap()).unwrap().shape(),
            sizes
        );
    }
    assert_eq!(to_xlayout(&SMatrix::<f32, 0, 3>::zeros()).unwrap().len(), 0);
}
