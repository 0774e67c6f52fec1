//! A checkpoint: its files, its tensors, and the pieces of tensors in each file.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use xlayout::DynLayout;

use crate::array::{self, Array};
use crate::error::{Error, Outcome};
use xlayout_words::short;

/// The format of a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// Files of many tensors.
    #[default]
    Safetensors,
    /// A file for each tensor, or each part of one.
    Npy,
    /// A folder for each tensor, and a file for each part of one.
    Zarr,
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

/// The files and tensors of a folder.
#[derive(Debug, Default)]
pub(crate) struct Source {
    pub(crate) files: Vec<SourceFile>,
    /// By name, each with its pieces.
    pub(crate) tensors: BTreeMap<String, Vec<Array>>,
    /// The reasons why others cannot be read.
    pub(crate) unreadable: BTreeMap<String, Error>,
    pub(crate) kind: Kind,
    /// The metadata of the first file, without the entries about parts.
    pub(crate) metadata: Vec<(String, String)>,
    /// Each distinct layout by its text: a checkpoint has few shapes and many tensors.
    layouts: HashMap<String, Arc<DynLayout>>,
}

impl Source {
    /// Adds a file, and returns its number.
    pub(crate) fn add_file(&mut self, file: SourceFile) -> usize {
        self.files.push(file);
        self.files.len() - 1
    }

    /// Adds a file's piece of a tensor.
    pub(crate) fn add(&mut self, path: &Path, name: String, mut piece: Array) -> Outcome {
        let shape = array::text(&piece.layout);
        if !array::fits(&piece.origin, &piece.layout) {
            let path = path.display();
            let name = short(&name);
            let what = format_args!(
                "the metadata of `{path}` say a place of tensor `{name}` that does not fit its \
                 shape, {shape}"
            );
            return Err(Error::file(what).help("is the file damaged?"));
        }
        let known = self.layouts.entry(shape).or_insert(piece.layout);
        piece.layout = Arc::clone(known);
        self.tensors.entry(name).or_default().push(piece);
        Ok(())
    }
}

/// The name of the tensor in a `.npy` file: that of the file, without `shard-00001-` before it.
pub(crate) fn tensor_of(name: &str) -> String {
    let stem = Path::new(name).file_stem().and_then(OsStr::to_str);
    let stem = stem.unwrap_or(name);
    let part = stem.strip_prefix("shard-");
    let tensor = match part.and_then(|rest| rest.split_once('-')) {
        Some((number, tensor)) if number.bytes().all(|byte| byte.is_ascii_digit()) => tensor,
        _ => stem,
    };
    tensor.to_owned()
}
