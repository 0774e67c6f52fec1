//! The data of one run of a plan: its size, and the strategy that was set, measured or estimated.

use super::{Choice, estimate, fits};
use crate::kernels::LINE;
use crate::kernels::task::Task;
use crate::machine::Machine;

/// The data of a run beside its nests of loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// The bytes that all nests together write.
    pub(crate) total: usize,
    /// The choice that was measured, or that a test sets. It applies to nests that it fits.
    pub(crate) choice: Option<Choice>,
    /// The estimates for the only nest, if there is only one: for a destination that does not begin
    /// at a line, and for one that does. Copying a few elements takes less time than an estimate.
    pub(crate) estimates: Option<[Choice; 2]>,
}

impl Run {
    /// A run without estimates and without a set choice.
    pub(crate) const fn of(total: usize) -> Self {
        Self {
            total,
            choice: None,
            estimates: None,
        }
    }

    /// A run of one nest, with its estimates.
    pub(crate) fn of_task(task: &Task, total: usize) -> Self {
        let machine = Machine::get();
        let of = |aligned| estimate(task, aligned && task.keeps_lines, total, machine);
        Self {
            estimates: Some([of(false), of(true)]),
            ..Self::of(total)
        }
    }

    /// The same run with a choice for the nests that it fits.
    pub(crate) const fn with(&self, choice: Choice) -> Self {
        Self {
            choice: Some(choice),
            ..*self
        }
    }

    /// Returns the choice for a nest and this address of the destination.
    #[inline]
    pub(crate) fn choice(&self, task: &Task, dst: *const u8) -> Choice {
        let aligned = task.keeps_lines && dst.addr().is_multiple_of(LINE);
        // By reference: copying all of them would wait for the stores before, 10 ns.
        match (&self.choice, &self.estimates) {
            (Some(choice), _) if fits(*choice, task, aligned) => *choice,
            (_, Some(estimates)) => estimates[usize::from(aligned)],
            _ => estimate(task, aligned, self.total, Machine::get()),
        }
    }
}
