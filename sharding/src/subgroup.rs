//! Subgroups of devices, and XLA's canonical form of shardings with them.

use alloc::vec::Vec;

use super::canonical::{sort_minor, transpose_grid};
use super::sharding::tiled;
use super::{
    Sharding, ShardingError, ShardingErrorKind as Kind, ShardingKind, SubgroupType, TileAssignment,
    Tiling,
};

impl Sharding {
    /// Cut into tiles, each of which several devices hold: those along the last number of the grid
    /// (XLA: `HloSharding::PartialTile`; in text `last_tile_dim_replicate`).
    ///
    /// ```
    /// use xlayout_sharding::{Sharding, TileAssignment};
    /// let sharding = Sharding::partial_tile(TileAssignment::iota(&[2, 4])?)?;
    /// assert_eq!(sharding.to_string(), "{devices=[2,4]<=[8] last_tile_dim_replicate}");
    /// // All devices hold all of it:
    /// let sharding = Sharding::partial_tile(TileAssignment::iota(&[1, 8])?)?;
    /// assert_eq!(sharding.to_string(), "{replicated}");
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    ///
    /// # Errors
    /// If each group must be written out to be put in ascending sequence, and there are more than
    /// [`MAX_WRITTEN_OUT`](super::MAX_WRITTEN_OUT) devices.
    #[doc(alias = "PartialTile")]
    pub fn partial_tile(assignment: TileAssignment) -> Result<Self, ShardingError> {
        Ok(partial_tile(assignment)?.into())
    }

    /// Cut into tiles, with subgroups of devices along the last numbers of the grid
    /// (XLA: `HloSharding::Subgroup`; in text `last_tile_dims={manual, replicated}`). Subgroups of
    /// one kind become one, those of one device fall away.
    ///
    /// ```
    /// use xlayout_sharding::{Sharding, SubgroupType, TileAssignment};
    /// let groups = [SubgroupType::Replicated, SubgroupType::Manual];
    /// let sharding = Sharding::subgroup(TileAssignment::iota(&[2, 1, 2, 4])?, &groups)?;
    /// assert_eq!(
    ///     sharding.to_string(),
    ///     "{devices=[2,1,4,2]<=[2,2,4]T(0,2,1) last_tile_dims={manual, replicated}}",
    /// );
    /// # Ok::<(), xlayout_sharding::ShardingError>(())
    /// ```
    ///
    /// # Errors
    /// If there are more subgroups than numbers in the grid, or devices must be written out and are
    /// more than [`MAX_WRITTEN_OUT`](super::MAX_WRITTEN_OUT).
    #[doc(alias = "Subgroup")]
    pub fn subgroup(
        assignment: TileAssignment,
        types: &[SubgroupType],
    ) -> Result<Self, ShardingError> {
        Ok(subgroup(assignment, types)?.into())
    }
}

/// The canonical form of [`Sharding::partial_tile`].
fn partial_tile(assignment: TileAssignment) -> Result<ShardingKind, Kind> {
    let grid = assignment.dimensions();
    let devices = assignment.num_devices();
    let (group_size, data_grid) = match grid.split_last() {
        Some((&size, data_grid)) if !data_grid.is_empty() && size != devices => (size, data_grid),
        _ => return Ok(ShardingKind::Replicated),
    };
    if group_size == 1 {
        return Ok(tiled(assignment.with_dimensions(data_grid), Vec::new()));
    }
    Ok(ShardingKind::Tiled(Tiling {
        assignment: with_sorted_groups(&assignment, group_size)?,
        replicate_on_last_tile_dim: true,
        subgroup_types: Vec::new(),
    }))
}

/// The assignment with the devices of each group sorted: they hold the same data, so their order
/// does not matter. A group is `group_size` devices in a row.
fn with_sorted_groups(
    assignment: &TileAssignment,
    group_size: i64,
) -> Result<TileAssignment, Kind> {
    let grid = assignment.dimensions();
    if let Some((reshape_dims, transpose_perm)) = assignment.iota_dims() {
        let last = transpose_perm.last().map(|&p| reshape_dims[p]);
        if last == Some(group_size) {
            // A group is one dimension of the iota, along which the devices ascend.
            return Ok(assignment.clone());
        }
        if let Some((dims, perm)) = sort_minor(reshape_dims, transpose_perm, group_size) {
            return TileAssignment::reshaped(grid, &dims, &perm);
        }
    }
    let mut devices = assignment.written_out()?;
    if let Ok(group_size) = usize::try_from(group_size) {
        for group in devices.chunks_mut(group_size) {
            group.sort_unstable();
        }
    }
    TileAssignment::list(grid, devices)
}

/// The canonical form of [`Sharding::subgroup`].
fn subgroup(assignment: TileAssignment, types: &[SubgroupType]) -> Result<ShardingKind, Kind> {
    let grid = assignment.dimensions();
    let Some(&first) = types.first() else {
        return Ok(tiled(assignment, Vec::new()));
    };
    // The dimensions of the grid that cut the data. The others are those of the subgroups.
    let Some(data_rank) = grid.len().checked_sub(types.len()) else {
        return Err(Kind::SubgroupRank {
            subgroups: types.len(),
            dimensions: grid.len(),
        });
    };
    let is_whole = grid[..data_rank].iter().all(|size| *size == 1);
    if is_whole && types.iter().all(|kind| *kind == first) {
        match first {
            SubgroupType::Manual => return Ok(ShardingKind::Manual),
            SubgroupType::Replicated => return Ok(ShardingKind::Replicated),
            SubgroupType::Unreduced => return Ok(ShardingKind::Unreduced),
            SubgroupType::Maximal => {}
        }
    }
    let merged = MergedSubgroups::new(grid, data_rank, types);
    let assignment = transposed(&assignment, &merged.permutation, &merged.grid)?;
    let group_size = merged.grid.last().copied().unwrap_or(1);
    match merged.types[..] {
        [SubgroupType::Replicated] => partial_tile(assignment),
        // All of the devices in one subgroup. XLA leaves `unreduced` as it is here, although what
        // it then prints is read as `{unreduced}`.
        [only @ (SubgroupType::Manual | SubgroupType::Unreduced)]
            if group_size == assignment.num_devices() =>
        {
            Ok(match only {
                SubgroupType::Manual => ShardingKind::Manual,
                _ => ShardingKind::Unreduced,
            })
        }
        [.., SubgroupType::Replicated] => {
            let assignment = with_sorted_groups(&assignment, group_size)?;
            Ok(tiled(assignment, merged.types))
        }
        _ => Ok(tiled(assignment, merged.types)),
    }
}

/// One subgroup of each kind, in XLA's sequence.
struct MergedSubgroups {
    /// The dimensions of the old grid: those of one kind side by side, those of one device at the
    /// very end.
    permutation: Vec<usize>,
    grid: Vec<i64>,
    types: Vec<SubgroupType>,
}

impl MergedSubgroups {
    fn new(grid: &[i64], data_rank: usize, types: &[SubgroupType]) -> Self {
        let mut merged = Self {
            permutation: (0..data_rank).collect(),
            grid: grid[..data_rank].to_vec(),
            types: Vec::new(),
        };
        let subgroups = data_rank..grid.len();
        for kind in SubgroupType::ALL {
            let is_of_kind = |&d: &usize| types[d - data_rank] == kind && grid[d] != 1;
            let of_kind: Vec<usize> = subgroups.clone().filter(is_of_kind).collect();
            if !of_kind.is_empty() {
                merged.grid.push(of_kind.iter().map(|&d| grid[d]).product());
                merged.types.push(kind);
                merged.permutation.extend(of_kind);
            }
        }
        merged
            .permutation
            .extend(subgroups.filter(|&d| grid[d] == 1));
        if merged.grid.is_empty() {
            // All of it is on one device, in subgroups of different kinds.
            merged.grid.push(1);
        }
        merged
    }
}

/// The devices with the dimensions of their grid permuted, in a grid of these dimensions.
fn transposed(
    assignment: &TileAssignment,
    permutation: &[usize],
    dimensions: &[i64],
) -> Result<TileAssignment, Kind> {
    let grid = assignment.dimensions();
    if let Some((reshape_dims, transpose_perm)) = assignment.iota_dims()
        && let Some((dims, perm)) = transpose_grid(grid, reshape_dims, transpose_perm, permutation)
    {
        return TileAssignment::reshaped(dimensions, &dims, &perm);
    }
    // The place of each tile's device in the list of the old grid.
    let places = TileAssignment::reshaped(dimensions, grid, permutation)?;
    places.of_list(&assignment.written_out()?)
}
