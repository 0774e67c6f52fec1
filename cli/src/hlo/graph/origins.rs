//! Where the program has the operations of a module, each distinct place once: many instructions are made of one operation.

use std::collections::HashMap;

use super::texts::Text;

/// The number of a place; 0 is the unknown one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OriginId(u32);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub(crate) op_name: Text,
    pub(crate) source: Source,
}

/// Where the program has the operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    #[default]
    Unknown,
    /// A number in the table of stack frames.
    Frame(u32),
    /// A file and a line.
    Line(Text, u32),
}

#[derive(Debug)]
pub(super) struct Origins {
    all: Vec<Origin>,
    known: HashMap<Origin, OriginId>,
    /// Numbers are below this.
    most: u32,
    is_full: bool,
}

impl Default for Origins {
    fn default() -> Self {
        Self {
            all: vec![Origin::default()],
            known: HashMap::from([(Origin::default(), OriginId::default())]),
            most: u32::MAX,
            is_full: false,
        }
    }
}

impl Origins {
    pub(super) fn get(&self, origin: OriginId) -> Origin {
        self.all[origin.0 as usize]
    }

    /// With fewer numbers, for tests.
    #[cfg(test)]
    pub(super) fn of_at_most(most: u32) -> Self {
        Self {
            most,
            ..Self::default()
        }
    }

    /// Whether a place was not added, because all numbers are taken.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    /// The number of a place; a new one if it was not there. Where no number is left it is the unknown place, and
    /// [`is_full`](Self::is_full) says so.
    pub(super) fn add(&mut self, origin: Origin) -> OriginId {
        if let Some(&known) = self.known.get(&origin) {
            return known;
        }
        let number = u32::try_from(self.all.len());
        let Some(number) = number.ok().filter(|&number| number < self.most) else {
            self.is_full = true;
            return OriginId::default();
        };
        self.all.push(origin);
        self.known.insert(origin, OriginId(number));
        OriginId(number)
    }
}
