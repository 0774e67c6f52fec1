//! Whether the files of the source say themselves what the plan says of its pieces.
//!
//! The way leads from a file to the tensor, and not, as that of the plan, from the specification to
//! the files:
//!
//! ```text
//! for each piece of a part:
//!     safetensors: the header, read as plain JSON, has the tensor at these bytes, with these sizes
//!     the piece begins
//!         where `DCP_SHARDING_INFO` of its file says
//!         or, of zarr, in the chunk whose numbers are in the name of the file
//!         or, where the specification states a sharding, at the tile of the device whose number is
//!             in the name: behind the files of the tiles before it, along each dimension
//!         or at 0: there is one file
//! ```

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value};
use xlayout::{ArrayLayout, DynLayout};

use crate::array::{self, Array};
use crate::checkpoint::tensor_of;
use crate::error::Outcome;
use crate::formats::safetensors::{METADATA, SHAPE_KEY};
use crate::formats::{npy, zarr};
use crate::names::some;
use crate::pieces::Job;
use crate::plan::{Head, Stated};
use crate::source::{BYTES_ORIGIN_KEY, OFFSETS_KEY, ORIGIN_KEY};
use crate::store::Store;
use xlayout_words::{counted, joined, short};

use super::origins::{Origins, origins, tiling};
use super::prepare::PlanFiles;

/// What the source says of a tensor in a file.
#[derive(Debug)]
struct StatedTensor {
    /// The first byte and the number of bytes.
    place: (u64, u64),
    dims: Vec<usize>,
    /// Where it begins in the tensor.
    origin: Option<Vec<usize>>,
}

/// What the files that were read say, and what had to be assumed.
#[derive(Debug, Default)]
pub(super) struct Claims {
    /// The tensors of files of safetensors and of NumPy.
    files: HashMap<usize, HashMap<String, StatedTensor>>,
    /// The sizes of a chunk in the texts of zarr.
    chunks: HashMap<String, Vec<usize>>,
    /// Of tensors with a statement.
    origins: HashMap<String, Origins>,
    assumed: HashMap<usize, Assumed>,
}

/// For what a statement was taken as true.
#[derive(Debug, Default)]
struct Assumed {
    tensors: BTreeSet<String>,
    /// Those of the first of the tensors, in the sequence of the devices.
    files: Vec<usize>,
    /// Whether some of them have the same part.
    has_copies: bool,
}

impl Claims {
    /// What differs between the plan and the files of the source, if anything does.
    ///
    /// # Errors
    /// Those of reading.
    pub(super) fn check(&mut self, files: &PlanFiles<'_>, job: &Job) -> Outcome<Option<String>> {
        for piece in &job.pieces {
            let name = &files.head.files[piece.file].name;
            let wrong = |what: String| {
                let area = array::ranges(&piece.area());
                Some(format!(
                    "the plan takes the elements [{area}] from `{name}`, but {what}; make the \
                     plan again"
                ))
            };
            if is_zarr(name) {
                if let Some(what) = self.wrong_chunk(files, piece)? {
                    return Ok(wrong(what));
                }
                continue;
            }
            let tensor = job.tensor.clone().unwrap_or_else(|| tensor_of(name));
            let tensors = self.tensors_of(files, piece.file, piece)?;
            let Some(found) = tensors.get(&tensor) else {
                return Ok(wrong(format!(
                    "that file has no tensor `{}`",
                    short(&tensor)
                )));
            };
            if found.place != (piece.offset, piece.stored_bytes()) {
                let (at, bytes) = found.place;
                return Ok(wrong(format!(
                    "there it is {bytes} bytes from byte {at} on"
                )));
            }
            let dims = piece.layout.dims();
            if found.dims != dims {
                let has = joined(&found.dims, ",");
                return Ok(wrong(format!("there it is `[{has}]`")));
            }
            let origin = match (&found.origin, job.stated) {
                (Some(origin), _) => origin.clone(),
                (None, None) => vec![0; dims.len()],
                (None, Some(stated)) => self.stated_origin(files, piece, stated, &tensor)?,
            };
            if origin != piece.origin {
                let origin = joined(&origin, ",");
                return Ok(wrong(format!("what that file has begins at [{origin}]")));
            }
        }
        Ok(None)
    }

    /// The sentences about what was taken as true because no file says it.
    pub(super) fn assumed(&self, head: &Head) -> Vec<String> {
        let mut all: Vec<_> = self.assumed.iter().collect();
        all.sort_unstable_by_key(|(stated, _)| **stated);
        let sentence = |(stated, assumed): (&usize, &Assumed)| {
            let Stated { from, files: order } = &head.stated[*stated];
            let Assumed { tensors, files, .. } = assumed;
            let first = tensors.first().map_or(String::new(), |name| short(name));
            let what = match tensors.len() {
                1 => format!("`{first}` is"),
                many => format!("`{first}` and {} are", counted(many - 1, "other tensor")),
            };
            let Some(_) = tiling(from) else {
                return format!(
                    "{what} the same in each of its files, as `from` says, `{from}`: only one of \
                     them was compared"
                );
            };
            let names = files.iter().map(|file| short(&head.files[*file].name));
            let names = some(3, names.map(|name| format!("`{name}`")));
            let reason = match order {
                None => "by the numbers in their names",
                Some(_) => "as `files` says",
            };
            let copies = if assumed.has_copies {
                "; of files that have the same part only one was compared"
            } else {
                ""
            };
            format!(
                "{what} divided as `from` says, `{from}`, and the files of its devices are in \
                 this sequence, {reason}: {names}{copies}"
            )
        };
        all.into_iter().map(sentence).collect()
    }

    /// The tensors of a file; one of NumPy has elements of the type of `like`, if it does not name
    /// theirs.
    fn tensors_of(
        &mut self,
        files: &PlanFiles<'_>,
        file: usize,
        like: &Array,
    ) -> Outcome<&HashMap<String, StatedTensor>> {
        Ok(match self.files.entry(file) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(read(files, file, like)?),
        })
    }

    /// Where a piece begins by a statement and the numbers in the name of its file.
    fn stated_origin(
        &mut self,
        from: &PlanFiles<'_>,
        piece: &Array,
        stated: usize,
        tensor: &str,
    ) -> Outcome<Vec<usize>> {
        let head = from.head;
        if !self.origins.contains_key(tensor) {
            for file in 0..head.files.len() {
                let name = &head.files[file].name;
                // A file of NumPy has the one tensor of its name.
                if !name.ends_with(".npy") || tensor_of(name) == tensor {
                    self.tensors_of(from, file, piece)?;
                }
            }
            let has = |file: &usize| {
                let all = self.files.get(file);
                all.is_some_and(|all| all.contains_key(tensor))
            };
            let files: Vec<usize> = (0..head.files.len()).filter(has).collect();
            let dims = |file: usize| &self.files[&file][tensor].dims;
            let (files, origins) = origins(head, &head.stated[stated], files, &dims)?;
            self.origins.insert(tensor.to_owned(), origins);
            // Of one file there is nothing to assume.
            if files.len() > 1 {
                let assumed = self.assumed.entry(stated).or_default();
                assumed.tensors.insert(tensor.to_owned());
                let distinct: BTreeSet<_> = self.origins[tensor].values().collect();
                assumed.has_copies |= distinct.len() < files.len();
                if assumed.files.is_empty() {
                    assumed.files = files;
                }
            }
        }
        let found = self.origins[tensor].get(&piece.file);
        Ok(found.cloned().unwrap_or_default())
    }

    /// What is wrong with a chunk, if the numbers in the name of its file say another place.
    fn wrong_chunk(&mut self, files: &PlanFiles<'_>, piece: &Array) -> Outcome<Option<String>> {
        let name = &files.head.files[piece.file].name;
        let rank = piece.layout.rank();
        // Elements that are not stored have no file.
        if zarr::is_text(name) || rank == 0 {
            return Ok(None);
        }
        let Some((folder, sizes)) = self.chunk_sizes(&files.store, name)? else {
            return Ok(Some("no text of zarr is above it".to_owned()));
        };
        let key = name[folder.len()..].split(|c: char| !c.is_ascii_digit());
        let numbers: Vec<usize> = key.filter_map(|number| number.parse().ok()).collect();
        let at = numbers
            .len()
            .checked_sub(rank)
            .map(|first| &numbers[first..]);
        let inside = at.is_some_and(|at| {
            let chunk = at.iter().zip(&sizes).map(|(k, size)| k.checked_mul(*size));
            let mut both = chunk.zip(&sizes).zip(&piece.origin);
            both.all(|((begin, size), at)| {
                begin.is_some_and(|begin| *at >= begin && at - begin < *size)
            })
        });
        let sizes = joined(&sizes, ",");
        Ok((!inside).then(|| format!("by its name it is another chunk of `[{sizes}]`")))
    }

    /// The folder of the array that has a chunk, and the sizes of a chunk by its text.
    fn chunk_sizes(&mut self, store: &Store, name: &str) -> Outcome<Option<(String, Vec<usize>)>> {
        let folders = name.match_indices('/').rev().map(|(at, _)| &name[..at]);
        for folder in folders.chain([""]) {
            if let Some(known) = self.chunks.get(folder) {
                return Ok(Some((folder.to_owned(), known.clone())));
            }
            for text in ["zarr.json", ".zarray"] {
                let path = zarr::inside(folder, text);
                let Some(open) = store.find(&path)? else {
                    continue;
                };
                let bytes = open.bytes(0, open.length)?;
                let text: Value = serde_json::from_slice(&bytes).unwrap_or_default();
                let grid = &text["chunk_grid"]["configuration"]["chunk_shape"];
                let found = sizes(grid).or_else(|| sizes(&text["chunks"]));
                if let Some(found) = found {
                    self.chunks.insert(folder.to_owned(), found.clone());
                    return Ok(Some((folder.to_owned(), found)));
                }
            }
        }
        Ok(None)
    }
}

fn is_zarr(name: &str) -> bool {
    !name.ends_with(".safetensors") && !name.ends_with(".npy")
}

fn sizes(list: &Value) -> Option<Vec<usize>> {
    let number = |size: &Value| usize::try_from(size.as_u64()?).ok();
    list.as_array()?.iter().map(number).collect()
}

/// What a file says of its tensors. One of NumPy has elements of the type of `like`, if it does not
/// name theirs.
fn read(
    files: &PlanFiles<'_>,
    file: usize,
    like: &Array,
) -> Outcome<HashMap<String, StatedTensor>> {
    let name = &files.head.files[file].name;
    let open = files.store.open(name)?;
    if name.ends_with(".npy") {
        let element_type = like.layout.element_type();
        let array = npy::read(&open, npy::Requested::Entry(Some(element_type)))?;
        let said = StatedTensor {
            place: (array.offset, array.stored_bytes()),
            dims: array.layout.dims().to_vec(),
            origin: None,
        };
        return Ok(HashMap::from([(tensor_of(name), said)]));
    }
    let wrong = || open.wrong("has no header of safetensors");
    let mut length = [0; 8];
    open.read(&mut length, 0)?;
    let length = u64::from_le_bytes(length);
    if length > open.length.saturating_sub(8) {
        return Err(wrong());
    }
    let header: Map<String, Value> =
        serde_json::from_slice(&open.bytes(8, length)?).map_err(|_| wrong())?;
    let none = Value::Null;
    let metadata = header.get(METADATA).unwrap_or(&none);
    let offsets = metadata[OFFSETS_KEY].as_str().unwrap_or("null");
    let offsets: Value = serde_json::from_str(offsets).map_err(|_| wrong())?;
    let said = |(tensor, entry): (&String, &Value)| {
        let place = sizes(&entry["data_offsets"])?;
        let shape = metadata[format!("{SHAPE_KEY}{tensor}")].as_str();
        let layout = shape.and_then(|shape| shape.parse::<DynLayout>().ok());
        let dims = match layout {
            Some(layout) => layout.dims().to_vec(),
            None => sizes(&entry["shape"])?,
        };
        let at = &offsets[tensor];
        let origin = sizes(&at[ORIGIN_KEY]).or_else(|| sizes(&at[BYTES_ORIGIN_KEY]));
        let [begin, end] = place[..] else {
            return None;
        };
        let place = (8 + length + begin as u64, end.checked_sub(begin)? as u64);
        let said = StatedTensor {
            place,
            dims,
            origin,
        };
        Some((tensor.clone(), said))
    };
    let tensors = header.iter().filter(|(tensor, _)| *tensor != METADATA);
    tensors.map(said).collect::<Option<_>>().ok_or_else(wrong)
}
