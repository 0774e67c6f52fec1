//! Lists in JSON.

use std::path::Path;

use serde::{Serialize, Serializer};

/// A list whose items are made one at a time, because there may be millions.
pub(super) struct Listed<F>(pub(super) F);

impl<I: Iterator<Item: Serialize>, F: Fn() -> I> Serialize for Listed<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// A finding, with the file that it is in.
#[derive(Serialize)]
pub(super) struct OfFile<'a, T> {
    #[serde(serialize_with = "shown")]
    file: &'a Path,
    #[serde(flatten)]
    finding: T,
}

fn shown<S: Serializer>(file: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(&file.display())
}

impl<'a, T> OfFile<'a, T> {
    pub(super) fn new(file: &'a Path, finding: T) -> Self {
        Self { file, finding }
    }
}
