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
    /// A step of the least atom, in the row-major index.
    pub(crate) place: u64,
    /// Two indices with one offset; both are 0 if there are none.
    pub(crate) pair: (u64, u64),
    /// Whether it is one of the second map.
    pub(crate) second: bool,
}

/// Groups, by gap.
pub(crate) type Groups = List<Group, MAX_GROUPS>;

impl<const T: usize> Cut<'_, T> {
    /// The groups of components, of which `joined` says the atoms of each atom's component.
    pub(crate) const fn groups(
        &self,
        joined: &[u128; MAX_ATOMS],
        work: &mut Work,
    ) -> Result<Groups, MapError> {
        let (mut groups, mut done) = (Groups::NONE, 0);
        each!(i, 0..self.atoms.len, {
            let (atoms, atom) = (joined[i], &self.atoms.list[i]);
            if done & atoms != 0 {
                continue;
            }
            done |= atoms;
            let mut group = Group {
                atoms,
                place: atom.place,
                ..Group::NONE
            };
            if atoms == 1 << i && self.linear & atoms != 0 {
                group.gap = self.weights[i].unsigned_abs();
                group.widest = group.gap;
                // Within the map's range, so it fits.
                group.span = group.gap * (atom.size - 1);
                if self.weights[i] < 0 {
                    group.low = -(group.span as i64);
                }
                if group.gap == 0 {
                    group.pair = (0, atom.place);
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
                        group.pair = (first, second);
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
            tri!(groups.push(group));
        });
        Ok(groups.sorted())
    }
}

impl Group {
    const NONE: Self = Self {
        atoms: 0,
        gap: 0,
        widest: 0,
        span: 0,
        low: 0,
        place: 0,
        pair: (0, 0),
        second: false,
    };
}

impl Groups {
    const NONE: Self = Self::new(Group::NONE);

    const fn sorted(&self) -> Self {
        let mut gaps = List::<_, MAX_GROUPS>::new((0, 0));
        each!(i, 0..self.len, {
            gaps.list[i] = (self.list[i].gap as i64, i as u64);
        });
        gaps.len = self.len;
        gaps.sort();
        let mut sorted = *self;
        each!(i, 0..self.len, {
            sorted.list[i] = self.list[gaps.list[i].1 as usize];
        });
        sorted
    }

    /// These groups, and those of a second map.
    pub(crate) const fn with(mut self, second: &Self) -> Result<Self, MapError> {
        each!(group, &second.as_slice(), {
            let second = true;
            tri!(self.push(Group { second, ..*group }));
        });
        Ok(self.sorted())
    }
}

impl<const T: usize> Map<T> {
    /// The strides above 0 of a map without an offset, merged coordinates, incomplete digits and negative strides, which complements
    /// and inverses need.
    pub(crate) const fn steps(&self) -> Result<Groups, MapError> {
        let atoms = tri!(Atoms::of(&[self]));
        ensure!(self.is_plain(), Merged);
        let cut = atoms.cut(self);
        let strided = cut.is_linear() && atoms.ragged == 0;
        let from_zero = self.constant() == 0 && self.range().0 == 0;
        ensure!(strided && from_zero, NotStrided);
        let mut steps = tri!(cut.groups(&atoms.separate(), &mut Budget(0).work()));
        while steps.len > 0 && steps.list[steps.len - 1].span == 0 {
            steps.len -= 1;
        }
        Ok(steps)
    }
}
