//! Maps of XLA's layouts.

use xlayout_shape::Mode;

use crate::term::Sum;
use crate::{MAX_DIMENSIONS, Map, MapError};

impl<const T: usize> Map<T> {
    /// The map of a layout of XLA's: the sizes, the modes and the terms that it was lowered to. Offsets are in elements.
    ///
    /// ```
    /// use xlayout_algebra::{Map, MapError};
    /// use xlayout_shape::Mode;
    /// // The modes of f32[16]{0:T(8)}.
    /// let map = Map::<64>::of_modes(&[16], &[Mode::new(0, 1, 8, 1).inner(), Mode::new(0, 8, 2, 8)], &[])?;
    /// assert_eq!(map.to_string(), "[16] -> i0");
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// Modes and terms of another layout: a coordinate that does not exist. Too many dimensions, terms or merged coordinates, and numbers
    /// above 62 bits.
    pub const fn of_modes(
        sizes: &[usize],
        modes: &[Mode],
        terms: &[xlayout_shape::Term],
    ) -> Result<Self, MapError> {
        let rank = sizes.len();
        let (mut extents, mut dim) = ([1; MAX_DIMENSIONS], 0);
        if rank > MAX_DIMENSIONS {
            return Err(MapError::TooManyDimensions {
                found: rank,
                limit: MAX_DIMENSIONS,
            });
        }
        while dim < rank {
            extents[dim] = sizes[dim] as u64;
            dim += 1;
        }
        let mut map = tri!(Self::begin(extents.split_at(rank).0));
        // The merged coordinates in terms of the dimensions: each is made of earlier ones.
        let (mut merged, mut coordinate) = (map, rank);
        loop {
            let (mut sum, mut found, mut i) = (Sum::new(0), false, 0);
            while i < terms.len() {
                if terms[i].coordinate == coordinate {
                    found = true;
                    tri!(map.add_mode(&terms[i].digit, &merged, &mut sum));
                }
                i += 1;
            }
            if !found {
                break;
            }
            tri!(map.collect(&mut sum));
            tri!(merged.keep(&sum));
            coordinate += 1;
        }
        let (mut root, mut i) = (Sum::new(0), 0);
        while i < modes.len() {
            tri!(map.add_mode(&modes[i], &merged, &mut root));
            i += 1;
        }
        tri!(map.collect(&mut root));
        map.finish(&root)
    }

    /// Adds a mode of a dimension, or of a coordinate that `merged` has.
    const fn add_mode(
        &mut self,
        mode: &Mode,
        merged: &Self,
        out: &mut Sum<T>,
    ) -> Result<(), MapError> {
        let source = if mode.dim < self.rank {
            Sum::coordinate(mode.dim)
        } else if mode.dim - self.rank < merged.count {
            merged.sum(mode.dim - self.rank)
        } else {
            return Err(MapError::NoDimension {
                dim: mode.dim,
                rank: self.rank + merged.count,
            });
        };
        if mode.stride > i64::MAX as usize {
            return Err(MapError::Overflow);
        }
        let size = if mode.top { 0 } else { mode.size as u64 };
        self.add_digit(&source, mode.divisor as u64, size, mode.stride as i64, out)
    }
}
