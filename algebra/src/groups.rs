//! Where the offsets of components are, as far as that is known without those of the others.
//!
//! ```text
//! groups(map): an atom over which the map is linear moves by its weight; for another component, the table of its offsets
//!   sorted by the least distance of two offsets
//! ```

use crate::atoms::{Atoms, Cut, MAX_ATOMS};
use crate::equal::Work;
use crate::list::List;
use crate::{Budget, Map, MapError};

/// How many groups there is room for, of two maps together.
pub(crate) const MAX_GROUPS: usize = 192;

/// A component, and where its offsets are, less that of index 0.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) atoms: u128,
    /// The least distance of two offsets that differ, or the greatest number if there are none; and the greatest one of neighbours.
    pub(crate) gap: u64,
    pub(crate) widest: u64,
    /// The greatest offset less the least one, and the least one.
    pub(crate) span: u64,
    pub(crate) low: i64,
    /// Whether it is one of the second map.
    pub(crate) second: bool,
}

/// Groups, by gap.
pub(crate) struct Groups {
    list: [Group; MAX_GROUPS],
    /// The gaps, and the places in the list.
    gaps: List<(i64, u64), MAX_GROUPS>,
    /// Two indices of one component with one offset; both are 0 if there are none.
    pub(crate) pair: (u64, u64),
}

impl<const T: usize> Cut<'_, T> {
    /// The groups of components, of which `joined` says the atoms of each atom's component.
    pub(crate) const fn groups(
        &self,
        joined: &[u128; MAX_ATOMS],
        work: &mut Work,
    ) -> Result<Groups, MapError> {
        let (mut groups, mut done) = (Groups::new(), 0);
        each!(i, 0..self.atoms.len, {
            let atoms = joined[i];
            if done & atoms != 0 {
                continue;
            }
            done |= atoms;
            let mut group = Group {
                atoms,
                ..Group::NONE
            };
            if atoms == 1 << i && self.linear & atoms != 0 {
                group.gap = self.weights[i].unsigned_abs();
                group.widest = group.gap;
                // Within the map's range, so it fits.
                group.span = group.gap * (self.atoms.list[i].size - 1);
                if self.weights[i] < 0 {
                    group.low = -(group.span as i64);
                }
                if group.gap == 0 {
                    groups.pair = (0, self.atoms.list[i].place);
                }
            } else {
                let values = tri!(self.values(atoms, work));
                let (low, high) = (values.list[0].0, values.list[values.len - 1].0);
                group.span = high.abs_diff(low);
                group.low = low.wrapping_sub(self.map.origin());
                each!(j, 1..values.len, {
                    let ((low, first), (high, second)) = (values.list[j - 1], values.list[j]);
                    let gap = high.abs_diff(low);
                    if gap == 0 {
                        groups.pair = (first, second);
                    } else if gap < group.gap || group.gap == 0 {
                        group.gap = gap;
                    }
                    if gap > group.widest {
                        group.widest = gap;
                    }
                });
            }
            if group.span == 0 {
                group.gap = i64::MAX as u64;
            }
            tri!(groups.add(group));
        });
        groups.gaps.sort();
        Ok(groups)
    }
}

impl Group {
    const NONE: Self = Self {
        atoms: 0,
        gap: 0,
        widest: 0,
        span: 0,
        low: 0,
        second: false,
    };
}

impl Groups {
    const fn new() -> Self {
        Self {
            list: [Group::NONE; MAX_GROUPS],
            gaps: List::new((0, 0)),
            pair: (0, 0),
        }
    }

    const fn add(&mut self, group: Group) -> Result<(), MapError> {
        let i = self.gaps.len;
        tri!(self.gaps.push((group.gap as i64, i as u64)));
        self.list[i] = group;
        Ok(())
    }

    pub(crate) const fn len(&self) -> usize {
        self.gaps.len
    }

    /// The group with this number of smaller gaps.
    pub(crate) const fn at(&self, number: usize) -> &Group {
        &self.list[self.gaps.list[number].1 as usize]
    }

    /// Adds those of a second map.
    pub(crate) const fn add_all(&mut self, second: &Self) -> Result<(), MapError> {
        each!(i, 0..second.len(), {
            let (group, second) = (*second.at(i), true);
            tri!(self.add(Group { second, ..group }));
        });
        self.gaps.sort();
        Ok(())
    }

    pub(crate) const fn remove(&mut self, number: usize) {
        self.gaps.remove(number);
    }

    /// Divides all gaps.
    pub(crate) const fn divide(&mut self, by: u64) {
        each!(i, 0..self.len(), {
            let group = &mut self.list[self.gaps.list[i].1 as usize];
            group.gap /= by;
            group.span /= by;
        });
    }
}

impl<const T: usize> Map<T> {
    /// The strides above 0 of a map without an offset, merged coordinates, incomplete digits and negative strides, which complements
    /// and inverses need.
    pub(crate) const fn steps(&self, atoms: &Atoms) -> Result<Groups, MapError> {
        ensure!(self.is_plain(), Merged);
        let cut = atoms.cut(self);
        let strided = cut.is_linear() && atoms.ragged == 0;
        ensure!(strided && self.constant() == 0, NotStrided);
        let mut steps = tri!(cut.groups(&atoms.separate(), &mut Budget(0).work()));
        each!(i, 0..steps.len(), {
            ensure!(steps.at(i).low == 0, NotStrided);
        });
        while steps.len() > 0 && steps.at(steps.len() - 1).span == 0 {
            steps.remove(steps.len() - 1);
        }
        Ok(steps)
    }
}
