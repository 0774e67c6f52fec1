//! A checkpoint: a folder of files, the tensors in them, and where their pieces lie.
//!
//! A tensor may be in several files. Where a piece begins in its tensor is said by `DCP_SHARDING_INFO` in the metadata
//! of its file, as PyTorch's `HuggingFaceStorageWriter` writes it, or by the sharding that `from` in the
//! specification says.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;

use crate::array::Array;
use crate::checkpoint::{Kind, Source, SourceFile, tensor_of};
use crate::error::{Error, Outcome};
use crate::formats::shards::{self, Shard};
use crate::formats::{npy, zarr};
use crate::positioned::OpenFile;
use crate::spec::Spec;
use crate::store::Store;

const OWN_FOLDER: &str = "put the files of one format into a folder of their own";

/// The key of the metadata under which PyTorch says where the parts of a file begin.
pub(crate) const OFFSETS_KEY: &str = "DCP_SHARDING_INFO";

/// What PyTorch writes beside it.
pub(crate) const VERSION_KEY: &str = "DCP_VERSION";

/// Under which key of a tensor.
pub(crate) const ORIGIN_KEY: &str = "saved_offsets";

/// Where a part that is stored as bytes begins, in place of `saved_offsets`. PyTorch would take those for places in
/// the bytes; without them it has an error.
pub(crate) const BYTES_ORIGIN_KEY: &str = "xlayout_offsets";

/// Where a part begins in its tensor.
#[derive(Deserialize)]
pub(crate) struct Offsets {
    #[serde(alias = "xlayout_offsets")]
    pub(crate) saved_offsets: Vec<usize>,
}

impl Source {
    /// Reads the headers of all files of a folder.
    ///
    /// # Errors
    /// When there are none, or several formats; when a file is not what it should be.
    pub(crate) fn open(folder: &Path, spec: &Spec) -> Outcome<Self> {
        let store = Store::new(folder)?;
        let mut names = store.list(false)?;
        let is_zarr = names.keys().any(|name| zarr::is_text(name));
        names.retain(|name, _| !name.starts_with('.'));
        let of = |end: &str| -> Vec<String> {
            let found = names.keys().filter(|name| name.ends_with(end));
            found.cloned().collect()
        };
        let [indexes, tensors, arrays] =
            [".safetensors.index.json", ".safetensors", ".npy"].map(of);
        let shown = folder.display();
        let wrong = |what, help| Error::file(format_args!("`{shown}` {what}")).help(help);
        let mut source = Self::default();
        match (&indexes[..], &tensors[..], &arrays[..]) {
            ([], [], []) if is_zarr => {
                source.kind = Kind::Zarr;
                zarr::read(&store, folder, &mut source)?;
                if source.tensors.is_empty() {
                    return Err(wrong(
                        "is a zarr group without arrays",
                        "name another group",
                    ));
                }
            }
            _ if is_zarr => {
                let what = "has safetensors or `.npy` files beside a zarr array or group";
                return Err(wrong(what, OWN_FOLDER));
            }
            ([_, _, ..], ..) => {
                let help = "keep one `.safetensors.index.json` in it";
                return Err(wrong("has several indexes", help));
            }
            (_, [_, ..], [_, ..]) => {
                return Err(wrong("has safetensors and `.npy` files", OWN_FOLDER));
            }
            ([index], ..) => {
                let open = store.open(index)?;
                for (name, wanted) in shards::index(&open)? {
                    let shard = shards::open(&store, &name, Some((wanted, &open.path)))?;
                    source.shard(name, shard)?;
                }
            }
            ([], [], []) => {
                let what =
                    "has neither safetensors nor `.npy` files, and is no zarr array or group";
                return Err(wrong(what, "name the folder of a checkpoint"));
            }
            ([], [], arrays) => {
                source.kind = Kind::Npy;
                for name in arrays {
                    let (open, tensor) = (store.open(name)?, tensor_of(name));
                    let array = npy::read(&open, spec.element_type(&tensor))?;
                    let file = source.open_file(name.clone(), &open, array.offset)?;
                    source.add(&open.path, tensor, Array { file, ..array })?;
                }
            }
            ([], tensors, []) => {
                for name in tensors {
                    source.shard(name.clone(), shards::open(&store, name, None)?)?;
                }
            }
        }
        Ok(source)
    }

    fn open_file(&mut self, name: String, open: &OpenFile, header: u64) -> Outcome<usize> {
        Ok(self.add_file(SourceFile {
            crc32: open.crc32(header)?,
            name,
            bytes: open.length,
            header,
        }))
    }

    fn shard(&mut self, name: String, mut shard: Shard) -> Outcome {
        let path = &shard.file.path;
        let mut offsets = offsets(path, &mut shard.metadata)?;
        if self.files.is_empty() {
            self.metadata = shard.metadata;
        }
        let file = self.open_file(name, &shard.file, shard.header)?;
        for mut array in shard.arrays {
            let Some(name) = array.name.take() else {
                unreachable!("a tensor of a safetensors file has a name")
            };
            if let Some(origin) = offsets.remove(&name) {
                (array.origin, array.is_placed) = (origin, true);
            }
            self.add(path, name, Array { file, ..array })?;
        }
        Ok(())
    }
}

/// Takes out of the metadata where the parts begin.
fn offsets(
    path: &Path,
    metadata: &mut Vec<(String, String)>,
) -> Outcome<HashMap<String, Vec<usize>>> {
    let mut found = HashMap::new();
    if let Some(at) = metadata.iter().position(|(key, _)| key == OFFSETS_KEY) {
        let (_, text) = metadata.remove(at);
        let read: HashMap<String, Offsets> = serde_json::from_str(&text).map_err(|error| {
            let path = path.display();
            let what =
                format_args!("the metadata `{OFFSETS_KEY}` of `{path}` cannot be read: {error}");
            Error::file(what).help("it is `{\"a.weight\": {\"saved_offsets\": [0, 0]}, …}`")
        })?;
        found.extend(read.into_iter().map(|(name, at)| (name, at.saved_offsets)));
    }
    metadata.retain(|(key, _)| key != VERSION_KEY);
    Ok(found)
}
