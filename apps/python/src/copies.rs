//! Copies between strides and layouts, with the interpreter free for other threads.
//!
//! The arrays are tensors of DLPack. As with NumPy's own copies, a program that writes to an array
//! while another thread copies it has a race of its own making; the functions of the package say
//! so.
#![allow(unsafe_code)]

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use xlayout::interop::StridedArray;
use xlayout::{ArrayLayout, DynLayout, ElementType};
use xlayout_dlpack::Import;
use xlayout_relayout::{Plan, copy_strided};

use crate::layout::{Layout, element_bytes};
use crate::words::{imported, reworded, value_error};

/// Copies of fewer bytes run on the calling thread: starting another one takes longer.
const FOR_THREADS: usize = 1 << 20;

/// An array whose elements are as wide as those of a layout.
fn of_width(array: &Bound<'_, PyAny>, element_type: ElementType) -> PyResult<Import> {
    let array = imported(array)?;
    let found = array.element_type().map_err(reworded)?;
    if found.bytes() != element_type.bytes() {
        return Err(PyValueError::new_err(format!(
            "the array has elements of type {found}, which do not take as many bytes as elements \
             of type {element_type}"
        )));
    }
    Ok(array)
}

/// The bytes of an array that has no gaps.
fn buffer_len(array: &Import, layout: &Layout, what: &str) -> PyResult<()> {
    let strides = array.byte_strides().map_err(reworded)?;
    let width = array
        .element_type()
        .map_err(reworded)?
        .bytes()
        .map_or(1, |bytes| bytes as isize);
    let is_flat = array.shape().len() == 1 && (strides[0] == width || array.shape()[0] < 2);
    if !is_flat {
        return Err(PyValueError::new_err(format!(
            "the {what} is no flat buffer: an array of one dimension without gaps is expected for {}",
            layout.0.array_shape()
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
    // Elements of another width than in an array of NumPy lie in bytes.
    let stored = |layout: &Layout| {
        let element_type = layout.0.element_type();
        if layout.0.element_bits() == 8 * element_bytes(element_type) {
            element_type
        } else {
            ElementType::U8
        }
    };
    let source = of_width(source, source_layout.map_or(to.element_type(), stored))?;
    let mut target = of_width(target, stored(target_layout))?;
    buffer_len(&target, target_layout, "target")?;
    let plan = match source_layout {
        Some(from) => {
            buffer_len(&source, from, "source")?;
            Plan::new(&from.0, to)
        }
        None => {
            let sizes = source.shape().iter().map(|&size| size as usize);
            let sizes: Vec<usize> = sizes.collect();
            // SAFETY: the slice is not used.
            let (_, origin) = unsafe { source.bytes().map_err(reworded)? };
            let strides = source.byte_strides().map_err(reworded)?;
            Plan::from_strided(&sizes, &strides, origin, to.element_type(), to)
        }
    };
    let plan = plan.map_err(value_error)?;
    let (from, to) = bytes(&source, &mut target)?;
    py.detach(|| plan.run_bytes_threads(from, to, threads))
        .map_err(value_error)
}

/// Copies an array at any strides to a dense array of the same sizes.
#[pyfunction]
pub(crate) fn copy_to(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    target: &Bound<'_, PyAny>,
    threads: usize,
) -> PyResult<()> {
    let mut target = imported(target)?;
    let element_type = target.element_type().map_err(reworded)?;
    let source = of_width(source, element_type)?;
    if source.shape() != target.shape() {
        return Err(PyValueError::new_err(format!(
            "the array has the sizes {:?}, and the target has {:?}",
            source.shape(),
            target.shape()
        )));
    }
    let sizes = target.shape().iter().map(|&size| size as usize);
    let sizes: Vec<usize> = sizes.collect();
    let width = element_bytes(element_type);
    let from_strides = source.byte_strides().map_err(reworded)?;
    let to_strides = target.byte_strides().map_err(reworded)?;
    let is_small = sizes.iter().product::<usize>() * width < FOR_THREADS;
    if threads == 1 || is_small {
        let (from, to) = bytes(&source, &mut target)?;
        let copied =
            py.detach(|| copy_strided(to, &to_strides, from, &from_strides, &sizes, width));
        return copied.map_err(value_error);
    }
    let to_strides: Vec<i64> = to_strides.iter().map(|&stride| stride as i64).collect();
    let layout = StridedArray::new(element_type, target.shape(), &to_strides);
    let layout = layout
        .and_then(|array| array.dense())
        .map_err(value_error)?;
    let layout = DynLayout::new(layout).map_err(value_error)?;
    // SAFETY: the slice is not used.
    let (_, origin) = unsafe { source.bytes().map_err(reworded)? };
    let plan = Plan::from_strided(&sizes, &from_strides, origin, element_type, &layout);
    let plan = plan.map_err(value_error)?;
    let (from, to) = bytes(&source, &mut target)?;
    py.detach(|| plan.run_bytes_threads(from, to, threads))
        .map_err(value_error)
}

/// The bytes of both sides of a copy.
fn bytes<'a>(source: &'a Import, target: &'a mut Import) -> PyResult<(&'a [u8], &'a mut [u8])> {
    // SAFETY: what this module says of programs that write to the array meanwhile.
    let (from, _) = unsafe { source.bytes().map_err(reworded)? };
    // SAFETY: the package makes the target for this call, so nothing else uses it; that it is not
    // the source is checked below.
    let (to, _) = unsafe { target.bytes_mut().map_err(reworded)? };
    let a = from.as_ptr_range();
    let b = to.as_ptr_range();
    if a.start < b.end && b.start < a.end {
        let text = "the source and the target share memory; copy to an array of its own";
        return Err(PyValueError::new_err(text));
    }
    Ok((from, to))
}
