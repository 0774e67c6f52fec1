//! A layout, read from any notation.

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use xlayout::bitcast::ElementTypes;
use xlayout::bitcast::reshape_obstacle;
use xlayout::interop::{BoundaryError, Given, Notation, StridedArray, from_numpy_name};
use xlayout::{ArrayLayout, ArrayShape, Coordinates, DynCoordinates, DynLayout, ElementType};
use xlayout_view::{Explanation, Picture, PictureOptions};

use crate::indices::for_each_index;
use crate::words::{imported, in_python, value_error};

/// The bytes of an element in an array of NumPy, where it is not packed.
pub(crate) fn element_bytes(element_type: ElementType) -> usize {
    // A layout has elements, so that the type has bits.
    element_type.bytes().unwrap_or(0) as usize
}

/// The element type that NumPy, or XLA, calls so.
fn element_type(name: &str) -> PyResult<ElementType> {
    match from_numpy_name(name) {
        Some(found) => Ok(found),
        None => name.parse().map_err(value_error),
    }
}

/// A layout whose sizes are known.
#[pyclass(frozen, module = "xlayout._native")]
pub(crate) struct Layout(pub(crate) DynLayout);

/// Reads a layout in any notation that `xlayout-interop` knows, in XLA's, or a layout alone.
fn read(text: &str, given: &Given<'_>) -> PyResult<DynLayout> {
    let notation = Notation::of(text, given);
    if let Some(axes) = given.axes
        && notation.is_none_or(|notation| notation.key != "tvm")
    {
        return Err(PyValueError::new_err(format!(
            "`axes` says {axes}, and only a text of TVM's, such as NCHW16c, has axes: `{text}` is \
             {}; leave `axes` out",
            notation.map_or("XLA's", |notation| notation.name)
        )));
    }
    let shape = match notation {
        Some(notation) => notation
            .read(text, given)
            .map_err(|error| match error.kind() {
                BoundaryError::NoSizes { .. } | BoundaryError::NoElementType { .. } => {
                    PyTypeError::new_err(in_python(&error))
                }
                _ => value_error(error),
            })?,
        None if text.trim_start().starts_with('{') => {
            let missing =
                |what| PyTypeError::new_err(format!("a layout without its array has no {what}"));
            let element_type = given
                .element_type
                .ok_or_else(|| missing("element type; give it: `dtype=\"bfloat16\"`"))?;
            let sizes = given
                .sizes
                .ok_or_else(|| missing("sizes; give them: `shape=(1000, 3000)`"))?;
            let mut shape = ArrayShape::new(element_type, sizes).map_err(value_error)?;
            shape.layout = Some(text.parse().map_err(value_error)?);
            shape
        }
        None => return DynLayout::new(text).map_err(value_error),
    };
    DynLayout::new(shape).map_err(value_error)
}

#[pymethods]
impl Layout {
    #[new]
    #[pyo3(signature = (text, dtype = None, shape = None, axes = None))]
    fn new(
        text: &str,
        dtype: Option<&str>,
        shape: Option<Vec<i64>>,
        axes: Option<&str>,
    ) -> PyResult<Self> {
        let given = Given {
            sizes: shape.as_deref(),
            element_type: dtype.map(element_type).transpose()?,
            axes,
        };
        read(text, &given).map(Self)
    }

    /// The layout of an array at strides of bytes.
    #[staticmethod]
    fn strided(dtype: &str, shape: Vec<i64>, byte_strides: Vec<i64>) -> PyResult<Self> {
        let array = StridedArray::new(element_type(dtype)?, &shape, &byte_strides);
        let array = array.map_err(value_error)?.padded().map_err(value_error)?;
        DynLayout::new(array).map(Self).map_err(value_error)
    }

    /// XLA's text.
    #[getter]
    fn text(&self) -> String {
        self.0.array_shape().to_string()
    }

    #[getter]
    fn shape(&self) -> Vec<usize> {
        self.0.dims().to_vec()
    }

    /// The elements that its memory has places for, padding included.
    #[getter]
    fn places(&self) -> usize {
        self.0.buffer_len()
    }

    #[getter]
    fn nbytes(&self) -> usize {
        self.0.bytes()
    }

    #[getter]
    fn element_bits(&self) -> usize {
        self.0.element_bits()
    }

    /// The bytes of an element in an array of NumPy.
    #[getter]
    fn element_bytes(&self) -> usize {
        element_bytes(self.0.element_type())
    }

    /// Fails if the elements or the sizes are not those that are given beside the layout.
    #[pyo3(signature = (dtype, shape))]
    fn check(&self, dtype: Option<&str>, shape: Option<Vec<i64>>) -> PyResult<()> {
        let found = self.0.element_type();
        if let Some(name) = dtype
            && element_type(name)? != found
        {
            return Err(PyValueError::new_err(format!(
                "the layout {} is one of elements of type {found}, and `dtype` says {name}; leave \
                 `dtype` out, or correct one of them",
                self.text()
            )));
        }
        let sizes = self.shape();
        if let Some(given) = shape
            && !given
                .iter()
                .copied()
                .eq(sizes.iter().map(|&size| size as i64))
        {
            return Err(PyValueError::new_err(format!(
                "the layout {} is one of the sizes {sizes:?}, and `shape` says {given:?}; leave \
                 `shape` out, or correct one of them",
                self.text()
            )));
        }
        Ok(())
    }

    /// NumPy's name of the element type.
    #[getter]
    fn dtype(&self) -> Option<&'static str> {
        xlayout::interop::numpy_name(self.0.element_type())
    }

    /// What `xlayout explain --json` prints.
    fn explained(&self) -> String {
        Explanation::of(&self.0).to_json().to_string()
    }

    /// A picture.
    fn svg(&self, slice: Option<&str>, dims: Option<&str>, path: bool) -> PyResult<String> {
        let options = PictureOptions {
            slice,
            dims,
            path,
            ..PictureOptions::default()
        };
        let picture = Picture::of(&self.0, &options).map_err(value_error)?;
        Ok(picture.to_svg())
    }

    /// Whether every element has the same place in both, and equal memory is allocated.
    fn same_map(&self, other: &Self) -> PyResult<bool> {
        if self.0.dims() != other.0.dims() {
            return Ok(false);
        }
        let a = self.0.array_shape();
        let b = other.0.array_shape();
        let obstacle = reshape_obstacle(a, b, ElementTypes::Compared);
        Ok(obstacle.map_err(value_error)?.is_none())
    }

    /// The linear index of one element; a negative coordinate counts from the end, as in NumPy.
    fn linear_index(&self, index: Vec<i64>) -> PyResult<usize> {
        self.check_rank(index.len())?;
        Ok(self.0.linear_index(&self.coordinates(&index)?))
    }

    /// The same for arrays of `int64` of one length, an array for each dimension; the answers go to
    /// `out`.
    fn linear_indices(
        &self,
        py: Python<'_>,
        index: Vec<Bound<'_, PyAny>>,
        out: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.check_rank(index.len())?;
        let columns = index.iter().map(imported);
        let columns = columns.collect::<PyResult<Vec<_>>>()?;
        let mut out = imported(out)?;
        for_each_index(py, &columns, &mut out, |index| {
            // Places of an array fit into an `isize`.
            Ok(self.0.linear_index(&self.coordinates(index)?) as i64)
        })
    }

    /// The index of the element at a place; `None` in padding.
    fn index_at(&self, linear_index: usize) -> PyResult<Option<Vec<usize>>> {
        if linear_index >= self.0.buffer_len() {
            return Err(PyIndexError::new_err(format!(
                "linear index {linear_index} is beyond the end: the array has {} places",
                self.0.buffer_len()
            )));
        }
        let index = self.0.multi_index(linear_index);
        Ok(index.map(|index| index.as_ref().to_vec()))
    }
}

impl Layout {
    fn check_rank(&self, found: usize) -> PyResult<()> {
        let expected = self.0.rank();
        if expected == found {
            return Ok(());
        }
        Err(PyIndexError::new_err(format!(
            "the array has {expected} dimensions, and the index has {found} coordinates"
        )))
    }

    /// The index, with as many coordinates as the array has dimensions, in bounds.
    fn coordinates(&self, index: &[i64]) -> PyResult<DynCoordinates> {
        let mut coordinates = DynCoordinates::origin(index.len());
        for (dimension, (&coordinate, &size)) in index.iter().zip(self.0.dims()).enumerate() {
            let from_end = if coordinate < 0 { size as i64 } else { 0 };
            match usize::try_from(coordinate.wrapping_add(from_end)) {
                Ok(found) if found < size => coordinates.as_mut()[dimension] = found,
                _ => {
                    return Err(PyIndexError::new_err(format!(
                        "coordinate {coordinate} of dimension {dimension} is out of bounds: the \
                         size is {size}"
                    )));
                }
            }
        }
        Ok(coordinates)
    }
}
