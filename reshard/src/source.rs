//! A checkpoint: a folder of files, the tensors in them, and where their pieces lie.
//!
//! A tensor may be in several files. Where a piece begins in its tensor is said by `DCP_SHARDING_INFO` in the metadata
//! of its file, as PyTorch's `HuggingFaceStorageWriter` writes it, or by the sharding that `from` in the
//! specification says.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use xlayout::{DynLayout, PrimitiveType};

use crate::checkpoint::{Kind, Source, SourceFile, tensor_of};
use crate::error::{Error, Outcome, TextSpan};
use crate::formats::{Format, input, shards, zarr};
use crate::known::Known;
use crate::spec::Spec;
use crate::store::Store;
use crate::words::short;

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

/// The type that an entry says, for `.npy` files.
struct OnlyType(PrimitiveType);

impl Known for OnlyType {
    fn element_type(&self) -> Option<PrimitiveType> {
        Some(self.0)
    }

    fn full(&self) -> Outcome<DynLayout> {
        unreachable!("only raw files are asked for all of it, and none are read here")
    }

    fn check(&self, _: &DynLayout) -> Outcome {
        // The plan compares the types of all formats.
        Ok(())
    }

    fn whole(&self) -> TextSpan {
        TextSpan::of_whole("type", self.0)
    }
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
        let (indexes, tensors, arrays) = (
            of(".safetensors.index.json"),
            of(".safetensors"),
            of(".npy"),
        );
        let shown = folder.display();
        let wrong = |what: &str| Error::file(format_args!("`{shown}` {what}"));
        let mut source = Self::default();
        match (&indexes[..], &tensors[..], &arrays[..]) {
            ([], [], []) if is_zarr => {
                source.kind = Kind::Zarr;
                zarr::read(&store, folder, &mut source)?;
                if source.tensors.is_empty() {
                    return Err(wrong("is a zarr group without arrays").help("name another group"));
                }
            }
            _ if is_zarr => {
                return Err(
                    wrong("has safetensors or `.npy` files beside a zarr array or group")
                        .help("put the files of one format into a folder of their own"),
                );
            }
            ([_, _, ..], ..) => {
                return Err(
                    wrong("has several indexes").help("keep one `.safetensors.index.json` in it")
                );
            }
            (_, [_, ..], [_, ..]) => {
                return Err(wrong("has safetensors and `.npy` files")
                    .help("put the files of one format into a folder of their own"));
            }
            ([index], ..) => {
                let open = store.open(index)?;
                let index = open.path.clone();
                for (name, wanted) in shards::index(open.contents())? {
                    source
                        .file(&store, name, Some((wanted, &index)), spec)
                        .map_err(|error| {
                            error.note(format_args!("`{}` names it", index.display()))
                        })?;
                }
            }
            ([], [], []) => {
                return Err(wrong(
                    "has neither safetensors nor `.npy` files, and is no zarr array or group",
                )
                .help("name the folder of a checkpoint"));
            }
            ([], tensors, arrays) => {
                if tensors.is_empty() {
                    source.kind = Kind::Npy;
                }
                for name in tensors.iter().chain(arrays) {
                    source.file(&store, name.clone(), None, spec)?;
                }
            }
        }
        Ok(source)
    }

    /// Reads a file; of a safetensors file only the tensors that its index says, if there is one.
    fn file(
        &mut self,
        store: &Store,
        name: String,
        listed: Option<(Vec<String>, &PathBuf)>,
        spec: &Spec,
    ) -> Outcome {
        let open = store.open(&name)?;
        let path = &open.path;
        let tensor = (self.kind == Kind::Npy).then(|| tensor_of(&name));
        let known = tensor
            .as_ref()
            .and_then(|tensor| spec.element_type(tensor))
            .map(OnlyType);
        let format = match &tensor {
            Some(_) => Format::Npy,
            None => Format::Safetensors,
        };
        let (arrays, mut metadata) = input::read(
            open.contents(),
            format,
            known.as_ref().map(|known| known as &dyn Known),
        )?;
        let mut offsets = offsets(path, &mut metadata)?;
        if self.files.is_empty() {
            self.metadata = metadata;
        }
        let header = arrays.first().map_or(open.length, |array| array.offset);
        let number = self.add_file(SourceFile {
            crc32: open.crc32(header)?,
            name,
            bytes: open.length,
            header,
        });
        let mut listed =
            listed.map(|(names, index)| (names.into_iter().collect::<HashSet<_>>(), index));
        for array in arrays {
            let Some(name) = array.name.clone().or_else(|| tensor.clone()) else {
                unreachable!("a tensor of a safetensors file has a name")
            };
            if listed
                .as_mut()
                .is_some_and(|(names, _)| !names.remove(&name))
            {
                continue;
            }
            let origin = offsets.remove(&name);
            self.add(path, number, name, array, origin, None)?;
        }
        if let Some((missing, index)) = listed
            && let Some(name) = missing.iter().min()
        {
            let what = format!(
                "`{}` says that the tensor `{}` is in `{}`, which does not have it",
                index.display(),
                short(name),
                path.display()
            );
            return Err(Error::file(what).help("was a file replaced by one of another model?"));
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
            let what = format!(
                "the metadata `{OFFSETS_KEY}` of `{}` cannot be read: {error}",
                path.display()
            );
            Error::file(what).help("it is `{\"a.weight\": {\"saved_offsets\": [0, 0]}, …}`")
        })?;
        found.extend(read.into_iter().map(|(name, at)| (name, at.saved_offsets)));
    }
    metadata.retain(|(key, _)| key != VERSION_KEY);
    Ok(found)
}
