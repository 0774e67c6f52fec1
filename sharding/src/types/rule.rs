//! What a sharding in a type says, as constants, and which device holds what.

use alloc::vec::Vec;

use xlayout_core::Dim;

use crate::arithmetic::{
    coordinate, part_range, part_size, position_in_iota, position_in_list, product, smaller,
};
use crate::{Sharding, ShardingError, SubgroupType, TileAssignment};

/// A sharding. Public only as far as the traits of its type need it.
#[derive(Clone, Copy)]
pub enum Rule {
    Replicated,
    Manual,
    Unreduced,
    Unknown,
    Maximal(i64),
    Tiled(Tiles),
}

/// Tiles and their devices.
#[derive(Clone, Copy)]
pub struct Tiles {
    /// Into how many parts each dimension is cut, then the sizes of the subgroups.
    pub grid: &'static [i64],
    /// How many of them are subgroups.
    pub groups: usize,
    /// What those share; nothing for `last_tile_dim_replicate`.
    pub types: &'static [SubgroupType],
    pub order: DeviceRule,
}

/// The devices of a grid, row-major.
#[derive(Clone, Copy)]
pub enum DeviceRule {
    Iota {
        dims: &'static [i64],
        transpose: &'static [usize],
    },
    Listed(Option<&'static Node>),
}

/// A row of listed devices.
pub struct Node {
    pub row: &'static [i64],
    pub rest: Option<&'static Node>,
}

/// What is wrong with a sharding for two lists of dimensions.
pub(super) enum Unfit {
    Rank,
    Numbers,
    Devices,
    PerDevice,
}

impl Rule {
    /// Into how many parts each dimension is cut; nothing where none is.
    pub(super) const fn parts(&self) -> &'static [i64] {
        match self {
            Self::Tiled(tiles) => tiles.grid.split_at(tiles.grid.len() - tiles.groups).0,
            _ => &[],
        }
    }

    /// How many devices there are, where that is said.
    pub(super) const fn devices(&self) -> Option<i64> {
        match self {
            Self::Tiled(tiles) => product(tiles.grid),
            Self::Maximal(_) => Some(1),
            _ => None,
        }
    }

    /// Whether this is a sharding of these dimensions, with these on each device.
    pub(super) const fn check(&self, global: &[Dim], per_device: &[Dim]) -> Result<(), Unfit> {
        let parts = match self {
            Self::Tiled(tiles) => {
                if tiles.groups > tiles.grid.len() {
                    return Err(Unfit::Rank);
                }
                let Some(devices) = product(tiles.grid) else {
                    return Err(Unfit::Numbers);
                };
                if !tiles.order.is_of(devices) {
                    return Err(Unfit::Devices);
                }
                if self.parts().len() != global.len() {
                    return Err(Unfit::Rank);
                }
                self.parts()
            }
            _ => &[],
        };
        if per_device.len() != global.len() {
            return Err(Unfit::PerDevice);
        }
        each!(d, 0..global.len(), {
            let parts = if d < parts.len() { parts[d] } else { 1 };
            let same = match (global[d], per_device[d]) {
                (Dim::Static(whole), Dim::Static(part))
                | (Dim::Bounded(whole), Dim::Bounded(part)) => part_size(whole, parts) == part,
                (Dim::Unbounded, Dim::Unbounded) => parts == 1,
                _ => false,
            };
            if !same {
                return Err(Unfit::PerDevice);
            }
        });
        Ok(())
    }

    /// Fills in the place of the device's tile among the parts of each dimension. `false` where the
    /// device holds nothing, or its part is unknown.
    pub(super) const fn tile_index(&self, device: i64, index: &mut [usize]) -> bool {
        let tiles = match self {
            Self::Replicated | Self::Unreduced => return true,
            Self::Maximal(only) => return *only == device,
            Self::Manual | Self::Unknown => return false,
            Self::Tiled(tiles) => tiles,
        };
        let Some(position) = tiles.order.position_of(device) else {
            return false;
        };
        let mut d = 0;
        while d < index.len() && d < tiles.grid.len() {
            index[d] = number_of_tile(coordinate(tiles.grid, position, d));
            d += 1;
        }
        true
    }

    /// The coordinates that a device holds in a dimension of this size, given the place of its
    /// tile: from the first one to the one behind the last.
    pub(super) const fn range(&self, dim: usize, size: usize, tile: usize) -> (usize, usize) {
        let parts = self.parts();
        if dim >= parts.len() {
            return (0, size);
        }
        // Both ends are at most `size`.
        let (start, end) = part_range(size as u64, parts[dim] as u64, tile as u64);
        (start as usize, end as usize)
    }
}

impl Rule {
    /// The same sharding as a value.
    pub(super) fn sharding(&self) -> Result<Sharding, ShardingError> {
        let tiles = match self {
            Self::Replicated => return Ok(Sharding::replicated()),
            Self::Manual => return Ok(Sharding::manual()),
            Self::Unreduced => return Ok(Sharding::unreduced()),
            Self::Unknown => return Ok(Sharding::unknown()),
            Self::Maximal(device) => return Ok(Sharding::maximal(*device)),
            Self::Tiled(tiles) => tiles,
        };
        let assignment = match tiles.order {
            DeviceRule::Iota { dims, transpose } => {
                TileAssignment::reshaped(tiles.grid, dims, transpose)?
            }
            DeviceRule::Listed(mut rows) => {
                let mut devices = Vec::new();
                while let Some(node) = rows {
                    devices.extend_from_slice(node.row);
                    rows = node.rest;
                }
                TileAssignment::list(tiles.grid, devices)?
            }
        };
        if tiles.groups > 0 && tiles.types.is_empty() {
            Sharding::partial_tile(assignment)
        } else {
            Sharding::subgroup(assignment, tiles.types)
        }
    }
}

impl DeviceRule {
    /// Whether the number of devices is `count`.
    const fn is_of(&self, count: i64) -> bool {
        match self {
            Self::Iota { dims, transpose } => {
                let same = matches!(product(dims), Some(product) if product == count);
                let mut all = same && dims.len() == transpose.len();
                each!(k, 0..transpose.len(), {
                    all &= transpose[k] < dims.len();
                    each!(j, 0..k, {
                        all &= transpose[j] != transpose[k];
                    });
                });
                all
            }
            Self::Listed(rows) => {
                let mut rows = *rows;
                let mut listed = 0;
                while let Some(node) = rows {
                    listed += node.row.len() as i64;
                    rows = node.rest;
                }
                listed == count
            }
        }
    }

    /// The position of a device in the grid, row-major.
    const fn position_of(&self, device: i64) -> Option<i64> {
        match self {
            Self::Iota { dims, transpose } => position_in_iota(dims, transpose, device),
            Self::Listed(rows) => {
                let mut rows = *rows;
                let mut before = 0;
                let mut found = None;
                while let Some(node) = rows {
                    if let Some(k) = position_in_list(node.row, device) {
                        found = Some(before + k as i64);
                    }
                    before += node.row.len() as i64;
                    rows = node.rest;
                }
                found
            }
        }
    }
}

/// The number of a tile. One that a pointer of 32 bits does not count comes after every coordinate,
/// as the largest `usize` does.
const fn number_of_tile(n: i64) -> usize {
    smaller(n as u64, usize::MAX as u64) as usize
}

#[cfg(test)]
mod tests;
