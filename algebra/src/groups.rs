//! Where the offsets of components are, as far as that is known without those of the others.
//!
//! ```text
//! groups(map): an atom over which the map is linear moves by its weight; for another component,
//!     the table of its offsets
//!   sorted by the least distance of two offsets
//! ```

use crate::atoms::{Atoms, Cut, MAX_ATOMS};
use crate::equal::Work;
use crate::list::List;
use crate::{Budget, Map, MapError, Result};

/// How many groups there is room for, of two maps together.
pub(crate) const MAX_GROUPS: usize = 192;

/// A component, and where its offsets are, less that of index 0.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) atoms: u128,
    /// The least distance of two offsets that differ; the greatest number if all are equal.
    pub(crate) gap: u64,
    /// The greatest distance of two neighbours among the sorted offsets.
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
    pub(crate) gaps: List<(i64, u64), MAX_GROUPS>,
    /// Two indices of one component that share an offset; both are 0 if no two do.
    pub(crate) pair: (u64, u64),
}

impl Groups {
    pub(crate) const fn new() -> Self {
        Self {
            list: [Group::NONE; MAX_GROUPS],
            gaps: List::new((0, 0)),
            pair: (0, 0),
        }
    }

    /// Adds the groups of components, of which `joined` says the atoms of each atom's component.
    pub(crate) const fn add<const T: usize>(
        &mut self,
        cut: &Cut<'_, T>,
        joined: &[u128; MAX_ATOMS],
        second: bool,
        work: &mut Work,
    ) -> Result<(), MapError> {
        let mut done = 0;
        each!(i, 0..cut.atoms.len, {
            let atoms = joined[i];
            let mut group = Group::NONE;
            if done & atoms != 0 {
                continue;
            }
            done |= atoms;
            (group.atoms, group.second) = (atoms, second);
            if atoms == 1 << i && cut.linear & atoms != 0 {
                group.gap = cut.weights[i].unsigned_abs();
                group.widest = group.gap;
                // Within the map's range, so it fits.
                group.span = group.gap * (cut.atoms.list[i].size - 1);
                if cut.weights[i] < 0 {
                    group.low = -(group.span as i64);
                }
                if group.gap == 0 {
                    self.pair = (0, cut.atoms.list[i].place);
                }
            } else {
                let values = tri!(cut.values(atoms, work));
                let low = values.list[0].0;
                let high = values.list[values.len - 1].0;
                group.span = high.abs_diff(low);
                group.low = low.wrapping_sub(cut.map.origin());
                each!(j, 1..values.len, {
                    let (low, first) = values.list[j - 1];
                    let (high, second) = values.list[j];
                    let gap = high.abs_diff(low);
                    if gap == 0 {
                        self.pair = (first, second);
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
            let place = self.gaps.len;
            tri!(self.gaps.push((group.gap as i64, place as u64)));
            self.list[place] = group;
        });
        self.gaps.sort();
        Ok(())
    }

    pub(crate) const fn len(&self) -> usize {
        self.gaps.len
    }

    /// The group with this number of smaller gaps.
    pub(crate) const fn at(&self, number: usize) -> &Group {
        &self.list[self.gaps.list[number].1 as usize]
    }

    /// Divides all gaps.
    pub(crate) const fn divide(&mut self, divisor: u64) {
        each!(i, 0..self.len(), {
            let group = &mut self.list[self.gaps.list[i].1 as usize];
            group.gap /= divisor;
            group.span /= divisor;
        });
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

impl<const T: usize> Map<T> {
    /// The strides of a map without an offset, merged coordinates, incomplete digits and negative
    /// strides, which complements and inverses need. Strides of 0 are the last ones.
    pub(crate) const fn steps(&self, atoms: &Atoms) -> Result<Groups> {
        ensure!(self.is_plain(), Merged);
        let cut = atoms.cut(self);
        let strided = cut.is_linear() && atoms.ragged == 0;
        ensure!(strided && self.constant() == 0, NotStrided);
        let mut steps = Groups::new();
        tri!(steps.add(&cut, &atoms.separate(), false, &mut Budget(0).work()));
        each!(i, 0..steps.len(), {
            ensure!(steps.at(i).low == 0, NotStrided);
        });
        Ok(steps)
    }
}
