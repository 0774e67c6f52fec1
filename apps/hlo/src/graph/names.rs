//! What the names of the open computation mean, and whether the shape of a tuple is made of the
//! shapes of its operands.
//!
//! One list, indexed by the number of the text, serves all computations. A body inside an
//! instruction hides names of the enclosing bodies.

use super::build::{Builder, Open};
use super::shapes::ShapeId;
use super::texts::Text;
use crate::wrong::Wrong;
use xlayout_words::{counted, shortened};

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

    /// Returns the mistake in an operation `tuple` with these operands, if any.
    ///
    /// Layouts and element types are not compared: the analyses need only the number of arrays.
    pub(super) fn tuple(&self, shape: ShapeId, operands: &[u32]) -> Option<Wrong> {
        let help = "each item of the shape is the shape of an operand: was a part left out?";
        let wrong = |message| Some(Wrong::new(message, help));
        let shapes = &self.module.shapes;
        let items = shapes.items(shape);
        let is_array = |shape| shapes.leaf(shape).is_some();
        if is_array(shape) || items.len() != operands.len() {
            let found = if is_array(shape) {
                "is no tuple".to_owned()
            } else {
                format!("has {}", counted(items.len(), "item"))
            };
            let operands = counted(operands.len(), "operand");
            return wrong(format!("the shape {found}, and `tuple` has {operands}"));
        }
        let instructions = &self.open.last()?.computation.instructions;
        for (k, (&item, &operand)) in items.iter().zip(operands).enumerate() {
            let operand = &instructions[operand as usize];
            // An operand without an opcode could not be read, which is reported already.
            let is_broken = operand.opcode == Text::default();
            let is_equal = item == operand.shape || is_array(item) && is_array(operand.shape);
            if is_broken || is_equal {
                continue;
            }
            let [has, needs] = [item, operand.shape].map(|shape| shapes.count(shape));
            if has != needs {
                let name = shortened(self.module.texts.get(operand.name), 60);
                return wrong(format!(
                    "item {k} of the shape has {}, and the operand `{name}` has {}",
                    counted(has, "array"),
                    counted(needs, "array")
                ));
            }
        }
        None
    }
}
