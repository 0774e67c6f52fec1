//! Pictures written to files.

use std::io::Write;
use std::path::PathBuf;

use xlayout_view::Picture;

use xlayout_command::files::{is_stdout, write};
use xlayout_command::{Failure, Outcome, TextSpan};

/// The files of pictures.
#[derive(clap::Args, Debug)]
pub(crate) struct Files {
    /// Write the picture to this file as SVG; `-` is stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,

    /// Write the picture to this file as a page that answers to the pointer; `-` is stdout
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Replace a FILE that exists
    #[arg(long)]
    pub(crate) force: bool,

    /// Do not draw the line through the cells in the sequence of memory
    #[arg(long)]
    pub(crate) no_path: bool,
}

impl Files {
    pub(crate) fn any(&self) -> bool {
        self.svg.is_some() || self.html.is_some()
    }

    /// Whether a picture goes to stdout, so that nothing else may.
    pub(crate) fn to_stdout(&self) -> bool {
        [&self.svg, &self.html]
            .into_iter()
            .flatten()
            .any(|path| is_stdout(path))
    }

    /// The flag that writes a picture to stdout.
    pub(crate) fn place_of_stdout(&self) -> TextSpan {
        let svg = self.svg.as_deref().is_some_and(is_stdout);
        TextSpan::of_whole(if svg { "--svg" } else { "--html" }, "-")
    }

    /// Checks that at most one file is stdout.
    pub(crate) fn check(&self) -> Outcome {
        match (&self.svg, &self.html) {
            (Some(svg), Some(html)) if svg == html => Err(Failure::usage(format_args!(
                "--svg and --html both write to `{}`",
                svg.display()
            ))
            .at(TextSpan::of_whole("--svg", svg.display()))
            .at(TextSpan::of_whole("--html", html.display()))
            .help("name a file of its own for each")),
            _ => Ok(()),
        }
    }

    /// Writes the requested files. Only `--force` replaces a file, as for `convert`.
    pub(crate) fn write(&self, picture: &Picture, out: &mut dyn Write) -> Outcome {
        if let Some(path) = &self.svg {
            write(path, &picture.to_svg(), "picture.svg", self.force, out)?;
        }
        if let Some(path) = &self.html {
            write(path, &picture.to_html(), "picture.html", self.force, out)?;
        }
        Ok(())
    }
}
