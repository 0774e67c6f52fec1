//! What a checkpoint has: files, tensors, and which pieces of them the files hold.

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xlayout::DynLayout;

use crate::array::{self, Array, Encoding};
use crate::error::{Error, Outcome};
use crate::words::short;

/// What a checkpoint is made of.
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
    /// Its file and its first byte.
    pub(crate) at: (u32, u64),
    pub(crate) stored: Stored,
}

/// How a part of a tensor is stored: many tensors share it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stored {
    /// A place in `layouts`.
    pub(crate) layout: u32,
    pub(crate) swap: Option<usize>,
    pub(crate) encoded: Option<(u64, Vec<Encoding>)>,
    /// Where it begins in its tensor, if its file says that.
    pub(crate) origin: Option<Vec<usize>>,
    /// The sizes of its tensor, if its file says that.
    pub(crate) whole: Option<Vec<usize>>,
}

impl Source {
    /// Adds a file; answers its number.
    pub(crate) fn add_file(&mut self, file: SourceFile) -> u32 {
        self.files.push(file);
        self.files.len() as u32 - 1
    }

    /// Adds a piece of a tensor that a file has; `path` says where it begins.
    pub(crate) fn add(
        &mut self,
        path: &Path,
        (file, name): (u32, String),
        array: Array,
        (origin, whole): (Option<Vec<usize>>, Option<Vec<usize>>),
    ) -> Outcome {
        let fits = |origin: &Vec<usize>| array::fits(origin, &array.layout);
        if !origin.as_ref().is_none_or(fits) {
            let (path, name, shape) = (path.display(), short(&name), array::text(&array.layout));
            let what = format_args!(
                "the metadata of `{path}` say a place of tensor `{name}` that does not fit its shape, {shape}"
            );
            return Err(Error::file(what).help("is the file damaged?"));
        }
        let next = self.layouts.len() as u32;
        let layout = *self.known.entry(array::text(&array.layout)).or_insert(next);
        if layout == next {
            self.layouts.push(array.layout);
        }
        let stored = Stored {
            layout,
            swap: array.swap,
            encoded: array.encoded,
            origin,
            whole,
        };
        let at = (file, array.offset);
        let pieces = self.tensors.entry(name).or_default();
        pieces.push(Piece { at, stored });
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
