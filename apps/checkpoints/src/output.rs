//! An output file. It has a temporary name in the same folder until it is complete, so that no
//! other program reads an incomplete file, and nothing is left after an error.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::NamedTempFile;

use crate::copy::Sink;
use crate::error::{Error, Outcome};
use crate::positioned::FileAt;
use xlayout_words::exact_bytes;

/// The beginning and the end of the names of incomplete files.
const PREFIX: &str = ".xlayout-";
const SUFFIX: &str = ".part";

/// The place of an output file.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// The path that the caller gave.
    path: PathBuf,
    /// The path with links resolved.
    target: PathBuf,
    /// The metadata of the file that is replaced.
    replaced: Option<fs::Metadata>,
    force: bool,
    /// The receiver of the complete file. The file is made in the folder for temporary files then.
    elsewhere: Option<Arc<dyn Elsewhere>>,
    /// The folders above that of the file whose names may be new: those between it and the root of
    /// the output, and the one that the root is in. They are synchronised with the file, also where
    /// an earlier run made them.
    pub(crate) above: Vec<PathBuf>,
}

/// A destination that is not a file and cannot be written by position.
pub(crate) trait Elsewhere: fmt::Debug + Send + Sync {
    /// Takes all of a file.
    fn take(&self, file: &File) -> std::io::Result<()>;
}

#[derive(Debug)]
struct StandardOutput;

impl Elsewhere for StandardOutput {
    fn take(&self, mut file: &File) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        file.seek(SeekFrom::Start(0))?;
        std::io::copy(&mut file, &mut out)?;
        out.flush()
    }
}

/// A file that does not have its final name yet.
#[derive(Debug)]
pub struct Unfinished {
    place: OutputFile,
    file: NamedTempFile,
}

impl OutputFile {
    /// Checks that a file may be written at the path.
    ///
    /// # Errors
    /// When there is one, without `--force`, or something that is not a file; when there is no such
    /// folder.
    pub fn new(path: &Path, force: bool) -> Outcome<Self> {
        if crate::is_standard(path) {
            return Self::standard_output();
        }
        let failed = |error| Error::of_file("write", path, &error);
        let refused = |what: &dyn fmt::Display, help: &str| {
            let path = path.display();
            Err(Error::file(format_args!("cannot write `{path}`: {what}")).help(help))
        };
        const NAME: &str = "name a file in it, with an extension that says its format";
        let (target, replaced) = match fs::metadata(path) {
            Ok(found) if found.is_dir() => return refused(&"it is a folder", NAME),
            Ok(found) if !found.is_file() => {
                let help = "files are written by position: name a file";
                return refused(&"it is no regular file", help);
            }
            Ok(_) if !force => return Err(exists(path)),
            Ok(found) => (fs::canonicalize(path).map_err(failed)?, Some(found)),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(error)),
            Err(_) if path.symlink_metadata().is_ok() => {
                let help = "remove the link, or name another file";
                return refused(&"it is a link that leads nowhere", help);
            }
            Err(_) => (path.to_owned(), None),
        };
        if target.file_name().is_none() {
            return refused(&"this names no file", NAME);
        }
        let place = Self {
            path: path.to_owned(),
            target,
            replaced,
            force,
            elsewhere: None,
            above: Vec::new(),
        };
        let folder = place.folder().display();
        match fs::metadata(place.folder()) {
            Ok(found) if found.is_dir() => Ok(place),
            Ok(_) => refused(&"its folder is a file", "look at the path"),
            Err(error) if error.kind() == ErrorKind::NotFound => refused(
                &format_args!("there is no folder `{folder}`"),
                &format!("make it: `mkdir -p {folder}`"),
            ),
            Err(error) => Err(failed(error)),
        }
    }

    fn standard_output() -> Outcome<Self> {
        if std::io::stdout().is_terminal() {
            let what = "the standard output is a terminal, which shows no arrays";
            let command =
                "name a file, or send the output to one: `xlayout convert INPUT - … > OUTPUT`";
            return Err(Error::usage(what).help_in("name a file", command));
        }
        let path = Path::new("standard output");
        Ok(Self::elsewhere(path, Arc::new(StandardOutput)))
    }

    /// A destination that is not a file, with a path for messages.
    pub(crate) fn elsewhere(path: &Path, place: Arc<dyn Elsewhere>) -> Self {
        Self {
            path: path.to_owned(),
            target: std::env::temp_dir().join("elsewhere"),
            replaced: None,
            force: false,
            elsewhere: Some(place),
            above: Vec::new(),
        }
    }

    /// The name of the file, for people.
    #[must_use]
    pub fn shown(&self) -> &Path {
        &self.path
    }

    fn folder(&self) -> &Path {
        match self.target.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    /// Checks that there is space for a file of this number of bytes.
    ///
    /// # Errors
    /// When there is not.
    pub fn check_space(&self, bytes: u64) -> Outcome {
        let Some(space) = self.space().filter(|space| *space < bytes) else {
            return Ok(());
        };
        let path = self.path.display();
        let takes = exact_bytes(bytes);
        let left = exact_bytes(space);
        let what = format_args!(
            "there is no room for `{path}`: it takes {takes}, and {left} are left on the device"
        );
        let help = "free some, or name a file on another device; a file that is replaced stays \
                    until the new one is whole";
        Err(Error::file(what).help(help))
    }

    fn space(&self) -> Option<u64> {
        #[cfg(unix)]
        // A file system that does not know says that it has nothing.
        if let Ok(found) = rustix::fs::statvfs(self.folder())
            && found.f_blocks > 0
        {
            return found.f_bavail.checked_mul(found.f_frsize);
        }
        None
    }

    /// Removes files that a killed run left here: they are not locked any more. A file that cannot
    /// be removed stays.
    pub fn remove_abandoned(&self) {
        let entries = fs::read_dir(self.folder()).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(PREFIX)
                && name.ends_with(SUFFIX)
                && let Ok(file) = File::open(entry.path())
                && file.try_lock().is_ok()
            {
                // It stays locked until it is removed: `create` locks a file that it has made, and
                // looks for it then.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Makes a file of this number of zero bytes in the same folder.
    ///
    /// # Errors
    /// When it cannot be made, or there is no room.
    pub fn create(&self, bytes: u64) -> Outcome<Unfinished> {
        self.check_space(bytes)?;
        let failed = |error: std::io::Error| Error::of_file("write", &self.path, &error);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The permissions of a new file, which the umask reduces.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = loop {
            let file = builder.tempfile_in(self.folder()).map_err(failed)?;
            // Before it is locked, another run may treat it as abandoned.
            let taken = matches!(file.as_file().try_lock(), Err(TryLockError::WouldBlock));
            if !taken && file.path().exists() {
                break file;
            }
        };
        if let Some(replaced) = &self.replaced {
            let set = file.as_file().set_permissions(replaced.permissions());
            set.map_err(failed)?;
        }
        reserve(file.as_file(), bytes).map_err(failed)?;
        Ok(Unfinished {
            place: self.clone(),
            file,
        })
    }
}

/// Sets the length of a file, and allocates its space if the system can: a disk is then written
/// faster. In memory that would take as long as the writing.
fn reserve(file: &File, bytes: u64) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{FallocateFlags, fallocate, fstatfs};
        use rustix::io::Errno;
        // `TMPFS_MAGIC` of Linux.
        let is_tmpfs = fstatfs(file).is_ok_and(|found| found.f_type == 0x0102_1994);
        if bytes > 0 && !is_tmpfs {
            match fallocate(file, FallocateFlags::empty(), 0, bytes) {
                // Not every file system can.
                Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => {}
                other => return Ok(other?),
            }
        }
    }
    file.set_len(bytes)
}

/// Synchronises the names in a folder to the disk.
fn sync_folder(path: &Path) -> Outcome {
    let synced = File::open(path).and_then(|folder| folder.sync_all());
    synced.or_else(|error| match error.kind() {
        // Who may write in a folder may not always read it; Windows opens no folder; not every file
        // system can.
        ErrorKind::PermissionDenied | ErrorKind::InvalidInput | ErrorKind::Unsupported => Ok(()),
        _ => Err(Error::of_file("write", path, &error)),
    })
}

fn exists(path: &Path) -> Error {
    let file = path.display();
    let what = format_args!("`{file}` exists, and was not touched");
    Error::file(what).help_to_replace()
}

impl Sink for Unfinished {
    fn write(&self, bytes: &[u8], at: u64) -> Outcome {
        let written = FileAt(self.file.as_file(), at).write_all(bytes);
        written.map_err(self.failed())
    }
}

impl Unfinished {
    /// A writer that appends, in place of [`Sink::write`].
    pub fn appending(&self) -> impl Write + '_ {
        self.file.as_file()
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// When that cannot be done, or another file appeared there.
    pub fn finish(self) -> Outcome {
        finish_all(vec![self])
    }

    fn failed(&self) -> impl Fn(std::io::Error) -> Error + use<> {
        let path = self.place.path.clone();
        move |error| Error::of_file("write", &path, &error)
    }
}

/// Gives files their final names, which replaces existing files. So the new files are synchronised
/// to the disk first, and then their names. Many files at once are faster: the first
/// synchronisation also writes the metadata of the others.
pub(crate) fn finish_all(files: Vec<Unfinished>) -> Outcome {
    for it in &files {
        if it.place.force {
            it.file.as_file().sync_data().map_err(it.failed())?;
        }
    }
    // Each folder once: thousands of files may be in one, or in as many folders of one.
    let mut folders = BTreeSet::new();
    for it in files {
        let failed = it.failed();
        let Unfinished { place, file } = it;
        if let Some(elsewhere) = &place.elsewhere {
            match elsewhere.take(file.as_file()) {
                // The reader closed the pipe.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    return Err(Error::default());
                }
                taken => taken.map_err(failed)?,
            }
        } else if place.force {
            let put = file.persist(&place.target);
            put.map_err(|error| failed(error.error))?;
            folders.insert(place.folder().to_owned());
            folders.extend(place.above);
        } else if let Err(error) = file.persist_noclobber(&place.target) {
            return Err(match error.error.kind() {
                ErrorKind::AlreadyExists => exists(&place.path),
                _ => failed(error.error),
            });
        }
    }
    folders.iter().try_for_each(|path| sync_folder(path))
}
