//! Limits of what is shown of large arrays.

use xlayout::DynLayout;

use super::panel::Limits;
use super::slices::Slices;
use super::subject::Subject;
use super::{svg, terminal};
use crate::failure::{Failure, Outcome, TextSpan};
use crate::words::grouped;

/// The limits of a picture, as arguments.
#[derive(clap::Args, Debug)]
pub(crate) struct PictureLimits {
    /// The largest number of rows to show
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1024))]
    rows: u16,

    /// The largest number of columns to show; without it as many as fit
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    columns: Option<u16>,

    /// The largest number of slices to show of an array of more than two dimensions [default: 6; 2 of an array with large slices]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    slices: Option<u16>,

    /// The columns of the terminal; without it as many as it has
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(20..=2000))]
    width: Option<u16>,
}

/// The most elements of the memory in sequence.
const PLACES: usize = 512;
/// The most cells. More would be too many to look at, and would take gigabytes.
const CELLS: usize = 200_000;
/// The width if the output is not a terminal.
const WIDTH: usize = 100;

/// The most slices: if all rows and columns of a slice are shown, and otherwise.
const SMALL_SLICES: usize = 6;
const LARGE_SLICES: usize = 2;
/// The most columns of a slice that is shown completely beside others.
const SLICE_COLUMNS: usize = 16;

impl PictureLimits {
    /// The number of slices of this array that are shown. Of large slices the second one shows how the positions change from slice to
    /// slice; more slices would repeat this.
    pub(crate) fn slices(&self, layout: &DynLayout, dims: Option<&str>) -> Outcome<usize> {
        if let Some(slices) = self.slices {
            return Ok(slices.into());
        }
        let drawn = Slices::of(layout, dims, None, 1)?;
        let size = |dim: Option<usize>| dim.map_or(1, |dim| layout.dims()[dim]);
        let columns = self.columns.map_or(SLICE_COLUMNS, usize::from);
        let whole = size(drawn.down) <= usize::from(self.rows) && size(drawn.right) <= columns;
        Ok(match whole {
            true => SMALL_SLICES,
            false => LARGE_SLICES,
        })
    }

    /// The limits, with defaults: as much as fits on a page, or into a terminal of `width` columns.
    pub(crate) fn limits(
        &self,
        subject: &Subject,
        slices: &Slices,
        width: Option<usize>,
    ) -> Limits {
        let fit = || match width {
            None => svg::columns_that_fit(subject, slices),
            Some(width) => terminal::columns_that_fit(subject, slices, width),
        };
        Limits {
            rows: usize::from(self.rows),
            columns: self.columns.map_or_else(fit, usize::from),
            places: PLACES,
        }
    }

    /// The columns of the terminal.
    pub(crate) fn width(&self) -> usize {
        let terminal = || terminal_size::terminal_size().map(|(width, _)| width.0);
        let width = self.width.or_else(terminal).map(usize::from);
        width.unwrap_or(WIDTH).max(20)
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
        let places = places.map(|(flag, number)| TextSpan::of_whole(flag, number));
        let failure = places.into_iter().fold(Failure::usage(what), Failure::at);
        Err(failure.help(format_args!(
            "one array may have {most} in this picture: lower --rows, --columns or --slices"
        )))
    }
}
