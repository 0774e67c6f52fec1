//! The places in the program of the operations of a module, each distinct place once: many
//! instructions come from one operation.

use std::hash::Hash;

use hashbrown::HashMap;

use super::texts::{Numbers, Text};

/// The number of a place; 0 is the unknown place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OriginId(pub(super) u32);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Origin {
    pub(crate) op_name: Text,
    pub(crate) source: Source,
}

/// The place of an operation in the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    #[default]
    Unknown,
    /// A number in the table of stack frames.
    Frame(u32),
    /// A file and a line.
    Line(Text, u32),
}

/// Distinct values, each with a number; the default value has number 0.
#[derive(Debug)]
pub(super) struct Distinct<T> {
    all: Vec<T>,
    known: HashMap<T, u32>,
    pub(super) numbers: Numbers,
}

impl<T: Clone + Default + Eq + Hash> Default for Distinct<T> {
    fn default() -> Self {
        Self {
            all: vec![T::default()],
            known: HashMap::from([(T::default(), 0)]),
            numbers: Numbers::default(),
        }
    }
}

impl<T: Clone + Eq + Hash> Distinct<T> {
    pub(super) fn get(&self, number: u32) -> &T {
        &self.all[number as usize]
    }

    /// Returns the number of a value, and adds a new value. Returns 0 if no number is left; then
    /// [`is_full`](Numbers::is_full) is true.
    pub(super) fn add(&mut self, value: T) -> u32 {
        if let Some(&known) = self.known.get(&value) {
            return known;
        }
        let Some(number) = self.numbers.next(self.all.len()) else {
            return 0;
        };
        self.all.push(value.clone());
        self.known.insert(value, number);
        number
    }
}
