//! Runs cases, and makes the ones that fail small.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::TRAIL;
use crate::kinds::KINDS;
use crate::random::Case;

/// The most elements of an array, except in some large copies.
const MOST: usize = 400;

/// A case that fails.
pub(crate) struct Failure {
    kind: &'static str,
    seed: u64,
    most: usize,
    trail: Vec<String>,
    message: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(
            f,
            "a case fails: --only {} --seed {} --most {} --cases 1",
            self.kind, self.seed, self.most
        )?;
        for step in &self.trail {
            writeln!(f, "    {step}")?;
        }
        write!(f, "  {}", self.message)
    }
}

/// Runs one case.
pub(crate) fn case(
    (kind, run): (&'static str, fn(&mut Case)),
    seed: u64,
    most: usize,
) -> Result<(), Failure> {
    TRAIL.with_borrow_mut(Vec::clear);
    catch_unwind(AssertUnwindSafe(|| run(&mut Case::new(seed, most)))).map_err(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        let message =
            message.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        let trail = TRAIL.with_borrow(Clone::clone);
        Failure {
            kind,
            seed,
            most,
            trail,
            message: message.unwrap_or_default(),
        }
    })
}

/// A case of the same kind with smaller arrays that fails, or this one.
pub(crate) fn smallest(failure: Failure) -> Failure {
    let Some(&kind) = KINDS.iter().find(|kind| kind.0 == failure.kind) else {
        return failure;
    };
    for most in [2, 4, 6, 9, 12, 16, 24, 40, 80] {
        let failures = (0..3000).filter_map(|seed| case(kind, seed, most).err());
        // With the fewest steps.
        if let Some(small) =
            failures.min_by_key(|failure| (failure.trail.len(), failure.message.len()))
        {
            return small;
        }
    }
    failure
}

/// The arguments of the program.
struct Arguments {
    seconds: Option<u64>,
    seed: u64,
    cases: u64,
    most: usize,
    only: Option<String>,
}

impl Arguments {
    fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut arguments = Self {
            seconds: None,
            seed: 0,
            cases: u64::MAX,
            most: MOST,
            only: None,
        };
        while let Some(word) = words.next() {
            let value = words
                .next()
                .ok_or_else(|| format!("`{word}` needs a value"))?;
            let number = || {
                value
                    .parse()
                    .map_err(|_| format!("`{word}` needs a number, not `{value}`"))
            };
            match word.as_str() {
                "--seconds" => arguments.seconds = Some(number()?),
                "--seed" => arguments.seed = number()?,
                "--cases" => arguments.cases = number()?,
                "--most" => arguments.most = number()? as usize,
                "--only" if KINDS.iter().any(|kind| kind.0 == value) => {
                    arguments.only = Some(value)
                }
                "--only" => {
                    let kinds: Vec<_> = KINDS.iter().map(|kind| kind.0).collect();
                    return Err(format!(
                        "there is no kind `{value}`; the kinds are {}",
                        kinds.join(", ")
                    ));
                }
                _ => {
                    return Err(format!(
                        "there is no option `{word}`; the options are --seconds, --seed, --cases, --most, --only"
                    ));
                }
            }
        }
        if arguments.seconds.is_none() && arguments.cases == u64::MAX {
            arguments.seconds = Some(60);
        }
        Ok(arguments)
    }
}

/// The program: cases of all kinds in turn, on all processors, until the time is over or one fails.
pub(crate) fn program(words: impl Iterator<Item = String>) -> ExitCode {
    let arguments = match Arguments::read(words) {
        Ok(arguments) => arguments,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::from(2);
        }
    };
    // A failure prints its case and its message.
    std::panic::set_hook(Box::new(|_| {}));
    let start = Instant::now();
    let over = |now: Instant| {
        arguments
            .seconds
            .is_some_and(|most| now - start >= Duration::from_secs(most))
    };
    let next = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let failure = Mutex::new(None);
    let kinds: Vec<_> = KINDS
        .iter()
        .filter(|kind| arguments.only.as_ref().is_none_or(|only| only == kind.0))
        .collect();
    let counts: Vec<AtomicU64> = kinds.iter().map(|_| AtomicU64::new(0)).collect();
    let work = || {
        while !stop.load(Ordering::Relaxed) && !over(Instant::now()) {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= arguments.cases {
                return;
            }
            for (kind, count) in kinds.iter().zip(&counts) {
                if let Err(found) = case(**kind, arguments.seed.wrapping_add(n), arguments.most) {
                    stop.store(true, Ordering::Relaxed);
                    failure
                        .lock()
                        .expect("no thread panics")
                        .get_or_insert(found);
                    return;
                }
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    for (kind, count) in kinds.iter().zip(&counts) {
        println!(
            "  {:<10} {:>10} cases",
            kind.0,
            count.load(Ordering::Relaxed)
        );
    }
    match failure.into_inner().expect("no thread panics") {
        None => ExitCode::SUCCESS,
        Some(found) => {
            println!("{found}");
            if arguments.cases != 1 {
                println!("the smallest one that was found:\n{}", smallest(found));
            }
            ExitCode::FAILURE
        }
    }
}
