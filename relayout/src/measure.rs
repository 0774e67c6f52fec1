//! Measured plans: each strategy that may be the fastest is timed, and the best one is kept. The
//! races compare plans that have learned with them.

use std::time::Duration;
use std::vec::Vec;

use crate::error::RelayoutError;
use crate::kernels::cost;
use crate::learn::{self, Class, Lesson, Pages};
use crate::machine::{LINE, Machine};
use crate::plan::Plan;

/// The least time of a sample, a thousand times the resolution of the clock. A sample has as many
/// copies as it needs.
const SAMPLE: Duration = Duration::from_micros(40);
/// The most samples of a candidate.
const MOST_SAMPLES: u32 = 1000;

impl Plan {
    #[doc(hidden)]
    /// Returns the same plan with the strategy that is the fastest on this machine: FFTW's
    /// `MEASURE`, where [`Plan::new`] is its `ESTIMATE`.
    ///
    /// It times all strategies that can copy these layouts, for about the time `budget`, on one
    /// thread. It allocates two buffers of the plan's sizes, and frees them before it returns. A
    /// few copies by each strategy are enough: 20 to 60 times the time of a copy. A budget of zero
    /// changes nothing. Each strategy copies the same bytes to the same places.
    ///
    /// The buffers begin at lines of the cache (64 bytes). If a run has a destination that does
    /// not, and the strategy needs that, it uses the estimated strategy.
    ///
    /// ```
    /// use std::time::Duration;
    /// use xlayout_core::DynLayout;
    /// use xlayout_relayout::Plan;
    ///
    /// let a: DynLayout = "f32[300,200]{1,0}".parse().unwrap();
    /// let b: DynLayout = "f32[300,200]{0,1}".parse().unwrap();
    /// let plan = Plan::new(&a, &b).unwrap().measured(Duration::from_millis(5)).unwrap();
    /// println!("{}", plan.measurement().unwrap());
    /// ```
    ///
    /// # Errors
    /// If there is no memory for the buffers.
    pub fn measured(self, budget: Duration) -> Result<Self, RelayoutError> {
        let Some(task) = self.way.largest_task() else {
            // There is only one way to copy these layouts.
            return Ok(self);
        };
        if budget.is_zero() {
            return Ok(self);
        }
        let (from, to) = self.buffers();
        let mut src = MeasuredBuffer::new(from)?;
        let mut dst = MeasuredBuffer::new(to)?;
        let aligned = task.keeps_lines && task.dst % LINE as isize == 0;
        let candidates = cost::candidates(&task, aligned, self.bytes(), Machine::here());
        let lesson = Lesson::new(&candidates);
        let mut tried = alloc::vec![false; candidates.len()];
        let mut was_past = false;
        let mut spent = Duration::ZERO;
        while let Some(k) = lesson.next(candidates.len(), MOST_SAMPLES) {
            // The estimate is timed at least once, so that there is something to compare with.
            if tried[0] && spent >= budget {
                break;
            }
            let choice = lesson.choice(k);
            let plan = self.clone().with(choice);
            let mut copy = || {
                let src = core::hint::black_box(src.get(from));
                let dst = core::hint::black_box(dst.get(to));
                let (result, time) = learn::time(choice, |_| plan.run_bytes(src, dst));
                spent += time;
                result.map(|()| time)
            };
            // The first copy does not count: its pages and its code were not used before. A copy
            // past the cache takes the destination out of it, for which the next copy through the
            // cache would have to wait.
            if !tried[k] || was_past && !choice.past {
                copy()?;
                tried[k] = true;
            }
            was_past = choice.past;
            let time = sample(copy)?;
            lesson.record(k, time, self.bytes());
        }
        let best = lesson.best();
        learn::keep(
            Class::new(&task, self.bytes(), aligned, (1, Pages::Known)),
            best,
        );
        Ok(self.with(best))
    }
}

/// Returns the mean time of as many copies as a sample needs. `copy` returns the time of one.
fn sample(
    mut copy: impl FnMut() -> Result<Duration, RelayoutError>,
) -> Result<Duration, RelayoutError> {
    let mut copies = 0;
    let mut time = Duration::ZERO;
    while time < SAMPLE {
        time += copy()?;
        copies += 1;
    }
    Ok(time / copies)
}

/// Bytes that begin at a line. All pages were written to.
struct MeasuredBuffer {
    bytes: Vec<u8>,
    begin: usize,
}

impl MeasuredBuffer {
    fn new(len: usize) -> Result<Self, RelayoutError> {
        let mut bytes = Vec::new();
        let error = RelayoutError::NoMemory {
            bytes: len,
            of: "buffers to measure the plan on",
            instead: "use the plan as `Plan::new` made it",
        };
        let with_spare = len.checked_add(LINE).ok_or(error.clone())?;
        bytes.try_reserve_exact(with_spare).map_err(|_| error)?;
        // Not zero: the operating system may give the same page of zeros many times.
        bytes.resize(with_spare, 1);
        let begin = bytes.as_ptr().addr().wrapping_neg() % LINE;
        Ok(Self { bytes, begin })
    }

    fn get(&mut self, len: usize) -> &mut [u8] {
        &mut self.bytes[self.begin..self.begin + len]
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;
    use std::vec;

    use xlayout_core::DynLayout;

    use crate::Plan;
    use crate::kernels::cost::{Choice, candidates};
    use crate::learn::simulated::in_process;
    use crate::learn::tests::steady;
    use crate::machine::simulated::ZEN_4;
    use crate::{Measurement, wisdom};

    fn plan(a: &str, b: &str) -> Plan {
        let (a, b): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
        Plan::new(&a, &b).unwrap()
    }

    #[test]
    fn a_measured_plan_copies_the_same() {
        in_process(steady, || {
            for (a, b) in [
                ("f32[70,130]{1,0}", "f32[70,130]{0,1}"),
                ("u8[300,200]{1,0}", "u8[300,200]{0,1}"),
                ("u16[64,256]{1,0}", "u16[64,256]{1,0:T(8,128)(2,1)}"),
                ("f32[50,30]{1,0:T(6,10)}", "f32[50,30]{1,0:T(4,8)}"),
                ("f32[100,30]{1,0:T(6,10)}", "f32[100,30]{0,1:T(5,2)}"),
                ("u4[30]{0:E(4)}", "u4[30]{0}"),
                ("f32[0,7]{1,0}", "f32[0,7]{0,1}"),
            ] {
                let plan = plan(a, b);
                let (from, to) = plan.buffers();
                let src: vec::Vec<u8> = (0..from).map(|k| (k % 251) as u8).collect();
                let mut expected = vec![9; to];
                let mut found = vec![9; to];
                plan.run_bytes(&src, &mut expected).unwrap();
                let measured = plan.measured(Duration::from_millis(3)).unwrap();
                measured.run_bytes(&src, &mut found).unwrap();
                assert_eq!(found, expected, "{a} -> {b}: {measured}");
            }
        });
    }

    /// Which candidates are timed, and which one is kept, for several budgets.
    #[test]
    fn a_budget_is_kept() {
        ZEN_4.simulate(|| {
            let plan = plan("f32[64,128]{1,0}", "f32[64,128]{0,1}");
            let task = plan.way.largest_task().unwrap();
            let all = candidates(&task, true, plan.bytes(), ZEN_4);
            let fastest = all[4];
            let clock = move |choice: Choice| {
                Duration::from_micros(if choice == fastest { 50 } else { 100 })
            };
            let measured = |budget: u64| {
                let mut found = None;
                let timed = in_process(clock, || {
                    let budget = Duration::from_micros(budget);
                    let measured = plan.clone().measured(budget).unwrap();
                    found = measured.measurement();
                    let measured_lines = usize::from(found.is_some());
                    assert_eq!(wisdom().lines().count(), 1 + measured_lines);
                });
                (timed, found.map(|found| found.0))
            };
            assert_eq!(measured(0), (vec![], None));
            // Each candidate makes a copy that does not count, and a sample.
            let twice = |count| {
                all[..count]
                    .iter()
                    .flat_map(|choice| [*choice; 2])
                    .collect()
            };
            assert_eq!(measured(1), (twice(1), Some(all[0])));
            assert_eq!(measured(800), (twice(4), Some(all[0])));
            assert_eq!(measured(801), (twice(5), Some(fastest)));
            // All others take twice as long, so none of them is timed again.
            let budget = 200 * all.len() as u64;
            let (timed, found) = measured(budget);
            let first: vec::Vec<_> = twice(all.len());
            assert!(timed.starts_with(&first));
            assert!(timed[first.len()..].iter().all(|choice| *choice == fastest));
            assert_eq!(found, Some(fastest));
            let measured = plan.with_measurement(Measurement(fastest));
            assert_eq!(measured.measurement(), Some(Measurement(fastest)));
        });
    }
}
