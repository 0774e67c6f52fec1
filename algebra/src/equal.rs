//! Equality of maps, with the first index that differs.
//!
//! ```text
//! first_difference(A, B):                    # both with the same extents; otherwise of the row-major index
//!   the same sums: none
//!   for each component of A and B together:
//!     for its indices k, ascending, other atoms 0, each atom up to one step beyond its period:
//!       A(k) != B(k): the least such k is a candidate
//!   the least candidate
//! ```
//!
//! A - B is a sum of functions of one component each, all 0 at 0. So it is 0 if each of them is, and the first index that
//! differs has one component only, because an index is at least each of its parts. If p steps of an atom change A - B by c
//! whatever the other atoms are, then either c != 0, and p steps from 0 differ, or all digits above p repeat.

use crate::atoms::{Atoms, Walk};
use crate::number::gcd;
use crate::{Map, MapError};

/// How much work a decision may take: evaluations of a map, and states of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub u32);

impl Budget {
    /// 16,384 steps: well below a millisecond.
    pub const DEFAULT: Self = Self(1 << 14);

    /// Takes a step; an error if none is left.
    pub(crate) const fn step(&mut self, whole: Self) -> Result<(), MapError> {
        if self.0 == 0 {
            return Err(MapError::Undecided { work: whole.0 });
        }
        self.0 -= 1;
        Ok(())
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl<const T: usize> Map<T> {
    /// The first index at which the maps differ, as functions of the row-major index; `None` if they are equal. Where one map has
    /// more indices, the first of these differs.
    ///
    /// The extents may differ: the answer says whether one map is a bitcast of the other.
    ///
    /// Complexity: linear in the values of the components, so a few evaluations if the sizes divide each other. With carries it is coNP-complete,
    /// so there is a budget.
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
        let (size, other_size) = (self.size(), other.size());
        let least = if size < other_size { size } else { other_size };
        if size != other_size {
            // The first `least` indices of both.
            if least == 0 {
                return Ok(Some(0));
            }
            let (a, b) = (
                tri!(self.first_indices(least)),
                tri!(other.first_indices(least)),
            );
            let found = tri!(first_difference(&a, &b, budget));
            return Ok(Some(match found {
                Some(index) => index,
                None => least,
            }));
        }
        if size == 0 {
            return Ok(None);
        }
        if self.same_extents(other).is_ok() {
            return first_difference(self, other, budget);
        }
        let (a, b) = (tri!(self.flatten()), tri!(other.flatten()));
        first_difference(&a, &b, budget)
    }

    /// The map of the first indices alone, as one coordinate.
    const fn first_indices(&self, size: u64) -> Result<Self, MapError> {
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
) -> Result<Option<u64>, MapError> {
    if a.same_sums(b) {
        return Ok(None);
    }
    let zero = [0; crate::MAX_DIMENSIONS];
    if a.value(&zero) != b.value(&zero) {
        return Ok(Some(0));
    }
    let atoms = tri!(Atoms::of(&[a, b]));
    let mut components = atoms.separate();
    atoms.join(a, &mut components);
    atoms.join(b, &mut components);
    let linear = atoms.linear(a) & atoms.linear(b);
    let (mut i, mut done, mut left) = (0, 0_u128, budget);
    let mut least: Option<u64> = None;
    while i < atoms.len {
        let component = components[i];
        if done & component == 0 {
            done |= component;
            let mut walk = Walk::new(component);
            limit(&mut walk, &atoms, component, linear, a, b);
            while walk.advance(&atoms, &a.extents) {
                if let Some(least) = least
                    && walk.index >= least
                {
                    break;
                }
                tri!(left.step(budget));
                if a.value(&walk.coordinates) != b.value(&walk.coordinates) {
                    least = Some(walk.index);
                    break;
                }
            }
        }
        i += 1;
    }
    Ok(least)
}

/// Leaves out the digits above the common period of both maps.
const fn limit<const T: usize>(
    walk: &mut Walk,
    atoms: &Atoms,
    component: u128,
    linear: u128,
    a: &Map<T>,
    b: &Map<T>,
) {
    let mut i = 0;
    while i < atoms.len {
        if linear & (1 << i) != 0 {
            // Each step moves as far as the first one.
            walk.limits[i] = 2;
        } else if component & (1 << i) != 0 {
            let (p, q) = (atoms.period(a, i), atoms.period(b, i));
            if p != 0
                && q != 0
                && let Some(period) = (p / gcd(p, q)).checked_mul(q)
            {
                walk.limits[i] = period.saturating_add(1);
            }
        }
        i += 1;
    }
}
