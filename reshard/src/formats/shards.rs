//! Safetensors in several files: `model.safetensors.index.json` says which tensor is in which file beside it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::safetensors;
use crate::array::Array;
use crate::error::{Error, Outcome};
use crate::formats::input::Input;
use crate::positioned::OpenFile;
use crate::store::Store;
use crate::words::short;

/// An index is not longer.
const LONGEST: u64 = 100_000_000;

/// What an index says; other keys are no concern of this program.
#[derive(Deserialize)]
#[serde(expecting = "an object with a `weight_map`")]
struct Index<'a> {
    /// The file of each tensor. Of a tensor that is named twice the last counts.
    #[serde(borrow)]
    weight_map: BTreeMap<Cow<'a, str>, &'a RawValue>,
}

/// The tensors of each file that an index names.
///
/// # Errors
/// If it is not an index, or names a file outside of its folder.
pub(crate) fn index(index: &OpenFile) -> Outcome<BTreeMap<String, Vec<String>>> {
    let wrong = |what: &dyn Display| {
        let help = "an index is `{\"weight_map\": {\"a.weight\": \"model-00001-of-00002.safetensors\", …}}`";
        index.wrong(what).help(help)
    };
    if index.length > LONGEST {
        return Err(wrong(&"has more than 100,000,000 bytes"));
    }
    let text = index.bytes(0, index.length)?;
    let read: Index<'_> = serde_json::from_slice(&text)
        .map_err(|error| wrong(&format_args!("is no index: {error}")))?;
    let mut of_files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (tensor, file) in read.weight_map {
        let file: Option<String> = serde_json::from_str(file.get()).ok();
        let beside = |file: &String| Path::new(file).file_name() == Some(file.as_ref());
        let Some(file) = file.filter(beside) else {
            let tensor = short(&tensor);
            let what = format_args!("does not name a file beside it for the tensor `{tensor}`");
            return Err(wrong(&what));
        };
        of_files.entry(file).or_default().push(tensor.into_owned());
    }
    Ok(of_files)
}

/// A safetensors file of several.
pub(crate) struct Shard {
    pub(crate) file: OpenFile,
    /// The bytes before its tensors.
    pub(crate) header: u64,
    /// Those that are wanted.
    pub(crate) arrays: Vec<Array>,
    pub(crate) metadata: Vec<(String, String)>,
}

/// Opens a file and reads its header; of its tensors those are wanted that an index says, if there is one.
///
/// # Errors
/// If it is no safetensors file, or does not have the tensors.
pub(crate) fn open(
    folder: &Store,
    name: &str,
    listed: Option<(Vec<String>, &Path)>,
) -> Outcome<Shard> {
    let read = || {
        let file = folder.open(name)?;
        let (arrays, metadata) = safetensors::read(&file)?;
        Ok(Shard {
            header: (arrays.first()).map_or(file.length, |array| array.offset),
            file,
            arrays,
            metadata,
        })
    };
    let Some((tensors, index)) = listed else {
        return read();
    };
    let index = index.display();
    let mut shard =
        read().map_err(|error: Error| error.note(format_args!("`{index}` names it")))?;
    let mut wanted: HashSet<String> = tensors.into_iter().collect();
    let name_of = |array: &Array| array.name.clone().unwrap_or_default();
    shard.arrays.retain(|array| wanted.remove(&name_of(array)));
    let Some(missing) = wanted.iter().min().map(|missing| short(missing)) else {
        return Ok(shard);
    };
    let what = format_args!(
        "`{index}` says that the tensor `{missing}` is in `{name}`, which does not have it"
    );
    Err(Error::file(what).help("was a file replaced by one of another model?"))
}

/// Reads an index and the headers of the files that it names.
///
/// # Errors
/// If it is not an index, names a file outside of its folder, or a file that does not have its tensors.
pub(crate) fn read(index_file: &OpenFile) -> Outcome<Input> {
    let path = &index_file.path;
    let folder = Store::new(path.parent().unwrap_or(Path::new("")))?;
    let mut all = Input {
        arrays: Vec::new(),
        files: Vec::new(),
        metadata: Vec::new(),
    };
    for (file, (name, tensors)) in index(index_file)?.into_iter().enumerate() {
        let shard = open(&folder, &name, Some((tensors, path)))?;
        if file == 0 {
            all.metadata = shard.metadata;
        }
        let arrays = shard.arrays.into_iter();
        all.arrays
            .extend(arrays.map(|array| Array { file, ..array }));
        all.files.push(Arc::new(shard.file));
    }
    Ok(all)
}
