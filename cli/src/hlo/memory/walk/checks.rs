//! What is checked of an instruction: a text may lack what a compiler always writes.

use super::super::stop::{Fault, Stop};
use super::{Follow, Places};

impl Follow<'_> {
    /// An instruction is not as a compiler writes it. In a damaged text this is told already, and what the instruction lacks is left out.
    pub(super) fn fault(&self, by: (u32, u32), fault: Fault) -> Result<(), Stop> {
        match self.module.is_damaged {
            true => Ok(()),
            false => Err(Stop::Instruction(Box::new((by, fault)))),
        }
    }

    /// Whether an instruction gives as many arrays as its shape has.
    pub(super) fn agree(&self, by: (u32, u32), given: usize, shape: usize) -> Result<(), Stop> {
        match given == shape {
            true => Ok(()),
            false => self.fault(by, Fault::Arrays { given, shape }),
        }
    }

    /// The first operand.
    pub(super) fn first(&self, by: (u32, u32), operands: &[Places]) -> Result<Places, Stop> {
        match operands.first() {
            Some(first) => Ok(first.clone()),
            None => {
                self.fault(by, Fault::NoOperand)?;
                Ok(Places::default())
            }
        }
    }
}
