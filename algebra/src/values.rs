//! The offsets of a component, as a sorted table.

use crate::Result;
use crate::atoms::Cut;
use crate::equal::Work;
use crate::list::List;

/// How many offsets a table has room for. A component with more of them is undecided.
const MAX_VALUES: usize = 1024;

/// Offsets with their indices, sorted by offset, then by index.
pub(crate) type Values = List<(i64, u64), MAX_VALUES>;

impl<const T: usize> Cut<'_, T> {
    /// The offsets of the indices of a component, whose other atoms are 0.
    pub(crate) const fn values(&self, atoms: u128, work: &mut Work) -> Result<Values> {
        let mut values = Values::new((0, 0));
        let mut walk = self.walk(atoms);
        loop {
            tri!(work.step());
            let value = (self.map.value(&walk.coordinates), walk.index);
            if values.push(value).is_err() {
                return Err(work.ended());
            }
            if !walk.advance() {
                values.sort();
                return Ok(values);
            }
        }
    }
}

impl Values {
    /// An index of this offset.
    pub(crate) const fn find(&self, offset: i64) -> Option<u64> {
        let mut low = 0;
        let mut high = self.len;
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
