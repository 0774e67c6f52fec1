//! Constructors, and composition: all operations replace coordinates by sums.
//!
//! ```text
//! substitute(map, image of each coordinate):
//!   for each sum of the map, in sequence: add the digits of the images in place of the digits of the coordinates
//! ```

use crate::number::{product, signed};
use crate::term::{Source, Sum};
use crate::{MAX_DIMENSIONS, Map, MapError};

impl<const T: usize> Map<T> {
    /// A map of modes `(dimension, divisor, size, stride)`: the sum of `(coordinate / divisor) % size * stride`. A size of
    /// 0 stands for no `%`.
    ///
    /// # Errors
    /// Too many terms or dimensions, a dimension that does not exist, a divisor of 0, and numbers above 62 bits.
    pub const fn from_modes(
        extents: &[u64],
        modes: &[(u8, u64, u64, i64)],
    ) -> Result<Self, MapError> {
        let mut map = tri!(Self::begin(extents));
        let mut root = Sum::new(0);
        let mut i = 0;
        while i < modes.len() {
            let (dim, divisor, size, stride) = modes[i];
            if dim as usize >= map.rank {
                return Err(MapError::NoDimension {
                    dim: dim as usize,
                    rank: map.rank,
                });
            }
            let coordinate = Sum::coordinate(dim as usize);
            tri!(map.add_digit(&coordinate, divisor, size, stride, &mut root));
            i += 1;
        }
        map.finish(&root)
    }

    /// One stride for each dimension, in elements; the first dimension is the most major one.
    ///
    /// # Errors
    /// Different numbers of sizes and strides, too many of them, and numbers above 62 bits.
    pub const fn strided(extents: &[u64], strides: &[i64]) -> Result<Self, MapError> {
        let mut map = tri!(Self::begin(extents));
        tri!(same_length(extents.len(), strides.len()));
        let mut root = Sum::new(0);
        let mut i = 0;
        while i < strides.len() {
            tri!(map.add_digit(&Sum::coordinate(i), 1, 0, strides[i], &mut root));
            i += 1;
        }
        map.finish(&root)
    }

    /// CuTe's layout `shape:stride`, without nesting: a map of one coordinate, the index, of which the first mode is the
    /// most minor digit.
    ///
    /// # Errors
    /// Different numbers of sizes and strides, and numbers above 62 bits.
    pub const fn cute(shape: &[u64], stride: &[i64]) -> Result<Self, MapError> {
        tri!(same_length(shape.len(), stride.len()));
        let (mut i, mut size) = (0, 1);
        while i < shape.len() {
            size = if shape[i] == 0 {
                0
            } else {
                tri!(product(size, shape[i]))
            };
            i += 1;
        }
        Self::cute_extended(shape, stride, size)
    }

    /// CuTe's layout for the indices below `size`, which may be more than the layout has: then the last mode goes on. CuTe's composition `a o b` is this
    /// map of `a`, for `b`'s offsets, after `b`.
    ///
    /// # Errors
    /// As [`cute`](Self::cute).
    pub const fn cute_extended(shape: &[u64], stride: &[i64], size: u64) -> Result<Self, MapError> {
        tri!(same_length(shape.len(), stride.len()));
        let mut map = tri!(Self::begin(&[size]));
        let (mut root, mut i, mut divisor) = (Sum::new(0), 0, 1_u64);
        while i < shape.len() && divisor < size {
            let modulus = if i + 1 == shape.len() { 0 } else { shape[i] };
            tri!(map.add_digit(&Sum::coordinate(0), divisor, modulus, stride[i], &mut root));
            divisor = tri!(product(divisor, if shape[i] == 0 { 1 } else { shape[i] }));
            i += 1;
        }
        map.finish(&root)
    }

    /// The map that returns the row-major index of its coordinates.
    ///
    /// # Errors
    /// Too many dimensions, and sizes above 62 bits.
    pub const fn identity(extents: &[u64]) -> Result<Self, MapError> {
        let map = tri!(Self::begin(extents));
        let root = tri!(map.index_sum());
        map.finish(&root)
    }

    /// The row-major index of the coordinates.
    pub(crate) const fn index_sum(&self) -> Result<Sum<T>, MapError> {
        let (mut i, mut stride, mut root) = (self.rank, 1_u64, Sum::new(0));
        while i > 0 {
            i -= 1;
            tri!(root.add(&Sum::coordinate(i), tri!(signed(stride))));
            stride = tri!(product(
                stride,
                if self.extents[i] == 0 {
                    1
                } else {
                    self.extents[i]
                }
            ));
        }
        Ok(root)
    }

    /// The map with the sums of `images` from `first` on in place of its coordinates.
    pub(crate) const fn substitute(&self, images: &Self, first: usize) -> Result<Self, MapError> {
        let mut map = tri!(Self::begin(images.extents()));
        let mut number = 0;
        while number < first {
            tri!(map.push(&images.sum(number)));
            number += 1;
        }
        // The sums of `self` in terms of the new coordinates and of the sums of `map`.
        let (mut number, mut rewritten) = (0, map);
        rewritten.count = 0;
        loop {
            let sum = self.sum(number);
            let (mut out, mut i) = (Sum::new(sum.constant), 0);
            while i < sum.len {
                let digit = sum.terms[i].digit;
                let source = match digit.source {
                    Source::Coordinate(dim) => images.sum(first + dim as usize),
                    Source::Sum(sum) => rewritten.sum(sum as usize),
                };
                let weight = sum.terms[i].weight;
                tri!(map.add_digit(&source, digit.divisor, digit.modulus(), weight, &mut out));
                i += 1;
            }
            number += 1;
            if number == self.count {
                return map.finish(&out);
            }
            tri!(map.collect(&mut out));
            // Its terms refer to sums of `map`, so `rewritten` cannot say its range.
            tri!(rewritten.keep(&out));
        }
    }

    /// The map of new coordinates, of which each of its own is an image.
    pub(crate) const fn of_images(
        &self,
        extents: &[u64],
        images: &[Image; MAX_DIMENSIONS],
    ) -> Result<Self, MapError> {
        let mut map = tri!(Self::begin(extents));
        let mut dim = 0;
        while dim < self.rank {
            let image = images[dim];
            let (mut sum, coordinate) = (Sum::new(image.start), Sum::coordinate(image.of));
            tri!(map.add_digit(&coordinate, image.divisor, 0, image.step, &mut sum));
            tri!(map.push(&sum));
            dim += 1;
        }
        self.substitute(&map, 0)
    }

    /// This map with the coordinates of `extents`, of which its own begin at `first`.
    pub(crate) const fn within(&self, extents: &[u64], first: usize) -> Result<Self, MapError> {
        let (mut images, mut dim) = ([Image::of(0); MAX_DIMENSIONS], 0);
        while dim < self.rank {
            images[dim] = Image::of(first + dim);
            dim += 1;
        }
        self.of_images(extents, &images)
    }

    /// The composition: `self` of the index that `inner` returns. `self`'s index is the row-major one.
    ///
    /// ```
    /// use xlayout_algebra::{Map, MapError};
    /// // CuTe composes (3,3):(2,4) with 8:1 to 8:2, which is wrong: index 2 has the offset 4, and index 3 has it, too.
    /// let a = Map::<64>::cute(&[3, 3], &[2, 4])?;
    /// let b = Map::cute(&[8], &[1])?;
    /// let composed = a.after(&b)?;
    /// let offsets: Vec<_> = (0..8).filter_map(|index| composed.at(&[index])).collect();
    /// assert_eq!(offsets, [0, 2, 4, 4, 6, 8, 8, 10]);
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// An offset of `inner` that is no index of `self`, too many terms, and numbers above 62 bits.
    pub const fn after(&self, inner: &Self) -> Result<Self, MapError> {
        let (low, high) = inner.range();
        let size = self.size();
        if inner.size() > 0 && (low < 0 || high as u64 >= size) {
            return Err(MapError::OutOfBounds {
                index: if low < 0 { low } else { high },
                size,
            });
        }
        tri!(self.flatten()).substitute(inner, inner.count - 1)
    }

    /// The same map of one coordinate: the row-major index.
    ///
    /// # Errors
    /// Too many terms.
    pub const fn flatten(&self) -> Result<Self, MapError> {
        self.reshape(&[self.size()])
    }

    /// The map of the same indices with other extents, of which the product is the same. It always exists.
    ///
    /// # Errors
    /// Another product, too many terms or dimensions.
    pub const fn reshape(&self, extents: &[u64]) -> Result<Self, MapError> {
        let mut images = tri!(Self::begin(extents));
        if images.size() != self.size() {
            return Err(MapError::SizeMismatch {
                expected: self.size(),
                found: images.size(),
            });
        }
        if self.size() == 0 {
            return images.finish(&Sum::new(0));
        }
        let index = tri!(images.index_sum());
        let mut digits = [Sum::new(0); MAX_DIMENSIONS];
        let (mut dim, mut stride) = (self.rank, 1);
        while dim > 0 {
            dim -= 1;
            let mut digit = Sum::new(0);
            tri!(images.add_digit(&index, stride, self.extents[dim], 1, &mut digit));
            tri!(images.collect(&mut digit));
            digits[dim] = digit;
            stride *= self.extents[dim];
        }
        let first = images.count;
        while dim < self.rank {
            tri!(images.push(&digits[dim]));
            dim += 1;
        }
        self.substitute(&images, first)
    }

    /// The map in its shortest rewriting. All operations return maps in this form already.
    ///
    /// # Errors
    /// Too many terms.
    pub const fn coalesce(&self) -> Result<Self, MapError> {
        self.within(self.extents(), 0)
    }

    /// `floor(self / divisor) % size`, a map with the same coordinates. A size of 0 stands for no `%`.
    ///
    /// # Errors
    /// A divisor of 0, too many terms, and numbers above 62 bits.
    pub const fn digit(&self, divisor: u64, size: u64) -> Result<Self, MapError> {
        let mut map = tri!(self.without_root());
        let mut out = Sum::new(0);
        tri!(map.add_digit(&self.root(), divisor, size, 1, &mut out));
        map.finish(&out)
    }

    /// The merged coordinates alone.
    pub(crate) const fn without_root(&self) -> Result<Self, MapError> {
        let mut map = tri!(Self::begin(self.extents()));
        while map.count + 1 < self.count {
            tri!(map.push(&self.sum(map.count)));
        }
        Ok(map)
    }

    /// Refuses a map with other extents.
    pub(crate) const fn same_extents(&self, other: &Self) -> Result<(), MapError> {
        tri!(same_length(self.rank, other.rank));
        let mut dim = 0;
        while dim < self.rank {
            if self.extents[dim] != other.extents[dim] {
                return Err(MapError::SizeMismatch {
                    expected: self.extents[dim],
                    found: other.extents[dim],
                });
            }
            dim += 1;
        }
        Ok(())
    }

    /// `factor * self + other`: both have the same extents.
    ///
    /// # Errors
    /// Other extents, too many terms, and numbers above 62 bits.
    pub const fn times_plus(&self, factor: i64, other: &Self) -> Result<Self, MapError> {
        tri!(self.same_extents(other));
        let mut map = *other;
        map.count -= 1;
        let mut numbers = [0_u8; crate::MAX_SUMS];
        let mut number = 0;
        loop {
            let (mut sum, mut i) = (self.sum(number), 0);
            while i < sum.len {
                if let Source::Sum(old) = sum.terms[i].digit.source {
                    sum.terms[i].digit.source = Source::Sum(numbers[old as usize]);
                }
                i += 1;
            }
            if number + 1 == self.count {
                let mut root = other.root();
                tri!(root.add(&sum, factor));
                return map.finish(&root);
            }
            numbers[number] = tri!(map.share(&sum));
            number += 1;
        }
    }

    /// The map with `factor` times its offsets, and `shift` added.
    ///
    /// # Errors
    /// Numbers above 62 bits.
    pub const fn scale(&self, factor: i64, shift: i64) -> Result<Self, MapError> {
        let mut map = *self;
        map.count -= 1;
        let mut root = Sum::new(shift);
        tri!(root.add(&self.root(), factor));
        map.finish(&root)
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

/// A coordinate in terms of a new one: `start + step * floor(new / divisor)`.
#[derive(Clone, Copy)]
pub(crate) struct Image {
    /// The number of the new coordinate.
    pub(crate) of: usize,
    pub(crate) start: i64,
    pub(crate) step: i64,
    pub(crate) divisor: u64,
}

impl Image {
    /// The new coordinate itself.
    pub(crate) const fn of(of: usize) -> Self {
        Self {
            of,
            start: 0,
            step: 1,
            divisor: 1,
        }
    }
}

pub(crate) const fn same_length(expected: usize, found: usize) -> Result<(), MapError> {
    if expected == found {
        Ok(())
    } else {
        Err(MapError::LengthMismatch { expected, found })
    }
}
