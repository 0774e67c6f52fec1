//! A computation, as the first pass reads it.

use std::io;
use std::ops::Range;

use super::store::{self, Field, Fields, Store, is_damaged};

/// A computation, and its position.
pub(super) struct Computation {
    /// The number of computations before it in the file.
    number: usize,
    pub(super) name: String,
    pub(super) id: i64,
    pub(super) root_id: i64,
    pub(super) fields: Fields,
    /// The numbers of the computations that its instructions call.
    pub(super) calls: Vec<i64>,
}

impl Computation {
    /// Reads the parts that are needed to order the computations.
    ///
    /// # Errors
    /// If the computation or an instruction of it has no name, or if the bytes are damaged.
    pub(super) fn new(store: &mut Store, number: usize, fields: Fields) -> io::Result<Self> {
        let mut found = Self {
            number,
            name: String::new(),
            id: 0,
            root_id: 0,
            fields: fields.clone(),
            calls: Vec::new(),
        };
        match found.read(store, fields) {
            Ok(()) => Ok(found),
            Err(error) => Err(found.damaged(error)),
        }
    }

    fn read(&mut self, store: &mut Store, mut rest: Fields) -> io::Result<()> {
        let begin = rest.0.start;
        let mut is_empty = true;
        while let Some(field) = store.next(&mut rest)? {
            match field {
                (1, Field::Bytes(name)) => self.name = store.name(&name)?,
                (2, Field::Bytes(instruction)) => {
                    is_empty = false;
                    self.instruction(store, instruction)?;
                }
                (5, Field::Number(id)) => self.id = id as i64,
                (6, Field::Number(id)) => self.root_id = id as i64,
                _ => {}
            }
        }
        // If both are missing, it may have no bytes at all, and a small file may contain many of
        // them.
        let missing = match self.name.is_empty() {
            true => "name",
            false if is_empty => "instruction",
            false => return Ok(()),
        };
        let message = format!("it has no {missing} (at byte {begin})");
        Err(store::damaged(message))
    }

    /// Reads the computations that an instruction calls.
    fn instruction(&mut self, store: &mut Store, instruction: Range<u64>) -> io::Result<()> {
        let begin = instruction.start;
        let mut has_name = false;
        let mut rest = Fields(instruction);
        while let Some((tag, field)) = store.next(&mut rest)? {
            match (tag, field) {
                (1, Field::Bytes(name)) => has_name = !name.is_empty(),
                (38, field) => store.numbers(field, &mut |id| self.calls.push(id))?,
                _ => {}
            }
        }
        match has_name {
            true => Ok(()),
            false => Err(store::damaged(format!(
                "the instruction at byte {begin} has no name"
            ))),
        }
    }

    /// Adds to the error the computation in which the bytes are damaged.
    pub(super) fn damaged(&self, error: io::Error) -> io::Error {
        let Self { number, name, .. } = self;
        let name = match &name[..] {
            "" => String::new(),
            name => format!(" (`{}`)", xlayout_words::shortened(name, 60)),
        };
        match is_damaged(&error) {
            true => io::Error::other(format!(
                "computation {number}{name} of the proto is damaged: {error}"
            )),
            false => error,
        }
    }
}
