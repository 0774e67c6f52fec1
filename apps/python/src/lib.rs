//! The native half of the Python package `xlayout`. What users call, with its documentation, is in
//! `python/xlayout`.
//!
//! | part | what it does |
//! |---|---|
//! | `indices` | answers for arrays of indices |
//! | `layout` | a layout, read from any notation |
//! | `copies` | copies between strides and layouts |
//! | `small` | `xlayout.copy`, which hands small arrays to NumPy |
//! | `words` | errors of the library in words of Python |
//! | [`_native`] | audits, and the program |
//!
//! What is wrong is an exception of Python's with the words of the library: nothing panics on any
//! input, and a panic would be pyo3's `PanicException`.

mod copies;
mod indices;
mod layout;
mod small;
mod words;

use pyo3::prelude::*;

/// The module `xlayout._native`.
#[pymodule]
mod _native {
    use std::ffi::OsString;
    use std::path::PathBuf;

    use pyo3::prelude::*;
    use xlayout_cli::embedded;
    use xlayout_hlo::command;

    use crate::words::value_error;

    #[pymodule_export]
    use crate::copies::{copy_to, relayout};
    #[pymodule_export]
    use crate::layout::Layout;
    #[pymodule_export]
    use crate::small::{copy, is_small};

    /// The version of the package and of the program.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The summary for people and the findings as JSON of HLO, as text or proto, compressed or not.
    #[pyfunction]
    fn audit(py: Python<'_>, input: &[u8], name: PathBuf) -> PyResult<(String, String)> {
        let audit = py.detach(|| command::audit(input, &name));
        let audit = audit.map_err(|failure| value_error(failure.in_one_line()))?;
        Ok((audit.summary, audit.json))
    }

    /// The page of the same input.
    #[pyfunction]
    fn page(py: Python<'_>, input: &[u8], name: PathBuf) -> PyResult<String> {
        let page = py.detach(|| command::page(input, &name));
        page.map_err(|failure| value_error(failure.in_one_line()))
    }

    /// Runs the program `xlayout` with these words, of which the first is its name.
    #[pyfunction]
    fn program(py: Python<'_>, words: Vec<OsString>) -> u8 {
        py.detach(|| embedded::run(words))
    }
}
