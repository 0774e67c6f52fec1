//! The sizes of cells, in pixels.

use crate::picture::slices::Slices;
use crate::picture::subject::Subject;

pub(super) const CELL_HEIGHT: u32 = 36;
pub(super) const GAP: u32 = 22;

/// The number of array columns that fit on a page.
pub(crate) fn columns_that_fit(subject: &Subject, slices: &Slices) -> usize {
    const COLUMNS: usize = 32;
    const PAGE: usize = 1000;
    let cell = (subject.digits() * 8 + 14).max(CELL_HEIGHT as usize);
    let fit = (PAGE / cell).clamp(3, COLUMNS);
    // Several slices share the width.
    fit.min(if slices.fixed.len() > 1 { 16 } else { COLUMNS })
}
