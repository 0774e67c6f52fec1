//! Parts and rearrangements: coordinates are replaced by other coordinates.

use crate::atoms::{Atoms, MAX_ATOMS};
use crate::compose::same_length;
use crate::list::List;
use crate::number::{gcd, narrow, product, signed};
use crate::term::{Source, Sum};
use crate::{MAX_DIMENSIONS, Map, MapError};

impl<const T: usize> Map<T> {
    /// The map whose coordinate `i` is coordinate `order[i]` of this one.
    ///
    /// # Errors
    /// A list that is not a permutation.
    pub const fn permute(&self, order: &[usize]) -> Result<Self, MapError> {
        tri!(same_length(self.rank, order.len()));
        let mut extents = [1; MAX_DIMENSIONS];
        let mut to = [MAX_DIMENSIONS; MAX_DIMENSIONS];
        each!(i, 0..self.rank, {
            let dim = order[i];
            ensure!(dim < self.rank && to[dim] == MAX_DIMENSIONS, NotPermutation);
            (extents[i], to[dim]) = (self.extents[dim], i);
        });
        let mut images = tri!(Self::begin(extents.split_at(self.rank).0));
        each!(dim, 0..self.rank, {
            tri!(images.push(&Sum::coordinate(to[dim])));
        });
        self.substitute(&images, 0)
    }

    /// Adds the image of a coordinate in terms of a new one: `start + step * floor(new / divisor)`.
    const fn push_image(
        &mut self,
        coordinate: usize,
        start: i64,
        step: i64,
        divisor: u64,
    ) -> Result<u8, MapError> {
        let mut sum = Sum::new(start);
        tri!(self.add_digit(&Sum::coordinate(coordinate), divisor, 0, step, &mut sum));
        self.push(&sum)
    }

    /// The indices `start + step * i` of each dimension. A negative step goes down.
    ///
    /// ```
    /// use xlayout_algebra::{Map, MapError};
    /// let map = Map::<64>::strided(&[10], &[3])?;
    /// let reversed = map.slice(&[9], &[5], &[-2])?;
    /// assert_eq!(reversed.at(&[1]), Some(21));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// Lists of other lengths, and indices that are out of bounds.
    pub const fn slice(
        &self,
        start: &[u64],
        sizes: &[u64],
        steps: &[i64],
    ) -> Result<Self, MapError> {
        tri!(same_length(self.rank, start.len()));
        tri!(same_length(self.rank, sizes.len()));
        tri!(same_length(self.rank, steps.len()));
        let mut images = tri!(Self::begin(sizes));
        each!(dim, 0..self.rank, {
            let first = tri!(signed(start[dim]));
            let count = sizes[dim];
            let size = self.extents[dim];
            let outside = first as u64 >= size;
            let way = count.saturating_sub(1) as i128;
            let last = first as i128 + way * if outside { 0 } else { steps[dim] as i128 };
            let index = tri!(narrow(last));
            let inside = index >= 0 && (index as u64) < size;
            ensure!(count == 0 || inside, OutOfBounds { index, size });
            let start = if count == 0 { 0 } else { first };
            tri!(images.push_image(dim, start, steps[dim], 1));
        });
        self.substitute(&images, 0)
    }

    /// The map of the coordinates of both: the sum of the two maps. The coordinates of `self` come
    /// first, so they are more major.
    ///
    /// # Errors
    /// Too many dimensions or terms, and numbers above 62 bits.
    pub const fn concat(&self, other: &Self) -> Result<Self, MapError> {
        let mut extents = self.extents;
        let limit = MAX_DIMENSIONS;
        let found = self.rank + other.rank;
        ensure!(found <= limit, TooManyDimensions { found, limit });
        each!(dim, 0..other.rank, {
            extents[self.rank + dim] = other.extents[dim];
        });
        let extents = extents.split_at(found).0;
        let first = tri!(self.within(extents, 0));
        first.times_plus(1, &tri!(other.within(extents, self.rank)))
    }

    /// The map of elements of `to` bits, which are parts or wholes of these along a dimension. That
    /// dimension has `from / to` times as many elements, and offsets count elements of `to` bits.
    ///
    /// ```
    /// use xlayout_algebra::{Map, MapError};
    /// let bytes = Map::<64>::strided(&[4, 64], &[64, 1])?;
    /// let words = bytes.recast(1, 8, 32)?;
    /// assert_eq!((words.extents(), words.at(&[1, 2])), ([4, 16].as_slice(), Some(18)));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// Widths that do not divide each other, and elements that are not contiguous or not aligned.
    pub const fn recast(&self, dim: usize, from: u32, to: u32) -> Result<Self, MapError> {
        let rank = self.rank;
        let mut extents = self.extents;
        let split = from >= to;
        ensure!(dim < rank, NoDimension { dim, rank });
        let divides = from.is_multiple_of(to) || to.is_multiple_of(from);
        ensure!(from > 0 && to > 0 && divides, WidthMismatch { from, to });
        let ratio = (if split { from / to } else { to / from }) as u64;
        if split {
            extents[dim] = tri!(product(extents[dim], ratio));
        } else {
            let vector = tri!(self.vector(dim));
            ensure!(vector.is_multiple_of(ratio), NotContiguous { ratio });
            extents[dim] /= ratio;
        }
        let extents = extents.split_at(rank).0;
        let mut images = tri!(Self::begin(extents));
        each!(other, 0..rank, {
            let (step, divisor) = if other != dim {
                (1, 1)
            } else if split {
                (1, ratio)
            } else {
                (ratio as i64, 1)
            };
            tri!(images.push_image(other, 0, step, divisor));
        });
        let map = tri!(self.substitute(&images, 0));
        if !split {
            return map.digit(ratio, 0);
        }
        let part = tri!(Self::from_modes(extents, &[(dim as u8, 1, ratio, 1)]));
        map.times_plus(ratio as i64, &part)
    }

    /// The widest contiguous and aligned access along a dimension: the greatest V so that, from
    /// each multiple of V on, V elements along the dimension have ascending offsets without a gap,
    /// the first one a multiple of V. V divides the extent.
    ///
    /// It is the greatest one that the terms show, and never too great: divisors, sizes and weights
    /// are multiples of it.
    ///
    /// # Errors
    /// A dimension that does not exist.
    pub const fn vector(&self, dim: usize) -> Result<u64, MapError> {
        let rank = self.rank;
        let mut run = false;
        ensure!(dim < rank, NoDimension { dim, rank });
        let mut widest = gcd(self.extents[dim], self.constant().unsigned_abs());
        each!(number, 0..self.count, {
            let root = number + 1 == self.count;
            each!(term, &self.sum_terms(number), {
                let weight = term.weight.unsigned_abs();
                let digit = &term.digit;
                let own = matches!(digit.source, Source::Coordinate(of) if of as usize == dim);
                if root && own && !run && term.weight == 1 && digit.divisor == 1 {
                    // The digit that takes the most steps.
                    run = true;
                    widest = gcd(widest, digit.modulus());
                    continue;
                }
                if own {
                    widest = gcd(widest, digit.divisor);
                }
                if root {
                    widest = gcd(widest, weight);
                }
            });
        });
        Ok(if run && self.size() > 0 { widest } else { 1 })
    }
}

/// A loop that two maps have in common: a digit of a coordinate over which both are linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The dimension.
    pub dim: usize,
    /// A step of the loop, in the coordinate.
    pub divisor: u64,
    /// How many steps it has.
    pub size: u64,
    /// How far a step moves in the first map, and in the second one.
    pub strides: [i64; 2],
}

/// The loops that two maps have in common: see [`refine`].
#[derive(Clone, Copy, Debug)]
pub struct Blocks(List<Block, MAX_ATOMS>);

impl Blocks {
    /// The loops, the most minor ones of the last dimension first.
    #[must_use]
    pub const fn as_slice(&self) -> &[Block] {
        self.0.as_slice()
    }
}

/// The common refinement of two maps with the same extents: digits of the coordinates over which
/// both are linear. A copy from one to the other is a nest of these loops. The most major loop of a
/// dimension may end before its last step is complete.
///
/// # Errors
/// Other extents, merged coordinates, and digits that do not divide each other.
pub const fn refine<const T: usize>(a: &Map<T>, b: &Map<T>) -> Result<Blocks, MapError> {
    tri!(a.same_extents(b));
    let none = Block {
        dim: 0,
        divisor: 1,
        size: 1,
        strides: [0; 2],
    };
    let mut blocks = List::new(none);
    if a.size() > 0 {
        let atoms = tri!(Atoms::of(&[a, b]));
        let a = atoms.cut(a);
        let b = atoms.cut(b);
        ensure!(a.is_linear() && b.is_linear(), Merged);
        each!(i, 0..atoms.len, {
            let atom = &atoms.list[i];
            let block = Block {
                dim: atom.dim,
                divisor: atom.unit,
                size: atom.size,
                strides: [a.weights[i], b.weights[i]],
            };
            tri!(blocks.push(block));
        });
    }
    Ok(Blocks(blocks))
}
