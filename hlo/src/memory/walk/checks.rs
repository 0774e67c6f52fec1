//! Checks of an instruction: a text may lack what a compiler always writes.

use super::super::stop::{Fault, NO_OPERAND, Stop};
use super::{Follow, Made, Places};

impl Follow<'_> {
    /// Returns the fault of an instruction that is not as a compiler writes it, unless `is_right`.
    /// In a damaged text the reader reported it, and the missing part is skipped.
    pub(super) fn check(&self, is_right: bool, by: (u32, u32), fault: Fault) -> Result<(), Stop> {
        match is_right || self.module.is_damaged {
            true => Ok(()),
            false => Err(Stop::Instruction(Box::new((by, fault)))),
        }
    }

    pub(super) fn fault(&self, by: (u32, u32), fault: Fault) -> Result<(), Stop> {
        self.check(false, by, fault)
    }

    /// Checks that an instruction gives as many arrays as its shape has.
    pub(super) fn agree(&self, by: (u32, u32), given: usize, shape: usize) -> Result<(), Stop> {
        self.check(given == shape, by, Fault::Arrays { given, shape })
    }

    /// Checks that an instruction has at most as many operands as its computation, or a loop,
    /// takes.
    pub(super) fn at_most(&self, by: (u32, u32), given: usize, taken: usize) -> Result<(), Stop> {
        self.check(given <= taken, by, Fault::Operands { given, taken })
    }

    /// The first operand.
    pub(super) fn first(&self, by: (u32, u32), operands: &[Places]) -> Made {
        self.check(!operands.is_empty(), by, NO_OPERAND)?;
        Ok(operands.first().cloned().unwrap_or_default())
    }
}
