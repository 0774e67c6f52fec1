use ndarray::{Array2, Array3, ArrayD, Axis, Slice, arr2, s};
use xlayout::{Array, ArrayLayout, DynLayout, LayoutError, SliceView, SliceViewMut, layout};
use xlayout_conversions::{ConversionError, to_ndarray, to_xlayout};

use crate::cases::{CASES, Case, Random, Steps, negate};

/// The part of a case, in memory that ndarray owns, by its own functions.
fn sliced(case: &Case) -> ArrayD<f32> {
    let widths: Vec<usize> = case
        .major_to_minor
        .iter()
        .map(|&dim| case.parts[dim].width)
        .collect();
    let mut places = vec![0; widths.len()];
    for (place, &dim) in case.major_to_minor.iter().enumerate() {
        places[dim] = place;
    }
    let whole = ArrayD::from_shape_vec(widths, case.memory()).unwrap();
    let mut part = whole.permuted_axes(places);
    for (dim, of) in case.parts.iter().enumerate() {
        let distance = of.step.unsigned_abs();
        let reach = of.size.saturating_sub(1) * distance;
        let lowest = if of.step < 0 {
            of.start - reach
        } else {
            of.start
        };
        let end = if of.size == 0 {
            lowest
        } else {
            lowest + reach + 1
        };
        let slice = Slice::new(lowest as isize, Some(end as isize), distance as isize);
        part.slice_axis_inplace(Axis(dim), slice);
        if of.step < 0 {
            part.invert_axis(Axis(dim));
        }
    }
    part
}

#[test]
fn random_parts_of_ndarray_are_viewed_and_written() {
    let mut random = Random::new(1);
    for _ in 0..CASES {
        let rank = random.below(5);
        let case = Case::random(&mut random, rank, Steps::Signed);
        let mut part = sliced(&case);
        let view = to_xlayout(&part).unwrap();
        assert_eq!(view.shape()[..], case.sizes());
        for (index, place) in case.elements() {
            assert_eq!(view[&index[..]], place, "{case:?}");
            assert!(std::ptr::eq(&view[&index[..]], &part[&index[..]]));
        }
        // Back again: the same array, in the same memory.
        let back = to_ndarray(view).unwrap();
        assert_eq!(back, part.view());
        assert!(part.is_empty() || back.as_ptr() == part.as_ptr());
        to_xlayout(&mut part)
            .unwrap()
            .for_each_in_memory_mut(|_, element| negate(element));
        let view = to_xlayout(part.view_mut()).unwrap();
        assert!(view.iter().all(|&element| element < 0.0));
        drop(view);
        // Written are the elements, and no others: ndarray owns all of them.
        let (memory, _) = part.clone().into_raw_vec_and_offset();
        drop(memory);
        let array = to_xlayout(part).unwrap();
        for (index, place) in case.elements() {
            assert_eq!(array[&index[..]], -1.0 - place);
        }
        let back = to_ndarray(array).unwrap();
        for (index, place) in case.elements() {
            assert_eq!(back[&index[..]], -1.0 - place);
        }
    }
}

#[test]
fn random_strides_of_xlayout_are_viewed_and_written() {
    let mut random = Random::new(2);
    for _ in 0..CASES {
        let rank = random.below(5);
        let case = Case::random(&mut random, rank, Steps::Signed);
        let mut memory = case.memory();
        let mut whole = sliced(&case);
        let view = to_xlayout(&whole).unwrap();
        let array = to_ndarray(&view).unwrap();
        assert_eq!(array.shape(), case.sizes());
        for (index, place) in case.elements() {
            assert_eq!(array[&index[..]], place, "{case:?}");
        }
        // A layout of xlayout in a slice: from the lowest element on.
        let elements = case.elements();
        let sizes = xlayout::DynCoordinates::from(&case.sizes()[..]);
        let layout = if elements.is_empty() {
            view.layout().clone()
        } else {
            xlayout::StridedLayout::new::<f32>(sizes, &case.strides()[..]).unwrap()
        };
        let lowest = elements
            .iter()
            .map(|(index, _)| case.place(index))
            .min()
            .unwrap_or(0);
        let slice = &mut memory[lowest..][..layout.buffer_len()];
        let mut view = SliceViewMut::new(layout, slice).unwrap();
        to_ndarray(&mut view).unwrap().iter_mut().for_each(negate);
        case.assert_negated(&memory);
        whole.fill(0.0);
    }
}

#[test]
fn ranks_are_types() {
    let array = Array::from_fn(layout!(f32[2,3]{0,1}), |&[i, j]| (10 * i + j) as f32).unwrap();
    let view: ndarray::ArrayView2<'_, f32> = to_ndarray(&array).unwrap();
    assert_eq!(view, arr2(&[[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]));
    assert_eq!(
        (view.as_ptr(), view.strides()),
        (array.memory().as_ptr(), &[1, 2][..])
    );
    let scalar = Array::full(layout!(f32[]), 7.0).unwrap();
    assert_eq!(to_ndarray(&scalar).unwrap()[()], 7.0);
    let theirs = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k) as f32);
    let part = to_xlayout(theirs.slice(s![.., 1, ..;-2])).unwrap();
    assert_eq!(
        part.to_nested::<[[f32; 2]; 2], 2>().unwrap(),
        [[13.0, 11.0], [113.0, 111.0]]
    );
}

/// An array that ndarray owns keeps its memory, and so does one that xlayout owns.
#[test]
fn owned_arrays_keep_their_memory() {
    let theirs = Array2::from_shape_fn((5, 7), |(i, j)| (10 * i + j) as f32);
    let address = theirs.as_ptr();
    let mut ours = to_xlayout(theirs.reversed_axes()).unwrap();
    assert_eq!((ours.shape(), ours.as_ptr()), ([7, 5], address));
    ours[[6, 4]] = -1.0;
    let theirs = to_ndarray(ours).unwrap();
    assert_eq!((theirs.as_ptr(), theirs[[6, 4]]), (address, -1.0));
    // Padding behind the elements of a tail alignment, and between rows.
    let padded = layout!(f32[2,3] <1,0>, padded_dimensions = [4, 5]);
    let array = Array::from_fn(padded, |&[i, j]| (10 * i + j) as f32).unwrap();
    let address = array.as_ptr();
    let theirs = to_ndarray(array).unwrap();
    assert_eq!(theirs, arr2(&[[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]));
    assert_eq!(theirs.as_ptr(), address);
}

#[test]
fn what_ndarray_has_not_is_refused() {
    let tiled: DynLayout = "f32[4,6]{1,0:T(2,2)}".parse().unwrap();
    let mut array = Array::<f32, _>::zeros(tiled).unwrap();
    let expected = "an array of ndarray has one stride for each dimension, which \
                    f32[4,6]{1,0:T(2,2)} does not have; copy it to a layout without tiles first: \
                    `relayout` of the crate xlayout-relayout";
    assert_eq!(to_ndarray(&array).unwrap_err().to_string(), expected);
    assert_eq!(to_ndarray(&mut array).unwrap_err().to_string(), expected);
    let rows: DynLayout = "f32[4,6]".parse().unwrap();
    let mut copy = Array::zeros(rows).unwrap();
    xlayout_relayout::relayout(&array, &mut copy).unwrap();
    assert_eq!(to_ndarray(copy).unwrap().shape(), [4, 6]);
    assert!(matches!(
        to_ndarray(array),
        Err(ConversionError::Tiled { .. })
    ));
    // A part of a tile has strides.
    let tiled = Array::<f32, _>::zeros(layout!(f32[4,6]{1,0:T(2,2)})).unwrap();
    assert!(to_ndarray(tiled.region([2, 2], [2, 2]).unwrap()).is_ok());
    assert!(to_ndarray(tiled.region([2, 2], [2, 4]).unwrap()).is_err());
    let row = Array::full(layout!(f32[1,3]), 1.0).unwrap();
    let repeated = row.broadcast::<0>(4).unwrap();
    let expected = "dimension 0 has stride 0: all its elements are one in memory; convert the \
                    array first and broadcast it then, or copy it to an array of its own";
    assert_eq!(to_ndarray(&repeated).unwrap_err().to_string(), expected);
    let theirs = ndarray::arr1(&[1.0_f32, 2.0]);
    let repeated = theirs.broadcast((3, 2)).unwrap();
    assert_eq!(to_xlayout(&repeated).unwrap_err().to_string(), expected);
}

/// Windows of ndarray are read-only, and overlap.
#[test]
fn overlapping_elements_are_refused() {
    let theirs = ndarray::Array1::from_iter((0..6).map(|n| n as f32));
    let windows = theirs.windows(3);
    let mut windows = windows.into_iter();
    assert!(to_xlayout(windows.next().unwrap()).is_ok());
    // Elements that lie between each other: none is shared, and no layout of xlayout has them.
    let memory = [0.0_f32; 8];
    let shape = ndarray::ShapeBuilder::strides((2, 2), (2, 3));
    let between = ndarray::ArrayView2::from_shape(shape, &memory[..]).unwrap();
    assert!(to_xlayout(&between).is_ok());
    let shape = ndarray::ShapeBuilder::strides((3, 2), (2, 3));
    let between = ndarray::ArrayView2::from_shape(shape, &memory[..]).unwrap();
    let error = LayoutError::from(to_xlayout(&between).unwrap_err());
    assert!(matches!(
        error,
        LayoutError::Overlap {
            dimension: 1,
            stride: 3,
            reached: 4
        }
    ));
}

#[test]
fn arrays_without_elements_have_any_strides() {
    for sizes in [[0, 3], [3, 0], [0, 0]] {
        let theirs = ArrayD::<f32>::zeros(&sizes[..]);
        let view = to_xlayout(&theirs).unwrap();
        assert_eq!((view.shape()[..].to_vec(), view.len()), (sizes.to_vec(), 0));
        let view = to_ndarray(view).unwrap();
        assert_eq!((view.shape(), view.iter().count()), (&sizes[..], 0));
        let array = to_xlayout(theirs).unwrap();
        assert_eq!(to_ndarray(array).unwrap().shape(), sizes);
    }
    let far: DynLayout = "f32[0,4611686018427387904]".parse().unwrap();
    let array = SliceView::new(far, &[0.0_f32; 0][..]).unwrap();
    assert!(
        to_ndarray(&array).is_err(),
        "ndarray counts bytes of sizes above 0"
    );
}
