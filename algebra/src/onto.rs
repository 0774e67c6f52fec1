//! Which offsets a map reaches, and in which sequence.
//!
//! ```text
//! first_hole(map), for offsets from 0 on:
//!   reach = 1
//!   ascending by least distance, while the widest gap of the group <= reach: reach += span of the
//!       group
//!   reach, if the next group's least distance is above it; otherwise join the group with the one
//!       before it, and again
//!
//! first_descent(map), linear over atoms: the first place of an atom whose offset is below the one
//!     before it
//! ```

use crate::atoms::Atoms;
use crate::compose::same_size;
use crate::groups::Groups;
use crate::map::at_least_one;
use crate::number::narrow;
use crate::{Budget, MAX_DIMENSIONS, Map, MapError};

impl<const T: usize> Map<T> {
    /// The least offset from 0 on that no index has. The map is onto `0..n` if the answer is at
    /// least n.
    ///
    /// Complexity: O(n log n) in the number of digits for maps that are linear over digits that
    /// divide each other, also where offsets overlap. A component with carries may have 1,024
    /// indices, and so may a map with negative offsets.
    ///
    /// # Errors
    /// [`MapError::Undecided`].
    pub const fn first_hole(&self, budget: Budget) -> Result<u64, MapError> {
        if self.size() == 0 {
            return Ok(0);
        }
        let atoms = tri!(Atoms::of(&[self]));
        let cut = atoms.cut(self);
        let mut work = budget.work();
        let mut joined = cut.components();
        'join: loop {
            let mut groups = Groups::new();
            tri!(groups.add(&cut, &joined, false, &mut work));
            let mut low = self.origin() as i128;
            let mut reach = 1;
            let mut mixed = 0;
            each!(i, 0..groups.len(), {
                low += groups.at(i).low as i128;
            });
            if low > 0 {
                return Ok(0);
            }
            if low < 0 {
                break;
            }
            each!(i, 0..groups.len(), {
                let group = groups.at(i);
                if group.gap > reach {
                    return Ok(reach);
                }
                if group.widest > reach {
                    // The offsets of the group alone do not say what the others fill.
                    if groups.len() == 1 {
                        break 'join;
                    }
                    mixed = group.atoms | groups.at(if i == 0 { 1 } else { i - 1 }).atoms;
                    break;
                }
                reach += group.span;
            });
            if mixed == 0 {
                return Ok(reach);
            }
            atoms.unite(&mut joined, mixed);
        }
        let values = tri!(cut.values(u128::MAX, &mut work));
        let mut hole = 0;
        each!(value, &values.as_slice(), {
            hole += (value.0 == hole) as i64;
        });
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
    /// Complexity: O(n log n) in the number of digits, and an evaluation for each dimension, for
    /// maps that are linear over digits that divide each other; otherwise all indices are visited,
    /// within the budget.
    ///
    /// # Errors
    /// [`MapError::Undecided`].
    pub const fn first_descent(&self, budget: Budget) -> Result<Option<u64>, MapError> {
        let size = self.size();
        if size == 0 {
            return Ok(None);
        }
        let atoms = tri!(Atoms::of(&[self]));
        let cut = atoms.cut(self);
        if cut.is_linear() {
            let mut last = 0;
            each!(i, 0..atoms.len, {
                let atom = &atoms.list[i];
                let weight = cut.weights[i] as i128;
                if atom.unit == 1 {
                    // All lower dimensions are at their ends.
                    let end = self.value(&self.coordinates(atom.place - 1));
                    last = end as i128 - self.origin() as i128;
                }
                if weight < last {
                    return Ok(Some(atom.place));
                }
                last += weight * (atom.size - 1) as i128;
            });
            return Ok(None);
        }
        let mut walk = cut.walk(u128::MAX);
        let mut work = budget.work();
        let mut last = self.origin();
        while walk.advance() {
            tri!(work.step());
            let value = self.value(&walk.coordinates);
            if value < last {
                return Ok(Some(walk.index));
            }
            last = value;
        }
        Ok(None)
    }

    /// What the indices are with other extents: strides, if a view of one stride for each dimension
    /// has the same offsets.
    ///
    /// Complexity: as [`first_difference`](Self::first_difference).
    ///
    /// ```
    /// use xlayout_algebra::{Budget, Map, MapError, View};
    /// let columns = Map::<64>::strided(&[4, 6], &[8, 1])?;
    /// let parts = columns.view_as(&[2, 2, 6], Budget::DEFAULT)?;
    /// assert!(matches!(parts, View::Strides([16, 8, 1, ..])));
    /// assert!(matches!(columns.view_as(&[24], Budget::DEFAULT)?, View::Breaks { index: 6 }));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// Another number of indices, and [`MapError::Undecided`].
    pub const fn view_as(&self, extents: &[u64], budget: Budget) -> Result<View, MapError> {
        let shape = tri!(Self::begin(extents));
        tri!(same_size(self.size(), shape.size()));
        let mut strides = [0; MAX_DIMENSIONS];
        let zero = self.origin();
        let mut place = self.size();
        each!(dim, 0..shape.rank, {
            place /= at_least_one(extents[dim]);
            if extents[dim] > 1 && place > 0 {
                let stride = self.value(&self.coordinates(place)) as i128 - zero as i128;
                strides[dim] = tri!(narrow(stride));
            }
        });
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
    /// One stride for each dimension, in elements. Entries beyond the rank, and those of dimensions
    /// of size 1, are 0.
    Strides([i64; MAX_DIMENSIONS]),
    /// No strides have the offsets of the map.
    Breaks {
        /// The first index whose offset differs from that of the strides which the indices before
        /// it need.
        index: u64,
    },
}
