//! What is lowered, and the rules that its attributes obey.

use super::count::to_usize;
use crate::dims::Dim;
use crate::element_type::ElementType;
use crate::error::NotLowered;
use crate::tile::TilesRef;

/// What is lowered.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub dims: &'a [Dim],
    pub minor_to_major: &'a [i64],
    pub tiles: TilesRef<'a>,
    pub padded_dimensions: &'a [i64],
    pub tail_alignment: i64,
    /// The bits of one element in memory.
    pub element_bits: i64,
    /// The bits of the element type in whole bytes, whatever the layout says.
    pub type_bits: i64,
    pub metadata_prefix: i64,
    /// The dimension of each split, and where its indices end in `split_indices`.
    pub splits: &'a [(i64, usize)],
    pub split_indices: &'a [i64],
}

/// The bits that the elements of a type take in memory without `E`: whole bytes.
pub const fn type_bits(element_type: ElementType) -> i64 {
    match element_type.bytes() {
        Some(bytes) => 8 * bytes as i64,
        // A type of no array, which is another mistake.
        None => 0,
    }
}

impl Source<'_> {
    /// The size of a dimension, where the target counts it. Beside a size of 0 the error is that of
    /// an array without elements, as for a product of sizes.
    pub(super) const fn size(&self, n: i64) -> Result<usize, NotLowered> {
        if let Ok(n) = to_usize(n) {
            return Ok(n);
        }
        each!(d, 0..self.dims.len(), {
            if matches!(self.dims[d], Dim::Static(0) | Dim::Bounded(0)) {
                return Err(NotLowered::EmptyTooLarge);
            }
        });
        Err(NotLowered::TooLarge)
    }

    /// The attributes that no digit is made of. Lowering checks the others where it reads them.
    pub const fn check(&self) -> Result<(), NotLowered> {
        if self.tail_alignment < 1 || self.element_bits < 0 || self.metadata_prefix < 0 {
            return Err(NotLowered::BadAttribute);
        }
        if !self.padded_dimensions.is_empty() && self.tiles.get(0).is_some() {
            return Err(NotLowered::PaddedTiles);
        }
        let mut start = 0;
        each!(k, 0..self.splits.len(), {
            let end = self.splits[k].1;
            tri!(self.check_split(k, start, end));
            start = end;
        });
        Ok(())
    }

    /// A split cuts a physical dimension, which no other split does, at rising indices inside of
    /// it: what XLA asks of splits in a tuple (`ParseShape`).
    const fn check_split(&self, k: usize, start: usize, end: usize) -> Result<(), NotLowered> {
        let dimension = self.splits[k].0;
        let rank = self.minor_to_major.len();
        if dimension < 0 || dimension as u64 >= rank as u64 {
            return Err(NotLowered::BadSplit);
        }
        each!(other, 0..k, {
            if self.splits[other].0 == dimension {
                return Err(NotLowered::BadSplit);
            }
        });
        // Physical dimensions count from the most major one.
        let number = self.minor_to_major[rank - 1 - dimension as usize];
        if number < 0 || number as u64 >= self.dims.len() as u64 {
            return Err(NotLowered::NotAPermutation);
        }
        let mut above = 0;
        each!(at, start..end, {
            let index = self.split_indices[at];
            let inside = match self.dims[number as usize].bound() {
                Some(size) => index < size,
                None => true,
            };
            if index <= above || !inside {
                return Err(NotLowered::BadSplit);
            }
            above = index;
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests;
