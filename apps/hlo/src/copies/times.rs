//! How often each computation runs.

use super::trips;
use crate::graph::Module;
use crate::opcode::Opcode;

/// How often a computation runs when the module runs once.
#[derive(Clone, Copy)]
pub(crate) struct Times {
    /// `None` if a loop runs an unknown number of times.
    pub(crate) count: Option<u64>,
    /// Whether `count` is an upper bound: a branch is among the callers, or a loop that may end
    /// earlier.
    pub(crate) at_most: bool,
}

const NEVER: Times = Times {
    count: Some(0),
    at_most: false,
};

impl Times {
    fn plus(self, other: Self) -> Self {
        Self {
            count: self
                .count
                .zip(other.count)
                .map(|(a, b)| a.saturating_add(b)),
            at_most: self.at_most || other.at_most,
        }
    }

    /// Multiplies by a count; the flag of `by` says whether the count is an upper bound.
    fn multiplied(self, trips: Option<(u64, bool)>) -> Self {
        let count = match (self.count, trips) {
            (Some(0), _) => Some(0),
            (count, trips) => count.zip(trips).map(|(a, (b, _))| a.saturating_mul(b)),
        };
        Self {
            count,
            at_most: self.at_most || trips.is_some_and(|(_, at_most)| at_most),
        }
    }
}

/// How often each computation runs, and how often as the body of a fusion. Callers come after
/// callees.
pub(super) fn times(module: &Module) -> Vec<(Times, Times)> {
    let mut times = vec![(NEVER, NEVER); module.computations.len()];
    if let Some(entry) = module.entry {
        times[entry as usize].0.count = Some(1);
    }
    for (number, computation) in module.computations.iter().enumerate().rev() {
        let (here, fused) = times[number];
        let runs = here.count != Some(0);
        if !runs && fused.count == Some(0) {
            continue;
        }
        for instruction in &computation.instructions {
            if module.all_called(instruction).len() == 0 {
                continue;
            }
            let opcode = module.opcode(instruction);
            let trips = match opcode {
                Opcode::While if runs => trips::count(module, computation, instruction),
                _ => None,
            };
            for (role, called) in module.all_called(instruction) {
                let called = &mut times[called as usize];
                let more = match (opcode, module.texts.get(role)) {
                    (Opcode::Fusion | Opcode::Start(Opcode::Fusion), "calls") => {
                        called.1 = called.1.plus(here.plus(fused));
                        continue;
                    }
                    _ if !runs => continue,
                    (Opcode::While, "body") => here.multiplied(trips),
                    (Opcode::While, "condition") => {
                        let once_more =
                            |(trips, at_most): (u64, bool)| (trips.saturating_add(1), at_most);
                        here.multiplied(trips.map(once_more))
                    }
                    (Opcode::Conditional, _) => Times {
                        at_most: true,
                        ..here
                    },
                    (Opcode::Call | Opcode::Start(Opcode::Call | Opcode::Async), _) => here,
                    // Parts of an instruction: what a reduce applies, the comparison of a sort.
                    _ => continue,
                };
                called.0 = called.0.plus(more);
            }
        }
    }
    times
}
