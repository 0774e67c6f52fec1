//! NumPy's `.npz`: a zip of `.npy` files.
//!
//! An array that is stored without compression is read where it is. A compressed one is unpacked into a file without a name first,
//! since arrays are read by position. Source: PKWARE's APPNOTE, sections 4.3.7, 4.3.12, 4.3.14 to 4.3.16 and 4.5.3.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use super::arrays::Array;
use super::ask::Ask;
use super::input::check_length;
use super::npy;
use super::positioned::{Contents, ReadAt};
use crate::failure::{Code, Failure, Outcome};

/// The directory of a zip is not longer.
const LONGEST: u64 = 64 << 20;
/// A comment of 64 KiB may follow the end record.
const END: u64 = 22 + 0xffff;
/// The most bytes that one byte of Deflate expands to.
const RATIO: u64 = 1032;

/// The arrays, and the file of those that were compressed.
pub(super) struct Arrays {
    /// Those of the zip itself have file 0, those of the other file 1.
    pub(super) arrays: Vec<Array>,
    pub(super) unpacked: Option<File>,
}

/// Part of a file.
struct FileSection<'a> {
    file: &'a File,
    begin: u64,
}

impl ReadAt for FileSection<'_> {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        super::positioned::read(self.file, bytes, self.begin + at)
    }
}

/// Reads a part from its beginning on.
struct Stream<'a> {
    part: FileSection<'a>,
    at: u64,
    length: u64,
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = (self.length - self.at).min(buffer.len() as u64) as usize;
        self.part.read_at(&mut buffer[..count], self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

struct Entry {
    name: String,
    compressed: bool,
    crc: u32,
    packed: u64,
    length: u64,
    /// Where its own header begins.
    header: u64,
}

/// Reads the arrays of a zip.
///
/// # Errors
/// If it is not a zip, is damaged, or holds something that is not an array.
pub(super) fn read(file: &File, path: &Path, length: u64, from: Option<&Ask>) -> Outcome<Arrays> {
    let zip = Zip { file, path, length };
    let mut arrays: Vec<Array> = Vec::new();
    let mut unpacked: Option<File> = None;
    let mut end = 0;
    for entry in zip.entries()? {
        let Some(name) = entry.name.strip_suffix(".npy") else {
            return Err(zip.wrong(format!(
                "holds `{}`, which is no `.npy` file",
                shown(&entry.name)
            )));
        };
        if arrays
            .iter()
            .any(|array| array.name.as_deref() == Some(name))
        {
            return Err(zip.wrong(format!("holds two arrays `{}`", shown(name))));
        }
        let data = zip.data(&entry)?;
        let inside = path.join(&entry.name);
        let failed = |error: io::Error| Failure::of_file("read", &inside, &error);
        let (from_file, begin, number) = match entry.compressed {
            false => (file, data, 0),
            true => {
                let target = match &mut unpacked {
                    Some(file) => file,
                    none => none.insert(tempfile::tempfile().map_err(|error| {
                        Failure::of_file("write", &std::env::temp_dir(), &error)
                    })?),
                };
                zip.unpack(&entry, data, target).map_err(failed)?;
                let begin = end;
                end += entry.length;
                (&*target, begin, 1)
            }
        };
        let part = FileSection {
            file: from_file,
            begin,
        };
        let contents = Contents {
            bytes: &part,
            length: entry.length,
            path: &inside,
        };
        let mut array = npy::read(contents, from)?;
        check_length(&inside, entry.length, &array)?;
        array.name = Some(name.to_owned());
        array.offset += begin;
        array.file = number;
        arrays.push(array);
    }
    Ok(Arrays { arrays, unpacked })
}

struct Zip<'a> {
    file: &'a File,
    path: &'a Path,
    length: u64,
}

impl Zip<'_> {
    fn wrong(&self, what: impl std::fmt::Display) -> Failure {
        let message = format!("`{}` {what}", self.path.display());
        Failure::new(Code::File, message)
            .help("an `.npz` is a zip of `.npy` files, as `numpy.savez` writes it")
    }

    fn damaged(&self, what: &str) -> Failure {
        self.wrong(format!("is no zip, or a damaged one: {what}"))
    }

    /// So many bytes of the file; an error if it does not have them.
    fn bytes(&self, at: u64, length: u64, what: &str) -> Outcome<Vec<u8>> {
        if at.checked_add(length).is_none_or(|end| end > self.length) {
            return Err(self.damaged(&format!("{what} lies outside of the file")));
        }
        let mut bytes = vec![0; length as usize];
        super::positioned::read(self.file, &mut bytes, at)
            .map_err(|error| Failure::of_file("read", self.path, &error))?;
        Ok(bytes)
    }

    fn entries(&self) -> Outcome<Vec<Entry>> {
        let tail = self.length.min(END);
        let begin = self.length - tail;
        let end = self.bytes(begin, tail, "its end")?;
        let found = (0..end.len().saturating_sub(21)).rev().find(|&at| {
            let comment = number(&end, at + 20, 2);
            end[at..].starts_with(b"PK\x05\x06") && at as u64 + 22 + comment == tail
        });
        let at = found.ok_or_else(|| self.damaged("it has no end record"))?;
        let (mut count, mut size, mut offset) = (
            number(&end, at + 10, 2),
            number(&end, at + 12, 4),
            number(&end, at + 16, 4),
        );
        if count == 0xffff || size == 0xffff_ffff || offset == 0xffff_ffff {
            let locator = (begin + at as u64).checked_sub(20);
            let locator = locator.ok_or_else(|| self.damaged("its 64-bit record is missing"))?;
            let locator = self.bytes(locator, 20, "its 64-bit record")?;
            if locator.starts_with(b"PK\x06\x07") {
                let record = self.bytes(number(&locator, 8, 8), 56, "its 64-bit record")?;
                if !record.starts_with(b"PK\x06\x06") {
                    return Err(self.damaged("its 64-bit record is missing"));
                }
                (count, size, offset) = (
                    number(&record, 32, 8),
                    number(&record, 40, 8),
                    number(&record, 48, 8),
                );
            }
        }
        if size > LONGEST {
            return Err(self.damaged("its directory is longer than 64 MiB"));
        }
        let directory = self.bytes(offset, size, "its directory")?;
        let mut rest = &directory[..];
        let mut entries = Vec::new();
        for _ in 0..count {
            let (entry, behind) = self.entry(rest)?;
            rest = behind;
            entries.push(entry);
        }
        Ok(entries)
    }

    fn entry<'a>(&self, bytes: &'a [u8]) -> Outcome<(Entry, &'a [u8])> {
        let cut = || self.damaged("its directory is cut short");
        if bytes.len() < 46 || !bytes.starts_with(b"PK\x01\x02") {
            return Err(cut());
        }
        let lengths = [28, 30, 32].map(|at| number(bytes, at, 2) as usize);
        let [name, extra, comment] = lengths;
        let end = 46 + name + extra + comment;
        let rest = bytes.get(end..).ok_or_else(cut)?;
        let shown_name = String::from_utf8_lossy(&bytes[46..46 + name]).into_owned();
        let mut wide = [24, 20, 42].map(|at| number(bytes, at, 4));
        let mut extra = &bytes[46 + name..46 + name + extra];
        while extra.len() >= 4 {
            let length = number(extra, 2, 2) as usize;
            let Some(field) = extra.get(4..4 + length) else {
                break;
            };
            if number(extra, 0, 2) == 1 {
                let mut values = field.chunks_exact(8);
                for one in wide.iter_mut().filter(|one| **one == 0xffff_ffff) {
                    *one = values
                        .next()
                        .map(|value| number(value, 0, 8))
                        .ok_or_else(cut)?;
                }
            }
            extra = &extra[4 + length..];
        }
        let [length, packed, header] = wide;
        let what =
            |what: &str| self.wrong(format!("holds `{}`, which is {what}", shown(&shown_name)));
        if number(bytes, 8, 2) & 1 == 1 {
            return Err(what("encrypted"));
        }
        let compressed = match number(bytes, 10, 2) {
            0 => false,
            8 => true,
            _ => return Err(what("compressed in a way that NumPy does not use")),
        };
        if !compressed && length != packed
            || length > packed.saturating_mul(RATIO).saturating_add(RATIO)
        {
            return Err(what("longer than its bytes can be"));
        }
        let entry = Entry {
            name: shown_name,
            compressed,
            crc: number(bytes, 16, 4) as u32,
            packed,
            length,
            header,
        };
        Ok((entry, rest))
    }

    /// Where the data of an entry begin.
    fn data(&self, entry: &Entry) -> Outcome<u64> {
        let header = self.bytes(entry.header, 30, "the header of an entry")?;
        if !header.starts_with(b"PK\x03\x04") {
            return Err(self.damaged("the header of an entry is missing"));
        }
        // The header was read, so the sum has no overflow.
        let data = entry.header + 30 + number(&header, 26, 2) + number(&header, 28, 2);
        match data.checked_add(entry.packed) {
            Some(end) if end <= self.length => Ok(data),
            _ => Err(self.damaged("the data of an entry lie outside of the file")),
        }
    }

    fn unpack(&self, entry: &Entry, data: u64, target: &mut File) -> io::Result<()> {
        let stream = Stream {
            part: FileSection {
                file: self.file,
                begin: data,
            },
            at: 0,
            length: entry.packed,
        };
        let mut decoder = DeflateDecoder::new(stream).take(entry.length.saturating_add(1));
        let mut crc = Crc::new();
        let mut buffer = vec![0; 1 << 16];
        let mut written = 0;
        loop {
            let read = decoder.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            crc.update(&buffer[..read]);
            target.write_all(&buffer[..read])?;
            written += read as u64;
        }
        match written == entry.length && crc.sum() == entry.crc {
            true => Ok(()),
            false => Err(io::Error::other("the compressed bytes are damaged")),
        }
    }
}

/// An unsigned number of `length` bytes, the least significant first. The caller has checked that they are there.
fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    let digits = bytes[at..at + length].iter().rev();
    digits.fold(0, |number, &byte| number << 8 | u64::from(byte))
}

fn shown(name: &str) -> String {
    crate::words::shortened(name, 60)
}
