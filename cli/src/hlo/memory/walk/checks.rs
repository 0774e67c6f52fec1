//! What is checked of an instruction: a text may lack what a compiler always writes.

use std::collections::HashSet;

use super::super::super::graph::{Instruction, ShapeId};
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

    // These are functions of their own: `run` calls itself, and its frame is to be small.

    /// The parameters of a computation have different numbers.
    pub(super) fn numbers(&self, computation: u32) -> Result<(), Stop> {
        let instructions = &self.module.computations[computation as usize].instructions;
        let mut numbers = HashSet::new();
        for (k, instruction) in (0..).zip(instructions) {
            let number = self.module.parameter(instruction);
            if number.is_some_and(|number| !numbers.insert(number)) {
                self.fault((computation, k), Fault::SecondParameter)?;
            }
        }
        Ok(())
    }

    /// A call has no more operands than its computation takes.
    pub(super) fn callee(&self, by: (u32, u32), callee: u32, given: usize) -> Result<(), Stop> {
        let instructions = self.module.computations[callee as usize]
            .instructions
            .iter();
        let parameters = instructions.filter(|one| self.module.is_parameter(one));
        self.at_most(by, given, parameters.count())
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

    /// A conditional has an operand and branches.
    pub(super) fn conditional(&self, of: &Instruction, by: (u32, u32)) -> Result<(), Stop> {
        if self.module.operands(of).is_empty() {
            self.fault(by, Fault::NoOperand)?;
        }
        match self.module.all_called(of).len() {
            0 => self.fault(by, Fault::NoCallee("branch_computations")),
            _ => Ok(()),
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
