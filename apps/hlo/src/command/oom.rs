//! Reports of running out of memory: `page::report` has their words.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::json;

use super::console;
use super::listed::OfFile;
use crate::oom::Reports;
use crate::page::report;
use xlayout_command::json::print;
use xlayout_command::table::Text;

/// The reports of each file, as JSON.
pub(super) fn json(out: &mut dyn Write, files: &[(PathBuf, Reports)]) -> io::Result<()> {
    print(out, &json!({ "out_of_memory": of_files(files) }))
}

/// The reports of each file.
pub(super) fn of_files(files: &[(PathBuf, Reports)]) -> Vec<OfFile<'_, &Reports>> {
    let files = files.iter();
    files
        .map(|(file, found)| OfFile::new(file, found))
        .collect()
}

/// Writes the reports of each file for people.
pub(super) fn write(out: &mut Text, files: &[(PathBuf, Reports)], rows: usize) {
    let named = files
        .iter()
        .map(|(file, found)| (console::shown(file).display().to_string(), found));
    report::write(out, &named.collect::<Vec<_>>(), rows);
}
