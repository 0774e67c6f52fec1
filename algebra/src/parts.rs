//! Parts and rearrangements: coordinates are replaced by other coordinates.

use crate::atoms::Atoms;
use crate::compose::{Image, same_length};
use crate::number::{gcd, mul, narrow, product, signed};
use crate::term::Source;
use crate::{MAX_DIMENSIONS, Map, MapError};

impl<const T: usize> Map<T> {
    /// The map whose coordinate `i` is coordinate `order[i]` of this one.
    ///
    /// # Errors
    /// A list that is not a permutation.
    pub const fn permute(&self, order: &[usize]) -> Result<Self, MapError> {
        tri!(same_length(self.rank, order.len()));
        let mut images = [Image::of(MAX_DIMENSIONS); MAX_DIMENSIONS];
        let (mut extents, mut i) = ([1; MAX_DIMENSIONS], 0);
        while i < order.len() {
            if order[i] >= self.rank || images[order[i]].of != MAX_DIMENSIONS {
                return Err(MapError::NotPermutation);
            }
            extents[i] = self.extents[order[i]];
            images[order[i]] = Image::of(i);
            i += 1;
        }
        self.of_images(extents.split_at(self.rank).0, &images)
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
        let (mut images, mut dim) = ([Image::of(0); MAX_DIMENSIONS], 0);
        while dim < self.rank {
            let first = tri!(signed(start[dim]));
            if sizes[dim] > 0 {
                let last = first as i128 + (sizes[dim] - 1) as i128 * steps[dim] as i128;
                let outside = if first as u64 >= self.extents[dim] {
                    first as i128
                } else {
                    last
                };
                if outside < 0 || outside >= self.extents[dim] as i128 {
                    return Err(MapError::OutOfBounds {
                        index: tri!(narrow(outside)),
                        size: self.extents[dim],
                    });
                }
            }
            images[dim] = Image {
                start: if sizes[dim] == 0 { 0 } else { first },
                step: if sizes[dim] > 1 { steps[dim] } else { 0 },
                ..Image::of(dim)
            };
            dim += 1;
        }
        self.of_images(sizes, &images)
    }

    /// The map of the coordinates of both: the sum of the two maps. The coordinates of `self` come first, so they are more major.
    ///
    /// # Errors
    /// Too many dimensions or terms, and numbers above 62 bits.
    pub const fn concat(&self, other: &Self) -> Result<Self, MapError> {
        let (mut extents, mut dim) = ([1; MAX_DIMENSIONS], 0);
        let rank = self.rank + other.rank;
        if rank > MAX_DIMENSIONS {
            return Err(MapError::TooManyDimensions {
                found: rank,
                limit: MAX_DIMENSIONS,
            });
        }
        while dim < rank {
            extents[dim] = if dim < self.rank {
                self.extents[dim]
            } else {
                other.extents[dim - self.rank]
            };
            dim += 1;
        }
        let extents = extents.split_at(rank).0;
        let first = tri!(self.within(extents, 0));
        first.times_plus(1, &tri!(other.within(extents, self.rank)))
    }

    /// The map of elements of another width, of which the elements along a dimension are parts or wholes: a dimension of `to` bits has
    /// `from / to` times as many elements, offsets count elements of `to` bits.
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
        if dim >= self.rank {
            let rank = self.rank;
            return Err(MapError::NoDimension { dim, rank });
        }
        if from == 0 || to == 0 || !from.is_multiple_of(to) && !to.is_multiple_of(from) {
            return Err(MapError::WidthMismatch { from, to });
        }
        let (mut extents, mut images) = (self.extents, [Image::of(0); MAX_DIMENSIONS]);
        let mut other = 0;
        while other < self.rank {
            images[other] = Image::of(other);
            other += 1;
        }
        if from >= to {
            let ratio = (from / to) as u64;
            extents[dim] = tri!(product(extents[dim], ratio));
            images[dim].divisor = ratio;
            let extents = extents.split_at(self.rank).0;
            let wide = tri!(self.of_images(extents, &images));
            let part = tri!(Self::from_modes(extents, &[(dim as u8, 1, ratio, 1)]));
            return wide.times_plus(ratio as i64, &part);
        }
        let ratio = (to / from) as u64;
        let fits = tri!(self.vector(dim));
        if !fits.is_multiple_of(ratio) {
            return Err(MapError::NotContiguous { ratio });
        }
        extents[dim] /= ratio;
        images[dim].step = ratio as i64;
        tri!(self.of_images(extents.split_at(self.rank).0, &images)).digit(ratio, 0)
    }

    /// The widest contiguous and aligned access along a dimension: the greatest V so that, from each multiple of V on, V elements along the dimension have
    /// ascending offsets without a gap, the first one a multiple of V. V divides the extent.
    ///
    /// It is the greatest one that the terms show, and never too great: divisors, sizes and weights are multiples of it.
    ///
    /// # Errors
    /// A dimension that does not exist.
    pub const fn vector(&self, dim: usize) -> Result<u64, MapError> {
        if dim >= self.rank {
            let rank = self.rank;
            return Err(MapError::NoDimension { dim, rank });
        }
        // The most steps that the digit of weight 1 takes.
        let (terms, mut i, mut widest) = (self.terms(), 0, 1);
        let mut run = usize::MAX;
        while i < terms.len() {
            let digit = &terms[i].digit;
            if terms[i].weight == 1
                && digit.divisor == 1
                && matches!(digit.source, Source::Coordinate(of) if of as usize == dim)
            {
                run = i;
                widest = gcd(self.extents[dim], digit.modulus());
            }
            i += 1;
        }
        if run == usize::MAX || self.size() == 0 {
            return Ok(1);
        }
        widest = gcd(widest, self.constant().unsigned_abs());
        let mut number = 0;
        while number < self.count {
            let root = number + 1 == self.count;
            let (terms, mut i) = (self.sum_terms(number), 0);
            while i < terms.len() {
                let digit = &terms[i].digit;
                if !root || i != run {
                    if matches!(digit.source, Source::Coordinate(of) if of as usize == dim) {
                        widest = gcd(widest, digit.divisor);
                    }
                    if root {
                        widest = gcd(widest, terms[i].weight.unsigned_abs());
                    }
                }
                i += 1;
            }
            number += 1;
        }
        Ok(widest)
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
pub struct Blocks {
    list: [Block; crate::atoms::MAX_ATOMS],
    len: usize,
}

impl Blocks {
    /// The loops, the most minor ones of the last dimension first.
    #[must_use]
    pub const fn as_slice(&self) -> &[Block] {
        self.list.split_at(self.len).0
    }
}

/// The common refinement of two maps with the same extents: digits of the coordinates over which both are linear. A copy from one to the other is a nest
/// of these loops. The most major loop of a dimension may end before its last step is complete.
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
    let mut blocks = Blocks {
        list: [none; crate::atoms::MAX_ATOMS],
        len: 0,
    };
    if a.size() == 0 {
        return Ok(blocks);
    }
    let atoms = tri!(Atoms::of(&[a, b]));
    if (atoms.linear(a) & atoms.linear(b)).count_ones() as usize != atoms.len {
        return Err(MapError::Merged);
    }
    while blocks.len < atoms.len {
        let i = blocks.len;
        let atom = &atoms.list[i];
        blocks.list[i] = Block {
            dim: atom.dim,
            divisor: atom.unit,
            size: atom.size,
            strides: [atoms.weight(a, i), atoms.weight(b, i)],
        };
        blocks.len += 1;
    }
    Ok(blocks)
}

/// `factor` as a signed number that a weight may be multiplied with.
pub(crate) const fn times(weight: i64, factor: u64) -> Result<i64, MapError> {
    mul(weight, tri!(signed(factor)))
}
