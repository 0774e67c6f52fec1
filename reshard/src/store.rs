//! Where the files of a checkpoint are.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::{Error, Outcome};
use crate::output::{OutputFile, sync_folder};
use crate::positioned::OpenFile;

/// A folder.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    root: PathBuf,
}

impl Store {
    pub(crate) fn new(root: &Path) -> Self {
        Self {
            root: root.to_owned(),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The names of all files and their bytes; with `deep` also of those in folders, as `folder/name`.
    pub(crate) fn list(&self, deep: bool) -> Outcome<BTreeMap<String, u64>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![(self.root.clone(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let failed = |error| Error::of_file("read", &folder, &error);
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                // A name that is no text is none of a checkpoint.
                let Ok(name) = entry.file_name().into_string() else {
                    continue;
                };
                let name = format!("{prefix}{name}");
                if !entry.file_type().map_err(failed)?.is_dir() {
                    // A link that leads nowhere has an error when it is read.
                    let bytes = fs::metadata(entry.path()).map_or(0, |found| found.len());
                    files.insert(name, bytes);
                } else if deep {
                    folders.push((entry.path(), name + "/"));
                }
            }
        }
        Ok(files)
    }

    pub(crate) fn open(&self, name: &str) -> Outcome<OpenFile> {
        let path = self.path(name);
        let failed = |error| Error::of_file("read", &path, &error);
        let file = File::open(&path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Ok(OpenFile::new(path, length, Box::new(file)))
    }

    /// The bytes of a file; `None` if it is not there.
    pub(crate) fn length(&self, name: &str) -> Option<u64> {
        let found = fs::metadata(self.path(name)).ok()?;
        found.is_file().then_some(found.len())
    }

    /// The place of a file that is written; the folders that it is in are made.
    pub(crate) fn output(&self, name: &str) -> Outcome<OutputFile> {
        let mut folder = self.root.clone();
        let inner = name.rsplit_once('/').map_or("", |(folders, _)| folders);
        for part in [""].into_iter().chain(inner.split('/')) {
            folder.push(part);
            match fs::create_dir(&folder) {
                Ok(()) => {
                    let above = folder.parent().unwrap_or(&self.root);
                    sync_folder(above).map_err(|error| Error::of_file("write", above, &error))?;
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::of_file("make", &folder, &error)),
            }
        }
        OutputFile::new(&self.path(name), true)
    }
}
