//! Texts that are written to files that a user names.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::failure::{Failure, Outcome};

/// Whether the path is `-`, the standard output.
#[must_use]
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes a text to a file, or to stdout. `example` is the name of such a file. `force` replaces a
/// file.
///
/// # Errors
/// When the file cannot be written.
pub fn write(path: &Path, text: &str, example: &str, force: bool, out: &mut dyn Write) -> Outcome {
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
