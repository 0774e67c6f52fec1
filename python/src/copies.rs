//! Copies between strides and layouts, with the interpreter free for other threads.
//!
//! The arrays are tensors of DLPack. As with NumPy's own copies, a program that writes to an array while another thread copies it
//! has a race of its own making; the functions of the package say so.
#![allow(unsafe_code)]

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use xlayout::{ArrayLayout, PrimitiveType};
use xlayout_dlpack::Import;
use xlayout_dlpack::python::from_python;
use xlayout_relayout::Plan;

use crate::layout::{Layout, value_error};

/// An array whose elements are as wide as those of a layout.
fn imported(array: &Bound<'_, PyAny>, element_type: PrimitiveType) -> PyResult<Import> {
    let array = from_python(array)?.into_import();
    let found = array.element_type()?;
    if found.bytes() != element_type.bytes() {
        return Err(PyValueError::new_err(format!(
            "the array has elements of type {found}, which do not take as many bytes as elements of type {element_type}"
        )));
    }
    Ok(array)
}

/// The bytes of an array that has no gaps.
fn buffer_len(array: &Import, layout: &Layout, what: &str) -> PyResult<()> {
    let strides = array.byte_strides()?;
    let width = array
        .element_type()?
        .bytes()
        .map_or(1, |bytes| bytes as isize);
    let is_flat = array.sizes().len() == 1 && (strides[0] == width || array.sizes()[0] < 2);
    if !is_flat {
        return Err(PyValueError::new_err(format!(
            "the {what} is no flat buffer: an array of one dimension without gaps is expected for {}",
            layout.0.shape()
        )));
    }
    Ok(())
}

/// Copies an array, at strides or in the buffer of a layout, to the buffer of another layout.
#[pyfunction]
pub(crate) fn relayout(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    source_layout: Option<&Layout>,
    target: &Bound<'_, PyAny>,
    target_layout: &Layout,
    threads: usize,
) -> PyResult<()> {
    let to = &target_layout.0;
    // Packed elements lie in bytes.
    let stored = |layout: &Layout| match layout.0.element_bits() < 8 {
        true => PrimitiveType::U8,
        false => layout.0.element_type(),
    };
    let source = imported(source, source_layout.map_or(to.element_type(), stored))?;
    let mut target = imported(target, stored(target_layout))?;
    buffer_len(&target, target_layout, "target")?;
    let plan = match source_layout {
        Some(from) => {
            buffer_len(&source, from, "source")?;
            Plan::new(&from.0, to)
        }
        None => {
            let sizes = source.sizes().iter().map(|&size| size as usize);
            let sizes: Vec<usize> = sizes.collect();
            // SAFETY: the slice is not used.
            let (_, origin) = unsafe { source.bytes()? };
            let strides = source.byte_strides()?;
            Plan::from_strided(&sizes, &strides, origin, to.element_type(), to)
        }
    };
    let plan = plan.map_err(value_error)?;
    // SAFETY: what this module says of programs that write to the array meanwhile.
    let (from, _) = unsafe { source.bytes()? };
    // SAFETY: the package makes the target for this call, so nothing else uses it; that it is not the source is checked below.
    let (to, _) = unsafe { target.bytes_mut()? };
    let (a, b) = (from.as_ptr_range(), to.as_ptr_range());
    if a.start < b.end && b.start < a.end {
        let text = "the source and the target share memory; copy to an array of its own";
        return Err(PyValueError::new_err(text));
    }
    py.detach(|| plan.run_bytes_threads(from, to, threads))
        .map_err(value_error)
}
