//! `xlayout diff`.

use std::io::Write;

use xlayout_view::{Difference, MapText, Picture, PictureOptions, read_both};

use crate::picture::files::Files;
use crate::picture::limits::PictureLimits;
use crate::picture::palette;
use crate::shape;
use xlayout_command::json::print;
use xlayout_command::{Failure, Outcome};

/// The arguments of `xlayout diff`.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("sizes", |sizes| sizes.visible_alias("dims")),
)]
pub(crate) struct DiffArguments {
    /// An array and its layout, in quotes
    #[arg(value_name = "A")]
    a: String,

    /// Another one
    #[arg(value_name = "B")]
    b: String,

    #[command(flatten)]
    given: shape::Given,

    /// Describe the copy on this machine, instead of the reference machine
    #[arg(long)]
    here: bool,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    files: Files,

    #[command(flatten)]
    cut: PictureLimits,
}

pub(crate) fn run(arguments: &DiffArguments, out: &mut dyn Write) -> Outcome {
    let files = &arguments.files;
    files.check()?;
    if arguments.json && files.to_stdout() {
        return Err(Failure::usage("--json and the picture both go to stdout")
            .at(files.place_of_stdout())
            .help("give the picture a file: `--svg both.svg`"));
    }
    // A tag without sizes gets the sizes and the type of the other array.
    let given = arguments.given.of_notation();
    if let Some(failure) = of_maps(arguments, out)? {
        return failure;
    }
    let (a, b) = read_both(("A", &arguments.a), ("B", &arguments.b), &given)?;
    let mut difference = Difference::of(a, b);
    if arguments.here {
        difference = difference.here();
    }
    let draw = |width| {
        difference.picture(&PictureOptions {
            path: !files.no_path,
            ..arguments.cut.options(width)
        })
    };
    if files.any() {
        files.write(&draw(None)?, out)?;
    }
    if arguments.json {
        print(out, &difference.to_json())?;
    } else if !files.to_stdout() {
        let width = arguments.cut.width();
        out.write_all(difference.to_text(width).styled().as_bytes())?;
        if !files.any() {
            let drawn = draw(Some(width))?.to_text(width, palette::of_stdout());
            write!(out, "\n{}", drawn.styled())?;
        }
    }
    out.flush()?;
    if difference.is_equal() {
        Ok(())
    } else {
        Err(Failure::answer_is_no())
    }
}

/// The answer for two texts of which one is a map; `None` for two layouts.
fn of_maps(arguments: &DiffArguments, out: &mut dyn Write) -> Outcome<Option<Outcome>> {
    let given = arguments.given.of_notation();
    let texts = [("A", &*arguments.a), ("B", &*arguments.b)];
    if !texts
        .iter()
        .any(|(name, text)| MapText::read(name, text, &given).is_some())
    {
        return Ok(None);
    }
    let (a, b) = MapText::of_both(texts[0], texts[1], &given)?;
    let compared = a.compare(&b)?;
    let files = &arguments.files;
    if arguments.json {
        print(out, &compared.to_json())?;
    } else if !files.to_stdout() {
        writeln!(out, "{}", compared.words)?;
    }
    if files.any() {
        let maps = [("A", *a.map()), ("B", *b.map())];
        files.write(
            &Picture::of_maps("xlayout diff", Vec::new(), &maps, None)?,
            out,
        )?;
    }
    let answer = if compared.is_equal {
        Ok(())
    } else {
        Err(Failure::answer_is_no())
    };
    Ok(Some(answer))
}
