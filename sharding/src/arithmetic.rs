//! The arithmetic of tiles and devices. Shardings that are values and shardings that are types use
//! it; the functions are const for the types.

/// The product of sizes. `None` if a size is below 1, or if the product is more than `i64::MAX`.
pub(super) const fn product(sizes: &[i64]) -> Option<i64> {
    let mut product = 1_i64;
    each!(size, sizes, {
        if *size < 1 {
            return None;
        }
        product = match product.checked_mul(*size) {
            Some(product) => product,
            None => return None,
        };
    });
    Some(product)
}

/// The position of a device, counted row-major, in `<=[dims]T(transpose)`: the devices 0, 1, 2, …
/// written row-major into an array of `dims`, which is then transposed. `None` for a device that is
/// not in it. `transpose` is a permutation, and the product of `dims` does not overflow.
pub(super) const fn position_in_iota(
    dims: &[i64],
    transpose: &[usize],
    device: i64,
) -> Option<i64> {
    if device < 0 || !matches!(product(dims), Some(count) if device < count) {
        return None;
    }
    let mut position = 0;
    each!(d, transpose, {
        position = position * dims[*d] + coordinate(dims, device, *d);
    });
    Some(position)
}

/// The position of a device in a list. If it is listed twice, the last one, as in XLA.
pub(super) const fn position_in_list(devices: &[i64], device: i64) -> Option<usize> {
    let mut k = devices.len();
    while k > 0 {
        k -= 1;
        if devices[k] == device {
            return Some(k);
        }
    }
    None
}

/// One coordinate of a position that is counted row-major in an array of these sizes.
pub(super) const fn coordinate(grid: &[i64], position: i64, dimension: usize) -> i64 {
    let mut rest = position;
    let mut d = grid.len() - 1;
    while d > dimension {
        rest /= grid[d];
        d -= 1;
    }
    rest % grid[dimension]
}

/// The size of a part: rounded up. The size is not negative, and there is at least one part.
pub(super) const fn part_size(size: i64, parts: i64) -> i64 {
    (size as u64).div_ceil(parts as u64) as i64
}

/// The coordinates of tile number `tile` along a dimension: from the first one to the one after the
/// last. The last tiles are smaller, or empty. In 64 bits on every target: there may be more parts
/// than a pointer of 32 bits counts.
pub(super) const fn part_range(size: u64, parts: u64, tile: u64) -> (u64, u64) {
    let width = size.div_ceil(parts);
    let start = smaller(tile.saturating_mul(width), size);
    (start, smaller(start.saturating_add(width), size))
}

pub(super) const fn smaller(a: u64, b: u64) -> u64 {
    if a < b { a } else { b }
}
