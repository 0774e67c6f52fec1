//! Limits of what is shown of large arrays.

use xlayout::DynLayout;

use super::panel::Limits;
use super::slices::Slices;
use super::subject::Subject;
use super::{svg, text};
use crate::error::{Error, Outcome, Place};
use crate::words::grouped;

/// What a picture shows, and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct PictureOptions<'a> {
    /// One slice: an index or `:` for each dimension, as in `2,:,:`.
    pub slice: Option<&'a str>,
    /// The two dimensions that are drawn, the one that goes down first, as in `0,2`; without it the
    /// last two.
    pub dims: Option<&'a str>,
    /// The most rows.
    pub rows: usize,
    /// The most columns; without it as many as fit.
    pub columns: Option<usize>,
    /// The most slices of an array of more than two dimensions; without it 6, and 2 of an array
    /// with large slices.
    pub slices: Option<usize>,
    /// The most elements of the memory in sequence.
    pub places: usize,
    /// The columns of the text that the picture is for; without it the picture is for a page.
    pub width: Option<usize>,
    /// Whether SVG and HTML have a line through the cells in the sequence of memory, if they are
    /// few.
    pub path: bool,
}

impl Default for PictureOptions<'_> {
    fn default() -> Self {
        Self {
            slice: None,
            dims: None,
            rows: 32,
            columns: None,
            slices: None,
            places: PLACES,
            width: None,
            path: true,
        }
    }
}

/// The most elements of the memory in sequence.
const PLACES: usize = 512;
/// The most cells. More would be too many to look at, and would take gigabytes.
const CELLS: usize = 200_000;
/// The most slices: if all rows and columns of a slice are shown, and otherwise.
const SMALL_SLICES: usize = 6;
const LARGE_SLICES: usize = 2;
/// The most columns of a slice that is shown completely beside others.
const SLICE_COLUMNS: usize = 16;

impl PictureOptions<'_> {
    /// The number of slices of this array that are shown. Of large slices the second one shows how
    /// the positions change from slice to slice; more slices would repeat this.
    fn most_slices(&self, layout: &DynLayout) -> Outcome<usize> {
        if let Some(slices) = self.slices {
            return Ok(slices);
        }
        let drawn = Slices::of(layout, self.dims, None, 1)?;
        let size = |dim: Option<usize>| dim.map_or(1, |dim| layout.dims()[dim]);
        let columns = self.columns.unwrap_or(SLICE_COLUMNS);
        let whole = size(drawn.down) <= self.rows && size(drawn.right) <= columns;
        Ok(match whole {
            true => SMALL_SLICES,
            false => LARGE_SLICES,
        })
    }

    /// The slices of this array that are drawn.
    pub(crate) fn slices_of(&self, layout: &DynLayout) -> Outcome<Slices> {
        Slices::of(layout, self.dims, self.slice, self.most_slices(layout)?)
    }

    /// The limits, with defaults: as much as fits on a page, or into a text of `width` columns.
    pub(crate) fn limits(&self, subject: &Subject, slices: &Slices) -> Limits {
        let fit = || match self.width {
            None => svg::columns_that_fit(subject, slices),
            Some(width) => text::columns_that_fit(subject, slices, width),
        };
        Limits {
            rows: self.rows,
            columns: self.columns.unwrap_or_else(fit),
            places: self.places,
        }
    }

    /// Checks that this much can be drawn of one of `arrays` arrays.
    pub(crate) fn check(
        &self,
        subject: &Subject,
        slices: &Slices,
        limits: Limits,
        arrays: usize,
    ) -> Outcome {
        let count = |dim, limit| subject.window(dim, limit).0.slots().len();
        let rows = count(slices.down, limits.rows);
        let columns = count(slices.right, limits.columns);
        let cells = rows * columns * slices.fixed.len();
        // The default limits are always below this number of cells.
        let most = (CELLS / arrays.max(1)).max(CELLS / 10);
        if cells <= most {
            return Ok(());
        }
        let (count, total, most) = (slices.fixed.len(), grouped(cells), grouped(most));
        let what = format!("{count} slices of {rows} rows and {columns} columns are {total} cells");
        let places = [
            ("--rows", rows),
            ("--columns", columns),
            ("--slices", count),
        ];
        let places = places.map(|(flag, number)| Place::of_whole(flag, number));
        let failure = places.into_iter().fold(Error::new(what), Error::at);
        Err(failure.help(format_args!(
            "one array may have {most} in this picture: lower --rows, --columns or --slices"
        )))
    }
}
