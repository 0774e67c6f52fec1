//! Folders in object stores, through the crate object_store: `s3://bucket/folder`,
//! `file:///folder`.
//!
//! Each run of bytes is a request of its own. An output file is made in the folder for temporary
//! files, and sent when it is complete. No store shows an object before it has received all of it.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use futures_util::TryStreamExt;
use object_store::buffered::BufWriter;
use object_store::path::Path as Location;
use object_store::prefix::PrefixStore;
use object_store::{ObjectStore, ObjectStoreExt, parse_url_opts};
use tokio::io::AsyncWriteExt;
use tokio::runtime::{Builder, Runtime};
use url::Url;

use crate::error::{Error, Outcome};
use crate::output::{Elsewhere, OutputFile};
use crate::positioned::{OpenFile, ReadAt};

/// The bytes of a part of an upload. S3 takes 10,000 parts of 5 MiB and more.
const PART: u64 = 16 << 20;
const MOST_PARTS: u64 = 10_000;

/// A folder in a store.
#[derive(Clone, Debug)]
pub(super) struct Remote(Arc<dyn ObjectStore>);

/// An object.
#[derive(Clone, Debug)]
struct RemoteObject {
    store: Arc<dyn ObjectStore>,
    location: Location,
}

/// Waits for an answer of a store.
fn wait<T, E: Into<io::Error>>(answer: impl Future<Output = Result<T, E>>) -> io::Result<T> {
    static RUNTIME: OnceLock<io::Result<Runtime>> = OnceLock::new();
    let made = RUNTIME.get_or_init(|| {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(2).enable_all().build()
    });
    match made {
        Ok(runtime) => runtime.block_on(answer).map_err(Into::into),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    }
}

impl Remote {
    /// # Errors
    /// When this program was built without support for the store of the URL.
    pub(super) fn new(text: &str) -> Outcome<Self> {
        let wrong = |error: &dyn fmt::Display| {
            let what = format_args!("`{text}` names no folder of a store: {error}");
            Error::usage(what).help(
                "write `s3://BUCKET/FOLDER` or `file:///FOLDER`; a program reads stores that it \
                 was built for, by the features `s3`, `gcs`, `azure`, and options in the \
                 environment, `AWS_REGION`",
            )
        };
        let url = Url::parse(text).map_err(|error| wrong(&error))?;
        // Options that the store does not know are ignored.
        let options = std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let (store, folder) = parse_url_opts(&url, options).map_err(|error| wrong(&error))?;
        Ok(Self(Arc::new(PrefixStore::new(store, folder))))
    }

    /// The object of a name, letter by letter: `collect` would write `%25` for the `%` of a name
    /// that the store has listed.
    fn object(&self, name: &str) -> io::Result<RemoteObject> {
        Ok(RemoteObject {
            store: Arc::clone(&self.0),
            location: Location::parse(name).map_err(io::Error::other)?,
        })
    }

    /// The names of all objects and their bytes; with `deep` also of those further below.
    pub(super) fn list(&self, deep: bool) -> io::Result<BTreeMap<String, u64>> {
        let found = if deep {
            wait(self.0.list(None).try_collect::<Vec<_>>())?
        } else {
            wait(self.0.list_with_delimiter(None))?.objects
        };
        let found = found.into_iter();
        let named = found.map(|object| (object.location.to_string(), object.size));
        Ok(named.collect())
    }

    pub(super) fn open(&self, path: PathBuf, name: &str) -> io::Result<OpenFile> {
        let object = self.object(name)?;
        let length = wait(object.store.head(&object.location))?.size;
        Ok(OpenFile::new(path, length, Arc::new(object)))
    }

    pub(super) fn output(&self, path: &Path, name: &str) -> io::Result<OutputFile> {
        Ok(OutputFile::elsewhere(path, Arc::new(self.object(name)?)))
    }
}

impl ReadAt for RemoteObject {
    fn fill(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let end = at.checked_add(bytes.len() as u64);
        let end = end.ok_or(io::ErrorKind::UnexpectedEof)?;
        let found = wait(self.store.get_range(&self.location, at..end))?;
        if found.len() != bytes.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes.copy_from_slice(&found);
        Ok(())
    }
}

impl Elsewhere for RemoteObject {
    fn take(&self, mut file: &File) -> io::Result<()> {
        let length = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let size = PART.max(length.div_ceil(MOST_PARTS));
        let store = Arc::clone(&self.store);
        let location = self.location.clone();
        let writer = BufWriter::with_capacity(store, location, size as usize);
        // The memory of a part is used for one after the other.
        let mut writer = writer.with_max_concurrency(1);
        wait(async {
            loop {
                let mut part = Vec::new();
                let sent = match file.take(size).read_to_end(&mut part) {
                    Ok(0) => return writer.shutdown().await,
                    Ok(_) => writer.put(part.into()).await.map_err(io::Error::from),
                    Err(error) => Err(error),
                };
                if let Err(error) = sent {
                    // The store keeps parts of an upload that is not aborted. An error of aborting
                    // is ignored: the first error is reported.
                    let _ = writer.abort().await;
                    return Err(error);
                }
            }
        })
    }
}
