//! Safetensors in several files: `model.safetensors.index.json` says which tensor is in which file beside it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::safetensors;
use crate::array::Array;
use crate::error::{Error, Outcome};
use crate::formats::input::Input;
use crate::positioned::Contents;
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
pub(crate) fn index(contents: Contents<'_>) -> Outcome<BTreeMap<String, Vec<String>>> {
    let path = contents.path;
    if contents.length > LONGEST {
        return Err(wrong(path, "has more than 100,000,000 bytes".to_owned()));
    }
    let text = contents.read(0, contents.length)?;
    let index: Index<'_> = serde_json::from_slice(&text)
        .map_err(|error| wrong(path, format!("is no index: {error}")))?;
    let mut of_files: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (tensor, file) in index.weight_map {
        let file: Option<String> = serde_json::from_str(file.get()).ok();
        let beside = |file: &String| Path::new(file).file_name() == Some(file.as_ref());
        let Some(file) = file.filter(beside) else {
            let tensor = short(&tensor);
            let what = format!("does not name a file beside it for the tensor `{tensor}`");
            return Err(wrong(path, what));
        };
        of_files.entry(file).or_default().push(tensor.into_owned());
    }
    Ok(of_files)
}

fn wrong(path: &Path, what: String) -> Error {
    let message = format!("`{}` {what}", path.display());
    Error::file(message).help(
        "an index is `{\"weight_map\": {\"a.weight\": \"model-00001-of-00002.safetensors\", …}}`",
    )
}

/// Reads an index and the headers of the files that it names.
///
/// # Errors
/// If it is not an index, names a file outside of its folder, or a file that does not have its tensors.
pub(crate) fn read(contents: Contents<'_>) -> Outcome<Input> {
    let path = contents.path;
    let of_files = index(contents)?;
    let folder = Store::new(path.parent().unwrap_or(Path::new("")))?;
    let mut shards = Input {
        arrays: Vec::new(),
        files: Vec::new(),
        metadata: Vec::new(),
    };
    for (number, (name, tensors)) in of_files.into_iter().enumerate() {
        let noted = |error: Error| error.note(format_args!("`{}` names it", path.display()));
        let open = folder.open(&name).map_err(noted)?;
        let header = safetensors::read(open.contents())?;
        if number == 0 {
            shards.metadata = header.metadata;
        }
        let mut wanted: HashSet<&str> = tensors.iter().map(String::as_str).collect();
        for array in header.arrays {
            if wanted.remove(array.name.as_deref().unwrap_or_default()) {
                shards.arrays.push(Array {
                    file: number,
                    ..array
                });
            }
        }
        if let Some(missing) = wanted.into_iter().min() {
            let missing = short(missing);
            return Err(wrong(
                path,
                format!("says that the tensor `{missing}` is in `{name}`, which does not have it"),
            ));
        }
        shards.files.push(Arc::new(open));
    }
    Ok(shards)
}
