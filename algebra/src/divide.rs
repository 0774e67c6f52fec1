//! Complement, divisions and products.
//!
//! ```text
//! # exact, by de Bruijn's theorem on sums that are an interval
//! complement(map, cotarget):
//!   end = 1
//!   for strides s, ascending: s must be a multiple of end; if s > end: a digit of s / end values
//!       with stride end; end = s
//!     this stride and the next ones, while they are multiples of s and at most end:
//!         end += (n - 1) * stride
//!   a last digit of ceil(cotarget / end) values with stride end
//!
//! divide(a, tile)   = a after (complement(tile, size(a)), tile)
//! product(a, times) = (complement(a, size(a) * cosize(times)) after times, a)
//! ```

use crate::atoms::{Atoms, MAX_ATOMS};
use crate::compose::same_length;
use crate::list::List;
use crate::number::product;
use crate::term::Sum;
use crate::{MAX_DIMENSIONS, Map, MapError, Result};

impl<const T: usize> Map<T> {
    /// The map of one coordinate whose offsets are the translations of this map's image that fill
    /// `0..cotarget` without overlap. The last digit may reach beyond `cotarget`.
    ///
    /// Complexity: O(n log n) in the number of digits. It is exact: without an answer, no set of
    /// translations is one.
    ///
    /// # Errors
    /// [`MapError::NoComplement`] with the stride that does not fit; merged coordinates and
    /// negative strides.
    pub const fn complement(&self, cotarget: u64) -> Result<Self, MapError> {
        ensure!(self.size() > 0, NotStrided);
        let steps = tri!(self.steps(&tri!(Atoms::of(&[self]))));
        let mut modes = List::<_, MAX_ATOMS>::new((0, 1, 1, 0));
        let mut i = 0;
        let mut end = 1;
        let mut count = 1;
        loop {
            let last = i == steps.len() || steps.at(i).span == 0;
            let mut copies = cotarget.div_ceil(end);
            let mut stride = end;
            if !last {
                stride = steps.at(i).gap;
                ensure!(
                    stride.is_multiple_of(end),
                    NoComplement { stride, below: end }
                );
                copies = stride / end;
            }
            if copies > 1 {
                tri!(modes.push((0, count, copies, end as i64)));
                count = tri!(product(count, copies));
            }
            if last {
                return Self::from_modes(&[count], modes.as_slice());
            }
            end = stride;
            while i < steps.len() {
                let next = steps.at(i);
                if next.gap > end || !next.gap.is_multiple_of(stride) {
                    break;
                }
                end = tri!(product(1, end + next.span));
                i += 1;
            }
        }
    }

    /// CuTe's logical divide: the tiles of this map that `tile` takes out of its index. Coordinate
    /// 0 is the number of the tile, coordinate 1 the index in it. CuTe's zipped divide is the same;
    /// the tiled one differs by [`flatten`](Self::flatten) of parts only.
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
        self.after(&tri!(tile.tiles_of(self.size())))
    }

    /// The tiles of an index of this size, as a map of the number of the tile and the index in it.
    const fn tiles_of(&self, size: u64) -> Result<Self> {
        let rest = tri!(self.complement(size));
        let tiles = tri!(product(rest.size(), self.size()));
        ensure!(tiles == size, NotDivisible { size, tiles });
        rest.concat(&tri!(self.flatten()))
    }

    /// The divide of each dimension by a tile of its own: the numbers of the tiles come first, then
    /// the indices in them.
    ///
    /// # Errors
    /// As [`divide`](Self::divide); another number of tiles.
    pub const fn tiled_divide(&self, tiles: &[Self]) -> Result<Self, MapError> {
        tri!(same_length(self.rank, tiles.len()));
        let rank = self.rank;
        let found = 2 * self.rank;
        let limit = MAX_DIMENSIONS;
        ensure!(found <= limit, TooManyDimensions { found, limit });
        let mut extents = [1; MAX_DIMENSIONS];
        let mut parts = [tri!(Self::begin(&[])); MAX_DIMENSIONS / 2];
        each!(dim, 0..rank, {
            parts[dim] = tri!(tiles[dim].tiles_of(self.extents[dim]));
            extents[dim] = parts[dim].extents[0];
            extents[rank + dim] = parts[dim].extents[1];
        });
        let mut images = tri!(Self::begin(extents.split_at(found).0));
        each!(dim, 0..rank, {
            let mut places = tri!(Self::begin(images.extents()));
            tri!(places.push(&Sum::coordinate(dim)));
            tri!(places.push(&Sum::coordinate(rank + dim)));
            let part = tri!(parts[dim].substitute(&places, 0));
            ensure!(part.is_plain(), Merged);
            tri!(images.push(&part.root()));
        });
        self.substitute(&images, 0)
    }

    /// CuTe's logical product: copies of this map, arranged by `times`. Coordinate 0 is the number
    /// of the copy, coordinate 1 the index in this map. Copies do not overlap, and leave no holes
    /// between each other.
    ///
    /// # Errors
    /// [`MapError::NoComplement`].
    pub const fn product(&self, times: &Self) -> Result<Self, MapError> {
        let (low, high) = times.range();
        ensure!(low >= 0, NotStrided);
        let cotarget = tri!(product(self.size(), high as u64 + 1));
        let rest = tri!(self.complement(cotarget));
        // The complement has at least as many translations as `times` has offsets.
        let places = tri!(rest.after(&tri!(times.flatten())));
        places.concat(&tri!(self.flatten()))
    }
}
