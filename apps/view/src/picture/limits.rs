//! Limits of what is shown of large arrays.

use xlayout::DynLayout;

use super::panel::Limits;
use super::slices::Slices;
use super::subject::Subject;
use super::svg::sizes;
use super::text;
use crate::error::{Error, Outcome, TextSpan};
use crate::words::grouped;

/// What a picture shows, and how much of it.
#[derive(Clone, Copy, Debug)]
pub struct PictureOptions<'a> {
    /// One slice: an index or `:` for each dimension, as in `2,:,:`.
    pub slice: Option<&'a str>,
    /// The two dimensions that are drawn, the one that goes down first, as in `0,2`; without it the
    /// last two.
    pub dims: Option<&'a str>,
    /// The most rows, from 1 to 1,024.
    pub rows: usize,
    /// The most columns, from 1 to 1,024; without it as many as fit.
    pub columns: Option<usize>,
    /// The most slices of an array of more than two dimensions, from 1 to 256; without it 6, and 2
    /// of an array with large slices.
    pub slices: Option<usize>,
    /// The most elements of the memory in sequence, up to 512.
    pub places: usize,
    /// The columns of the text that the picture is for, from 20 to 2,000; without it the picture is
    /// for a page.
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
        Ok(if whole { SMALL_SLICES } else { LARGE_SLICES })
    }

    /// The slices of this array that are drawn.
    pub(crate) fn slices_of(&self, layout: &DynLayout) -> Outcome<Slices> {
        self.check_ranges()?;
        Slices::of(layout, self.dims, self.slice, self.most_slices(layout)?)
    }

    /// Checks that the numbers are such that all of it can be looked at, and be made in little
    /// time and memory.
    fn check_ranges(&self) -> Outcome {
        let numbers = [
            ("--rows", Some(self.rows), 1..=1024),
            ("--columns", self.columns, 1..=1024),
            ("--slices", self.slices, 1..=256),
            ("--width", self.width, 20..=2000),
            ("places", Some(self.places), 0..=PLACES),
        ];
        for (name, number, range) in numbers {
            if let Some(number) = number.filter(|number| !range.contains(number)) {
                let (least, most) = range.into_inner();
                return Err(Error::new(format_args!("{name} cannot be {number}"))
                    .at(TextSpan::of_whole(name, number))
                    .help(format_args!("give a number from {least} to {most}")));
            }
        }
        Ok(())
    }

    /// The limits, with defaults: as much as fits on a page, or into a text of `width` columns.
    pub(crate) fn limits(&self, subject: &Subject, slices: &Slices) -> Limits {
        let fit = || match self.width {
            None => sizes::columns_that_fit(subject, slices),
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
        let cell_limit = (CELLS / arrays.max(1)).max(CELLS / 10);
        if cells <= cell_limit {
            return Ok(());
        }
        let count = slices.fixed.len();
        let total = grouped(cells);
        let allowed = grouped(cell_limit);
        let what = format!("{count} slices of {rows} rows and {columns} columns are {total} cells");
        let places = [
            ("--rows", rows),
            ("--columns", columns),
            ("--slices", count),
        ];
        let places = places.map(|(flag, number)| TextSpan::of_whole(flag, number));
        let failure = places.into_iter().fold(Error::new(what), Error::at);
        Err(failure.help(format_args!(
            "one array may have {allowed} in this picture: lower --rows, --columns or --slices"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Picture;

    #[test]
    fn no_number_takes_all_memory() {
        let layout: DynLayout = "u8[1000000,1000000,1000000]".parse().unwrap();
        let default = PictureOptions::default;
        let huge = usize::MAX;
        for (options, found) in [
            (
                PictureOptions {
                    rows: huge,
                    ..default()
                },
                "--rows",
            ),
            (
                PictureOptions {
                    columns: Some(0),
                    ..default()
                },
                "--columns",
            ),
            (
                PictureOptions {
                    slices: Some(huge),
                    ..default()
                },
                "--slices",
            ),
            (
                PictureOptions {
                    width: Some(huge),
                    ..default()
                },
                "--width",
            ),
            (
                PictureOptions {
                    places: huge,
                    ..default()
                },
                "places",
            ),
            (
                PictureOptions {
                    rows: 1024,
                    columns: Some(1024),
                    ..default()
                },
                "--rows",
            ),
        ] {
            let error = Picture::of(&layout, &options).unwrap_err();
            assert_eq!(error.mistakes()[0].places[0].origin, found, "{error}");
        }
        assert!(Picture::of(&layout, &default()).is_ok());
    }
}
