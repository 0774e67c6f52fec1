//! Constructors, and what composes: all operations replace coordinates by sums.
//!
//! ```text
//! substitute(map, image of each coordinate):
//!   for each sum of the map, in sequence: add the digits of the images in place of the digits of
//!       the coordinates
//! ```

use crate::map::at_least_one;
use crate::number::{product, signed};
use crate::term::{Source, Sum, Term};
use crate::{MAX_DIMENSIONS, Map, MapError, Result};

impl<const T: usize> Map<T> {
    /// A map of modes `(dimension, divisor, size, stride)`: the sum of
    /// `(coordinate / divisor) % size * stride`. A size of 0 stands for no `%`.
    ///
    /// # Errors
    /// Too many terms or dimensions, a dimension that does not exist, a divisor of 0, and numbers
    /// above 62 bits.
    pub const fn from_modes(
        extents: &[u64],
        modes: &[(u8, u64, u64, i64)],
    ) -> Result<Self, MapError> {
        let mut map = tri!(Self::begin(extents));
        let mut root = Sum::new(0);
        each!(mode, &modes, {
            let dim = mode.0 as usize;
            let rank = map.rank;
            ensure!(dim < rank, NoDimension { dim, rank });
            tri!(map.add_digit(&Sum::coordinate(dim), mode.1, mode.2, mode.3, &mut root));
        });
        map.finish(&root)
    }

    /// One stride for each dimension, in elements; the first dimension is the most major one.
    ///
    /// # Errors
    /// Different numbers of sizes and strides, too many of them, and numbers above 62 bits.
    pub const fn strided(extents: &[u64], strides: &[i64]) -> Result<Self, MapError> {
        let mut map = tri!(Self::begin(extents));
        let mut root = Sum::new(0);
        tri!(same_length(extents.len(), strides.len()));
        each!(i, 0..strides.len(), {
            tri!(map.add_digit(&Sum::coordinate(i), 1, 0, strides[i], &mut root));
        });
        map.finish(&root)
    }

    /// The row-major index of the coordinates.
    pub(crate) const fn index_sum(&self) -> Result<Sum<T>> {
        let mut dim = self.rank;
        let mut stride = 1;
        let mut root = Sum::new(0);
        while dim > 0 {
            dim -= 1;
            tri!(root.add(&Sum::coordinate(dim), tri!(signed(stride))));
            stride = tri!(product(stride, at_least_one(self.extents[dim])));
        }
        Ok(root)
    }

    /// The map with the sums of `images` from `first` on in place of its coordinates.
    pub(crate) const fn substitute(&self, images: &Self, first: usize) -> Result<Self> {
        let mut map = tri!(Self::begin(images.extents()));
        each!(number, 0..first, {
            tri!(map.push(&images.sum(number)));
        });
        // The sums of `self` in terms of the new coordinates and of the sums of `map`.
        let mut rewritten = map;
        let mut out = Sum::new(0);
        rewritten.count = 0;
        each!(number, 0..self.count, {
            if number > 0 {
                tri!(map.collect(&mut out));
                // Its terms refer to sums of `map`, so `rewritten` cannot say its range.
                tri!(rewritten.keep(&out));
            }
            out = Sum::new(self.sum_constant(number));
            each!(term, &self.sum_terms(number), {
                let Term { weight, digit } = *term;
                let source = match digit.source {
                    Source::Coordinate(dim) => images.sum(first + dim as usize),
                    Source::Sum(sum) => rewritten.sum(sum as usize),
                };
                tri!(map.add_digit(&source, digit.divisor, digit.modulus(), weight, &mut out));
            });
        });
        map.finish(&out)
    }

    /// This map with the coordinates of `extents`, of which its own begin at `first`.
    pub(crate) const fn within(&self, extents: &[u64], first: usize) -> Result<Self> {
        let mut images = tri!(Self::begin(extents));
        each!(dim, 0..self.rank, {
            tri!(images.push(&Sum::coordinate(first + dim)));
        });
        self.substitute(&images, 0)
    }

    /// The same map of one coordinate: the row-major index.
    ///
    /// # Errors
    /// Too many terms.
    pub const fn flatten(&self) -> Result<Self, MapError> {
        self.reshape(&[self.size()])
    }

    /// The map of the same indices with other extents of the same product. It always exists.
    ///
    /// # Errors
    /// Another product, too many terms or dimensions.
    pub const fn reshape(&self, extents: &[u64]) -> Result<Self, MapError> {
        let mut images = tri!(Self::begin(extents));
        tri!(same_size(self.size(), images.size()));
        if self.size() == 0 {
            return images.finish(&Sum::new(0));
        }
        let index = tri!(images.index_sum());
        let mut digits = [Sum::new(0); MAX_DIMENSIONS];
        let mut stride = self.size();
        each!(dim, 0..self.rank, {
            stride /= self.extents[dim];
            digits[dim] = tri!(images.digit_of(&index, stride, self.extents[dim]));
        });
        let first = images.count;
        each!(dim, 0..self.rank, {
            tri!(images.push(&digits[dim]));
        });
        self.substitute(&images, first)
    }

    /// Refuses a map with other extents.
    pub(crate) const fn same_extents(&self, other: &Self) -> Result<()> {
        tri!(same_length(self.rank, other.rank));
        each!(dim, 0..self.rank, {
            tri!(same_size(self.extents[dim], other.extents[dim]));
        });
        Ok(())
    }

    /// The map of an operation that must exist, for constants.
    ///
    /// # Panics
    /// With the words of the error, if there is one.
    #[must_use]
    pub const fn expect(result: Result<Self, MapError>) -> Self {
        match result {
            Ok(map) => map,
            Err(error) => panic!("{}", error.words()),
        }
    }
}

pub(crate) const fn same_length(expected: usize, found: usize) -> Result<()> {
    ensure!(expected == found, LengthMismatch { expected, found });
    Ok(())
}

pub(crate) const fn same_size(expected: u64, found: u64) -> Result<()> {
    ensure!(expected == found, SizeMismatch { expected, found });
    Ok(())
}
