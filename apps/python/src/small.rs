//! `xlayout.copy`, which hands small arrays to NumPy.
//!
//! ```text
//! an array of NumPy, not of a subclass, order "C" or "F", few bytes: NumPy's C interface copies it
//! every other argument: `_copy_any` of python/xlayout/_copy.py, which asks `is_small` of the arrays that it makes
//! ```
//!
//! The first case takes no longer than `np.array(a, order=order)`, which reads its arguments in
//! more steps. A function of Python around it would take as long again as NumPy's copy of 64 bytes.
#![allow(unsafe_code)]

use numpy::npyffi::{NPY_ORDER, PY_ARRAY_API};
use numpy::{PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

/// The sequence of dimensions in memory.
pub(crate) enum Order<'py> {
    RowMajor,
    ColumnMajor,
    /// A list of dimensions. `_copy_any` refuses every other value.
    Other(Bound<'py, PyAny>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Order<'py> {
    type Error = PyErr;

    fn extract(order: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let letter = order.cast_exact::<PyString>();
        Ok(match letter.as_ref().map(|letter| letter.to_str()) {
            Ok(Ok("C")) => Self::RowMajor,
            Ok(Ok("F")) => Self::ColumnMajor,
            _ => Self::Other(order.to_owned()),
        })
    }
}

/// Whether NumPy copies an array in less time than the native module, which takes 4 us before it
/// copies.
///
/// NumPy's loop over the elements is as fast up to a number of bytes that depends on their width.
/// Where the copy has the strides of the array, it calls `memcpy`, which one thread cannot do in
/// less time: threads can, of what no cache holds.
#[pyfunction]
pub(crate) fn is_small(bytes: usize, element_bytes: usize, same_strides: bool) -> bool {
    let limit = match (same_strides, element_bytes) {
        (true, _) => 1 << 24,
        (false, 1) => 1 << 14,
        (false, 4) => 1 << 17,
        (false, 8 | 16) => 1 << 19,
        (false, _) => 1 << 15,
    };
    bytes < limit
}

/// A dense copy of an array, with its dimensions in another sequence in memory.
///
/// Does what ``np.array(a, order=order)`` does, in less time: ``xlayout.copy(a.T)`` is
/// ``np.ascontiguousarray(a.T)``. The interpreter is free for other threads meanwhile; they must
/// not write to the array.
///
/// Parameters
/// ----------
/// a
///     An array of NumPy, with any strides and element type but objects; or of a library with ``__dlpack__``, in the memory of
///     the processor.
/// order
///     ``"C"`` is row-major, ``"F"`` column-major; or the dimensions, the one that varies fastest last, as JAX's
///     ``major_to_minor``.
/// threads
///     At most so many threads; 0 is as many as the machine has. Small arrays are copied on the calling one.
///
/// Returns
/// -------
/// numpy.ndarray
///     A new array with the sizes, the element type and the elements of `a`.
///
/// Raises
/// ------
/// ValueError
///     If `order` does not list each dimension once.
/// TypeError
///     If `a` is no array, or one of Python's objects.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from xlayout import copy
/// >>> a = np.arange(6, dtype=np.float32).reshape(2, 3)
/// >>> b = copy(a, "F")
/// >>> b.strides
/// (4, 8)
/// >>> bool((a == b).all())
/// True
/// >>> copy(a[::-1, ::2]).tolist()
/// [[3.0, 5.0], [0.0, 2.0]]
#[pyfunction]
#[pyo3(
    signature = (a, order = Order::RowMajor, *, threads = 0),
    text_signature = "(a, order='C', *, threads=0)"
)]
pub(crate) fn copy<'py>(
    py: Python<'py>,
    a: &Bound<'py, PyAny>,
    order: Order<'py>,
    threads: i64,
) -> PyResult<Bound<'py, PyAny>> {
    if threads >= 0
        && let Some(copied) = by_numpy(a, &order)?
    {
        return Ok(copied);
    }
    static COPY_ANY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let copy_any = COPY_ANY.import(py, "xlayout._copy", "_copy_any")?;
    let order = match order {
        Order::RowMajor => intern!(py, "C").clone().into_any(),
        Order::ColumnMajor => intern!(py, "F").clone().into_any(),
        Order::Other(order) => order,
    };
    copy_any.call1((a, order, threads))
}

/// The copy of a small array.
fn by_numpy<'py>(a: &Bound<'py, PyAny>, order: &Order<'_>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Ok(array) = a.cast_exact::<PyUntypedArray>() else {
        return Ok(None);
    };
    let (order, same_strides) = match order {
        Order::RowMajor => (NPY_ORDER::NPY_CORDER, array.is_c_contiguous()),
        Order::ColumnMajor => (NPY_ORDER::NPY_FORTRANORDER, array.is_fortran_contiguous()),
        Order::Other(_) => return Ok(None),
    };
    let dtype = array.dtype();
    let width = dtype.itemsize();
    // NumPy makes no array of more bytes than an `isize` counts.
    if dtype.has_object() || !is_small(array.len() * width, width, same_strides) {
        return Ok(None);
    }
    // SAFETY: the object is an array of NumPy, and the thread is attached to Python. The function
    // gives a new reference, or null and an exception.
    unsafe {
        let copied = PY_ARRAY_API.PyArray_NewCopy(a.py(), array.as_array_ptr(), order);
        Bound::from_owned_ptr_or_err(a.py(), copied).map(Some)
    }
}
