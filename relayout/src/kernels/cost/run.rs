//! What one run of a plan was told, measured or estimates.

use super::{Choice, estimate, fits};
use crate::kernels::LINE;
use crate::kernels::task::Task;
use crate::machine::Machine;

/// What a run knows beside its nests of loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// The bytes that all nests together write.
    pub(crate) total: usize,
    /// What was measured, or is tested: it counts where it fits the nest.
    pub(crate) choice: Option<Choice>,
    /// What is estimated of the only nest, where there is one: for a destination that does not begin
    /// at a line, and for one that does. A few elements take less time than an estimate.
    pub(crate) estimates: Option<[Choice; 2]>,
}

impl Run {
    /// A run without a choice of its own.
    pub(crate) const fn of(total: usize) -> Self {
        Self {
            total,
            choice: None,
            estimates: None,
        }
    }

    /// A run of one nest, of which everything is estimated now.
    pub(crate) fn of_task(task: &Task, total: usize) -> Self {
        let machine = Machine::get();
        let of = |aligned| estimate(task, aligned && task.keeps_lines, total, machine);
        Self {
            estimates: Some([of(false), of(true)]),
            ..Self::of(total)
        }
    }

    /// The same run by a choice, where it fits.
    pub(crate) const fn with(&self, choice: Choice) -> Self {
        Self {
            choice: Some(choice),
            ..*self
        }
    }

    /// What to do with a nest whose destination begins at this address.
    #[inline]
    pub(crate) fn choice(&self, task: &Task, dst: *const u8) -> Choice {
        let aligned = task.keeps_lines && dst.addr().is_multiple_of(LINE);
        // By reference: a copy of all of them would wait for its own stores, 10 ns.
        match (&self.choice, &self.estimates) {
            (Some(choice), _) if fits(*choice, task, aligned) => *choice,
            (_, Some(estimates)) => estimates[usize::from(aligned)],
            _ => estimate(task, aligned, self.total, Machine::get()),
        }
    }
}
