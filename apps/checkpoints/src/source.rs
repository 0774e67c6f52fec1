//! Reads a checkpoint: a folder of files, their tensors, and the positions of their pieces.
//!
//! A tensor may be in several files. The index at which a piece begins in its tensor is in
//! `DCP_SHARDING_INFO` in the metadata of its file, as PyTorch's `HuggingFaceStorageWriter` writes
//! it, or follows from the sharding of `from` in the specification.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::array::Array;
use crate::checkpoint::{Kind, Source, SourceFile, tensor_of};
use crate::error::{Error, Outcome};
use crate::formats::contents::Contents;
use crate::formats::{npy, safetensors, shards, zarr};
use crate::spec::Spec;
use crate::store::Store;
use xlayout_words::short;

/// The key of the metadata in which PyTorch stores where the parts of a file begin.
pub(crate) const OFFSETS_KEY: &str = "DCP_SHARDING_INFO";

/// The key of the version that PyTorch writes beside it.
pub(crate) const VERSION_KEY: &str = "DCP_VERSION";

/// The key of a tensor in it.
pub(crate) const ORIGIN_KEY: &str = "saved_offsets";

/// The key for a part that is stored as bytes, in place of `saved_offsets`. PyTorch would use those
/// as offsets in the bytes; without them it raises an error.
pub(crate) const BYTES_ORIGIN_KEY: &str = "xlayout_offsets";

/// The index at which a part begins in its tensor.
#[derive(Deserialize)]
pub(crate) struct Offsets {
    #[serde(alias = "xlayout_offsets")]
    saved_offsets: Vec<usize>,
}

/// How the names of indexes, of files of tensors, and of those of arrays end.
const ENDS: [&str; 3] = [".safetensors.index.json", ".safetensors", ".npy"];

fn ending(names: &BTreeMap<String, u64>, end: &str) -> Vec<String> {
    let found = names.keys().filter(|name| name.ends_with(end));
    found.cloned().collect()
}

impl Source {
    /// Reads the headers of all files of a folder.
    ///
    /// # Errors
    /// When there are no files, or several formats; when a file is not valid.
    pub(crate) fn open(folder: &Path, spec: &Spec) -> Outcome<Self> {
        let store = Store::new(folder)?;
        let mut names = store.list(false)?;
        names.retain(|name, _| !name.starts_with('.'));
        let mut found = ENDS.map(|end| ending(&names, end));
        // Orbax has a folder for each array, and no text that makes a group of them; other programs
        // have a folder for each device.
        let has_files = found.iter().any(|names| !names.is_empty());
        let mut files = store.list(!has_files)?;
        let is_hidden = |name: &String| name.split('/').any(|part| part.starts_with('.'));
        let is_zarr = files.keys().any(|name| zarr::is_text(name));
        if !is_zarr {
            files.retain(|name, _| !is_hidden(name));
            found = ENDS.map(|end| ending(&files, end));
        }
        let mut all = names.keys().chain(files.keys());
        let is_database = all.any(|name| name.rsplit('/').next() == Some("manifest.ocdbt"));
        let [indexes, tensors, arrays] = found;
        let shown = folder.display();
        let wrong =
            |what: &str, help| Err(Error::file(format_args!("`{shown}` {what}")).help(help));
        let mut source = Self::default();
        let is_safetensors = !indexes.is_empty() || !tensors.is_empty();
        // A file is closed before the next one is opened: there may be more than a process may have
        // open.
        match ([is_zarr, is_safetensors, !arrays.is_empty()], &indexes[..]) {
            ([true, false, false], _) => {
                source.kind = Kind::Zarr;
                zarr::read(&store, folder, &files, &mut source);
                if source.tensors.is_empty() && source.unreadable.is_empty() {
                    return wrong("is a zarr group without arrays", "name another group");
                }
            }
            ([false, true, false], []) => {
                for name in &tensors {
                    source.add_contents(folder, safetensors::read(store.open(name)?)?)?;
                }
            }
            ([false, true, false], [index]) if index.contains('/') => {
                let what = format!("has an index in a folder below it, `{}`", short(index));
                return wrong(&what, "name that folder");
            }
            ([false, true, false], [index]) => {
                shards::read(&store, &store.open(index)?, |shard| {
                    source.add_contents(folder, shard)
                })?
            }
            ([false, true, false], _) => {
                let help = "keep one `.safetensors.index.json` in it";
                return wrong("has several indexes", help);
            }
            ([false, false, true], _) => {
                source.kind = Kind::Npy;
                for name in &arrays {
                    let open = store.open(name)?;
                    let requested = npy::Requested::Entry(spec.element_type(&tensor_of(name)));
                    let array = npy::read(&open, requested)?;
                    source.add_contents(folder, Contents::of_one(open, array))?;
                }
            }
            ([false, false, false], _) if is_database => {
                let what = "is a database of tensorstore, OCDBT, which is not read";
                let help = "write each array to a folder of its own: in Orbax \
                            `PyTreeCheckpointHandler(use_ocdbt=False)`";
                return wrong(what, help);
            }
            ([false, false, false], _) => {
                let what =
                    "has neither safetensors nor `.npy` files, and is no zarr array or group";
                return wrong(what, "name the folder of a checkpoint");
            }
            _ => {
                let what = "has more than one of: safetensors, `.npy` files, a zarr array or group";
                let help = "put the files of one format into a folder of their own";
                return wrong(what, help);
            }
        }
        Ok(source)
    }

    fn add_contents(&mut self, folder: &Path, mut contents: Contents) -> Outcome {
        let mut offsets = offsets(&mut contents)?;
        let open = &contents.file;
        let arrays = contents.arrays;
        self.unreadable.extend(contents.unreadable);
        if self.files.is_empty() {
            self.metadata = contents.metadata;
        }
        let Ok(name) = open.path.strip_prefix(folder) else {
            unreachable!("the store opens files in its folder")
        };
        let name = name.to_string_lossy().into_owned();
        let header = arrays.first().map_or(open.length, |array| array.offset);
        let file = self.add_file(SourceFile {
            crc32: open.crc32(header)?,
            name: name.clone(),
            bytes: open.length,
            header,
        });
        for mut array in arrays {
            let tensor = array.name.take().unwrap_or_else(|| tensor_of(&name));
            if let Some(origin) = offsets.remove(&tensor) {
                (array.origin, array.is_placed) = (origin, true);
            }
            self.add(&open.path, tensor, Array { file, ..array })?;
        }
        Ok(())
    }
}

/// Removes the positions of parts from the metadata and returns them.
fn offsets(contents: &mut Contents) -> Outcome<HashMap<String, Vec<usize>>> {
    let path = contents.file.path.display();
    let metadata = &mut contents.metadata;
    let mut found = HashMap::new();
    if let Some(at) = metadata.iter().position(|(key, _)| key == OFFSETS_KEY) {
        let (_, text) = metadata.remove(at);
        let wrong = |tensor: &str, error| {
            let what = format_args!(
                "the metadata `{OFFSETS_KEY}` of `{path}`{tensor} cannot be read: {error}"
            );
            Error::file(what).help("it is `{\"a.weight\": {\"saved_offsets\": [0, 0]}, …}`")
        };
        let read: HashMap<String, &RawValue> =
            serde_json::from_str(&text).map_err(|error| wrong("", error))?;
        for (name, value) in read {
            let at: Offsets = serde_json::from_str(value.get())
                .map_err(|error| wrong(&format!(", of tensor `{}`,", short(&name)), error))?;
            found.insert(name, at.saved_offsets);
        }
    }
    metadata.retain(|(key, _)| key != VERSION_KEY);
    Ok(found)
}
