//! Reading and writing at an offset of a file, by several threads at once: they do not move the
//! file's one cursor. Files are not mapped: a file that another program truncates, or a full disk,
//! is an error here, but ends a program that maps the file.

use std::fmt::{self, Display};
use std::fs::File;
use std::io::{self, Read, Write};
use std::num::NonZeroU64;
use std::ops::Range;
#[cfg(unix)]
use std::os::unix::fs::FileExt;
#[cfg(windows)]
use std::os::windows::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::{Error, Outcome};

/// Bytes that can be read at any offset: those of a file, or of a test.
pub(crate) trait ReadAt: fmt::Debug + Send + Sync {
    /// Fills `bytes` from the byte `at` on.
    fn fill(&self, bytes: &mut [u8], at: u64) -> io::Result<()>;

    /// These bytes will be read soon.
    fn soon(&self, _at: u64, _bytes: NonZeroU64) {}
}

impl ReadAt for File {
    fn fill(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        FileAt(self, at).read_exact(bytes)
    }

    /// Many short runs are then fetched side by side, and not one after the other. An error of this
    /// is ignored.
    #[cfg(target_os = "linux")]
    fn soon(&self, at: u64, bytes: NonZeroU64) {
        let _ = rustix::fs::fadvise(self, at, Some(bytes), rustix::fs::Advice::WillNeed);
    }
}

impl ReadAt for Vec<u8> {
    fn fill(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        let rest = usize::try_from(at).ok().and_then(|at| self.get(at..));
        let found = rest.and_then(|rest| rest.get(..bytes.len()));
        bytes.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// An open file, or a part of one.
#[derive(Clone, Debug)]
pub struct OpenFile {
    /// Its path in messages.
    pub(crate) path: PathBuf,
    /// Its first byte in `bytes`. Offsets count from here.
    pub(crate) begin: u64,
    pub(crate) length: u64,
    bytes: Arc<dyn ReadAt>,
    /// The number of bytes of elements that were read. Several files may share the counter.
    pub(crate) read: Arc<AtomicU64>,
}

impl OpenFile {
    pub(crate) fn new(path: PathBuf, length: u64, bytes: Arc<dyn ReadAt>) -> Self {
        Self {
            path,
            begin: 0,
            length,
            bytes,
            read: Arc::default(),
        }
    }

    /// The error that something is wrong with the file.
    pub(crate) fn wrong(&self, what: impl Display) -> Error {
        Error::file(format_args!("`{}` {what}", self.path.display()))
    }

    /// Reads `length` bytes from `at` on. The caller has checked that they exist.
    pub(crate) fn bytes(&self, at: u64, length: u64) -> Outcome<Vec<u8>> {
        let mut bytes = vec![0; length as usize];
        self.read(&mut bytes, at)?;
        Ok(bytes)
    }

    /// Fills `bytes` from the byte `at` on, without counting them.
    pub(crate) fn read(&self, bytes: &mut [u8], at: u64) -> Outcome {
        let read = self.bytes.fill(bytes, self.begin + at);
        read.map_err(|error| Error::of_file("read", &self.path, &error))
    }

    /// Adds to the number of bytes of elements that were read.
    pub(crate) fn count(&self, bytes: u64) {
        self.read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// These bytes will be read soon.
    pub(crate) fn soon(&self, bytes: &Range<u64>) {
        if let Some(length) = NonZeroU64::new(bytes.end - bytes.start) {
            self.bytes.soon(self.begin + bytes.start, length);
        }
    }

    /// The CRC-32 of its first bytes.
    pub(crate) fn crc32(&self, bytes: u64) -> Outcome<u32> {
        let mut hasher = crc32fast::Hasher::new();
        let mut buffer = vec![0; bytes.min(1 << 20) as usize];
        let mut at = 0;
        while at < bytes {
            let part = (bytes - at).min(1 << 20) as usize;
            self.read(&mut buffer[..part], at)?;
            hasher.update(&buffer[..part]);
            at += part as u64;
        }
        Ok(hasher.finalize())
    }
}

/// A file from a byte on. The traits have the loops over short reads and writes.
pub(crate) struct FileAt<'a>(pub(crate) &'a File, pub(crate) u64);

impl Read for FileAt<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let read = self.0.read_at(bytes, self.1)?;
        #[cfg(windows)]
        let read = self.0.seek_read(bytes, self.1)?;
        self.1 += read as u64;
        Ok(read)
    }
}

impl Write for FileAt<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let written = self.0.write_at(bytes, self.1)?;
        #[cfg(windows)]
        let written = self.0.seek_write(bytes, self.1)?;
        self.1 += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
