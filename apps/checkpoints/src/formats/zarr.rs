//! Zarr, versions 2 and 3: a folder for each array, with its metadata as text, and a file for each
//! chunk.
//!
//! Source: the specification of version 3,
//! <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html>, of its codecs, and of version
//! 2.
//!
//! ```text
//! for each text `zarr.json` of an array, or `.zarray`, in the folder or below:
//!     read its grid, its type, its codecs
//!     for each chunk of the grid:
//!         if there is no file: it is a piece of the tensor that has the fill value
//!         else: stored(codecs, all of the file)
//! stored(codecs, range of a file):
//!     if they end in shards: for each chunk in the index of the shard:
//!         stored(inner codecs, its range), or a piece that has the fill value
//!     else: the range is a piece of the tensor, compressed or not
//! ```
//!
//! Chunks at the end of a dimension have their full sizes in files. Their elements beyond the end
//! are not part of the tensor. The attributes of arrays and groups are not kept.

mod codecs;
mod fill;
pub(crate) mod metadata;
mod named;
mod parts;
mod write;

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use xlayout::{ArrayLayout, DynLayout};

use crate::array::{self, Array, Encoding};
use crate::checkpoint::{self, Source, SourceFile};
use crate::decode;
use crate::error::{Error, Outcome};
use crate::positioned::OpenFile;
use crate::store::Store;
use xlayout_words::{counted, exact_bytes, grouped};

use codecs::{Codecs, Inner};
use metadata::Metadata;
pub(crate) use parts::inside;
use parts::{MOST_CHUNKS, TEXT_3, in_order, indices};
pub(crate) use write::{cut, in_chunk, key, text, texts};

/// The names of metadata files, of version 3 and of version 2.
const TEXT_2: &str = ".zarray";
const GROUP_2: &str = ".zgroup";

const CUT: &str = "it was cut short; copy it again";

/// Whether a file of this name, with or without a folder, is the metadata of an array or a group.
pub(crate) fn is_text(name: &str) -> bool {
    let (_, name) = name.rsplit_once('/').unwrap_or(("", name));
    [TEXT_3, TEXT_2, GROUP_2].contains(&name)
}

/// Reads all arrays in a folder and below. One that is damaged, or has a part that is not
/// supported, is unreadable.
pub(crate) fn read(store: &Store, root: &Path, files: &BTreeMap<String, u64>, source: &mut Source) {
    for name in files.keys() {
        let (folder, text) = name.rsplit_once('/').unwrap_or(("", name));
        let beside = |other: &str| files.contains_key(&inside(folder, other));
        if text == TEXT_3 || text == TEXT_2 && !beside(TEXT_3) {
            let tensor = match folder {
                "" => checkpoint::tensor_of(&root.to_string_lossy()),
                folder => folder.to_owned(),
            };
            let before = source.files.len();
            if let Err(error) = read_array((store, files), (folder, text), &tensor, source) {
                // The others can be read.
                source.files.truncate(before);
                source.tensors.remove(&tensor);
                source.unreadable.insert(tensor, error);
            }
        }
    }
}

/// Reads the array in a folder, if it is one and no group.
fn read_array(
    (store, files): (&Store, &BTreeMap<String, u64>),
    (folder, text): (&str, &str),
    tensor: &str,
    source: &mut Source,
) -> Outcome {
    let name = inside(folder, text);
    let open = store.open(&name)?;
    let bytes = open.bytes(0, open.length.min(metadata::LONGEST + 1))?;
    let Some(metadata) = metadata::read(&open.path, &bytes, text == TEXT_2)? else {
        return Ok(());
    };
    let reader = ArrayReader {
        store,
        files,
        folder,
        tensor: tensor.to_owned(),
        text: source.add_file(SourceFile {
            name,
            bytes: open.length,
            header: open.length,
            crc32: crc32fast::hash(&bytes),
        }),
        path: open.path,
        metadata,
    };
    reader.chunks(source)
}

struct ArrayReader<'a> {
    store: &'a Store,
    files: &'a BTreeMap<String, u64>,
    /// Of the array.
    folder: &'a str,
    tensor: String,
    path: PathBuf,
    /// The number of the file with the metadata.
    text: usize,
    metadata: Metadata,
}

/// The number of a file, and a range of its bytes.
type Stored = (usize, OpenFile);

impl ArrayReader<'_> {
    fn chunks(&self, source: &mut Source) -> Outcome {
        let Metadata { shape, chunks, .. } = &self.metadata;
        let order: Vec<usize> = (0..shape.len()).collect();
        if shape.contains(&0) {
            return self.fill(vec![0; shape.len()], shape, source);
        }
        let counts = array::each(shape, chunks, usize::div_ceil);
        for index in indices(&counts).ok_or_else(|| self.too_many(&self.path))? {
            let origin = array::each(&index, chunks, |k, size| k * size);
            let name = inside(self.folder, &self.metadata.keys.name(&index));
            let Some(bytes) = self.files.get(&name).copied() else {
                self.fill(origin, chunks, source)?;
                continue;
            };
            let open = match self.metadata.codecs.inner {
                // The index of a shard is read.
                Inner::Shard { .. } => self.store.open(&name)?,
                Inner::Bytes { .. } => {
                    OpenFile::new(self.store.path(&name), bytes, Arc::new(Vec::new()))
                }
            };
            let number = source.add_file(SourceFile {
                bytes,
                header: 0,
                crc32: 0,
                name,
            });
            let codecs = &self.metadata.codecs;
            self.stored(codecs, &order, (number, open), (origin, chunks), source)?;
        }
        Ok(())
    }

    /// The error that something is wrong with a file of the array.
    fn wrong(&self, path: &Path, what: impl Display, help: &str) -> Error {
        let path = path.display();
        let tensor = xlayout_words::short(&self.tensor);
        Error::file(format_args!("`{path}`, of array `{tensor}`: {what}")).help(help)
    }

    /// The error that a file of the array has too many chunks.
    fn too_many(&self, path: &Path) -> Error {
        let limit = grouped(MOST_CHUNKS);
        let what = format_args!("it has more than {limit} chunks");
        let help = "write it again in larger chunks; or is the text damaged?";
        self.wrong(path, what, help)
    }

    /// Adds a range of bytes as a piece of the array: the box with this origin and these sizes.
    /// Axis `k` of the bytes is dimension `order[k]`.
    fn stored(
        &self,
        codecs: &Codecs,
        order: &[usize],
        (file, open): Stored,
        (origin, sizes): (Vec<usize>, &[usize]),
        source: &mut Source,
    ) -> Outcome {
        let order: Vec<usize> = codecs.order.iter().map(|k| order[*k]).collect();
        let path = &open.path;
        let (chunks, inner, index, at_end) = match &codecs.inner {
            Inner::Bytes { swap } => {
                let layout = self.layout(sizes, &order)?;
                let has = open.length;
                let needs = layout.bytes() as u64;
                let is_encoded = !codecs.encodings.is_empty();
                if !is_encoded && has != needs {
                    let [has, needs] = [has, needs].map(exact_bytes);
                    let what = format_args!("a chunk has {has}, and {needs} are needed");
                    let help = "it was cut short, or the text says another type or another \
                                codec; copy it again";
                    return Err(self.wrong(path, what, help));
                }
                let array = Array {
                    swap: *swap,
                    encoded: is_encoded.then(|| (has, codecs.encodings.clone())),
                    ..Array::new(layout, open.begin)
                };
                return self.add(file, array, origin, source);
            }
            Inner::Shard {
                chunks,
                codecs,
                index,
                at_end,
            } => (chunks, codecs, index, *at_end),
        };
        let counts = array::each(&order, chunks, |dim, size| sizes[dim] / size);
        let indices = indices(&counts).ok_or_else(|| self.too_many(path))?;
        let mut sizes = vec![0; order.len()];
        for (dim, size) in order.iter().zip(chunks) {
            sizes[*dim] = *size;
        }
        let index = self.index(&open, counts.iter().product(), index, at_end)?;
        for (at, [begin, bytes]) in indices.zip(index) {
            let mut origin = origin.clone();
            for ((dim, at), size) in order.iter().zip(at).zip(chunks) {
                origin[*dim] += at * size;
            }
            if [begin, bytes] == [u64::MAX; 2] {
                self.fill(origin, &sizes, source)?;
                continue;
            }
            let end = begin.checked_add(bytes);
            if end.is_none_or(|end| end > open.length) {
                let what = "its index says a chunk beyond its end";
                return Err(self.wrong(path, what, CUT));
            }
            let mut inside = open.clone();
            (inside.begin, inside.length) = (open.begin + begin, bytes);
            self.stored(inner, &order, (file, inside), (origin, &sizes), source)?;
        }
        Ok(())
    }

    /// The index of a shard: where each chunk begins, and its bytes.
    fn index(
        &self,
        open: &OpenFile,
        count: usize,
        encodings: &[Encoding],
        at_end: bool,
    ) -> Outcome<Vec<[u64; 2]>> {
        let bytes = (16 * count + 4 * encodings.len()) as u64;
        if bytes > open.length {
            let [has, needs] = [open.length, bytes].map(exact_bytes);
            let what = format_args!("the shard has {has}, and its index takes {needs}");
            return Err(self.wrong(&open.path, what, CUT));
        }
        let at = if at_end { open.length - bytes } else { 0 };
        let mut read = open.bytes(at, bytes)?;
        let mut index = vec![0; 16 * count];
        decode::decode(&mut read, encodings, &mut index).map_err(|what| {
            let what = format_args!("the index of the shard: {what}");
            self.wrong(&open.path, what, "copy it again")
        })?;
        let numbers = index.as_chunks().0.iter().map(|k| u64::from_le_bytes(*k));
        Ok(numbers.collect::<Vec<_>>().as_chunks().0.to_vec())
    }

    /// Adds elements that are not stored.
    fn fill(&self, origin: Vec<usize>, sizes: &[usize], source: &mut Source) -> Outcome {
        let element = self.metadata.fill.clone().map_err(|error| {
            let elements = counted(sizes.iter().product::<usize>(), "element");
            error.note(format_args!("{elements} of its elements have it"))
        })?;
        let order: Vec<usize> = (0..sizes.len()).collect();
        let array = Array {
            encoded: Some((0, vec![Encoding::Fill(element)])),
            ..Array::new(self.layout(sizes, &order)?, 0)
        };
        self.add(self.text, array, origin, source)
    }

    fn add(&self, file: usize, array: Array, origin: Vec<usize>, source: &mut Source) -> Outcome {
        let shape = &self.metadata.shape;
        // A chunk of a shard may be beyond the end of the array.
        let mut both = origin.iter().zip(shape);
        if both.any(|(at, size)| at >= size && *size > 0) {
            return Ok(());
        }
        let array = Array {
            file,
            origin,
            is_placed: true,
            whole: Some(shape.clone()),
            ..array
        };
        source.add(&self.path, self.tensor.clone(), array)
    }

    fn layout(&self, sizes: &[usize], order: &[usize]) -> Outcome<DynLayout> {
        in_order(self.metadata.element_type, sizes, order).ok_or_else(|| {
            let what = "a chunk is larger than 2^63 - 1 bytes";
            self.wrong(&self.path, what, "is the text damaged?")
        })
    }
}
