//! Do two indices have one offset? Do two maps have an offset in common?
//!
//! ```text
//! collision(map):
//!   a group with a weight of 0, or with the same offset twice in its table: yes
//!   by least distance of two offsets; each group's least distance is greater than the reach of
//!       those before it: no
//!   all groups are linear: search digits e, differences of two indices, not all 0, with the sum 0;
//!       the indices are max(e, 0) and max(-e, 0)
//!   otherwise join the first group whose distance is not greater with the one before it, and again
//! ```
//!
//! If two indices with these differences exist in a dimension that is not complete, then the least
//! ones are in bounds.

use crate::atoms::Atoms;
use crate::groups::Groups;
use crate::search::search;
use crate::{Budget, Map, MapError};

impl<const T: usize> Map<T> {
    /// Two indices with the same offset; `None` if the map is injective.
    ///
    /// Complexity: O(n log n) in the number of digits if each stride is greater than the reach of
    /// the smaller ones, as in all layouts of XLA, CuTe and oneDNN that were made of sizes. With
    /// free strides it is NP-complete (Equal Subset Sum), so there is a budget. A component with
    /// carries may have 1,024 indices.
    ///
    /// ```
    /// use xlayout_algebra::{Budget, Map, MapError};
    /// let overlapping = Map::<64>::strided(&[3, 4], &[2, 1])?;
    /// assert_eq!(overlapping.collision(Budget::DEFAULT)?, Some((4, 2)));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// [`MapError::Undecided`].
    pub const fn collision(&self, budget: Budget) -> Result<Option<(u64, u64)>, MapError> {
        if self.size() <= 1 {
            return Ok(None);
        }
        let atoms = tri!(Atoms::of(&[self]));
        let cut = atoms.cut(self);
        let mut work = budget.work();
        let mut joined = if cut.is_linear() {
            atoms.separate()
        } else {
            cut.components()
        };
        loop {
            let mut groups = Groups::new();
            tri!(groups.add(&cut, &joined, false, &mut work));
            if groups.pair.0 != groups.pair.1 {
                return Ok(Some(groups.pair));
            }
            let mut reach = 0_u128;
            let mut mixed = 0;
            each!(i, 0..groups.len(), {
                let group = groups.at(i);
                if group.gap as u128 <= reach {
                    mixed = group.atoms | groups.at(i - 1).atoms;
                    break;
                }
                reach += group.span as u128;
            });
            if mixed == 0 {
                return Ok(None);
            }
            if cut.is_linear() {
                return search([&cut, &cut], true, &groups, &mut work);
            }
            atoms.unite(&mut joined, mixed);
        }
    }

    /// Whether each offset belongs to one index only.
    ///
    /// # Errors
    /// As [`collision`](Self::collision).
    pub const fn is_injective(&self, budget: Budget) -> Result<bool, MapError> {
        let collision = tri!(self.collision(budget));
        Ok(collision.is_none())
    }

    /// An index of this map and one of the other map with the same offset; `None` if no element
    /// belongs to both.
    ///
    /// Complexity: as [`collision`](Self::collision); NP-complete with free strides (Subset Sum).
    /// With carries, one of the maps may have 1,024 indices.
    ///
    /// ```
    /// use xlayout_algebra::{Budget, Map, MapError};
    /// let even = Map::<64>::strided(&[100], &[2])?;
    /// let odd = even.scale(1, 1)?;
    /// assert_eq!(even.overlap(&odd, Budget::DEFAULT)?, None);
    /// let thirds = Map::strided(&[100], &[3])?;
    /// let (first, second) = odd.overlap(&thirds, Budget::DEFAULT)?.unwrap();
    /// assert_eq!(odd.at(&[first]), thirds.at(&[second]));
    /// # Ok::<(), MapError>(())
    /// ```
    ///
    /// # Errors
    /// [`MapError::Undecided`].
    pub const fn overlap(
        &self,
        other: &Self,
        budget: Budget,
    ) -> Result<Option<(u64, u64)>, MapError> {
        let (low, high) = self.range();
        let (least, most) = other.range();
        if self.size() == 0 || other.size() == 0 || high < least || most < low {
            return Ok(None);
        }
        let atoms = tri!(Atoms::of(&[self]));
        let others = tri!(Atoms::of(&[other]));
        let a = atoms.cut(self);
        let b = others.cut(other);
        let mut work = budget.work();
        if a.is_linear() && b.is_linear() {
            let mut groups = Groups::new();
            tri!(groups.add(&a, &atoms.separate(), false, &mut work));
            tri!(groups.add(&b, &others.separate(), true, &mut work));
            return search([&a, &b], false, &groups, &mut work);
        }
        let turn = self.size() > other.size();
        let (small, large) = if turn { (&b, &a) } else { (&a, &b) };
        let values = tri!(small.values(u128::MAX, &mut work));
        let mut walk = large.walk(u128::MAX);
        loop {
            tri!(work.step());
            if let Some(index) = values.find(large.map.value(&walk.coordinates)) {
                let pair = (index, walk.index);
                return Ok(Some(if turn { (pair.1, pair.0) } else { pair }));
            }
            if !walk.advance() {
                return Ok(None);
            }
        }
    }
}
