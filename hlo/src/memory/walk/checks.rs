//! What is checked of an instruction: a text may lack what a compiler always writes.

use super::super::super::graph::{Instruction, ShapeId};
use super::super::stop::{Fault, Stop};
use super::{Follow, Places};

impl Follow<'_> {
    /// An instruction is not as a compiler writes it. In a damaged text this is reported already, and what the instruction lacks is left out.
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

    /// The parameters of a computation have different numbers.
    pub(super) fn numbers(&self, computation: u32) -> Result<(), Stop> {
        match self.bodies[computation as usize].second {
            Some(k) => self.fault((computation, k), Fault::SecondParameter),
            None => Ok(()),
        }
    }

    /// A call has no more operands than its computation takes.
    pub(super) fn callee(&self, by: (u32, u32), callee: u32, given: usize) -> Result<(), Stop> {
        self.at_most(by, given, self.bodies[callee as usize].parameters)
    }

    /// A loop has one operand.
    pub(super) fn one_operand(&self, of: &Instruction, by: (u32, u32)) -> Result<(), Stop> {
        self.at_most(by, self.module.operands(of).len(), 1)
    }

    fn at_most(&self, by: (u32, u32), given: usize, taken: usize) -> Result<(), Stop> {
        match given <= taken {
            true => Ok(()),
            false => self.fault(by, Fault::Operands { given, taken }),
        }
    }

    /// A parameter that does not say which one it is.
    pub(super) fn without_number(
        &mut self,
        shape: ShapeId,
        by: (u32, u32),
    ) -> Result<Places, Stop> {
        self.fault(by, Fault::NoNumber)?;
        self.made(shape, by)
    }
}
