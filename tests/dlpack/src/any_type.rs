//! Functions for arrays of any element type and rank.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use xlayout::{Array, ArrayLayout, DynCoordinates, DynLayout, Element, ElementType, LayoutError, Raw, dtype};
use xlayout_dlpack::python::{Tensor, export_to_python, from_python, to_python};
use xlayout_dlpack::{DlpackError, Export, Import};

/// Calls a function with the Rust type of the elements.
macro_rules! with_type {
    ($element_type:expr, $call:ident($($argument:expr),*)) => {
        match $element_type {
            ElementType::Pred => $call::<bool>($($argument),*),
            ElementType::S8 => $call::<i8>($($argument),*),
            ElementType::S32 => $call::<i32>($($argument),*),
            ElementType::S64 => $call::<i64>($($argument),*),
            ElementType::U8 => $call::<u8>($($argument),*),
            ElementType::F16 => $call::<Raw<dtype::f16>>($($argument),*),
            ElementType::Bf16 => $call::<Raw<dtype::bf16>>($($argument),*),
            ElementType::F8e4m3fn => $call::<Raw<dtype::f8e4m3fn>>($($argument),*),
            ElementType::F32 => $call::<f32>($($argument),*),
            ElementType::F64 => $call::<f64>($($argument),*),
            ElementType::C64 => $call::<Raw<dtype::c64>>($($argument),*),
            other => panic!("the test has no arrays of {other}"),
        }
    };
}

/// The text of a row-major shape.
fn row_major(tensor: &Import) -> Result<String, DlpackError> {
    let sizes: Vec<String> = tensor.shape().iter().map(i64::to_string).collect();
    Ok(format!("{}[{}]", tensor.element_type()?, sizes.join(",")))
}

fn there_and_back<T: Element>(tensor: &Tensor<'_>, text: &str) -> Result<Export, DlpackError>
where
    xlayout::dtype::AnyType: xlayout::dtype::StoredAs<T>,
{
    let dense: DynLayout = text.parse()?;
    let tiled: DynLayout = match dense.rank() {
        0 => dense.clone(),
        rank => {
            let order: Vec<String> = (0..rank).map(|d| d.to_string()).collect();
            format!("{text}{{{}:T(2)}}", order.join(",")).parse()?
        }
    };
    let tiled = tensor.to_array::<T, _>(tiled)?;
    let elements: Vec<T> = tiled.iter().copied().collect();
    Export::new(
        Array::from_row_major(dense, &elements)
            .map_err(|why: LayoutError| DlpackError::from(why))?,
    )
}

/// Gives a copy of the array, which was in a layout with tiles in between.
#[pyfunction]
pub(crate) fn copy_through_tiles<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let tensor = from_python(array)?;
    let text = row_major(&tensor)?;
    let export = with_type!(tensor.element_type()?, there_and_back(&tensor, &text))?;
    export_to_python(array.py(), export)
}

fn ones_of<T: Element>(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>>
where
    xlayout::dtype::AnyType: xlayout::dtype::StoredAs<T>,
{
    let layout: DynLayout = text.parse().map_err(DlpackError::from)?;
    let array = Array::from_fn(layout, |_| T::ONE).map_err(DlpackError::from)?;
    Ok(to_python(py, array)?.unbind())
}

/// An array of ones of the shape.
#[pyfunction]
pub(crate) fn ones(py: Python<'_>, text: &str) -> PyResult<Py<PyAny>> {
    let layout: DynLayout = text.parse().map_err(DlpackError::from)?;
    with_type!(layout.element_type(), ones_of(py, text))
}

/// Holds a tensor that Python gave.
#[pyclass(unsendable)]
pub(crate) struct Held(Option<Import>);

#[pymethods]
impl Held {
    #[new]
    fn new(array: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(Some(from_python(array)?.into_import())))
    }

    /// The sum of the elements, of type f32.
    fn sum(&self, _py: Python<'_>) -> PyResult<f32> {
        let Some(tensor) = &self.0 else {
            return Err(PyValueError::new_err("the tensor was released"));
        };
        // SAFETY: the thread is attached to Python, so nothing writes to the elements.
        let view = unsafe { tensor.view::<f32, DynCoordinates>()? };
        Ok(view.iter().sum())
    }

    /// The shape and the strides.
    fn __repr__(&self) -> PyResult<String> {
        match &self.0 {
            Some(tensor) => Ok(format!(
                "{}, strides {:?}",
                row_major(tensor)?,
                tensor.strides()
            )),
            None => Ok("nothing".to_owned()),
        }
    }

    /// Gives the tensor up.
    fn release(&mut self) {
        self.0 = None;
    }
}
