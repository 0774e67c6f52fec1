//! The data of one run of a plan: its size, and the strategy that was set, measured or estimated.

use super::call::Call;
use crate::kernels::cost::{Choice, estimate, fits};
use crate::kernels::task::Task;
use crate::machine::{LINE, Machine};

/// The data of a run beside its nests of loops.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    /// The bytes that all nests together write.
    pub(crate) total: usize,
    /// The choice that was measured, or that a test sets. It applies to nests that it fits.
    pub(crate) choice: Option<Choice>,
    /// The calls for the only nest, if there is only one: for a destination that does not begin at
    /// a line, and for one that does. Copying a few elements takes less time than finding them.
    calls: Option<[Call; 2]>,
}

impl Run {
    /// A run without a set choice.
    pub(crate) const fn of(total: usize) -> Self {
        Self {
            total,
            choice: None,
            calls: None,
        }
    }

    /// The same run with a choice for the nests that it fits.
    pub(crate) const fn with(&self, choice: Option<Choice>) -> Self {
        Self {
            choice,
            ..Self::of(self.total)
        }
    }

    /// The same run for no other nest than that of a task.
    pub(crate) fn of_task(self, task: &Task) -> Self {
        let calls = Some([false, true].map(|aligned| self.new_call(task, aligned)));
        Self { calls, ..self }
    }

    /// Returns the call for a nest and this address of the destination.
    #[inline]
    pub(crate) fn call(&self, task: &Task, dst: *const u8) -> Call {
        let aligned = dst.addr().is_multiple_of(LINE);
        // By reference: copying both would wait for the stores before, 10 ns.
        match &self.calls {
            Some(calls) => calls[usize::from(aligned)],
            None => self.new_call(task, aligned),
        }
    }

    fn new_call(&self, task: &Task, aligned: bool) -> Call {
        let aligned = aligned && task.keeps_lines;
        Call::new(task, aligned, || {
            self.choice_on(task, aligned, Machine::here)
        })
    }

    /// Returns the choice for a nest: the one that is set if it fits, otherwise the estimate for a
    /// machine, which is asked only then. `aligned`: whether all columns begin at lines of the
    /// destination.
    #[inline]
    pub(crate) fn choice_on(
        &self,
        task: &Task,
        aligned: bool,
        machine: impl FnOnce() -> Machine,
    ) -> Choice {
        match self.choice {
            Some(choice) if fits(choice, task, aligned) => choice,
            _ => estimate(task, aligned, self.total, machine()),
        }
    }
}

/// Runs one nest of loops.
///
/// # Safety
/// At every offset that the task reaches, as many bytes as the task's width can be read at `src`
/// and written at `dst`. The bytes read and the bytes written have none in common. Nothing else is
/// read or written, since elements of other parts of an array may lie in between. `tests/pages.rs`
/// makes the memory in between inaccessible. If `run` has calls, they are of this task.
#[inline]
pub(crate) unsafe fn run(task: &Task, src: *const u8, dst: *mut u8, run: &Run) {
    // SAFETY: the offsets are those of the first element of the nest. The call is of this task and
    // this destination.
    unsafe {
        let src = src.offset(task.src);
        let dst = dst.offset(task.dst);
        let Call { function, choice } = run.call(task, dst);
        function(task, src, dst, choice);
    }
}
