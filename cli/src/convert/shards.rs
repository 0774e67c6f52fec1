//! Safetensors in several files: `model.safetensors.index.json` says which tensor is in which file beside it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::arrays::Array;
use super::json;
use super::positioned::Contents;
use super::safetensors;
use crate::failure::{Code, Failure, Outcome};
use crate::words::shortened;

/// An index is not longer.
const LONGEST: u64 = 100_000_000;

/// The tensors of all files, and the files.
pub(super) struct Shards {
    pub(super) arrays: Vec<Array>,
    pub(super) files: Vec<(File, PathBuf)>,
    pub(super) metadata: Vec<(String, String)>,
}

/// Reads an index and the headers of the files that it names.
///
/// # Errors
/// If it is not an index, names a file outside of its folder, or a file that does not have its tensors.
pub(super) fn read(index: &File, path: &Path) -> Outcome<Shards> {
    let wrong = |what: String| {
        let message = format!("`{}` {what}", path.display());
        Failure::new(Code::File, message)
            .help("an index is `{\"weight_map\": {\"a.weight\": \"model-00001-of-00002.safetensors\", …}}`")
    };
    let mut text = String::new();
    index
        .take(LONGEST + 1)
        .read_to_string(&mut text)
        .map_err(|error| Failure::of_file("read", path, &error))?;
    if text.len() as u64 > LONGEST {
        return Err(wrong("has more than 100,000,000 bytes".to_owned()));
    }
    // Not a `Value`: that is read by recursion, and the file controls how deeply.
    let entries =
        json::object(&text).map_err(|error| wrong(format!("is no JSON object: {error}")))?;
    let map = entries.iter().rfind(|entry| entry.key == "weight_map");
    let Some(map) = map.and_then(|map| json::object(map.value.get()).ok()) else {
        return Err(wrong("has no `weight_map`".to_owned()));
    };
    // Of a tensor that is named twice the last counts.
    let map: BTreeMap<&str, Option<String>> = map
        .iter()
        .map(|entry| (&*entry.key, serde_json::from_str(entry.value.get()).ok()))
        .collect();
    let mut of_files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (tensor, file) in &map {
        let file = file.as_deref().filter(|file| {
            let path = Path::new(file);
            path.file_name() == Some(path.as_os_str())
        });
        let Some(file) = file else {
            let tensor = shortened(tensor, 60);
            return Err(wrong(format!(
                "does not name a file beside it for the tensor `{tensor}`"
            )));
        };
        of_files.entry(file).or_default().push(tensor);
    }
    let mut shards = Shards {
        arrays: Vec::new(),
        files: Vec::new(),
        metadata: Vec::new(),
    };
    for (number, (name, tensors)) in of_files.into_iter().enumerate() {
        let shard = path.with_file_name(name);
        let failed = |error: std::io::Error| {
            Failure::of_file("read", &shard, &error)
                .note(format_args!("`{}` names it", path.display()))
        };
        let file = File::open(&shard).map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        let header = safetensors::read(Contents {
            bytes: &file,
            length: about.len(),
            path: &shard,
        })?;
        if number == 0 {
            shards.metadata = header.metadata;
        }
        let wanted: std::collections::HashSet<&str> = tensors.iter().copied().collect();
        let mut found = 0;
        for mut array in header.tensors {
            if array
                .name
                .as_deref()
                .is_some_and(|name| wanted.contains(name))
            {
                found += 1;
                array.file = number;
                shards.arrays.push(array);
            }
        }
        if found != wanted.len() {
            let has = |name: &str| {
                shards
                    .arrays
                    .iter()
                    .any(|array| array.name.as_deref() == Some(name))
            };
            let missing = tensors
                .iter()
                .find(|name| !has(name))
                .copied()
                .unwrap_or_default();
            return Err(wrong(format!(
                "says that the tensor `{}` is in `{name}`, which does not have it",
                shortened(missing, 60)
            )));
        }
        shards.files.push((file, shard));
    }
    Ok(shards)
}
