//! The strides of a map of one digit each, which complements and inverses need.

use crate::atoms::{Atoms, MAX_ATOMS};
use crate::{Map, MapError};

/// A digit of the index, and how far it moves.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) stride: u64,
    pub(crate) size: u64,
    /// A step of the digit, in the index.
    pub(crate) place: u64,
}

/// The digits with more than one value, by stride.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    pub(crate) list: [Step; MAX_ATOMS],
    pub(crate) len: usize,
}

impl Steps {
    /// The strides of a map without an offset, merged coordinates, incomplete digits and negative strides.
    pub(crate) const fn of<const T: usize>(map: &Map<T>) -> Result<Self, MapError> {
        let none = Step {
            stride: 0,
            size: 1,
            place: 1,
        };
        let mut steps = Self {
            list: [none; MAX_ATOMS],
            len: 0,
        };
        if map.size() <= 1 {
            return if map.range().0 == 0 {
                Ok(steps)
            } else {
                Err(MapError::NotStrided)
            };
        }
        let atoms = tri!(Atoms::of(&[map]));
        if !map.is_plain() {
            return Err(MapError::Merged);
        }
        if atoms.linear(map).count_ones() as usize != atoms.len
            || atoms.ragged != 0
            || map.constant() != 0
        {
            return Err(MapError::NotStrided);
        }
        let mut i = 0;
        while i < atoms.len {
            let weight = atoms.weight(map, i);
            if weight < 0 {
                return Err(MapError::NotStrided);
            }
            steps.insert(Step {
                stride: weight as u64,
                size: atoms.list[i].size,
                place: atoms.list[i].place,
            });
            i += 1;
        }
        Ok(steps)
    }

    /// Adds a digit in its place: by stride, then by size.
    const fn insert(&mut self, step: Step) {
        let mut i = self.len;
        while i > 0
            && (self.list[i - 1].stride > step.stride
                || self.list[i - 1].stride == step.stride && self.list[i - 1].size > step.size)
        {
            self.list[i] = self.list[i - 1];
            i -= 1;
        }
        self.list[i] = step;
        self.len += 1;
    }

    pub(crate) const fn remove(&mut self, at: usize) {
        let mut i = at + 1;
        while i < self.len {
            self.list[i - 1] = self.list[i];
            i += 1;
        }
        self.len -= 1;
    }
}
