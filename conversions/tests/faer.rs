use faer::{Col, Mat, MatMut, MatRef};
use xlayout::{Array, ArrayLayout, SliceViewMut, StridedLayout, layout};
use xlayout_conversions::{ConversionError, to_faer, to_xlayout};

use crate::cases::{CASES, Case, Part, Random, Steps, negate};

/// A part of a column-major matrix or of its transpose, reversed or not. faer has no steps.
fn case(random: &mut Random) -> Case {
    let mut case = Case::random(random, 2, Steps::Signed);
    for part in &mut case.parts {
        part.width += 12;
        part.start += part.size;
        part.step = part.step.signum();
    }
    case
}

/// Where the part begins in memory.
fn lowest(part: &Part) -> usize {
    if part.step < 0 && part.size > 0 {
        part.start + 1 - part.size
    } else {
        part.start
    }
}

/// The part of a case, by functions of faer.
fn part<'a>(case: &Case, whole: MatRef<'a, f32>) -> MatRef<'a, f32> {
    let [rows, columns] = [case.parts[0], case.parts[1]];
    let whole = if case.major_to_minor[0] == 1 {
        whole
    } else {
        whole.transpose()
    };
    let part = whole.submatrix(lowest(&rows), lowest(&columns), rows.size, columns.size);
    let part = if rows.step < 0 {
        part.reverse_rows()
    } else {
        part
    };
    if columns.step < 0 {
        part.reverse_cols()
    } else {
        part
    }
}

fn part_mut<'a>(case: &Case, whole: MatMut<'a, f32>) -> MatMut<'a, f32> {
    let [rows, columns] = [case.parts[0], case.parts[1]];
    let whole = if case.major_to_minor[0] == 1 {
        whole
    } else {
        whole.transpose_mut()
    };
    let part = whole.submatrix_mut(lowest(&rows), lowest(&columns), rows.size, columns.size);
    let part = if rows.step < 0 {
        part.reverse_rows_mut()
    } else {
        part
    };
    if columns.step < 0 {
        part.reverse_cols_mut()
    } else {
        part
    }
}

#[test]
fn random_parts_of_faer_are_viewed_and_written() {
    let mut random = Random::new(5);
    for _ in 0..CASES {
        let case = case(&mut random);
        let minor = case.parts[case.major_to_minor[1]].width;
        let major = case.parts[case.major_to_minor[0]].width;
        let mut whole = Mat::from_fn(minor, major, |i, j| (j * minor + i) as f32);
        let view = to_xlayout(part(&case, whole.as_ref())).unwrap();
        assert_eq!(view.shape()[..], case.sizes());
        for (index, place) in case.elements() {
            let [i, j] = [index[0], index[1]];
            assert_eq!(view[[i, j]], place, "{case:?}");
            assert!(std::ptr::eq(
                &view[[i, j]],
                &part(&case, whole.as_ref())[(i, j)]
            ));
        }
        assert_eq!(to_faer(view).unwrap(), part(&case, whole.as_ref()));
        let mut view = to_xlayout(part_mut(&case, whole.as_mut())).unwrap();
        view.for_each_in_memory_mut(|_, element| negate(element));
        let columns = whole
            .col_iter()
            .map(|column| column.iter().copied().collect::<Vec<_>>());
        case.assert_negated(&columns.collect::<Vec<_>>().concat());
    }
}

#[test]
fn random_strides_of_xlayout_are_viewed_and_written() {
    let mut random = Random::new(6);
    for _ in 0..CASES {
        let case = Case::random(&mut random, 2, Steps::Signed);
        let elements = case.elements();
        let Some(lowest) = elements.iter().map(|(index, _)| case.place(index)).min() else {
            continue;
        };
        let sizes = [case.parts[0].size, case.parts[1].size];
        let layout = StridedLayout::new::<f32>(sizes, &case.strides()[..]).unwrap();
        let mut memory = case.memory();
        let slice = &mut memory[lowest..][..layout.buffer_len()];
        let mut view = SliceViewMut::new(layout, slice).unwrap();
        let matrix = to_faer(&view).unwrap();
        assert_eq!(<[usize; 2]>::from(matrix.shape()), sizes);
        for (index, place) in elements {
            assert_eq!(matrix[(index[0], index[1])], place, "{case:?}");
        }
        let matrix = to_faer(&mut view).unwrap();
        for column in matrix.col_iter_mut() {
            column.iter_mut().for_each(negate);
        }
        case.assert_negated(&memory);
    }
}

#[test]
fn columns_of_rank_one() {
    let mut column = Col::from_fn(5, |i| i as f32);
    assert_eq!(
        to_xlayout(&column)
            .unwrap()
            .to_nested::<[f32; 5], 1>()
            .unwrap()[4],
        4.0
    );
    to_xlayout(&mut column).unwrap()[[4]] = -4.0;
    assert_eq!(
        to_xlayout(column.as_ref().reverse_rows()).unwrap()[[0]],
        -4.0
    );
    let mut array = Array::from_nested(layout!(f32[3]), [1.0, 2.0, 3.0]).unwrap();
    to_faer(&mut array).unwrap()[0] = 5.0;
    assert_eq!(
        to_faer(array.with_step::<0>(.., -1).unwrap()).unwrap()[2],
        5.0
    );
}

#[test]
fn what_faer_has_not_is_refused() {
    let array = Array::<f32, _>::zeros(layout!(f32[4,6]{1,0:T(2,2)})).unwrap();
    assert!(matches!(
        to_faer(&array),
        Err(ConversionError::Tiled { .. })
    ));
    for [rows, columns] in [[0, 3], [3, 0], [0, 0]] {
        let matrix = Mat::<f32>::zeros(rows, columns);
        let view = to_xlayout(&matrix).unwrap();
        assert_eq!(to_faer(&view).unwrap().shape(), (rows, columns));
    }
}
