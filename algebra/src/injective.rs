//! Do two indices have one offset? Do two maps have an offset in common?
//!
//! ```text
//! collision(map):
//!   all components are single linear atoms:
//!     a weight of 0: yes
//!     ascending, each weight greater than the reach of the smaller ones: no
//!     else: search digits e, differences of two indices, not all 0, with the sum 0; the indices are max(e, 0) and max(-e, 0)
//!   else: a table of the offsets of each component; the same offset twice: yes
//!     by least distance of two offsets; a group whose least distance is greater than the reach of those before it is apart from them
//!     otherwise join it with the one before it, and again
//! ```
//!
//! If two indices with these differences exist in a dimension that is not complete, then the least ones are in bounds.

use crate::Budget;
use crate::atoms::{Atoms, Walk};
use crate::search::Search;
use crate::values::{Groups, Values};
use crate::{MAX_DIMENSIONS, Map, MapError};

impl<const T: usize> Map<T> {
    /// Two indices with the same offset; `None` if the map is injective.
    ///
    /// Complexity: O(n^2) in the number of digits if each stride is greater than the reach of the smaller ones, as in all layouts of XLA, CuTe and oneDNN that were made of sizes.
    /// With free strides it is NP-complete (Equal Subset Sum), so there is a budget. A component with carries may have
    /// 1,024 indices.
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
        let linear = atoms.linear(self);
        let mut left = budget;
        if linear.count_ones() as usize == atoms.len {
            return self.linear_collision(&atoms, budget);
        }
        let mut joined = atoms.components(self);
        loop {
            let groups = match tri!(Groups::of(
                self, &atoms, &joined, linear, true, &mut left, budget
            )) {
                Ok(groups) => groups,
                Err(pair) => return Ok(Some(pair)),
            };
            let (mut i, mut reach, mut mixed) = (0, 0_u128, 0);
            while i < groups.len {
                let group = groups.list[i];
                if group.gap as u128 <= reach {
                    mixed = group.atoms | groups.list[i - 1].atoms;
                    break;
                }
                reach += group.span as u128;
                i += 1;
            }
            if mixed == 0 {
                return Ok(None);
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

    const fn linear_collision(
        &self,
        atoms: &Atoms,
        budget: Budget,
    ) -> Result<Option<(u64, u64)>, MapError> {
        let mut i = 0;
        while i < atoms.len {
            if atoms.weight(self, i) == 0 {
                return Ok(Some((0, atoms.list[i].place)));
            }
            i += 1;
        }
        let mut search = Search::new();
        tri!(search.add_map(self, atoms, true, false));
        if search.is_superincreasing() {
            return Ok(None);
        }
        search.begin(0);
        let (mut level, mut left) = (search.len - 1, budget);
        while tri!(search.next(level, true, atoms.ragged != 0, &mut left, budget)) {
            let ([first, second], pair) = search.indices(true, [atoms, atoms]);
            if self.holds(&first) && self.holds(&second) {
                return Ok(Some(pair));
            }
            level = 0;
        }
        Ok(None)
    }

    /// Whether coordinates are in bounds.
    const fn holds(&self, coordinates: &[u64; MAX_DIMENSIONS]) -> bool {
        let mut dim = 0;
        while dim < self.rank {
            if coordinates[dim] >= self.extents[dim] {
                return false;
            }
            dim += 1;
        }
        true
    }

    /// An index of this map and one of the other map with the same offset; `None` if no element belongs to both.
    ///
    /// Complexity: as [`collision`](Self::collision); NP-complete with free strides (Subset Sum). With carries, one of the maps may have 1,024
    /// indices.
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
        let ((low, high), (least, most)) = (self.range(), other.range());
        if self.size() == 0 || other.size() == 0 || high < least || most < low {
            return Ok(None);
        }
        let (atoms, others) = (tri!(Atoms::of(&[self])), tri!(Atoms::of(&[other])));
        let is_linear = atoms.linear(self).count_ones() as usize == atoms.len
            && others.linear(other).count_ones() as usize == others.len;
        let mut left = budget;
        if !is_linear {
            let turn = self.size() > other.size();
            let (small, large) = if turn { (other, self) } else { (self, other) };
            let (of_small, of_large) = if turn {
                (&others, &atoms)
            } else {
                (&atoms, &others)
            };
            let values = tri!(Values::of(small, of_small, u128::MAX, &mut left, budget));
            let mut walk = Walk::new(u128::MAX);
            loop {
                tri!(left.step(budget));
                if let Some(index) = values.find(large.value(&walk.coordinates)) {
                    return Ok(Some(if turn {
                        (walk.index, index)
                    } else {
                        (index, walk.index)
                    }));
                }
                if !walk.advance(of_large, &large.extents) {
                    return Ok(None);
                }
            }
        }
        let mut search = Search::new();
        let zero = [0; MAX_DIMENSIONS];
        let low = self.value(&zero) as i128 + tri!(search.add_map(self, &atoms, false, false));
        let least = other.value(&zero) as i128 + tri!(search.add_map(other, &others, false, true));
        if search.len == 0 {
            return Ok(if low == least { Some((0, 0)) } else { None });
        }
        search.begin(least - low);
        let mut level = search.len - 1;
        let forget = atoms.ragged | others.ragged != 0;
        while tri!(search.next(level, false, forget, &mut left, budget)) {
            let ([first, second], pair) = search.indices(false, [&atoms, &others]);
            if self.holds(&first) && other.holds(&second) {
                return Ok(Some(pair));
            }
            level = 0;
        }
        Ok(None)
    }
}
