//! Complement, divisions and products.
//!
//! ```text
//! complement(map, cotarget):                     # exact, by de Bruijn's theorem on sums that are an interval
//!   chain = the image as a set: ascending; a stride that is a multiple of the last one and at most its end continues it
//!   end = 1
//!   for (n, s) of the chain: s must be a multiple of end; if s > end: a digit of s / end values with stride end; end = n * s
//!   a last digit of ceil(cotarget / end) values with stride end
//!
//! divide(a, tile)   = a after (complement(tile, size(a)), tile)
//! product(a, times) = (complement(a, size(a) * cosize(times)) after times, a)
//! ```

use crate::number::product;
use crate::strides::Steps;
use crate::term::Sum;
use crate::{MAX_DIMENSIONS, Map, MapError};

impl<const T: usize> Map<T> {
    /// The map of one coordinate whose offsets are the translations of this map's image that fill `0..cotarget` without overlap. The
    /// last digit may reach beyond `cotarget`.
    ///
    /// Complexity: O(n^2) in the number of digits. It is exact: without an answer, no set of translations is one.
    ///
    /// # Errors
    /// [`MapError::NoComplement`] with the stride that does not fit; merged coordinates and negative strides.
    pub const fn complement(&self, cotarget: u64) -> Result<Self, MapError> {
        if self.size() == 0 {
            return Err(MapError::NotStrided);
        }
        let steps = tri!(Steps::of(self));
        let (mut shape, mut stride) = ([1_u64; MAX_DIMENSIONS], [0_i64; MAX_DIMENSIONS]);
        let (mut i, mut len, mut end) = (0, 0, 1_u64);
        while i < steps.len {
            let (mut size, unit) = (steps.list[i].size, steps.list[i].stride);
            i += 1;
            if unit == 0 {
                continue;
            }
            while i < steps.len {
                let next = steps.list[i];
                if !next.stride.is_multiple_of(unit) || next.stride > tri!(product(size, unit)) {
                    break;
                }
                size = tri!(product(next.size - 1, next.stride / unit)) + size;
                i += 1;
            }
            if !unit.is_multiple_of(end) {
                return Err(MapError::NoComplement {
                    stride: unit,
                    below: end,
                });
            }
            if unit > end {
                tri!(add(&mut shape, &mut stride, &mut len, unit / end, end));
            }
            end = tri!(product(size, unit));
        }
        if cotarget > end {
            tri!(add(
                &mut shape,
                &mut stride,
                &mut len,
                cotarget.div_ceil(end),
                end
            ));
        }
        Self::cute(shape.split_at(len).0, stride.split_at(len).0)
    }

    /// CuTe's logical divide: the tiles of this map that `tile` takes out of its index. Coordinate 0 is the number of the tile, coordinate 1 the index in
    /// it. CuTe's zipped divide is the same; the tiled one differs by [`flatten`](Self::flatten) of parts only.
    ///
    /// ```
    /// use xlayout_algebra::{Map, MapError};
    /// let array = Map::<64>::cute(&[24], &[3])?;
    /// let tiles = array.divide(&Map::cute(&[4], &[2])?)?;
    /// assert_eq!(tiles.extents(), [6, 4]);
    /// assert_eq!(tiles.at(&[1, 2]), Some(3 * (1 + 2 * 2)));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// Tiles that leave a rest, or have no complement.
    pub const fn divide(&self, tile: &Self) -> Result<Self, MapError> {
        let rest = tri!(tile.complement(self.size()));
        let tiles = tri!(product(rest.size(), tile.size()));
        if tiles != self.size() {
            return Err(MapError::NotDivisible {
                size: self.size(),
                tiles,
            });
        }
        self.after(&tri!(rest.concat(&tri!(tile.flatten()))))
    }

    /// The divide of each dimension by a tile of its own: the numbers of the tiles come first, then the indices in them.
    ///
    /// # Errors
    /// As [`divide`](Self::divide); another number of tiles.
    pub const fn tiled_divide(&self, tiles: &[Self]) -> Result<Self, MapError> {
        tri!(crate::compose::same_length(self.rank, tiles.len()));
        let (mut extents, mut dim) = ([1; MAX_DIMENSIONS], 0);
        if 2 * self.rank > MAX_DIMENSIONS {
            return Err(MapError::TooManyDimensions {
                found: 2 * self.rank,
                limit: MAX_DIMENSIONS,
            });
        }
        while dim < self.rank {
            let size = tiles[dim].size();
            let rest = tri!(tiles[dim].complement(self.extents[dim]));
            let whole = tri!(product(rest.size(), size));
            if whole != self.extents[dim] {
                return Err(MapError::NotDivisible {
                    size: self.extents[dim],
                    tiles: whole,
                });
            }
            extents[dim] = rest.size();
            extents[self.rank + dim] = size;
            dim += 1;
        }
        let extents = extents.split_at(2 * self.rank).0;
        let mut images = tri!(Self::begin(extents));
        let mut sums = [Sum::new(0); MAX_DIMENSIONS];
        while dim > 0 {
            dim -= 1;
            let rest = tri!(tiles[dim].complement(self.extents[dim]));
            let both = tri!(rest.concat(&tri!(tiles[dim].flatten())));
            if !both.is_plain() {
                return Err(MapError::Merged);
            }
            let mut sum = both.root();
            let mut i = 0;
            while i < sum.len {
                let minor = matches!(sum.terms[i].digit.source, crate::Source::Coordinate(1));
                let to = if minor { self.rank + dim } else { dim };
                sum.terms[i].digit.source = crate::Source::Coordinate(to as u8);
                i += 1;
            }
            sums[dim] = sum;
        }
        while dim < self.rank {
            tri!(images.push(&sums[dim]));
            dim += 1;
        }
        self.substitute(&images, 0)
    }

    /// CuTe's logical product: copies of this map, arranged by `times`. Coordinate 0 is the number of the copy, coordinate 1 the index in this
    /// map. Copies do not overlap, and leave no holes between each other.
    ///
    /// # Errors
    /// [`MapError::NoComplement`].
    pub const fn product(&self, times: &Self) -> Result<Self, MapError> {
        let (low, high) = times.range();
        if low < 0 {
            return Err(MapError::NotStrided);
        }
        let cosize = tri!(product(high as u64, 1)) + 1;
        let cotarget = tri!(product(self.size(), cosize));
        let rest = tri!(self.complement(cotarget));
        // The complement has at least as many translations as `times` has offsets.
        let places = tri!(rest.after(&tri!(times.flatten())));
        places.concat(&tri!(self.flatten()))
    }
}

const fn add(
    shape: &mut [u64; MAX_DIMENSIONS],
    stride: &mut [i64; MAX_DIMENSIONS],
    len: &mut usize,
    size: u64,
    step: u64,
) -> Result<(), MapError> {
    if *len == MAX_DIMENSIONS {
        return Err(MapError::TooManyTerms {
            limit: MAX_DIMENSIONS,
        });
    }
    shape[*len] = size;
    stride[*len] = step as i64;
    *len += 1;
    Ok(())
}
