//! Where the part of each file begins in a tensor, by the numbers in the names of its files: behind
//! the files of the tiles before it, along each dimension.

use std::collections::HashMap;

use xlayout::sharding::{Sharding, Tiling};

use crate::error::Outcome;
use crate::names;
use crate::plan::{Head, Stated, damaged, devices};
use xlayout_words::{counted, listed, short};

/// For each file of a tensor, where its part begins.
pub(super) type Origins = HashMap<usize, Vec<usize>>;

pub(super) fn tiling(from: &str) -> Option<Tiling> {
    let from: Sharding = from.parse().ok()?;
    from.as_tiled().cloned()
}

/// The files of a tensor in the sequence of their numbers, and where the part of each begins.
pub(super) fn origins<'a>(
    head: &Head,
    stated: &Stated,
    mut files: Vec<usize>,
    dims: &dyn Fn(usize) -> &'a Vec<usize>,
) -> Outcome<(Vec<usize>, Origins)> {
    let wrong = |what: &str| damaged(format_args!("`{}`: {what}", short(&stated.from)));
    let from: Sharding = stated.from.parse().map_err(|_| wrong("no sharding"))?;
    let rank = files.first().map_or(0, |file| dims(*file).len());
    let Some(tiling) = from.as_tiled() else {
        let all = files.iter().map(|file| (*file, vec![0; rank]));
        return Ok((files.clone(), all.collect()));
    };
    let devices = devices(tiling);
    let mut tiles: Vec<Vec<i64>> = Vec::new();
    for device in &devices {
        let index = from.tile_index_for_device(*device);
        let mut tile = index.map_err(|_| wrong("a device has no tile"))?;
        tile.truncate(rank);
        tiles.push(tile);
    }
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
    files = match (&stated.files, numbers.collect::<Option<Vec<u64>>>()) {
        (None, Some(numbers)) => names::in_sequence(numbers, files),
        (order, _) => {
            let devices: Vec<u64> = devices.into_iter().map(i64::cast_unsigned).collect();
            let places = names::places(&names, order.as_ref(), &devices);
            names::in_sequence(places.map_err(|what| wrong(&what))?, files)
        }
    };
    let of_tile: HashMap<&Vec<i64>, usize> = tiles.iter().zip(files.iter().copied()).collect();
    let origin = |tile: &Vec<i64>| -> Option<Vec<usize>> {
        let start = |dim: usize| {
            let before = (0..tile[dim]).map(|k| {
                let mut earlier = tile.clone();
                earlier[dim] = k;
                Some(dims(*of_tile.get(&earlier)?)[dim])
            });
            before.sum::<Option<usize>>()
        };
        (0..rank).map(start).collect()
    };
    let mut all = Origins::new();
    for (tile, file) in tiles.iter().zip(&files) {
        let origin = origin(tile).ok_or_else(|| wrong("a tile has no file"))?;
        all.insert(*file, origin);
    }
    Ok((files, all))
}

/// The number in which a name differs from the others: what is left of it without the text that all
/// of them begin with, and that with which they end.
fn number(name: &str, all: &[&str]) -> Option<u64> {
    let bytes = name.as_bytes();
    let same = |at: usize| {
        all.iter()
            .all(|other| other.as_bytes().get(at) == bytes.get(at))
    };
    let mut begin = (0..bytes.len()).take_while(|at| same(*at)).count();
    let from_end = |other: &str, at: usize| other.len().checked_sub(at + 1);
    let same = |at: usize| {
        let byte = |other: &str| Some(other.as_bytes()[from_end(other, at)?]);
        all.iter().all(|other| byte(other) == byte(name))
    };
    let mut end = bytes.len() - (0..bytes.len()).take_while(|at| same(*at)).count();
    // The digits that all have belong to the number.
    while begin > 0 && bytes[begin - 1].is_ascii_digit() {
        begin -= 1;
    }
    while end < bytes.len() && bytes[end].is_ascii_digit() {
        end += 1;
    }
    name.get(begin..end)?.parse().ok()
}
