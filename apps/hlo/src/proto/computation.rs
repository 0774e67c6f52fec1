//! A computation, as the first pass reads it.

use std::io;

use prost::bytes::Bytes;

use super::decode::{damaged, decode, in_part, place};
use super::instruction::name;
use super::message::{HloComputation, Identity};

/// A computation, and its position.
#[derive(Default)]
pub(super) struct Computation {
    /// The number of computations before it in the file.
    number: usize,
    /// The name as it is shown.
    pub(super) name: String,
    pub(super) message: HloComputation,
    /// The numbers of the instructions.
    pub(super) ids: Vec<i64>,
    /// The numbers of the computations that its instructions call.
    pub(super) calls: Vec<i64>,
}

impl Computation {
    /// Reads the parts that are needed to order the computations.
    ///
    /// # Errors
    /// If the computation or an instruction of it has no name, or if the bytes are damaged.
    pub(super) fn new(file: &Bytes, number: usize, bytes: &Bytes) -> io::Result<Self> {
        let mut found = Self {
            number,
            ..Self::default()
        };
        match found.read(file, bytes) {
            Ok(()) => Ok(found),
            Err(error) => Err(found.damaged(error)),
        }
    }

    fn read(&mut self, file: &Bytes, bytes: &Bytes) -> io::Result<()> {
        self.message = decode(bytes)?;
        self.name = name(&self.message.name);
        for bytes in &self.message.instructions {
            let at = place(file, bytes);
            let instruction: Identity = decode(bytes)
                .map_err(|error| damaged(format!("the instruction at byte {at}: {error}")))?;
            if instruction.name.is_empty() {
                return Err(damaged(format!("the instruction at byte {at} has no name")));
            }
            self.ids.push(instruction.id);
            self.calls.extend(instruction.called_computation_ids);
        }
        // If both are missing, it may have no bytes at all, and a small file may contain many of
        // them.
        let missing = if self.name.is_empty() {
            "name"
        } else if self.ids.is_empty() {
            "instruction"
        } else {
            return Ok(());
        };
        let at = place(file, bytes);
        Err(damaged(format!("it has no {missing} (at byte {at})")))
    }

    /// Adds to the error the computation in which the bytes are damaged.
    pub(super) fn damaged(&self, error: io::Error) -> io::Error {
        let Self { number, name, .. } = self;
        let name = match &name[..] {
            "" => String::new(),
            name => format!(" (`{}`)", xlayout_words::shortened(name, 60)),
        };
        in_part(&format!("computation {number}{name}"), error)
    }
}
