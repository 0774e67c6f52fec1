//! `xlayout`: the crate that this example belongs to.

use std::hint::black_box;
use std::time::{Duration, Instant};

use xlayout_core::{ArrayLayout, DynLayout, SliceView, SliceViewMut};
use xlayout_relayout::{Measurement, Plan, RelayoutError, forget_wisdom, relayout};

use super::{Contestant, clock};
use crate::case::Case;
use crate::options::Options;
use crate::value::Value;

/// A plan that is used again and again, and the lengths of its buffers.
#[derive(Clone)]
struct Reused {
    plan: Plan,
    src: usize,
    dst: usize,
}

/// A reused plan that has learned from its first copies before it is measured.
struct Learning {
    reused: Reused,
    learned: bool,
    /// Whether it has learned for copies to memory that they allocate.
    learned_to_vec: bool,
    report: bool,
}

/// The number of copies that it learns from.
const LEARNING: u32 = 20;

/// The number of copies that are timed together where a plan is measured.
const MEASURED: u32 = 3;

/// A reused plan on several threads.
struct Threads(Reused, usize);

/// The same on one thread, for comparison.
struct OneThread(Reused);

/// A plan that does not learn, and its name: the estimated plan, or a measured one.
struct Fixed(Reused, &'static str);

/// A copy that makes a plan each time.
struct OneOff {
    src: DynLayout,
    dst: DynLayout,
}

/// Our contestants, as the options request.
pub(super) fn new<T: Value>(
    case: &Case,
    options: &Options,
) -> Result<Vec<Box<dyn Contestant<T>>>, String> {
    let src = case.src.clone();
    let dst = case.dst.clone();
    // Wisdom of other cases would change the estimate of this one.
    forget_wisdom();
    let plan = Plan::new(&src, &dst).map_err(|error| error.to_string())?;
    let reused = Reused {
        plan,
        src: src.buffer_len(),
        dst: dst.buffer_len(),
    };
    let fixed = |plan, name| {
        let fixed = Fixed(
            Reused {
                plan,
                ..reused.clone()
            },
            name,
        );
        Box::new(fixed) as Box<dyn Contestant<T>>
    };
    let mut others = Vec::new();
    if options.learn {
        others.push(fixed(
            reused.plan.clone().without_learning(),
            "xlayout_estimated",
        ));
    }
    if let Some(budget) = options.measured {
        let plan = measured::<T>(&reused, budget)?;
        if let Some(measurement) = plan.measurement() {
            eprintln!("  measured: {measurement}");
        }
        others.push(fixed(plan, "xlayout_measured"));
    }
    let mut ours: Vec<Box<dyn Contestant<T>>> = if options.threads > 1 {
        vec![
            Box::new(Threads(reused.clone(), options.threads)),
            Box::new(OneThread(reused)),
        ]
    } else if options.one_off {
        vec![Box::new(OneOff { src, dst })]
    } else {
        vec![Box::new(Learning {
            reused,
            learned: false,
            learned_to_vec: false,
            report: options.learn,
        })]
    };
    ours.extend(others);
    Ok(ours)
}

/// Returns the plan with the strategy that is the fastest here: all that can copy these layouts
/// are timed in turn, for about the time `budget`, and the least time of each counts.
fn measured<T: Value>(reused: &Reused, budget: Duration) -> Result<Plan, String> {
    let src: Vec<T> = (0..reused.src).map(T::nth).collect();
    let mut dst = vec![T::BEFORE; reused.dst];
    let mut timed = Vec::new();
    for strategy in Measurement::all() {
        let plan = reused.plan.clone().with_measurement(strategy);
        // One that does not fit these layouts leaves the estimate.
        if plan.measurement() == Some(strategy) {
            let reused = Reused {
                plan,
                ..reused.clone()
            };
            timed.push((reused, Duration::MAX));
        }
    }
    let begin = Instant::now();
    while !timed.is_empty() && begin.elapsed() < budget {
        for (reused, least) in &mut timed {
            // The first copy does not count: a copy past the cache takes the destination out of it,
            // for which the next one through the cache would have to wait.
            reused.time_by(&src, &mut dst, 1, Plan::run)?;
            let time = reused.time_by(&src, &mut dst, MEASURED, Plan::run)?;
            *least = time.min(*least);
        }
    }
    let fastest = timed.into_iter().min_by_key(|(_, least)| *least);
    Ok(fastest.map_or(reused.plan.clone(), |(fastest, _)| fastest.plan))
}

impl Reused {
    #[inline(always)]
    fn time_by<T: Value>(
        &self,
        src: &[T],
        dst: &mut [T],
        times: u32,
        run: impl Fn(&Plan, &[T], &mut [T]) -> Result<(), RelayoutError>,
    ) -> Result<Duration, String> {
        let src = &src[..self.src];
        let dst = &mut dst[..self.dst];
        let mut result = Ok(());
        let time = clock(times, || {
            // Stores an error. A success takes no time.
            if let Err(error) = run(&self.plan, black_box(src), black_box(&mut *dst)) {
                result = Err(error);
            }
        });
        time_or_error(result, time)
    }
}

impl<T: Value> Contestant<T> for Learning {
    fn name(&self) -> &'static str {
        "xlayout"
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        let reused = &self.reused;
        let mut copy = |times| reused.time_by(src, dst, times, Plan::run);
        if !self.learned {
            let mut first = Duration::ZERO;
            let mut settled = 0;
            let mut learned = None;
            for run in 1..=LEARNING {
                first += copy(1)?;
                let now = reused.plan.measurement();
                if now != learned {
                    settled = run;
                    learned = now;
                }
            }
            let later = copy(LEARNING)?;
            if self.report {
                let loss = first.as_secs_f64() / later.as_secs_f64() - 1.0;
                let learned = learned.map_or("nothing".into(), |learned| learned.to_string());
                eprintln!(
                    "  learned: {learned}, since copy {settled}; {} strategies tried in {LEARNING} copies, which took {:.0}% longer than the next {LEARNING}",
                    reused.plan.tried(),
                    100.0 * loss
                );
            }
            self.learned = true;
        }
        copy(times)
    }

    fn time_with_allocation(
        &mut self,
        src: &[T],
        _len: usize,
        times: u32,
    ) -> Result<Duration, String> {
        let Reused { plan, src: len, .. } = &self.reused;
        let copy = |times| {
            let mut result = Ok(());
            let time = clock(times, || {
                result = plan.run_to_vec(black_box(&src[..*len])).map(|vec| {
                    black_box(vec);
                });
            });
            time_or_error(result, time)
        };
        if !self.learned_to_vec {
            copy(LEARNING)?;
            self.learned_to_vec = true;
        }
        copy(times)
    }
}

impl<T: Value> Contestant<T> for Fixed {
    fn name(&self) -> &'static str {
        self.1
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        self.0.time_by(src, dst, times, Plan::run)
    }
}

impl<T: Value> Contestant<T> for OneThread {
    fn name(&self) -> &'static str {
        "xlayout_one_thread"
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        self.0.time_by(src, dst, times, Plan::run)
    }
}

impl<T: Value> Contestant<T> for Threads {
    fn name(&self) -> &'static str {
        "xlayout"
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        self.0.time_by(src, dst, times, |plan, src, dst| {
            plan.run_threads(src, dst, self.1)
        })
    }
}

impl<T: Value> Contestant<T> for OneOff {
    fn name(&self) -> &'static str {
        "xlayout"
    }

    fn time(&mut self, src: &[T], dst: &mut [T], times: u32) -> Result<Duration, String> {
        let src = &src[..self.src.buffer_len()];
        let dst = &mut dst[..self.dst.buffer_len()];
        let mut result = Ok(());
        // Views have an element type. If another type of the same width is copied, a plan is made
        // for every copy.
        let time = match (
            SliceView::new(&self.src, src),
            SliceViewMut::new(&self.dst, &mut *dst),
        ) {
            (Ok(from), Ok(mut to)) => clock(times, || {
                result = relayout(black_box(&from), black_box(&mut to));
            }),
            _ => clock(times, || {
                result = Plan::new(black_box(&self.src), black_box(&self.dst))
                    .and_then(|plan| plan.run(black_box(src), black_box(&mut *dst)));
            }),
        };
        time_or_error(result, time)
    }
}

fn time_or_error(result: Result<(), RelayoutError>, time: Duration) -> Result<Duration, String> {
    result.map(|()| time).map_err(|error| error.to_string())
}
