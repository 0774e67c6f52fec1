//! Reads a file into the findings: text or proto, compressed or not.

use std::fs::File;
use std::io;
use std::path::Path;

use xlayout_hlo::{Findings, Read};

use super::console::Console;
use crate::failure::{Failure, Outcome};

/// Reads a file into the findings. A file that is not HLO does not change them.
pub(super) fn read(path: &Path, findings: &mut Findings<'_>, console: &Console) -> Outcome<Read> {
    let is_stdin = path == Path::new("-");
    let (input, length): (Box<dyn io::Read>, _) = match is_stdin {
        true => (console.input(), None),
        false => {
            let failed = |error| Failure::of_file("read", path, &error);
            let file = File::open(path).map_err(failed)?;
            let about = file.metadata().map_err(failed)?;
            (Box::new(file), about.is_file().then_some(about.len()))
        }
    };
    let shown = match is_stdin {
        true => Path::new("standard input"),
        false => path,
    };
    let name = shown.display().to_string();
    let watched = console.watch(input, &name, length);
    let input =
        xlayout_hlo::unpacked(watched).map_err(|error| Failure::of_file("read", shown, &error))?;
    // Reading a file at several places moves a bar of its own.
    let file = || match is_stdin {
        true => Ok(None),
        false => {
            let file = xlayout_hlo::plain(path)?;
            Ok(file.map(|file| console.watch(file, &name, length)))
        }
    };
    Ok(xlayout_hlo::read(input, file, shown, findings)?)
}
