//! Pictures written to files.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use xlayout_view::Picture;

use crate::failure::{Failure, Outcome, TextSpan};

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

fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
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

/// Writes a text to a file, or to stdout. `example` is the name of such a file. `force` replaces a
/// file.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn write(
    path: &Path,
    text: &str,
    example: &str,
    force: bool,
    out: &mut dyn Write,
) -> Outcome {
    if is_stdout(path) {
        return Ok(out.write_all(text.as_bytes())?);
    }
    if path.is_dir() {
        let path = path.display();
        let message = format!("cannot write `{path}`: it is a folder");
        let help = format!("name a file in it: `{path}/{example}`");
        return Err(Failure::file(message).help(help));
    }
    // A pipe or a device exists and keeps nothing that could be lost.
    let is_special = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    let mut options = fs::OpenOptions::new();
    if force || is_special {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    options
        .write(true)
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()))
        .map_err(|error| Failure::of_file("write", path, &error))
}
