//! The offsets of a component, as a sorted table, and groups of components whose offsets do not mix.

use crate::Budget;
use crate::atoms::{Atoms, MAX_ATOMS, Walk};
use crate::{Map, MapError};

/// How many offsets a table has room for. A component with more of them is undecided.
const MAX_VALUES: usize = 1024;

/// Offsets with their indices, sorted by offset.
#[derive(Clone, Copy)]
pub(crate) struct Values {
    pub(crate) list: [(i64, u64); MAX_VALUES],
    pub(crate) len: usize,
}

impl Values {
    /// The offsets of the indices of a component, whose other atoms are 0.
    pub(crate) const fn of<const T: usize>(
        map: &Map<T>,
        atoms: &Atoms,
        component: u128,
        left: &mut Budget,
        budget: Budget,
    ) -> Result<Self, MapError> {
        let mut values = Self {
            list: [(0, 0); MAX_VALUES],
            len: 0,
        };
        let mut walk = Walk::new(component);
        loop {
            tri!(left.step(budget));
            if values.len == MAX_VALUES {
                return Err(MapError::Undecided { work: budget.0 });
            }
            values.list[values.len] = (map.value(&walk.coordinates), walk.index);
            values.len += 1;
            if !walk.advance(atoms, &map.extents) {
                break;
            }
        }
        values.sort();
        Ok(values)
    }

    /// A heap sort: by offset, then by index.
    const fn sort(&mut self) {
        let mut start = self.len / 2;
        let mut end = self.len;
        while end > 1 {
            if start > 0 {
                start -= 1;
            } else {
                end -= 1;
                self.swap(0, end);
            }
            let mut root = start;
            loop {
                let mut child = 2 * root + 1;
                if child >= end {
                    break;
                }
                if child + 1 < end && self.before(child, child + 1) {
                    child += 1;
                }
                if !self.before(root, child) {
                    break;
                }
                self.swap(root, child);
                root = child;
            }
        }
    }

    const fn before(&self, a: usize, b: usize) -> bool {
        let (a, b) = (self.list[a], self.list[b]);
        a.0 < b.0 || a.0 == b.0 && a.1 < b.1
    }

    const fn swap(&mut self, a: usize, b: usize) {
        (self.list[a], self.list[b]) = (self.list[b], self.list[a]);
    }

    /// Two indices with one offset.
    pub(crate) const fn collision(&self) -> Option<(u64, u64)> {
        let mut i = 1;
        while i < self.len {
            if self.list[i].0 == self.list[i - 1].0 {
                return Some((self.list[i - 1].1, self.list[i].1));
            }
            i += 1;
        }
        None
    }

    /// The least and the greatest distance of neighbours that differ; the least one is the greatest number if there is one offset only.
    pub(crate) const fn gaps(&self) -> (u64, u64) {
        let (mut i, mut least, mut most) = (1, u64::MAX, 0);
        while i < self.len {
            let gap = self.list[i].0.abs_diff(self.list[i - 1].0);
            if gap < least && gap > 0 {
                least = gap;
            }
            if gap > most {
                most = gap;
            }
            i += 1;
        }
        (least, most)
    }

    /// The greatest offset less the least one.
    pub(crate) const fn span(&self) -> u64 {
        self.list[self.len - 1].0.abs_diff(self.list[0].0)
    }

    /// An index of this offset.
    pub(crate) const fn find(&self, offset: i64) -> Option<u64> {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = (low + high) / 2;
            if self.list[middle].0 < offset {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low < self.len && self.list[low].0 == offset {
            Some(self.list[low].1)
        } else {
            None
        }
    }
}

/// A component, and where its offsets are.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    pub(crate) atoms: u128,
    /// The least distance of two offsets, and the greatest one of neighbours.
    pub(crate) gap: u64,
    pub(crate) widest: u64,
    pub(crate) span: u64,
    /// The least offset, less that of index 0.
    pub(crate) low: i64,
}

/// The components of a map that depend on each other, each with its atoms.
#[derive(Clone, Copy)]
pub(crate) struct Groups {
    pub(crate) list: [Group; MAX_ATOMS],
    pub(crate) len: usize,
}

impl Groups {
    /// The components, of which `joined` says the atoms of each atom's component; or two indices with one offset, if `distinct` asks for
    /// that. Otherwise equal offsets count once.
    pub(crate) const fn of<const T: usize>(
        map: &Map<T>,
        atoms: &Atoms,
        joined: &[u128; MAX_ATOMS],
        linear: u128,
        distinct: bool,
        left: &mut Budget,
        budget: Budget,
    ) -> Result<Result<Self, (u64, u64)>, MapError> {
        let empty = Group {
            atoms: 0,
            gap: u64::MAX,
            widest: 0,
            span: 0,
            low: 0,
        };
        let mut groups = Self {
            list: [empty; MAX_ATOMS],
            len: 0,
        };
        let (mut i, mut done) = (0, 0);
        while i < atoms.len {
            if done & joined[i] == 0 {
                done |= joined[i];
                let group = if joined[i] == 1 << i && linear & (1 << i) != 0 {
                    let (weight, last) = (atoms.weight(map, i), atoms.list[i].size - 1);
                    if weight == 0 && distinct {
                        return Ok(Err((0, atoms.list[i].place)));
                    }
                    // Within the map's range, so it fits.
                    let span = weight.unsigned_abs() * last;
                    Group {
                        atoms: 1 << i,
                        gap: weight.unsigned_abs(),
                        widest: weight.unsigned_abs(),
                        span,
                        low: if weight < 0 { -(span as i64) } else { 0 },
                    }
                } else {
                    let values = tri!(Values::of(map, atoms, joined[i], left, budget));
                    if let Some(pair) = values.collision()
                        && distinct
                    {
                        return Ok(Err(pair));
                    }
                    let zero = map.value(&[0; crate::MAX_DIMENSIONS]);
                    let (gap, widest) = values.gaps();
                    Group {
                        atoms: joined[i],
                        gap,
                        widest,
                        span: values.span(),
                        low: values.list[0].0.wrapping_sub(zero),
                    }
                };
                if group.span > 0 {
                    groups.insert(group);
                }
            }
            i += 1;
        }
        Ok(Ok(groups))
    }

    /// Adds a group, by gap.
    const fn insert(&mut self, group: Group) {
        let mut i = self.len;
        while i > 0
            && (self.list[i - 1].gap > group.gap
                || self.list[i - 1].gap == group.gap && self.list[i - 1].span > group.span)
        {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[i] = group;
        self.len += 1;
    }
}
