//! NumPy's `.npz`: a zip of `.npy` files.
//!
//! An array that is stored without compression is read from the zip. A compressed one is unpacked
//! into a file without a name first, since arrays are read by position.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use zip::{CompressionMethod, ZipArchive};

use super::npy;
use crate::array::Array;
use crate::error::{Error, Outcome};
use crate::formats::contents::{Contents, of_copy, temporary};
use crate::positioned::OpenFile;
use xlayout_words::short;

/// Reads the arrays of a zip. Each is a range of the zip, or of the file with the arrays that were
/// compressed.
///
/// # Errors
/// If it is not a zip, is damaged, or contains a file that is not an array.
pub(crate) fn read(
    file: &Arc<File>,
    whole: &OpenFile,
    requested: npy::Requested,
) -> Outcome<Vec<Contents>> {
    let wrong = |what: &dyn Display| {
        let help = "an `.npz` is a zip of `.npy` files, as `numpy.savez` writes it";
        whole.wrong(what).help(help)
    };
    let damaged = |error| wrong(&format_args!("is no zip, or a damaged one: {error}"));
    let mut zip = ZipArchive::new(&**file).map_err(damaged)?;
    // If several files have one name, the crate keeps only the last one.
    let listed = entries(file, zip.central_directory_start())
        .map_err(|error| Error::of_file("read", &whole.path, &error))?;
    if listed != zip.len() {
        return Err(wrong(&"holds two arrays of one name"));
    }
    let mut all = Vec::new();
    let mut unpacked: Option<Arc<File>> = None;
    let mut unpacked_length = 0;
    for number in 0..zip.len() {
        let mut entry = zip.by_index(number).map_err(damaged)?;
        let shown = short(entry.name());
        let Some(name) = entry.name().strip_suffix(".npy").map(str::to_owned) else {
            let what = format_args!("holds `{shown}`, which is no `.npy` file");
            return Err(wrong(&what));
        };
        let inside = whole.path.join(entry.name());
        let length = entry.size();
        let source;
        let begin;
        if entry.compression() == CompressionMethod::Stored {
            source = file;
            begin = entry.data_start().unwrap_or(u64::MAX);
            let end = begin.checked_add(length);
            if end.is_none_or(|end| end > whole.length) {
                return Err(wrong(&format_args!("ends before the data of `{shown}` do")));
            }
        } else {
            let target = match &mut unpacked {
                Some(target) => target,
                none => none.insert(Arc::new(temporary()?)),
            };
            // One byte more than the length is read, to find a file that is too long.
            let mut limited = (&mut entry).take(length.saturating_add(1));
            let copied = io::copy(&mut limited, &mut &**target);
            let copied = copied.map_err(|error| of_copy(&inside, &error))?;
            if copied != length {
                let what = format_args!("holds `{shown}`, which has another length than it says");
                return Err(wrong(&what));
            }
            source = &*target;
            begin = unpacked_length;
            unpacked_length += length;
        }
        let mut open = OpenFile::new(inside, length, Arc::clone(source) as _);
        open.begin = begin;
        let array = Array {
            name: Some(name),
            ..npy::read(&open, requested)?
        };
        all.push(Contents::of_one(open, array));
    }
    Ok(all)
}

/// The number of files that the central directory of a zip lists. Each header has 46 bytes, then a
/// name, extra fields and a comment, whose lengths it says.
fn entries(mut file: &File, start: u64) -> io::Result<usize> {
    file.seek(SeekFrom::Start(start))?;
    let mut directory = BufReader::new(file);
    for number in 0.. {
        let mut header = [0; 46];
        // The record after the directory may be shorter.
        directory.read_exact(&mut header[..4])?;
        if header[..4] != *b"PK\x01\x02" {
            return Ok(number);
        }
        directory.read_exact(&mut header[4..])?;
        let length = |at: usize| i64::from(u16::from_le_bytes([header[at], header[at + 1]]));
        directory.seek_relative(length(28) + length(30) + length(32))?;
    }
    unreachable!("a file has an end");
}
