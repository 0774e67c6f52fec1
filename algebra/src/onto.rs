//! Which offsets a map reaches, and in which sequence.
//!
//! ```text
//! first_hole(map), for offsets from 0 on:
//!   reach = 1
//!   ascending by least distance, while the widest gap of the group <= reach: reach += span of the group
//!   reach, if the next group's least distance is above it; otherwise join the group with the one before it, and again
//!
//! first_descent(map), linear over atoms: the first place of an atom whose offset is below the one before it
//! ```

use crate::Budget;
use crate::atoms::{Atoms, Walk};
use crate::values::{Groups, Values};
use crate::{MAX_DIMENSIONS, Map, MapError};

impl<const T: usize> Map<T> {
    /// The least offset from 0 on that no index has. The map is onto `0..n` if the answer is at least n.
    ///
    /// Complexity: O(n^2) in the number of digits for maps that are linear over digits that divide each other, also where they overlap. A component with carries may have 1,024
    /// indices, and so may a map with negative offsets.
    ///
    /// # Errors
    /// [`MapError::Undecided`].
    pub const fn first_hole(&self, budget: Budget) -> Result<u64, MapError> {
        if self.size() == 0 {
            return Ok(0);
        }
        let atoms = tri!(Atoms::of(&[self]));
        let linear = atoms.linear(self);
        let (mut joined, mut left) = (atoms.components(self), budget);
        loop {
            let Ok(groups) = tri!(Groups::of(
                self, &atoms, &joined, linear, false, &mut left, budget
            )) else {
                // Equal offsets count once, so they are no pair.
                unreachable!();
            };
            let (mut i, mut low) = (0, self.value(&[0; MAX_DIMENSIONS]) as i128);
            while i < groups.len {
                low += groups.list[i].low as i128;
                i += 1;
            }
            if low > 0 {
                return Ok(0);
            }
            if low < 0 {
                return self.hole_of_table(&atoms, left, budget);
            }
            let (mut i, mut reach, mut mixed) = (0, 1_u64, 0);
            while i < groups.len {
                let group = groups.list[i];
                if group.gap > reach {
                    return Ok(reach);
                }
                if group.widest > reach {
                    // The offsets of the group alone do not say what the others fill.
                    if groups.len == 1 {
                        return self.hole_of_table(&atoms, left, budget);
                    }
                    let with = if i == 0 { 1 } else { i - 1 };
                    mixed = group.atoms | groups.list[with].atoms;
                    break;
                }
                reach += group.span;
                i += 1;
            }
            if mixed == 0 {
                return Ok(reach);
            }
            atoms.unite(&mut joined, mixed);
        }
    }

    const fn hole_of_table(
        &self,
        atoms: &Atoms,
        mut left: Budget,
        budget: Budget,
    ) -> Result<u64, MapError> {
        let values = tri!(Values::of(self, atoms, u128::MAX, &mut left, budget));
        let mut hole = 0;
        while values.find(hole).is_some() {
            hole += 1;
        }
        Ok(hole as u64)
    }

    /// Whether the map is a permutation of `0..size`.
    ///
    /// # Errors
    /// As [`first_hole`](Self::first_hole).
    pub const fn is_bijective(&self, budget: Budget) -> Result<bool, MapError> {
        // As many offsets as indices: none of them twice.
        Ok(tri!(self.first_hole(budget)) >= self.size())
    }

    /// The first index whose offset is below the one before it; `None` if offsets ascend.
    ///
    /// Complexity: O(n^2) in the number of digits for maps that are linear over digits that divide each other; otherwise all indices are visited, within
    /// the budget.
    ///
    /// # Errors
    /// [`MapError::Undecided`].
    pub const fn first_descent(&self, budget: Budget) -> Result<Option<u64>, MapError> {
        let size = self.size();
        if size == 0 {
            return Ok(None);
        }
        let atoms = tri!(Atoms::of(&[self]));
        if atoms.linear(self).count_ones() as usize == atoms.len {
            let mut i = 0;
            while i < atoms.len {
                let place = atoms.list[i].place;
                if self.value(&self.coordinates(place)) < self.value(&self.coordinates(place - 1)) {
                    return Ok(Some(place));
                }
                i += 1;
            }
            return Ok(None);
        }
        let (mut walk, mut left) = (Walk::new(u128::MAX), budget);
        let mut last = self.value(&walk.coordinates);
        while walk.advance(&atoms, &self.extents) {
            tri!(left.step(budget));
            let value = self.value(&walk.coordinates);
            if value < last {
                return Ok(Some(walk.index));
            }
            last = value;
        }
        Ok(None)
    }

    /// What the indices are with other extents: strides, if a view of one stride for each dimension has the same offsets.
    ///
    /// Complexity: as [`first_difference`](Self::first_difference).
    ///
    /// ```
    /// use xlayout_algebra::{Budget, Map, MapError, View};
    /// let columns = Map::<64>::strided(&[4, 6], &[8, 1])?;
    /// assert!(matches!(columns.view_as(&[2, 2, 6], Budget::DEFAULT)?, View::Strides([16, 8, 1, ..])));
    /// assert!(matches!(columns.view_as(&[24], Budget::DEFAULT)?, View::Breaks { index: 6 }));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// Another number of indices, and [`MapError::Undecided`].
    pub const fn view_as(&self, extents: &[u64], budget: Budget) -> Result<View, MapError> {
        let shape = tri!(Self::begin(extents));
        if shape.size() != self.size() {
            return Err(MapError::SizeMismatch {
                expected: self.size(),
                found: shape.size(),
            });
        }
        let mut strides = [0; MAX_DIMENSIONS];
        if self.size() == 0 {
            return Ok(View::Strides(strides));
        }
        let zero = self.value(&[0; MAX_DIMENSIONS]);
        let (mut dim, mut place) = (shape.rank, 1);
        while dim > 0 {
            dim -= 1;
            if extents[dim] > 1 {
                let stride = self.value(&self.coordinates(place)) as i128 - zero as i128;
                strides[dim] = tri!(crate::number::narrow(stride));
            }
            place *= extents[dim];
        }
        let view = tri!(Self::strided(extents, strides.split_at(shape.rank).0));
        let view = tri!(view.scale(1, zero));
        Ok(match tri!(self.first_difference(&view, budget)) {
            None => View::Strides(strides),
            Some(index) => View::Breaks { index },
        })
    }
}

/// What a map is with other extents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// One stride for each dimension, in elements. Entries beyond the rank, and those of dimensions of size 1, are 0.
    Strides([i64; MAX_DIMENSIONS]),
    /// No strides have the offsets of the map.
    Breaks {
        /// The first index whose offset differs from that of the strides which the indices before it need.
        index: u64,
    },
}
