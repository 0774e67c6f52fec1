//! A checkpoint: a folder of files, the tensors in them, and where their pieces lie.
//!
//! A tensor may be in several files. Where a piece begins in its tensor is said by `DCP_SHARDING_INFO` in the metadata
//! of its file, as PyTorch's `HuggingFaceStorageWriter` writes it, or by the sharding that `from` in the
//! specification says.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xlayout::{DynLayout, PrimitiveType};

use crate::array::{self, Array, Encoding};
use crate::error::{Error, Outcome, TextSpan};
use crate::formats::{Format, Kind, input, shards, zarr};
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

/// A file of the source, as it was when the plan was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SourceFile {
    pub(crate) name: String,
    pub(crate) bytes: u64,
    /// The bytes before the first element, and their CRC-32.
    pub(crate) header: u64,
    pub(crate) crc32: u32,
}

/// What the folder holds.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) files: Vec<SourceFile>,
    /// By name.
    pub(crate) tensors: BTreeMap<String, Vec<Piece>>,
    /// Each once: a checkpoint has few shapes and many tensors.
    pub(crate) layouts: Vec<DynLayout>,
    pub(crate) kind: Kind,
    /// Of the first file, without what is said of parts.
    pub(crate) metadata: Vec<(String, String)>,
    known: HashMap<String, u32>,
}

/// A part of a tensor in a file.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) file: u32,
    pub(crate) at: u64,
    /// A place in `layouts`.
    pub(crate) layout: u32,
    pub(crate) swap: Option<usize>,
    pub(crate) encoded: Option<(u64, Vec<Encoding>)>,
    /// Where it begins in its tensor, if its file says that.
    pub(crate) origin: Option<Vec<usize>>,
    /// The sizes of its tensor, if its file says that.
    pub(crate) whole: Option<Vec<usize>>,
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
        let store = Store::new(folder);
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
                let index = folder.join(index);
                for (name, wanted) in shards::index(&index)? {
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

    /// Adds a file; answers its number.
    pub(crate) fn add_file(&mut self, file: SourceFile) -> u32 {
        self.files.push(file);
        self.files.len() as u32 - 1
    }

    /// Adds a piece of a tensor that a file has; `path` says where it begins.
    pub(crate) fn add(
        &mut self,
        path: &Path,
        file: u32,
        name: String,
        array: Array,
        origin: Option<Vec<usize>>,
        whole: Option<Vec<usize>>,
    ) -> Outcome {
        let ends = |origin: &Vec<usize>| {
            let dims = array.layout.dims();
            origin.len() == dims.len()
                && (origin.iter().zip(dims)).all(|(at, size)| at.checked_add(*size).is_some())
        };
        if !origin.as_ref().is_none_or(ends) {
            let what = format!(
                "the metadata of `{}` say a place of tensor `{}` that does not fit its shape, {}",
                path.display(),
                short(&name),
                array::text(&array.layout)
            );
            return Err(Error::file(what).help("is the file damaged?"));
        }
        let next = self.layouts.len() as u32;
        let layout = *self.known.entry(array::text(&array.layout)).or_insert(next);
        if layout == next {
            self.layouts.push(array.layout);
        }
        self.tensors.entry(name).or_default().push(Piece {
            file,
            at: array.offset,
            layout,
            swap: array.swap,
            encoded: array.encoded,
            origin,
            whole,
        });
        Ok(())
    }
}

/// The name of the tensor in a `.npy` file: that of the file, without `shard-00001-` before it.
pub(crate) fn tensor_of(name: &str) -> String {
    let stem = Path::new(name).file_stem().and_then(OsStr::to_str);
    let stem = stem.unwrap_or(name);
    let part = stem.strip_prefix("shard-").and_then(|rest| {
        let (number, tensor) = rest.split_once('-')?;
        number
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then_some(tensor)
    });
    part.unwrap_or(stem).to_owned()
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
