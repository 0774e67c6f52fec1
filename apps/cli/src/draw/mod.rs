//! `xlayout draw`.

use std::io::Write;

use xlayout_view::{MapText, Picture, PictureOptions};

use crate::picture::files::Files;
use crate::picture::limits::PictureLimits;
use crate::picture::palette;
use crate::shape;
use xlayout_command::{Failure, Outcome};

/// The arguments of `xlayout draw`.
#[derive(clap::Args, Debug)]
pub(crate) struct DrawArguments {
    /// The array and its layout, in quotes
    ///
    /// XLA's text, also of a tuple, of which each array is drawn; `-` reads it from the standard
    /// input. Without a layout it is row-major.
    #[arg(value_name = "SHAPE")]
    shape: String,

    #[command(flatten)]
    given: shape::Given,

    #[command(flatten)]
    files: Files,

    /// Draw one slice: an index or `:` for each dimension, as in `2,:,:`
    #[arg(long, value_name = "INDEX,…", allow_hyphen_values = true)]
    slice: Option<String>,

    /// Draw these two dimensions, the one that goes down first; without it the last two
    #[arg(long, value_name = "DOWN,RIGHT", allow_hyphen_values = true)]
    dims: Option<String>,

    #[command(flatten)]
    cut: PictureLimits,
}

pub(crate) fn run(arguments: &DrawArguments, out: &mut dyn Write) -> Outcome {
    arguments.files.check()?;
    let text = shape::text("SHAPE", &arguments.shape)?;
    let given = arguments.given.of_notation();
    let map = MapText::read("SHAPE", &text, &given).transpose()?;
    if map.is_some() && (arguments.slice.is_some() || arguments.dims.is_some()) {
        return Err(
            Failure::usage("a map is drawn as a whole").help("leave out --slice and --dims")
        );
    }
    let draw = |width| {
        if let Some(map) = &map {
            return map.picture();
        }
        let options = PictureOptions {
            slice: arguments.slice.as_deref(),
            dims: arguments.dims.as_deref(),
            path: !arguments.files.no_path,
            ..arguments.cut.options(width)
        };
        Picture::read(&text, &given, &options)
    };
    if arguments.files.any() {
        return arguments.files.write(&draw(None)?, out);
    }
    let width = arguments.cut.width();
    let drawn = draw(Some(width))?.to_text(width, palette::of_stdout());
    Ok(out.write_all(drawn.styled().as_bytes())?)
}
