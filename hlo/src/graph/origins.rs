//! Where the program has the operations of a module, each distinct place once: many instructions are made of one operation.

use hashbrown::HashMap;

use super::texts::{Numbers, Text};

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
    pub(super) numbers: Numbers,
}

impl Default for Origins {
    fn default() -> Self {
        Self {
            all: vec![Origin::default()],
            known: HashMap::from([(Origin::default(), OriginId::default())]),
            numbers: Numbers::default(),
        }
    }
}

impl Origins {
    pub(super) fn get(&self, origin: OriginId) -> Origin {
        self.all[origin.0 as usize]
    }

    /// The number of a place; a new one if it was not there. Where no number is left it is the unknown place, and
    /// [`is_full`](Numbers::is_full) says so.
    pub(super) fn add(&mut self, origin: Origin) -> OriginId {
        if let Some(&known) = self.known.get(&origin) {
            return known;
        }
        let Some(number) = self.numbers.next(self.all.len()) else {
            return OriginId::default();
        };
        self.all.push(origin);
        self.known.insert(origin, OriginId(number));
        OriginId(number)
    }
}
