//! Layouts of CuTe's, composition, and sums of maps.

use crate::compose::same_length;
use crate::map::at_least_one;
use crate::number::product;
use crate::term::Sum;
use crate::{MAX_SUMS, Map, MapError};

impl<const T: usize> Map<T> {
    /// CuTe's layout `shape:stride`, without nesting: a map of one coordinate, the index, whose
    /// first mode is the most minor digit.
    ///
    /// # Errors
    /// Different numbers of sizes and strides, and numbers above 62 bits.
    pub const fn cute(shape: &[u64], stride: &[i64]) -> Result<Self, MapError> {
        let mut size = 1;
        each!(extent, &shape, {
            size = tri!(product(size, *extent));
        });
        Self::cute_extended(shape, stride, size)
    }

    /// CuTe's layout for the indices below `size`, which may be more than the layout has: then the
    /// last mode goes on. CuTe's composition `a o b` is this map of `a`, for `b`'s offsets, after
    /// `b`.
    ///
    /// # Errors
    /// As [`cute`](Self::cute).
    pub const fn cute_extended(shape: &[u64], stride: &[i64], size: u64) -> Result<Self, MapError> {
        tri!(same_length(shape.len(), stride.len()));
        let mut map = tri!(Self::begin(&[size]));
        let mut root = Sum::new(0);
        let mut divisor = 1;
        each!(i, 0..shape.len(), {
            if divisor < size {
                let modulus = if i + 1 == shape.len() { 0 } else { shape[i] };
                tri!(map.add_digit(&Sum::coordinate(0), divisor, modulus, stride[i], &mut root));
                divisor = tri!(product(divisor, at_least_one(shape[i])));
            }
        });
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

    /// The composition: `self` of the index that `inner` returns. `self`'s index is the row-major
    /// one.
    ///
    /// ```
    /// use xlayout_algebra::{Map, MapError};
    /// // CuTe composes (3,3):(2,4) with 8:1 to 8:2, which is wrong: index 2 has the offset 4, and
    /// // index 3 has it, too.
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
        let index = if low < 0 { low } else { high };
        let inside = index >= 0 && (index as u64) < size;
        ensure!(inside || inner.size() == 0, OutOfBounds { index, size });
        tri!(self.flatten()).substitute(inner, inner.count - 1)
    }

    /// The map in its shortest rewriting. All operations return maps in this form already.
    ///
    /// # Errors
    /// Too many terms.
    pub const fn coalesce(&self) -> Result<Self, MapError> {
        self.within(self.extents(), 0)
    }

    /// `floor(self / divisor) % size`, a map with the same coordinates. A size of 0 stands for no
    /// `%`.
    ///
    /// # Errors
    /// A divisor of 0, too many terms, and numbers above 62 bits.
    pub const fn digit(&self, divisor: u64, size: u64) -> Result<Self, MapError> {
        let mut map = self.without_root();
        let digit = tri!(map.digit_of(&self.root(), divisor, size));
        map.finish(&digit)
    }

    /// The last sum: the map itself.
    pub(crate) const fn root(&self) -> Sum<T> {
        self.sum(self.count - 1)
    }

    /// The merged coordinates alone.
    pub(crate) const fn without_root(mut self) -> Self {
        self.count -= 1;
        self
    }

    /// `factor * self + other`: both have the same extents.
    ///
    /// # Errors
    /// Other extents, too many terms, and numbers above 62 bits.
    pub const fn times_plus(&self, factor: i64, other: &Self) -> Result<Self, MapError> {
        tri!(self.same_extents(other));
        let mut map = other.without_root();
        let mut root = other.root();
        let mut numbers = [0; MAX_SUMS];
        each!(number, 0..self.count, {
            let mut sum = self.sum(number);
            sum.renumber(&numbers);
            if number + 1 == self.count {
                tri!(root.add(&sum, factor));
            } else {
                numbers[number] = tri!(map.share(&sum));
            }
        });
        map.finish(&root)
    }

    /// The map with `factor` times its offsets, and `shift` added.
    ///
    /// # Errors
    /// Numbers above 62 bits.
    pub const fn scale(&self, factor: i64, shift: i64) -> Result<Self, MapError> {
        let mut root = Sum::new(shift);
        tri!(root.add(&self.root(), factor));
        self.without_root().finish(&root)
    }
}
