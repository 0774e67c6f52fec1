//! Arrays to and from the arrays of other libraries: one line for each, with the real libraries.

use std::ptr::NonNull;

use candle_core::{Device, Tensor};
use ndarray::{Array2, ArrayView2, ShapeBuilder, arr2, s};
use rayon::prelude::*;
use xlayout::{Array, ArrayLayout, DynLayout, SliceView, StridedLayout, View, ViewMut, layout};

type Columns = layout!(f32[2,3]{0,1});

fn columns() -> Array<f32, Columns> {
    Array::from_nested(Columns::NEW, [[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]).unwrap()
}

#[test]
fn ndarray_views_an_array_without_a_copy() {
    let array = columns();
    let [rows, columns] = array.layout().strides().unwrap();
    let view = ArrayView2::from_shape((2, 3).strides((rows, columns)), array.memory()).unwrap();
    assert_eq!(view, arr2(&[[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]));
    assert_eq!(view.as_ptr(), array.memory().as_ptr());
}

/// The sizes and the strides of an array of ndarray.
fn layout_of(array: &ArrayView2<'_, f32>) -> StridedLayout<[usize; 2], isize> {
    StridedLayout::new::<f32>(array.dim().into(), array.strides()).unwrap()
}

#[test]
fn an_array_of_ndarray_is_viewed_without_a_copy() {
    let array = Array2::from_shape_fn((2, 3).f(), |(i, j)| (10 * i + j) as f32);
    let view = SliceView::new(
        layout_of(&array.view()),
        array.as_slice_memory_order().unwrap(),
    )
    .unwrap();
    assert_eq!(view, columns());
    // With steps, the elements are no slice.
    let array = Array2::from_shape_fn((5, 7), |(i, j)| (10 * i + j) as f32);
    let sliced = array.slice(s![1..;2, 1..;3]);
    let first = NonNull::new(sliced.as_ptr().cast_mut()).unwrap();
    // SAFETY: the layout is that of `sliced`, which is borrowed from `array`.
    let part = unsafe { View::from_address(layout_of(&sliced), first) }.unwrap();
    assert_eq!(
        part.to_nested::<[[f32; 2]; 2], 2>().unwrap(),
        [[11.0, 14.0], [31.0, 34.0]]
    );
}

/// Inverted axes have negative strides, and the pointer of ndarray is that of the element `[0, 0]`.
#[test]
fn inverted_axes_of_ndarray_are_viewed_without_a_copy() {
    let mut array = Array2::from_shape_fn((5, 7), |(i, j)| (10 * i + j) as f32);
    for (rows, columns) in [(1, -1), (-1, 1), (-1, -1), (-2, 3), (2, -3)] {
        let sliced = array.slice(s![..;rows, 1..;columns]);
        let first = NonNull::new(sliced.as_ptr().cast_mut()).unwrap();
        // SAFETY: the layout is that of `sliced`, which is borrowed from `array`.
        let part = unsafe { View::from_address(layout_of(&sliced), first) }.unwrap();
        assert_eq!(part.layout().shape(), <[usize; 2]>::from(sliced.dim()));
        for (index, x) in sliced.indexed_iter() {
            assert_eq!(part[[index.0, index.1]], *x);
        }
        assert!(part.iter().eq(&sliced));
    }
    let mut sliced = array.slice_mut(s![..;-2, ..;-2]);
    let sizes: [usize; 2] = sliced.dim().into();
    let layout = StridedLayout::new::<f32>(sizes, sliced.strides()).unwrap();
    let first = NonNull::new(sliced.as_mut_ptr()).unwrap();
    // SAFETY: the layout is that of `sliced`, and `part` is used in the place of it.
    unsafe { ViewMut::from_address(layout, first) }
        .unwrap()
        .fill(-1.0);
    assert_eq!(array.iter().filter(|&&x| x == -1.0).count(), 12);
    assert_eq!(
        (array[[4, 6]], array[[0, 0]], array[[1, 1]]),
        (-1.0, -1.0, 11.0)
    );
}

/// The other direction: ndarray has an array of xlayout with its own negative strides.
#[test]
fn ndarray_views_reversed_rows() {
    let array = columns();
    let view = ArrayView2::from_shape((2, 3).strides((1, 2)), array.memory()).unwrap();
    let reversed = array.with_step::<0>(.., -1).unwrap();
    let inverted = view.slice(s![..;-1, ..]);
    assert_eq!(
        reversed.layout().signed_strides().collect::<Vec<_>>(),
        inverted.strides()
    );
    assert!(reversed.iter().eq(&inverted));
}

#[test]
fn candle_takes_and_gives_elements() -> candle_core::Result<()> {
    let array = columns();
    let tensor = Tensor::from_iter(array.iter().copied(), &Device::Cpu)?.reshape((2, 3))?;
    assert_eq!(
        tensor.to_vec2::<f32>()?,
        [[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]
    );
    let back =
        Array::from_row_major(Columns::NEW, &tensor.flatten_all()?.to_vec1::<f32>()?).unwrap();
    assert_eq!(back, array);
    // A tensor with strides of its own, here transposed: its elements in logical sequence.
    let layout: DynLayout = "f32[3,2]{1,0:T(2,2)}".parse().unwrap();
    let tiled =
        Array::from_row_major(layout, &tensor.t()?.flatten_all()?.to_vec1::<f32>()?).unwrap();
    assert_eq!(tiled[[2, 1]], 12.0);
    Ok(())
}

#[test]
fn bytemuck_casts_the_memory() {
    let array = columns();
    let bytes: &[u8] = bytemuck::cast_slice(array.memory());
    assert_eq!(
        SliceView::<f32, _>::from_bytes(Columns::NEW, bytes).unwrap(),
        array
    );
    let words: Vec<u32> = array.memory().iter().map(|x| x.to_bits()).collect();
    assert_eq!(
        SliceView::new(Columns::NEW, bytemuck::cast_slice(&words)).unwrap(),
        array
    );
}

#[test]
fn rayon_writes_chunks() {
    let mut array = Array::zeros(layout!(f32[64,96]{1,0:T(8,32)})).unwrap();
    array
        .chunks_mut::<0>(8)
        .enumerate()
        .par_bridge()
        .for_each(|(n, mut chunk)| {
            chunk.for_each_in_memory_mut(|&[i, j], x| *x = (1000 * (8 * n + i) + j) as f32);
        });
    assert!(
        array
            .indexed_iter()
            .all(|([i, j], &x)| x == (1000 * i + j) as f32)
    );
}
