//! The file that is written: under another name beside its place until it is whole, so that no
//! other program sees half of it, and nothing of it is left after an error.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, IsTerminal, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::NamedTempFile;

use crate::copy::Sink;
use crate::error::{Error, Outcome};
use crate::positioned;
use crate::words::exact_bytes;

/// How the names of files begin and end that are not complete.
const PREFIX: &str = ".xlayout-";
const SUFFIX: &str = ".part";

/// Where a file is to be.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// As it was named.
    path: PathBuf,
    /// Where links lead.
    target: PathBuf,
    /// What is there now.
    replaced: Option<fs::Metadata>,
    force: bool,
    /// What takes the file when it is whole; it is made in the folder for temporary files then.
    elsewhere: Option<Arc<dyn Elsewhere>>,
}

/// A place that is no file: files are written by position, which it does not take.
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

/// A file that is not at its place yet.
#[derive(Debug)]
pub struct Unfinished {
    place: OutputFile,
    file: NamedTempFile,
}

impl OutputFile {
    /// Looks whether a file may be there.
    ///
    /// # Errors
    /// When there is one, without `--force`, or something that is not a file; when there is no such folder.
    pub fn new(path: &Path, force: bool) -> Outcome<Self> {
        if crate::is_standard(path) {
            return Self::standard_output();
        }
        let failed = |error: &std::io::Error| Error::of_file("write", path, error);
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
            Ok(found) => (
                fs::canonicalize(path).map_err(|error| failed(&error))?,
                Some(found),
            ),
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(failed(&error)),
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
        };
        let folder = place.folder().display();
        match fs::metadata(place.folder()) {
            Ok(found) if found.is_dir() => Ok(place),
            Ok(_) => refused(&"its folder is a file", "look at the path"),
            Err(error) if error.kind() == ErrorKind::NotFound => refused(
                &format_args!("there is no folder `{folder}`"),
                &format!("make it: `mkdir -p {folder}`"),
            ),
            Err(error) => Err(failed(&error)),
        }
    }

    fn standard_output() -> Outcome<Self> {
        if std::io::stdout().is_terminal() {
            let what = "the standard output is a terminal, which shows no arrays";
            let help =
                "name a file, or send the output to one: `xlayout convert INPUT - … > OUTPUT`";
            return Err(Error::usage(what).help(help));
        }
        let path = Path::new("standard output");
        Ok(Self::elsewhere(path, Arc::new(StandardOutput)))
    }

    /// A place that is no file, and its name for people.
    pub(crate) fn elsewhere(path: &Path, place: Arc<dyn Elsewhere>) -> Self {
        Self {
            path: path.to_owned(),
            target: std::env::temp_dir().join("elsewhere"),
            replaced: None,
            force: false,
            elsewhere: Some(place),
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

    /// Whether there is room for a file of this number of bytes.
    ///
    /// # Errors
    /// When there is not.
    pub fn check_space(&self, bytes: u64) -> Outcome {
        let Some(space) = self.space().filter(|space| *space < bytes) else {
            return Ok(());
        };
        let (path, takes, left) = (self.path.display(), exact_bytes(bytes), exact_bytes(space));
        let what = format_args!(
            "there is no room for `{path}`: it takes {takes}, and {left} are left on the device"
        );
        let help = "free some, or name a file on another device; a file that is replaced stays until the new one is whole";
        Err(Error::file(what).help(help))
    }

    fn space(&self) -> Option<u64> {
        #[cfg(unix)]
        if let Ok(found) = rustix::fs::statvfs(self.folder()) {
            return found.f_bavail.checked_mul(found.f_frsize);
        }
        None
    }

    /// Removes what a run left here that was killed: its file is not locked any more. What cannot be removed stays.
    pub fn remove_abandoned(&self) {
        let entries = fs::read_dir(self.folder()).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let free = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            if name.starts_with(PREFIX) && name.ends_with(SUFFIX) && free() {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Makes a file of this number of bytes, all zero, beside the place.
    ///
    /// # Errors
    /// When it cannot be made, or there is no room.
    pub fn create(&self, bytes: u64) -> Outcome<Unfinished> {
        let failed = |error: std::io::Error| Error::of_file("write", &self.path, &error);
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX).suffix(SUFFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file: what the umask leaves of it.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = loop {
            let file = builder.tempfile_in(self.folder()).map_err(failed)?;
            // Until it is locked another run may take it for abandoned.
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
        let place = self.clone();
        Ok(Unfinished { place, file })
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

#[cfg(unix)]
pub(crate) fn sync_folder(folder: &Path) -> std::io::Result<()> {
    use rustix::io::Errno;
    let folder = match File::open(folder) {
        // Who may write in a folder may not always read it.
        Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(()),
        found => found?,
    };
    match rustix::fs::fsync(folder) {
        // Not every file system can.
        Err(Errno::INVAL | Errno::NOTSUP) => Ok(()),
        other => Ok(other?),
    }
}

#[cfg(not(unix))]
pub(crate) fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}

fn exists(path: &Path) -> Error {
    let what = format_args!("`{}` exists, and was not touched", path.display());
    Error::file(what).help("name another file, or say `--force` to replace it")
}

impl Sink for Unfinished {
    fn write(&self, bytes: &[u8], at: u64) -> Outcome {
        positioned::write(self.file.as_file(), bytes, at)
            .map_err(|error| Error::of_file("write", &self.place.path, &error))
    }
}

impl Unfinished {
    /// Writes one after the other, in place of [`Sink::write`].
    pub fn appending(&self) -> impl Write + '_ {
        self.file.as_file()
    }

    /// Puts the file into its place.
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

/// Puts files into their places. What was there is lost then: the new files have to be on the disk, and then their names.
/// Many at once are faster: the system writes down what it knows of all of them with the first.
pub(crate) fn finish_all(files: Vec<Unfinished>) -> Outcome {
    for it in &files {
        if it.place.force {
            it.file.as_file().sync_data().map_err(it.failed())?;
        }
    }
    let mut folders = BTreeMap::new();
    for it in files {
        let failed = it.failed();
        let Unfinished { place, file } = it;
        if let Some(elsewhere) = &place.elsewhere {
            match elsewhere.take(file.as_file()) {
                // The program that read it has seen enough.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                    return Err(Error::default());
                }
                taken => taken.map_err(failed)?,
            }
        } else if place.force {
            let put = file.persist(&place.target);
            put.map_err(|error| failed(error.error))?;
            folders.insert(place.folder().to_owned(), failed);
        } else if let Err(error) = file.persist_noclobber(&place.target) {
            return Err(match error.error.kind() {
                ErrorKind::AlreadyExists => exists(&place.path),
                _ => failed(error.error),
            });
        }
    }
    let mut folders = folders.into_iter();
    folders.try_for_each(|(folder, failed)| sync_folder(&folder).map_err(failed))
}
