//! The library's errors, with what to write in Python.
//!
//! ```text
//! what says what to write in Rust:         the words of `xlayout_cli::embedded::in_words_of`
//! each `--flag value` of the program:       `flag="value"`, an argument of the function of the same name
//! ```
//!
//! `tests/test_words.py` provokes each phrase, and finds the helps of the library that have none.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use xlayout_cli::embedded::{Caller, in_words_of};
use xlayout_dlpack::Import;
use xlayout_dlpack::python::from_python;

/// The text of an error, in words of Python.
pub(crate) fn in_python(error: impl Display) -> String {
    let text = in_words_of(Caller::Python, error);
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
