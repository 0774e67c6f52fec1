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
}

impl Default for Origins {
    fn default() -> Self {
        Self {
            all: vec![Origin::default()],
            known: HashMap::from([(Origin::default(), OriginId::default())]),
        }
    }
}

impl Origins {
    pub(super) fn get(&self, origin: OriginId) -> Origin {
        self.all[origin.0 as usize]
    }

    /// The number of a place; a new one if it was not there.
    pub(super) fn add(&mut self, origin: Origin) -> OriginId {
        *self.known.entry(origin).or_insert_with(|| {
            let Ok(number) = u32::try_from(self.all.len()) else {
                unreachable!("a computation has fewer than 2^32 instructions");
            };
            self.all.push(origin);
            OriginId(number)
        })
    }
}
