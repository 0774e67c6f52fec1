//! The library's errors, with what to write in Python.
//!
//! ```text
//! each phrase of PHRASES, which says what to write in Rust: what to write in Python instead
//! each `--flag value` of the program: `flag="value"`, an argument of the function of the same name
//! ```
//!
//! `tests/test_words.py` provokes each phrase, and finds the helps of the library that have none.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use xlayout_dlpack::Import;
use xlayout_dlpack::python::from_python;

/// What the library says, and what is said in Python.
const PHRASES: &[(&str, &str)] = &[
    (
        "a layout that has a name is used without `layout!`, and a text that is known at run time only is read with \
         `.parse::<DynLayout>()`",
        "a layout that has a name needs `dtype` and `shape`",
    ),
    (": names such as `?M` are for `layout!`", ""),
    (
        "give its size: `DynLayout::with_sizes(&shape, &[…])`",
        "write the number in place of `?`",
    ),
    (
        "name the type, `to_shape_of(PrimitiveType::Bf16)`",
        "name the type, `dtype=\"bfloat16\"`",
    ),
    (
        "name the type, `to_shape_of(PrimitiveType::S4)`",
        "name the type, `dtype=\"int4\"`",
    ),
    (
        "make a copy, or use `StridedArray`: `stored` is the array the other way round",
        "take the layout of a copy, `xlayout.copy(a)`, or of the array the other way round, `np.flip(a, dimension)`",
    ),
    (
        "make a copy, or use `StridedArray`: `stored` is the array before the broadcast",
        "take the layout of a copy, `xlayout.copy(a)`, or of the array before the broadcast",
    ),
    (
        "; `#ttg.linear<…>` is a map, which `xlayout-algebra` has as `Bits`",
        "",
    ),
    (
        "pass a slice of exactly that length",
        "pass memory of exactly that length",
    ),
];

/// The text of an error, in words of Python.
pub(crate) fn in_python(error: impl Display) -> String {
    let mut text = error.to_string();
    for (rust, python) in PHRASES {
        text = text.replace(rust, python);
    }
    if !text.contains("--") {
        return text;
    }
    // What is between two backticks is at the odd places.
    let parts = text.split('`').enumerate().map(|(place, part)| {
        let flag = part.strip_prefix("--").filter(|_| place % 2 == 1);
        match flag.and_then(|flag| flag.split_once(' ')) {
            Some(("dims", value)) => format!("dims=({})", value.replace(',', ", ")),
            Some((name, value)) => format!("{name}=\"{value}\""),
            None => part.to_owned(),
        }
    });
    let text = parts.collect::<Vec<_>>().join("`");
    text.replace("--slice", "`slice`")
        .replace("--dims", "`dims`")
}

/// An error of the library as a `ValueError`.
pub(crate) fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(in_python(error))
}

/// An exception of the library with the same type.
pub(crate) fn reworded(error: impl Into<PyErr>) -> PyErr {
    let error = error.into();
    Python::attach(|py| PyErr::from_type(error.get_type(py), in_python(error.value(py))))
}

/// The tensor of an array that has `__dlpack__`.
pub(crate) fn imported(array: &Bound<'_, PyAny>) -> PyResult<Import> {
    Ok(from_python(array).map_err(reworded)?.into_import())
}
