use xlayout::{Array, layout};

layout! { type A = f32[2,3]{0,1}; }

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut a = Array::from_fn(A, |&[i, j]| (3 * i + j) as f32)?;
    let b = a.map(|x| x + 1.0)?;
    let near = a.abs_diff_eq(&b, 1e-6);
    let largest = a.argmax();
    let doubles = a.astype::<f64>();
    let doubles = a.to_dtype(f64::default());
    for part in a.axis_chunks_iter(0, 1) {
        println!("{}", part[0]);
    }
    let bits = a.bitcast();
    let clamped = a.clamp(0.0, 1.0);
    let (sizes, sizes_of_ndarray) = (a.dims(), a.dim());
    let element_type = a.dtype();
    let len = a.elem_count() + a.numel();
    let unit = a.unsqueeze(0);
    let unit_of_numpy = a.expand_dims(0);
    let row = a.index_axis(0, 1);
    let reshaped = a.into_shape((3, 2))?;
    let contiguous = a.is_contiguous() && a.is_standard_layout();
    let part = a.narrow(0, 0, 1);
    let part_of_ndarray = a.slice_axis(0, 0..1);
    let (bytes, columns, rows) = (a.nbytes(), a.ncols(), a.len_of(0));
    let product: f32 = a.product();
    let vector = a.ravel();
    let transposed = a.reversed_axes();
    let swapped = a.swap_axes(0, 1);
    let element = a.try_get([0, 1])?;
    for window in a.windows([2, 2]) {
        println!("{}", window[0]);
    }
    let (elements, elements_of_torch) = (A.len(), A.numel());
    let place = A.offset([0, 1]) + A.at(&[0, 1]);
    let of_run_time = a.to_dyn();
    let unit_of_ndarray = a.insert_axis(0);
    let turned = a.invert_axis(0);
    let columns_of_ndarray = a.lanes(0);
    Ok(())
}
