//! The limits of pictures, as arguments.

use xlayout_view::PictureOptions;

/// How much a picture shows, and how wide it is.
#[derive(clap::Args, Debug)]
pub(crate) struct PictureLimits {
    /// The largest number of rows to show
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=1024))]
    rows: u16,

    /// The largest number of columns to show; without it as many as fit
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=1024))]
    columns: Option<u16>,

    /// The largest number of slices to show of an array of more than two dimensions [default: 6; 2
    /// of an array with large slices]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(1..=256))]
    slices: Option<u16>,

    /// The columns of the terminal; without it as many as it has
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u16).range(20..=2000))]
    width: Option<u16>,
}

/// The width if the output is not a terminal.
const WIDTH: usize = 100;

impl PictureLimits {
    /// The options of a picture for a text of `width` columns, or for a page.
    pub(crate) fn options(&self, width: Option<usize>) -> PictureOptions<'_> {
        PictureOptions {
            rows: self.rows.into(),
            columns: self.columns.map(usize::from),
            slices: self.slices.map(usize::from),
            width,
            ..PictureOptions::default()
        }
    }

    /// The columns of the terminal.
    pub(crate) fn width(&self) -> usize {
        let terminal = || terminal_size::terminal_size().map(|(width, _)| width.0);
        let width = self.width.or_else(terminal).map(usize::from);
        width.unwrap_or(WIDTH).max(20)
    }
}
