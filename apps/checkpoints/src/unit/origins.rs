//! Where the part of each file begins in a tensor, by the numbers in the names of its files.
//!
//! ```text
//! sort the files by the numbers in their names
//! the tiles of the devices, in the sequence of the devices, are those of the files
//! a part begins, along each dimension, behind the parts of the tiles before its own: it is the sum
//!     of their sizes
//! ```

use std::collections::HashMap;

use xlayout::sharding::{Sharding, Tiling};

use crate::error::Outcome;
use crate::names;
use crate::plan::{Head, Stated, damaged, devices};
use xlayout_words::{counted, listed, short};

/// For each file of a tensor, where its part begins.
pub(super) type Origins = HashMap<usize, Vec<usize>>;

/// The tiling that the text of a sharding states; `None` if it states no tiles.
pub(super) fn tiling(from: &str) -> Option<Tiling> {
    let sharding: Sharding = from.parse().ok()?;
    sharding.as_tiled().cloned()
}

/// The files of a tensor in the sequence of their numbers, and where the part of each begins.
/// `dims` gives the sizes of the part of a file.
pub(super) fn origins<'a>(
    head: &Head,
    stated: &Stated,
    mut files: Vec<usize>,
    dims: &dyn Fn(usize) -> &'a Vec<usize>,
) -> Outcome<(Vec<usize>, Origins)> {
    let wrong = |what: &str| damaged(format_args!("`{}`: {what}", short(&stated.from)));
    let sharding: Sharding = stated.from.parse().map_err(|_| wrong("no sharding"))?;
    let rank = files.first().map_or(0, |file| dims(*file).len());
    let Some(tiling) = sharding.as_tiled() else {
        // Each file has the whole tensor.
        let zeros = files.iter().map(|file| (*file, vec![0; rank]));
        return Ok((files.clone(), zeros.collect()));
    };
    let devices = devices(tiling);
    let mut tiles: Vec<Vec<i64>> = Vec::new();
    for device in &devices {
        let index = sharding.tile_index_for_device(*device);
        let mut tile = index.map_err(|_| wrong("a device has no tile"))?;
        // Further dimensions of the tiling count the devices that have the same part.
        tile.truncate(rank);
        tiles.push(tile);
    }
    // There is a file for each device, or one for all devices that have the same tile.
    if tiles.len() != files.len() {
        tiles.sort_unstable();
        tiles.dedup();
    }
    if tiles.len() != files.len() {
        let has = listed(&[counted(tiles.len(), "part"), counted(files.len(), "file")]);
        return Err(wrong(&format!("{has} of a tensor")));
    }
    let names: Vec<&str> = files.iter().map(|file| &*head.files[*file].name).collect();
    let numbers = names.iter().map(|name| number(name, &names));
    let numbers = numbers.collect::<Option<Vec<u64>>>();
    files = match (&stated.files, numbers) {
        (None, Some(numbers)) => names::in_sequence(numbers, files),
        (order, _) => {
            let devices: Vec<u64> = devices.into_iter().map(i64::cast_unsigned).collect();
            let places = names::places(&names, order.as_ref(), &devices);
            names::in_sequence(places.map_err(|what| wrong(&what))?, files)
        }
    };
    let with_file = tiles.iter().zip(files.iter().copied());
    let file_of_tile: HashMap<&Vec<i64>, usize> = with_file.collect();
    let origin = |tile: &Vec<i64>| -> Option<Vec<usize>> {
        let start = |dim: usize| {
            let sizes_before = (0..tile[dim]).map(|k| {
                let mut earlier = tile.clone();
                earlier[dim] = k;
                let file = *file_of_tile.get(&earlier)?;
                Some(dims(file)[dim])
            });
            sizes_before.sum::<Option<usize>>()
        };
        (0..rank).map(start).collect()
    };
    let mut origins = Origins::new();
    for (tile, file) in tiles.iter().zip(&files) {
        let origin = origin(tile).ok_or_else(|| wrong("a tile has no file"))?;
        origins.insert(*file, origin);
    }
    Ok((files, origins))
}

/// The number in which a name differs from the others: what is left of it without the text that all
/// of them begin with, and that with which they end.
fn number(name: &str, all: &[&str]) -> Option<u64> {
    let bytes = name.as_bytes();
    let is_same_from_start = |at: &usize| {
        let byte = |text: &str| text.as_bytes().get(*at).copied();
        all.iter().all(|other| byte(other) == byte(name))
    };
    let is_same_from_end = |at: &usize| {
        let byte = |text: &str| Some(text.as_bytes()[text.len().checked_sub(*at + 1)?]);
        all.iter().all(|other| byte(other) == byte(name))
    };
    let mut begin = (0..bytes.len()).take_while(is_same_from_start).count();
    let same_at_end = (0..bytes.len()).take_while(is_same_from_end).count();
    let mut end = bytes.len() - same_at_end;
    // The digits that all have belong to the number.
    while begin > 0 && bytes[begin - 1].is_ascii_digit() {
        begin -= 1;
    }
    while end < bytes.len() && bytes[end].is_ascii_digit() {
        end += 1;
    }
    name.get(begin..end)?.parse().ok()
}
