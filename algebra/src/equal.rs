//! Equality of maps, with the first index that differs.
//!
//! ```text
//! # both with the same extents; otherwise of the row-major index
//! first_difference(A, B):
//!   the same sums: none
//!   for each atom over which A and B are linear: other weights: its place is a candidate
//!   for each other component of A and B together:
//!     for its indices k, ascending, other atoms 0, each atom up to one step beyond its period:
//!       A(k) != B(k): the least such k is a candidate
//!   the least candidate
//! ```
//!
//! A - B is a sum of functions of one component each, all 0 at 0. So it is 0 if each of them is,
//! and the first index that differs has one component only, because an index is at least each of
//! its parts. If p steps of an atom change A - B by c whatever the other atoms are, then either c
//! != 0, and p steps from 0 differ, or all digits above p repeat.

use crate::atoms::Atoms;
use crate::number::lcm;
use crate::{Map, MapError, Result};

/// How much work a decision may take: evaluations of a map, and states of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub u32);

impl Budget {
    /// 16,384 steps: well below a millisecond.
    pub const DEFAULT: Self = Self(1 << 14);

    pub(crate) const fn work(self) -> Work {
        let Self(whole) = self;
        Work { left: whole, whole }
    }
}

/// What is left of a budget.
pub(crate) struct Work {
    left: u32,
    whole: u32,
}

impl Work {
    /// Takes a step; an error if none is left.
    pub(crate) const fn step(&mut self) -> Result<()> {
        if self.left == 0 {
            return Err(self.ended());
        }
        self.left -= 1;
        Ok(())
    }

    /// The error of a decision that took too much.
    pub(crate) const fn ended(&self) -> MapError {
        MapError::Undecided { work: self.whole }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl<const T: usize> Map<T> {
    /// The first index at which the maps differ, as functions of the row-major index; `None` if
    /// they are equal. Where one map has more indices, the first of these differs.
    ///
    /// The extents may differ: the answer says whether one map is a bitcast of the other.
    ///
    /// Complexity: O(n log n) in the number of digits if the sizes divide each other; otherwise
    /// linear in the values of the components. With carries it is coNP-complete, so there is a
    /// budget.
    ///
    /// ```
    /// use xlayout_algebra::{Budget, Map, MapError};
    /// let dense = Map::<64>::strided(&[4, 6], &[6, 1])?;
    /// let other = Map::strided(&[6, 4], &[4, 1])?;
    /// assert_eq!(dense.first_difference(&other, Budget::DEFAULT)?, None);
    /// let transposed = Map::strided(&[6, 4], &[1, 6])?;
    /// assert_eq!(dense.first_difference(&transposed, Budget::DEFAULT)?, Some(1));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// [`MapError::Undecided`], or too many terms where extents differ.
    pub const fn first_difference(
        &self,
        other: &Self,
        budget: Budget,
    ) -> Result<Option<u64>, MapError> {
        let size = self.size();
        let other_size = other.size();
        let least = if size < other_size { size } else { other_size };
        let found = if least == 0 {
            None
        } else if self.same_extents(other).is_ok() {
            tri!(first_difference(self, other, budget))
        } else {
            let a = tri!(self.first_indices(least));
            let b = tri!(other.first_indices(least));
            tri!(first_difference(&a, &b, budget))
        };
        Ok(match found {
            None if size != other_size => Some(least),
            found => found,
        })
    }

    /// The map of the first indices alone, as one coordinate.
    const fn first_indices(&self, size: u64) -> Result<Self> {
        tri!(self.flatten()).within(&[size], 0)
    }

    /// Whether two maps are equal as functions of the row-major index.
    ///
    /// # Errors
    /// As [`first_difference`](Self::first_difference).
    pub const fn equals(&self, other: &Self, budget: Budget) -> Result<bool, MapError> {
        let difference = tri!(self.first_difference(other, budget));
        Ok(difference.is_none())
    }
}

const fn first_difference<const T: usize>(
    a: &Map<T>,
    b: &Map<T>,
    budget: Budget,
) -> Result<Option<u64>> {
    if a.same_sums(b) {
        return Ok(None);
    }
    if a.origin() != b.origin() {
        return Ok(Some(0));
    }
    let atoms = tri!(Atoms::of(&[a, b]));
    let a = atoms.cut(a);
    let b = atoms.cut(b);
    let mut components = atoms.separate();
    a.join(&mut components);
    b.join(&mut components);
    let mut done = 0;
    let mut least = None;
    let mut work = budget.work();
    each!(i, 0..atoms.len, {
        let place = atoms.list[i].place;
        let component = components[i];
        // Places ascend.
        if let Some(least) = least
            && least < place
        {
            break;
        }
        if a.linear & b.linear & 1 << i != 0 {
            if a.weights[i] != b.weights[i] {
                return Ok(Some(place));
            }
        } else if done & component == 0 {
            done |= component;
            let mut walk = a.walk(component);
            each!(j, 0..atoms.len, {
                if component >> j & 1 == 1 {
                    // Above the common period of both maps all digits repeat.
                    walk.limits[j] = lcm(a.period(j), b.period(j)).saturating_add(1);
                }
            });
            while walk.advance() {
                if let Some(least) = least
                    && least <= walk.index
                {
                    break;
                }
                tri!(work.step());
                if a.map.value(&walk.coordinates) != b.map.value(&walk.coordinates) {
                    least = Some(walk.index);
                }
            }
        }
    });
    Ok(least)
}
