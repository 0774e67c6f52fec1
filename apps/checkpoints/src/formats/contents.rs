//! What a file holds.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::array::Array;
use crate::error::{Error, Outcome};
use crate::positioned::OpenFile;

/// An open file, and the contents of its header.
pub(crate) struct Contents {
    pub(crate) file: OpenFile,
    /// In the sequence of their bytes.
    pub(crate) arrays: Vec<Array>,
    /// Why others cannot be read, by name.
    pub(crate) unreadable: BTreeMap<String, Error>,
    pub(crate) metadata: Vec<(String, String)>,
}

impl Contents {
    pub(crate) fn of_one(file: OpenFile, array: Array) -> Self {
        Self {
            file,
            arrays: vec![array],
            unreadable: BTreeMap::new(),
            metadata: Vec::new(),
        }
    }
}

/// A file without a name, which is deleted when it is closed.
pub(crate) fn temporary() -> Outcome<File> {
    tempfile::tempfile().map_err(|error| of_temporary(&error))
}

/// The error of a copy from the file at this path into a temporary one.
pub(crate) fn of_copy(path: &Path, error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => of_temporary(error),
        _ => Error::of_file("read", path, error),
    }
}

fn of_temporary(error: &io::Error) -> Error {
    let note = "what is not read by position is copied to this folder first; the variable `TMPDIR` \
                names another one";
    Error::of_file("write", &std::env::temp_dir(), error).note(note)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_folder_for_temporary_files_is_told() {
        let said = |kind: io::ErrorKind| of_copy(Path::new("a.npz"), &kind.into()).to_string();
        let full = said(io::ErrorKind::StorageFull);
        assert!(
            full.contains("cannot write") && full.contains("TMPDIR"),
            "{full}"
        );
        let short = said(io::ErrorKind::UnexpectedEof);
        assert!(short.contains("cannot read `a.npz`"), "{short}");
    }
}
