//! The folder of a checkpoint's files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{Error, Outcome};
use crate::output::OutputFile;
use crate::positioned::OpenFile;

#[cfg(feature = "object-store")]
mod remote;

/// A folder, of a file system or of an object store.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    root: PathBuf,
    #[cfg(feature = "object-store")]
    remote: Option<remote::Remote>,
}

/// The text of a path that is a URL.
pub(crate) fn url(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| text.contains("://"))
}

impl Store {
    /// # Errors
    /// When it is a URL that is not supported.
    pub(crate) fn new(root: &Path) -> Outcome<Self> {
        #[cfg(not(feature = "object-store"))]
        if let Some(url) = url(root) {
            let what =
                format_args!("`{url}` is a URL, and this program was built without object stores");
            return Err(Error::usage(what).help_in(
                "turn on the feature `s3`, `gcs` or `azure` of xlayout-checkpoints",
                "build it with `--features s3`, `gcs` or `azure`",
            ));
        }
        Ok(Self {
            #[cfg(feature = "object-store")]
            remote: url(root).map(remote::Remote::new).transpose()?,
            root: root.to_owned(),
        })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The names of all files and their bytes; with `deep` also of those in folders, as
    /// `folder/name`.
    pub(crate) fn list(&self, deep: bool) -> Outcome<BTreeMap<String, u64>> {
        #[cfg(feature = "object-store")]
        if let Some(remote) = &self.remote {
            let found = remote.list(deep);
            return found.map_err(|error| Error::of_file("read", &self.root, &error));
        }
        let mut files = BTreeMap::new();
        let mut folders = vec![(self.root.clone(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let failed = |error| Error::of_file("read", &folder, &error);
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                // A name that is not UTF-8 is not part of a checkpoint.
                let Ok(name) = entry.file_name().into_string() else {
                    continue;
                };
                let name = format!("{prefix}{name}");
                if !entry.file_type().map_err(failed)?.is_dir() {
                    // A broken link causes an error when it is read.
                    let bytes = fs::metadata(entry.path()).map_or(0, |found| found.len());
                    files.insert(name, bytes);
                } else if deep {
                    folders.push((entry.path(), name + "/"));
                }
            }
        }
        Ok(files)
    }

    /// Whether the folder is empty or does not exist.
    pub(crate) fn is_empty(&self) -> Outcome<bool> {
        #[cfg(feature = "object-store")]
        if self.remote.is_some() {
            return Ok(self.list(true)?.is_empty());
        }
        match fs::read_dir(&self.root) {
            Ok(mut entries) => Ok(entries.next().is_none()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(true),
            Err(error) => Err(Error::of_file("read", &self.root, &error)),
        }
    }

    pub(crate) fn open(&self, name: &str) -> Outcome<OpenFile> {
        let found = self.try_open(name);
        found.map_err(|error| Error::of_file("read", &self.path(name), &error))
    }

    /// Opens a file; `None` if it does not exist.
    pub(crate) fn find(&self, name: &str) -> Outcome<Option<OpenFile>> {
        match self.try_open(name) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::of_file("read", &self.path(name), &error)),
        }
    }

    fn try_open(&self, name: &str) -> io::Result<OpenFile> {
        let path = self.path(name);
        #[cfg(feature = "object-store")]
        if let Some(remote) = &self.remote {
            return remote.open(path, name);
        }
        let file = File::open(&path)?;
        let length = file.metadata()?.len();
        Ok(OpenFile::new(path, length, Arc::new(file)))
    }

    /// The place of an output file. Its folders are made.
    pub(crate) fn output(&self, name: &str) -> Outcome<OutputFile> {
        #[cfg(feature = "object-store")]
        if let Some(remote) = &self.remote {
            let path = self.path(name);
            let place = remote.output(&path, name);
            return place.map_err(|error| Error::of_file("write", &path, &error));
        }
        let mut folder = self.root.clone();
        let mut above = Vec::new();
        let inner = name.rsplit_once('/').map_or("", |(folders, _)| folders);
        for part in [""].into_iter().chain(inner.split('/')) {
            folder.push(part);
            above.extend(folder.parent().map(Path::to_owned));
            if let Err(error) = fs::create_dir(&folder)
                && error.kind() != ErrorKind::AlreadyExists
            {
                return Err(Error::of_file("make", &folder, &error));
            }
        }
        let mut place = OutputFile::new(&self.path(name), true)?;
        place.above = above;
        Ok(place)
    }
}
