//! The meanings of names in the open computation.
//!
//! One list, indexed by the number of the text, serves all computations. A body inside an
//! instruction hides names of the enclosing bodies.

use super::build::{Builder, Open};
use super::texts::Text;

impl Builder {
    pub(super) fn begin(&mut self, mut open: Open) {
        self.begun_bodies += 1;
        open.number = self.begun_bodies;
        self.open.push(open);
    }

    /// The instruction that a name means in the open computation.
    pub(super) fn named(&self, name: Text) -> Option<u32> {
        let &(body, instruction) = self.names.get(name.0 as usize)?;
        (self.open.last()?.number == body).then_some(instruction)
    }

    /// Gives a name to an instruction of the open computation.
    pub(super) fn give(&mut self, name: Text, instruction: u32) {
        let place = name.0 as usize;
        if self.names.len() <= place {
            self.names.resize(place + 1, (0, 0));
        }
        let before = self.names[place];
        let around = &self.open[..self.open.len().saturating_sub(1)];
        let is_hidden = around.iter().any(|open| open.number == before.0);
        if let Some(open) = self.open.last_mut() {
            if is_hidden {
                open.hidden.push((name, before));
            }
            self.names[place] = (open.number, instruction);
        }
    }

    /// Restores the names that a body redefined, for the enclosing body.
    pub(super) fn show(&mut self, hidden: Vec<(Text, (u32, u32))>) {
        for (name, means) in hidden.into_iter().rev() {
            self.names[name.0 as usize] = means;
        }
    }
}
