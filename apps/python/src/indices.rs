//! Answers for arrays of indices, with the interpreter free for other threads.
#![allow(unsafe_code)]

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use xlayout::ArrayLayout;
use xlayout_dlpack::Import;

/// Asks for an answer for each index of some, which are columns of coordinates, and writes them to
/// `out`.
pub(crate) fn for_each_index(
    py: Python<'_>,
    index: &[Import],
    out: &mut Import,
    answer: impl Fn(&[i64]) -> PyResult<i64> + Send + Sync,
) -> PyResult<()> {
    let columns = index.iter().map(|column| {
        // SAFETY: the package makes them for this call; any bits are an `i64`.
        Ok(unsafe { column.view::<i64, [usize; 1]>()? })
    });
    let columns = columns.collect::<PyResult<Vec<_>>>()?;
    let found = out.shape().first().copied();
    if let Some(other) = index
        .iter()
        .find(|column| column.shape().first().copied() != found)
    {
        return Err(PyValueError::new_err(format!(
            "the answers have the size {:?}, and a column of coordinates has {:?}",
            out.shape(),
            other.shape()
        )));
    }
    // SAFETY: the package makes it for this call, so nothing else uses it.
    let mut out = unsafe { out.view_mut::<i64, [usize; 1]>()? };
    py.detach(|| {
        let mut coordinates = vec![0; columns.len()];
        for place in 0..out.layout().elements() {
            for (coordinate, column) in coordinates.iter_mut().zip(&columns) {
                *coordinate = column[[place]];
            }
            out[[place]] = answer(&coordinates)?;
        }
        Ok(())
    })
}
