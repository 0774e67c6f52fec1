//! What a sharding in a type says, as constants, and which device holds what.

use core::fmt;

use xlayout_core::Dim;

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
    /// What those are called; nothing for `last_tile_dim_replicate`.
    pub names: &'static [&'static str],
    pub order: Order,
}

/// The devices of a grid, row-major.
#[derive(Clone, Copy)]
pub enum Order {
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
        let mut d = 0;
        while d < global.len() {
            let parts = if d < parts.len() { parts[d] } else { 1 };
            let same = match (global[d], per_device[d]) {
                (Dim::Static(whole), Dim::Static(part))
                | (Dim::Bounded(whole), Dim::Bounded(part)) => ceil_div(whole, parts) == part,
                (Dim::Unbounded, Dim::Unbounded) => parts == 1,
                _ => false,
            };
            if !same {
                return Err(Unfit::PerDevice);
            }
            d += 1;
        }
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
        let Some(mut place) = tiles.order.place_of(device) else {
            return false;
        };
        let mut d = tiles.grid.len();
        while d > 0 {
            d -= 1;
            if d < index.len() {
                index[d] = number_of_tile(place % tiles.grid[d]);
            }
            place /= tiles.grid[d];
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
        // In 64 bits on every target: there may be more parts than a pointer of 32 bits counts.
        let (size, tile) = (size as u64, tile as u64);
        let width = size.div_ceil(parts[dim] as u64);
        let start = smaller(tile.saturating_mul(width), size);
        // Both are at most `size`.
        let end = smaller(start.saturating_add(width), size);
        (start as usize, end as usize)
    }
}

impl Order {
    /// Whether there are so many devices.
    const fn is_of(&self, count: i64) -> bool {
        match self {
            Self::Iota { dims, transpose } => {
                let same = matches!(product(dims), Some(product) if product == count);
                let mut all = same && dims.len() == transpose.len();
                let mut k = 0;
                while all && k < transpose.len() {
                    all = transpose[k] < dims.len();
                    let mut j = 0;
                    while j < k {
                        all &= transpose[j] != transpose[k];
                        j += 1;
                    }
                    k += 1;
                }
                all
            }
            Self::Listed(rows) => {
                let (mut rows, mut listed) = (*rows, 0);
                while let Some(node) = rows {
                    listed += node.row.len() as i64;
                    rows = node.rest;
                }
                listed == count
            }
        }
    }

    /// The place of a device in the grid, row-major.
    const fn place_of(&self, device: i64) -> Option<i64> {
        match self {
            Self::Iota { dims, transpose } => {
                if device < 0 || !matches!(product(dims), Some(count) if device < count) {
                    return None;
                }
                let (mut place, mut k) = (0, 0);
                while k < transpose.len() {
                    let (mut rest, mut d) = (device, dims.len() - 1);
                    while d > transpose[k] {
                        rest /= dims[d];
                        d -= 1;
                    }
                    place = place * dims[transpose[k]] + rest % dims[transpose[k]];
                    k += 1;
                }
                Some(place)
            }
            Self::Listed(rows) => {
                let (mut rows, mut before) = (*rows, 0);
                while let Some(node) = rows {
                    let mut k = 0;
                    while k < node.row.len() {
                        if node.row[k] == device {
                            return Some(before + k as i64);
                        }
                        k += 1;
                    }
                    before += k as i64;
                    rows = node.rest;
                }
                None
            }
        }
    }
}

/// The product of numbers from 1 on.
const fn product(numbers: &[i64]) -> Option<i64> {
    let mut product = 1_i64;
    let mut k = 0;
    while k < numbers.len() {
        if numbers[k] < 1 {
            return None;
        }
        product = match product.checked_mul(numbers[k]) {
            Some(product) => product,
            None => return None,
        };
        k += 1;
    }
    Some(product)
}

const fn ceil_div(size: i64, parts: i64) -> i64 {
    // Neither is negative, and `parts` is at least 1.
    (size as u64).div_ceil(parts as u64) as i64
}

const fn smaller(a: u64, b: u64) -> u64 {
    if a < b { a } else { b }
}

/// The number of a tile. One that a pointer of 32 bits does not count lies behind every coordinate,
/// as the largest `usize` does.
const fn number_of_tile(n: i64) -> usize {
    smaller(n as u64, usize::MAX as u64) as usize
}

/// Numbers with commas between them.
fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T], comma: &str) -> fmt::Result {
    for (k, item) in items.iter().enumerate() {
        if k > 0 {
            f.write_str(comma)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

/// XLA's text.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tiles = match self {
            Self::Replicated => return f.write_str("{replicated}"),
            Self::Manual => return f.write_str("{manual}"),
            Self::Unreduced => return f.write_str("{unreduced}"),
            Self::Unknown => return f.write_str("{unknown}"),
            Self::Maximal(device) => return write!(f, "{{maximal device={device}}}"),
            Self::Tiled(tiles) => tiles,
        };
        f.write_str("{devices=[")?;
        list(f, tiles.grid, ",")?;
        f.write_str("]")?;
        match tiles.order {
            Order::Iota { dims, transpose } => {
                f.write_str("<=[")?;
                list(f, dims, ",")?;
                f.write_str("]")?;
                if transpose.len() > 1 {
                    f.write_str("T(")?;
                    list(f, transpose, ",")?;
                    f.write_str(")")?;
                }
            }
            Order::Listed(mut rows) => {
                let mut comma = "";
                while let Some(node) = rows {
                    f.write_str(comma)?;
                    list(f, node.row, ",")?;
                    (rows, comma) = (node.rest, ",");
                }
            }
        }
        match (tiles.groups, tiles.names) {
            (0, _) => {}
            (_, []) => f.write_str(" last_tile_dim_replicate")?,
            (_, names) => {
                f.write_str(" last_tile_dims={")?;
                list(f, names, ", ")?;
                f.write_str("}")?;
            }
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests;
