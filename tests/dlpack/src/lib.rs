//! An extension module of Python whose functions take and give arrays, for `test_dlpack.py`
//! and `test_torch.py`.

mod any_type;

use pyo3::prelude::*;
use xlayout::{Array, DynLayout, LayoutError, StridedLayout};
use xlayout_dlpack::python::{export_to_python, from_python, to_python};
use xlayout_dlpack::{DlpackError, Export};

fn layout(text: &str) -> Result<DynLayout, DlpackError> {
    Ok(text.parse::<DynLayout>()?)
}

fn numbered(text: &str) -> Result<Array<f32, DynLayout>, DlpackError> {
    Ok(Array::from_fn(layout(text)?, |at| {
        at.iter().fold(0, |sum, i| 10 * sum + i) as f32
    })?)
}

/// An array with a layout, in which each element has the digits of its index.
#[pyfunction]
fn give<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, numbered(text)?)
}

/// The same, read-only.
#[pyfunction]
fn give_read_only<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    export_to_python(py, Export::new(numbered(text)?)?.read_only())
}

/// An array of rank 2 with strides.
#[pyfunction]
fn give_signed(
    py: Python<'_>,
    sizes: [usize; 2],
    strides: [isize; 2],
) -> PyResult<Bound<'_, PyAny>> {
    let layout = StridedLayout::new::<i32>(sizes, strides).map_err(DlpackError::from)?;
    let array = Array::from_fn(layout, |&[i, j]| (10 * i + j) as i32).map_err(DlpackError::from)?;
    to_python(py, array)
}

/// The elements in the sequence of memory, padding included, that an array of f32 has in a layout.
#[pyfunction]
fn take(array: &Bound<'_, PyAny>, text: &str) -> PyResult<Vec<f32>> {
    Ok(from_python(array)?
        .to_array::<f32, _>(layout(text)?)?
        .into_vec())
}

/// The elements of an array of pred.
#[pyfunction]
fn take_bools(array: &Bound<'_, PyAny>, text: &str) -> PyResult<Vec<bool>> {
    Ok(from_python(array)?
        .to_array::<bool, _>(layout(text)?)?
        .into_vec())
}

/// Adds 1 to each element in place.
#[pyfunction]
fn add_one(array: &Bound<'_, PyAny>) -> PyResult<()> {
    let mut tensor = from_python(array)?.into_import();
    // SAFETY: the thread is attached to Python, and this function has the only view.
    unsafe { tensor.view_mut::<f32, [usize; 2]>()? }.for_each_in_memory_mut(|_, x| *x += 1.0);
    Ok(())
}

/// Gives the array back as it was given, tiled in between.
#[pyfunction]
fn through_tiles<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let tensor = from_python(array)?;
    let sizes: Vec<String> = tensor.shape().iter().map(i64::to_string).collect();
    let tiled =
        tensor.to_array::<f32, _>(layout(&format!("f32[{}]{{1,0:T(2,2)}}", sizes.join(",")))?)?;
    let dense = layout(&format!("f32[{}]", sizes.join(",")))?;
    let elements: Vec<f32> = tiled.iter().copied().collect();
    let back = Array::from_row_major(dense, &elements)
        .map_err(|why: LayoutError| DlpackError::from(why))?;
    to_python(array.py(), back)
}

#[pymodule]
fn dlpack_test(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(give, module)?)?;
    module.add_function(wrap_pyfunction!(give_read_only, module)?)?;
    module.add_function(wrap_pyfunction!(give_signed, module)?)?;
    module.add_function(wrap_pyfunction!(take, module)?)?;
    module.add_function(wrap_pyfunction!(take_bools, module)?)?;
    module.add_function(wrap_pyfunction!(add_one, module)?)?;
    module.add_function(wrap_pyfunction!(through_tiles, module)?)?;
    module.add_function(wrap_pyfunction!(any_type::copy_through_tiles, module)?)?;
    module.add_function(wrap_pyfunction!(any_type::ones, module)?)?;
    module.add_class::<any_type::Held>()
}
