//! The file that is written: under another name beside its place until it is whole, so that no
//! other program sees half of it, and nothing of it is left after an error.

use std::fs::{self, File};
use std::io::{IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::copy::Named;
use crate::failure::{Code, Failure, Outcome};
use crate::words;

/// Where a file is to be.
pub(super) struct OutputFile {
    /// As it was named.
    path: PathBuf,
    /// Where links lead.
    target: PathBuf,
    /// What is there now.
    replaced: Option<fs::Metadata>,
    force: bool,
    /// The standard output. Files are written by position, which a pipe does not take: the file is made in the
    /// folder for temporary files, and copied when it is whole.
    standard: bool,
}

/// A file that is not at its place yet.
pub(super) struct Unfinished<'a> {
    place: &'a OutputFile,
    file: NamedTempFile,
}

impl OutputFile {
    /// Looks whether a file may be there.
    ///
    /// # Errors
    /// When there is one, without `--force`, or something that is not a file; when there is no such folder.
    pub(super) fn new(path: &Path, force: bool) -> Outcome<Self> {
        if super::is_standard(path) {
            return Self::standard_output();
        }
        let failed = |error: &std::io::Error| Failure::of_file("write", path, error);
        let wrong = |what: &str| {
            Failure::new(
                Code::File,
                format_args!("cannot write `{}`: {what}", path.display()),
            )
        };
        let (target, replaced) = match fs::metadata(path) {
            Ok(found) if found.is_dir() => {
                return Err(wrong("it is a folder")
                    .help("name a file in it, with an extension that says its format"));
            }
            Ok(found) if !found.is_file() => {
                return Err(wrong("it is no regular file")
                    .help("files are written by position: name a file"));
            }
            Ok(_) if !force => return Err(exists(path)),
            Ok(found) => (
                fs::canonicalize(path).map_err(|error| failed(&error))?,
                Some(found),
            ),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                if path.symlink_metadata().is_ok() {
                    return Err(wrong("it is a link that leads nowhere")
                        .help("remove the link, or name another file"));
                }
                (path.to_owned(), None)
            }
            Err(error) => return Err(failed(&error)),
        };
        if target.file_name().is_none() {
            return Err(wrong("this names no file")
                .help("name a file, with an extension that says its format"));
        }
        let place = Self {
            path: path.to_owned(),
            target,
            replaced,
            force,
            standard: false,
        };
        let folder = place.folder();
        match fs::metadata(folder) {
            Ok(found) if found.is_dir() => Ok(place),
            Ok(_) => Err(wrong("its folder is a file").help("look at the path")),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let folder = folder.display();
                Err(wrong(&format!("there is no folder `{folder}`"))
                    .help(format_args!("make it: `mkdir -p {folder}`")))
            }
            Err(error) => Err(failed(&error)),
        }
    }

    fn standard_output() -> Outcome<Self> {
        if std::io::stdout().is_terminal() {
            return Err(Failure::new(
                Code::Usage,
                "the standard output is a terminal, which shows no arrays",
            )
            .help("name a file, or send the output to one: `xlayout convert INPUT - … > OUTPUT`"));
        }
        Ok(Self {
            path: PathBuf::from("standard output"),
            target: std::env::temp_dir().join("standard output"),
            replaced: None,
            force: false,
            standard: true,
        })
    }

    /// The name of the file, for people.
    pub(super) fn shown(&self) -> &Path {
        &self.path
    }

    fn folder(&self) -> &Path {
        match self.target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    /// Whether there is room for a file of this number of bytes.
    ///
    /// # Errors
    /// When there is not.
    pub(super) fn check_space(&self, bytes: u64) -> Outcome {
        match self.space() {
            Some(space) if space < bytes => Err(Failure::new(Code::File, format_args!(
                "there is no room for `{}`: it takes {}, and {} are left on the device",
                self.path.display(), words::exact_bytes(bytes), words::exact_bytes(space)))
                .help("free some, or name a file on another device; a file that is replaced stays until the new one is whole")),
            _ => Ok(()),
        }
    }

    #[cfg(unix)]
    fn space(&self) -> Option<u64> {
        let found = rustix::fs::statvfs(self.folder()).ok()?;
        found.f_bavail.checked_mul(found.f_frsize)
    }

    #[cfg(not(unix))]
    fn space(&self) -> Option<u64> {
        None
    }

    /// Makes a file of this number of bytes, all zero, beside the place.
    ///
    /// # Errors
    /// When it cannot be made, or there is no room.
    pub(super) fn create(&self, bytes: u64) -> Outcome<Unfinished<'_>> {
        let failed = |error: std::io::Error| Failure::of_file("write", &self.path, &error);
        let mut builder = tempfile::Builder::new();
        builder.prefix(".xlayout-").suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file: what the umask leaves of it.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(self.folder()).map_err(failed)?;
        if let Some(replaced) = &self.replaced {
            file.as_file()
                .set_permissions(replaced.permissions())
                .map_err(failed)?;
        }
        reserve(file.as_file(), bytes).map_err(failed)?;
        Ok(Unfinished { place: self, file })
    }
}

/// Gives a file its length, and the room for it where the system can do that.
fn reserve(file: &File, bytes: u64) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    if bytes > 0 {
        use rustix::fs::{FallocateFlags, fallocate};
        use rustix::io::Errno;
        match fallocate(file, FallocateFlags::empty(), 0, bytes) {
            // Not every file system can.
            Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => {}
            other => return Ok(other?),
        }
    }
    file.set_len(bytes)
}

fn exists(path: &Path) -> Failure {
    Failure::new(
        Code::File,
        format_args!("`{}` exists, and was not touched", path.display()),
    )
    .help("name another file, or say `--force` to replace it")
}

impl Unfinished<'_> {
    pub(super) fn named(&self) -> Named<'_> {
        Named {
            file: self.file.as_file(),
            path: &self.place.path,
        }
    }

    /// Puts the file into its place.
    ///
    /// # Errors
    /// When that cannot be done, or another file appeared there.
    pub(super) fn finish(self) -> Outcome {
        let path = &self.place.path;
        let failed = |error: &std::io::Error| Failure::of_file("write", path, error);
        if self.place.standard {
            let mut file = self.file.as_file();
            let mut out = std::io::stdout().lock();
            let copied = file
                .seek(SeekFrom::Start(0))
                .and_then(|_| std::io::copy(&mut file, &mut out))
                .and_then(|_| out.flush());
            return copied.map_err(|error| match error.kind() {
                // The program that read it has seen enough.
                std::io::ErrorKind::BrokenPipe => Failure::from(error),
                _ => failed(&error),
            });
        }
        if self.place.force {
            // What was there is lost now: the new file has to be on the disk.
            self.file
                .as_file()
                .sync_data()
                .map_err(|error| failed(&error))?;
            self.file
                .persist(&self.place.target)
                .map_err(|error| failed(&error.error))?;
            return Ok(());
        }
        match self.file.persist_noclobber(&self.place.target) {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(exists(path))
            }
            Err(error) => Err(failed(&error.error)),
        }
    }
}
