//! Whether the shape of a tuple is made of the shapes of its operands.

use super::build::Builder;
use super::shapes::ShapeId;
use super::texts::Text;
use crate::words::{counted, shortened};
use crate::wrong::Wrong;

impl Builder {
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
            let found = match is_array(shape) {
                true => "is no tuple".to_owned(),
                false => format!("has {}", counted(items.len(), "item")),
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
