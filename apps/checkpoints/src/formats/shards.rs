//! Safetensors in several files: `model.safetensors.index.json` has the name of each tensor's file
//! in the same folder.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::safetensors;
use crate::array::Array;
use crate::error::{Error, Outcome};
use crate::formats::contents::Contents;
use crate::positioned::OpenFile;
use crate::store::Store;
use xlayout_words::short;

/// The greatest length of an index.
const LONGEST: u64 = 100_000_000;

/// The fields of an index that are read.
#[derive(Deserialize)]
#[serde(expecting = "an object with a `weight_map`")]
struct Index<'a> {
    /// The file of each tensor. If a tensor is named twice, the last file is used.
    #[serde(borrow)]
    weight_map: BTreeMap<Cow<'a, str>, &'a RawValue>,
}

/// Reads an index, and the headers of the files in the folder that it names, and passes them on.
///
/// # Errors
/// If it is not an index, names a file outside of its folder, or a file that does not have its
/// tensors; those of `take`.
pub(crate) fn read(
    folder: &Store,
    index: &OpenFile,
    mut take: impl FnMut(Contents) -> Outcome,
) -> Outcome {
    let shown = index.path.display();
    for (file, mut wanted) in files(index)? {
        let read = folder.open(&file).and_then(safetensors::read);
        let mut found = read.map_err(|error| error.note(format_args!("`{shown}` names it")))?;
        let is_wanted = |array: &Array| array.name.as_ref().is_some_and(|name| wanted.remove(name));
        found.arrays.retain(is_wanted);
        found.unreadable.retain(|name, _| wanted.remove(name));
        if let Some(missing) = wanted.first().map(|missing| short(missing)) {
            let what = format_args!(
                "`{shown}` says that the tensor `{missing}` is in `{file}`, which does not have it"
            );
            let help = "was a file replaced by one of another model?";
            return Err(Error::file(what).help(help));
        }
        take(found)?;
    }
    Ok(())
}

/// The tensors of each file that an index names.
fn files(index: &OpenFile) -> Outcome<BTreeMap<String, BTreeSet<String>>> {
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
    let mut files: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (tensor, file) in read.weight_map {
        let file: Option<String> = serde_json::from_str(file.get()).ok();
        let beside = |file: &String| Path::new(file).file_name() == Some(file.as_ref());
        let Some(file) = file.filter(beside) else {
            let tensor = short(&tensor);
            let what = format_args!("does not name a file beside it for the tensor `{tensor}`");
            return Err(wrong(&what));
        };
        files.entry(file).or_default().insert(tensor.into_owned());
    }
    Ok(files)
}
