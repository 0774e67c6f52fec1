//! Tensors as objects and capsules of Python, with pyo3 (feature `pyo3`).
//!
//! ```no_run
//! use pyo3::prelude::*;
//! use xlayout_core::{Array, DynLayout};
//! use xlayout_dlpack::python::{from_python, to_python};
//!
//! # fn layout(text: &str) -> DynLayout { text.parse().unwrap() }
//! #[pyfunction]
//! fn table(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
//!     let array = Array::from_fn(layout("f32[2,3]{0,1}"), |at| (at[0] + at[1]) as f32).unwrap();
//!     to_python(py, array) // in Python: np.from_dlpack(table())
//! }
//!
//! #[pyfunction]
//! fn sum(array: &Bound<'_, PyAny>) -> PyResult<f32> {
//!     let array = from_python(array)?.to_array::<f32, _>(layout("f32[2,3]{1,0:T(2,2)}"))?;
//!     Ok(array.iter().sum())
//! }
//! ```
#![allow(unsafe_code)]

use core::ffi::CStr;
use core::ops::Deref;

use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use pyo3::{ffi, intern};
use xlayout_core::{Array, ArrayLayout, Element, dtype::StoredAs};

use crate::raw::{CPU, VERSION};
use crate::{DlpackError, Export, Import};

/// The names of a capsule with a tensor, before and after the tensor is taken.
const VERSIONED: [&CStr; 2] = [c"dltensor_versioned", c"used_dltensor_versioned"];
const UNVERSIONED: [&CStr; 2] = [c"dltensor", c"used_dltensor"];

impl From<DlpackError> for PyErr {
    fn from(why: DlpackError) -> Self {
        let text = why.to_string();
        match why {
            DlpackError::Type(_) | DlpackError::ElementType { .. } => PyTypeError::new_err(text),
            DlpackError::Layout(_) | DlpackError::NotPred { .. } => PyValueError::new_err(text),
            _ => PyBufferError::new_err(text),
        }
    }
}

/// An object with the methods `__dlpack__` and `__dlpack_device__`, which `np.from_dlpack`,
/// `jax.dlpack.from_dlpack` and `torch.from_dlpack` take. The array is not copied.
///
/// # Errors
/// As [`Export::new`]. For a read-only tensor use [`export_to_python`] with [`Export::read_only`].
pub fn to_python<T: Element, L: ArrayLayout>(
    py: Python<'_>,
    array: Array<T, L>,
) -> PyResult<Bound<'_, PyAny>>
where
    L::Type: StoredAs<T>,
{
    export_to_python(py, Export::new(array)?)
}

/// As [`to_python`], for a tensor.
///
/// # Errors
/// If Python has no memory for the object.
pub fn export_to_python(py: Python<'_>, export: Export) -> PyResult<Bound<'_, PyAny>> {
    Ok(Bound::new(py, DlpackArray { export })?.into_any())
}

/// The tensor of an object that has `__dlpack__`, such as an array of NumPy, JAX or PyTorch, or of
/// a capsule. The elements are not copied.
///
/// # Errors
/// An object without `__dlpack__`, memory of another device, a capsule that was used before, and
/// what [`Import::from_raw`] refuses.
pub fn from_python<'py>(object: &Bound<'py, PyAny>) -> PyResult<Tensor<'py>> {
    let py = object.py();
    if let Ok(capsule) = object.cast::<PyCapsule>() {
        return take(capsule);
    }
    if !object.hasattr(intern!(py, "__dlpack__"))? {
        return Err(PyTypeError::new_err(format!(
            "an array with the method `__dlpack__` is expected, as those of NumPy, JAX and \
             PyTorch, but a `{}` was found",
            object.get_type().name()?
        )));
    }
    // Before the tensor is made: the producer would copy, or wait for the device.
    let device = object.call_method0(intern!(py, "__dlpack_device__"))?;
    let (device_type, device_id): (i32, i32) = device.extract()?;
    if device_type != CPU {
        return Err(DlpackError::Device {
            device_type,
            device_id,
        }
        .into());
    }
    let options = PyDict::new(py);
    options.set_item("max_version", (VERSION.major, VERSION.minor))?;
    let capsule = match object.call_method(intern!(py, "__dlpack__"), (), Some(&options)) {
        // Producers before version 1 do not know the option.
        Err(why) if why.is_instance_of::<PyTypeError>(py) => {
            object.call_method0(intern!(py, "__dlpack__"))?
        }
        capsule => capsule?,
    };
    take(capsule.cast::<PyCapsule>()?)
}

/// Takes the tensor from a capsule. Only the first one who takes it gets it.
fn take<'py>(capsule: &Bound<'py, PyCapsule>) -> PyResult<Tensor<'py>> {
    let py = capsule.py();
    // SAFETY: it is a capsule, and the thread is attached to Python.
    let import = unsafe { tensor_of(capsule.as_ptr()) };
    let import = import.ok_or_else(|| {
        let text = "the capsule is no tensor of DLPack, or its tensor was taken before; call \
                    `__dlpack__` again";
        PyErr::take(py).unwrap_or_else(|| PyBufferError::new_err(text))
    })??;
    Ok(Tensor { import, py })
}

/// The tensor of a capsule, which belongs to the caller alone from then on. `None`: it was taken
/// before, or the capsule has no tensor.
///
/// # Safety
/// `capsule` is a capsule, and the thread is attached to Python.
unsafe fn tensor_of(capsule: *mut ffi::PyObject) -> Option<Result<Import, DlpackError>> {
    let tensor = |[name, used]: [&'static CStr; 2]| {
        // SAFETY: the caller's promise. A pointer is read only under the name that says its type.
        // Nobody calls the deleter of a capsule with the name `used_…`.
        unsafe {
            let is_it = ffi::PyCapsule_IsValid(capsule, name.as_ptr()) == 1;
            let tensor = is_it.then(|| ffi::PyCapsule_GetPointer(capsule, name.as_ptr()))?;
            (ffi::PyCapsule_SetName(capsule, used.as_ptr()) == 0).then_some(tensor)
        }
    };
    match tensor(VERSIONED) {
        // SAFETY: the name said the type of the tensor, and the new name gives it to this function
        // alone.
        Some(tensor) => Some(unsafe { Import::from_raw(tensor.cast()) }),
        // SAFETY: as above.
        None => Some(unsafe { Import::from_raw_unversioned(tensor(UNVERSIONED)?.cast()) }),
    }
}

/// A tensor that Python gave, for as long as the thread is attached to Python. It is an [`Import`],
/// too.
pub struct Tensor<'py> {
    import: Import,
    py: Python<'py>,
}

impl<'py> Tensor<'py> {
    /// A copy of the elements in a layout, tiled ones too.
    ///
    /// The thread is attached to Python, so no Python code writes to the elements during the copy.
    /// As with pyo3's `PyBuffer`, code of another language that writes without being attached is
    /// not excluded.
    ///
    /// # Errors
    /// Another element type or other sizes, and strides with which elements overlap.
    pub fn to_array<T: Element, L: ArrayLayout>(
        &self,
        layout: L,
    ) -> Result<Array<T, L>, DlpackError>
    where
        L::Type: StoredAs<T>,
    {
        // SAFETY: the thread is attached, see above.
        unsafe { self.import.copy(layout) }
    }

    /// The tensor without the thread.
    #[must_use]
    pub fn into_import(self) -> Import {
        self.import
    }

    /// The thread that is attached to Python.
    #[must_use]
    pub fn py(&self) -> Python<'py> {
        self.py
    }
}

impl core::fmt::Debug for Tensor<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.import.fmt(f)
    }
}

impl Deref for Tensor<'_> {
    type Target = Import;
    fn deref(&self) -> &Import {
        &self.import
    }
}

/// What Python sees of an [`Export`].
#[pyclass(frozen, module = "xlayout_dlpack")]
struct DlpackArray {
    export: Export,
}

#[pymethods]
impl DlpackArray {
    /// A capsule with the tensor, as `__dlpack__` of Python's array API.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        &self,
        py: Python<'py>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if stream.is_some() {
            let text = "an array in the memory of the CPU has no stream; leave `stream` out";
            return Err(PyBufferError::new_err(text));
        }
        if let Some(device) = dl_device.filter(|&device| device != (CPU, 0)) {
            return Err(PyBufferError::new_err(format!(
                "the array is on the device (1, 0), the CPU, and `dl_device` is {device:?}"
            )));
        }
        if copy == Some(true) {
            let text = "the array is not copied; leave `copy` out and copy the result";
            return Err(PyBufferError::new_err(text));
        }
        let export = self.export.clone();
        match max_version {
            Some((major, _)) if major >= VERSION.major => {
                let tensor = export.into_raw();
                // SAFETY: the tensor was made in the line above.
                unsafe { capsule(py, tensor.cast(), VERSIONED) }
            }
            _ => {
                let tensor = export.into_raw_unversioned()?;
                // SAFETY: as above.
                unsafe { capsule(py, tensor.cast(), UNVERSIONED) }
            }
        }
    }

    /// The device: the CPU.
    fn __dlpack_device__(&self) -> (i32, i32) {
        (CPU, 0)
    }

    fn __repr__(&self) -> String {
        format!("{:?}", self.export)
    }
}

/// A capsule that owns a tensor until it is renamed.
///
/// # Safety
/// `tensor` is what the name says.
unsafe fn capsule<'py>(
    py: Python<'py>,
    tensor: *mut core::ffi::c_void,
    [name, _]: [&'static CStr; 2],
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the pointer is not null, and the name is a constant. If Python has no memory, the
    // tensor leaks.
    unsafe {
        let object = ffi::PyCapsule_New(tensor, name.as_ptr(), Some(delete));
        Bound::from_owned_ptr_or_err(py, object)
    }
}

unsafe extern "C" fn delete(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls it with a capsule that `__dlpack__` made. An import that is dropped
    // calls the deleter.
    drop(unsafe { tensor_of(capsule) });
}
