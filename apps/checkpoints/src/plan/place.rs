//! The positions of pieces in a tensor, and of the parts that are written.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use xlayout::sharding::{Sharding, ShardingKind, Tiling};
use xlayout::{ArrayLayout, DynLayout, ElementType};

use crate::array::{self, Area, Array, area};
use crate::names::{self, FileOrder};
use xlayout_words::{counted, grouped, joined};

/// The parts that devices hold, each once, with the first device that holds it.
///
/// # Errors
/// When the sharding is for another number of dimensions, or does not determine what a device
/// holds.
pub(super) fn parts(
    sharding: &Sharding,
    element_type: ElementType,
    whole: &[usize],
) -> Result<Vec<(u64, Area)>, String> {
    let too_large = "the tensor is too large";
    let shape = array::shape(element_type, whole).ok_or(too_large)?;
    let all = || whole.iter().map(|size| 0..*size).collect::<Area>();
    let number = |device: i64| u64::try_from(device).map_err(|_| "a device is negative".to_owned());
    let tiling = match sharding.kind() {
        ShardingKind::Replicated => return Ok(vec![(0, all())]),
        ShardingKind::Maximal(device) => return Ok(vec![(number(*device)?, all())]),
        ShardingKind::Tiled(tiling) => tiling,
        _ => {
            return Err(format!(
                "`{sharding}` does not say which elements a device holds; write `{{devices=[…]…}}` \
                 or `{{replicated}}`"
            ));
        }
    };
    let mut seen = HashSet::new();
    let mut parts = Vec::new();
    for device in devices(tiling) {
        let ranges = sharding.index_ranges(&shape, device);
        let ranges = ranges.map_err(|error| format!("{}; {}", error.message(), error.help()))?;
        let range = |range: &Range<i64>| range.start as usize..range.end as usize;
        let device = number(device)?;
        let area: Area = ranges.iter().map(range).collect();
        // The first device holds a tensor without elements.
        if whole.contains(&0) {
            return Ok(vec![(device, all())]);
        }
        if area.iter().all(|range| !range.is_empty()) && seen.insert(area.clone()) {
            parts.push((device, area));
        }
    }
    Ok(parts)
}

/// The place of each piece among those of a tensor, by the names of their files: the device that
/// has it, or the distinct part of one.
///
/// # Errors
/// When the names do not say it.
pub(super) fn sequence(
    names: &[&str],
    from: &Sharding,
    files: Option<&FileOrder>,
) -> Result<Vec<usize>, String> {
    let Some(tiling) = from.as_tiled() else {
        return Ok((0..names.len()).collect());
    };
    let mut devices = devices(tiling);
    if devices.len() != names.len() {
        let mut seen = HashSet::new();
        devices.retain(|device| seen.insert(from.tile_index_for_device(*device).ok()));
    }
    let numbers = devices.into_iter().map(i64::cast_unsigned);
    names::places(names, files, &numbers.collect::<Vec<_>>())
}

/// The pieces that are used, each with its place in the tensor, and the sizes of the tensor. In
/// place of its file a piece has its number among all of them. Without a place in their files they
/// are in the sequence of the devices of `from`.
///
/// # Errors
/// When the position is not stated, or the pieces do not have every element once.
pub(super) fn pieces(
    all: &[Array],
    from: Option<&Sharding>,
) -> Result<(Vec<Array>, Vec<usize>), String> {
    let first = &all[0].layout;
    let kind = |layout: &DynLayout| (layout.rank(), layout.element_type());
    if let Some(different) = all.iter().find(|piece| kind(&piece.layout) != kind(first)) {
        let [a, b] = [first, &different.layout].map(|layout| array::text(layout));
        return Err(format!(
            "its pieces are of different kinds, `{a}` and `{b}`"
        ));
    }
    let placed = || all.iter().map(|piece| piece.origin.clone()).collect();
    let is_placed = all.iter().all(|piece| piece.is_placed);
    let origins = match from {
        _ if is_placed => placed(),
        Some(from) => by_sharding(all, from)?,
        None if all.len() == 1 => placed(),
        None => {
            let count = all.len();
            let files = counted(all.len(), "file");
            return Err(format!(
                "it is in {files}, which do not say which part each has; say it in its entry: \
                 `from = \"{{replicated}}\"` if all have the same, or a sharding, \
                 `from = \"{{devices=[{count},1]<=[{count}]}}\"`"
            ));
        }
    };
    // A piece that several files have is read from the first one.
    let mut seen = HashSet::new();
    let mut placed = Vec::new();
    for (file, (origin, piece)) in origins.into_iter().zip(all).enumerate() {
        if seen.insert((origin.clone(), piece.layout.dims())) {
            let mut piece = piece.clone();
            (piece.file, piece.offset, piece.origin) = (file, 0, origin);
            placed.push(piece);
        }
    }
    let areas: Vec<Area> = placed.iter().map(Array::area).collect();
    let end = |dim: usize| areas.iter().map(|area| area[dim].end).max().unwrap_or(0);
    let found = || (0..first.rank()).map(end).collect();
    let whole = all[0].whole.clone().unwrap_or_else(found);
    let sizes = joined(&whole, ",");
    cover(&area(&vec![0; whole.len()], &whole), &areas)
        .map_err(|what| format!("of `[{sizes}]` its files have {what}"))?;
    if let Some(from) = from.filter(|_| is_placed) {
        let said: BTreeSet<Vec<usize>> = (parts(from, first.element_type(), &whole)?.iter())
            .map(|(_, area)| array::origin(area))
            .collect();
        let has: BTreeSet<Vec<usize>> = areas.iter().map(|area| array::origin(area)).collect();
        if said != has {
            return Err(format!(
                "`from` is `{from}`, but its files say themselves where their parts begin, and \
                 that is elsewhere; leave `from` out"
            ));
        }
    }
    Ok((placed, whole))
}

/// The index at which each piece begins: file `k` has what device `k` holds, or the `k`-th distinct
/// part.
fn by_sharding(all: &[Array], from: &Sharding) -> Result<Vec<Vec<usize>>, String> {
    let rank = all[0].layout.rank();
    let Some(tiling) = from.as_tiled() else {
        let dims = all[0].layout.dims();
        let different = all.iter().find(|piece| piece.layout.dims() != dims);
        let files = counted(all.len(), "file");
        return Err(match (from.kind(), different) {
            (ShardingKind::Replicated, None) => return Ok(vec![vec![0; rank]; all.len()]),
            (ShardingKind::Replicated, Some(different)) => {
                let [a, b] = [dims, different.layout.dims()].map(|dims| joined(dims, ","));
                format!(
                    "`from` says that all its files have the same, but one has `[{a}]` and one \
                     `[{b}]`"
                )
            }
            (ShardingKind::Maximal(_), _) if all.len() == 1 => return Ok(vec![vec![0; rank]]),
            (ShardingKind::Maximal(device), _) => {
                format!("`from` says that only device {device} has it, but it is in {files}")
            }
            _ => format!("`from` is `{from}`, which says no part of a file"),
        });
    };
    if tiling.tiled_data_rank() != rank {
        let cuts = counted(tiling.tiled_data_rank(), "dimension");
        return Err(format!("`from` cuts {cuts}, but the tensor has {rank}"));
    }
    let mut tiles: Vec<Vec<i64>> = Vec::new();
    for device in devices(tiling) {
        let mut tile = from.tile_index_for_device(device).unwrap_or_default();
        tile.truncate(rank);
        tiles.push(tile);
    }
    if all.len() != tiles.len() {
        let mut seen = HashSet::new();
        tiles.retain(|tile| seen.insert(tile.clone()));
        if all.len() != tiles.len() {
            let devices = counted(tiling.tile_assignment().num_devices() as u64, "device");
            let parts = counted(tiles.len(), "different part");
            let files = counted(all.len(), "file");
            return Err(format!(
                "`from` has {devices} with {parts}, but the tensor is in {files}"
            ));
        }
        if !tiles.is_sorted() {
            let devices = tiling.tile_assignment().num_devices();
            let files = all.len();
            return Err(format!(
                "`from` has {devices} devices and the tensor is in {files} files; they may be in \
                 the sequence of the devices or of the parts, which differ; write `from` with \
                 {files} devices, one for each file"
            ));
        }
    }
    // A tile begins at the end of the tiles before it along a dimension.
    let size = |dim: usize, at: i64| {
        let mut wanted = vec![0; rank];
        wanted[dim] = at;
        let found = tiles.iter().position(|tile| *tile == wanted);
        found.map_or(0, |k| all[k].layout.dims()[dim])
    };
    let same = (all.iter().zip(&tiles))
        .all(|(piece, tile)| (0..rank).all(|dim| piece.layout.dims()[dim] == size(dim, tile[dim])));
    let before = |dim: usize, at: i64| (0..at).map(|k| size(dim, k)).sum::<usize>();
    let origin = |tile: &Vec<i64>| (0..rank).map(|dim| before(dim, tile[dim])).collect();
    if same {
        Ok(tiles.iter().map(origin).collect())
    } else {
        Err("its files have not the parts that `from` says".to_owned())
    }
}

/// The devices of a tiling in their sequence.
pub(crate) fn devices(tiling: &Tiling) -> Vec<i64> {
    let mut devices: Vec<i64> = tiling.tile_assignment().devices().collect();
    devices.sort_unstable();
    devices
}

fn volume(area: &Area) -> u128 {
    // A size is below 2^64. A product that saturates differs from all numbers that it is compared
    // with.
    let sizes = area.iter().map(|range| range.len() as u128);
    sizes.fold(1, u128::saturating_mul)
}

/// Checks that boxes have each element of `all` once.
///
/// # Errors
/// The elements that are missing or occur twice.
pub(crate) fn cover(all: &Area, areas: &[Area]) -> Result<(), String> {
    let inside = areas.iter().filter_map(|area| array::common(area, all));
    let mut inside: Vec<Area> = inside.collect();
    let sum = inside.iter().map(volume).fold(0, u128::saturating_add);
    let total = volume(all);
    // If boxes are sorted by the first dimension, only neighbours can overlap.
    inside.sort_by_key(|area| area.first().map_or(0, |range| range.start));
    for (k, a) in inside.iter().enumerate() {
        let end = a.first().map_or(usize::MAX, |range| range.end);
        let near = |b: &&Area| b.first().is_none_or(|range| range.start < end);
        for b in inside[k + 1..].iter().take_while(near) {
            if let Some(both) = array::common(a, b) {
                return Err(format!("the elements [{}] twice", array::ranges(&both)));
            }
        }
    }
    if sum < total {
        return Err(format!("{} of {}", grouped(sum), counted(total, "element")));
    }
    Ok(())
}
