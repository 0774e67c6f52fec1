//! What a file holds.

use std::collections::BTreeMap;
use std::fs::File;

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
    tempfile::tempfile().map_err(|error| Error::of_file("write", &std::env::temp_dir(), &error))
}
