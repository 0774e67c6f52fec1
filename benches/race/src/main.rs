//! The race: copies between any two layouts, timed side by side with other crates.
//!
//! ```sh
//! cargo run --release --manifest-path benches/race/Cargo.toml -- 'f32[4096,4096]{1,0} -> {0,1}'
//! ```
//!
//! `--help` lists the options, `README.md` beside this file says how to read the output and how to
//! run rivals that are not built in.

mod buffers;
mod case;
mod cases;
mod goals;
mod measure;
mod options;
mod permute;
mod random;
mod report;
mod rivals;
mod suites;
mod summary;
#[cfg(test)]
mod tests;
mod time;
mod value;

use std::process::ExitCode;

use num_complex::Complex;
use xlayout_core::ArrayLayout;

use crate::buffers::{Buffer, compare, expected};
use crate::case::Case;
use crate::options::Options;
use crate::report::Row;
use crate::value::Value;

/// A copy went wrong.
const WRONG: u8 = 1;
/// The command line or a case is not valid.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(USAGE);
        }
    };
    if options.help {
        report::print(options::HELP);
        return ExitCode::SUCCESS;
    }
    if options.list {
        report::print(&(options.suite().join("\n") + "\n"));
        return ExitCode::SUCCESS;
    }
    if options.thread_time {
        time::measure_the_thread();
    }
    match read_cases(&options) {
        Ok(cases) => race(&cases, &options),
        Err(errors) => {
            eprintln!("{errors}");
            ExitCode::from(USAGE)
        }
    }
}

/// Reads all cases before the first one runs. The error lists all mistakes.
fn read_cases(options: &Options) -> Result<Vec<Case>, String> {
    let texts = if options.cases.is_empty() {
        options.suite()
    } else {
        options.cases.clone()
    };
    let mut cases = Vec::new();
    let mut errors = Vec::new();
    for text in texts {
        match Case::read(&text) {
            Ok(case) => cases.push(case),
            Err(error) => errors.push(error.to_string()),
        }
    }
    if errors.is_empty() {
        Ok(cases)
    } else {
        Err(errors.join("\n\n"))
    }
}

fn race(cases: &[Case], options: &Options) -> ExitCode {
    if cfg!(debug_assertions) {
        eprintln!("note: built without optimisation, so the times mean nothing; use --release");
    }
    if cfg!(not(hptt)) {
        eprintln!(
            "note: HPTT is left out; to compare it: RUSTFLAGS='--cfg hptt' (see the README beside)"
        );
    }
    let mut rows = Vec::new();
    let mut wrong = false;
    for (k, case) in cases.iter().enumerate() {
        eprintln!("[{}/{}] {}", k + 1, cases.len(), case.text);
        let row = match case.src.element_bits() {
            8 => run::<u8>(case, options),
            16 => run::<u16>(case, options),
            32 => run::<f32>(case, options),
            64 => run::<f64>(case, options),
            _ => run::<Complex<f64>>(case, options),
        };
        match row {
            Ok(row) => {
                if options.json {
                    report::print(&row.json());
                }
                rows.push(row);
            }
            Err(error) => {
                eprintln!("error: {}: {error}", case.text);
                wrong = true;
            }
        }
    }
    if options.markdown {
        report::print(&report::table(&rows));
        report::print(&summary::summary(&rows));
        report::print(&goals::report(&rows, options));
    }
    ExitCode::from(if wrong { WRONG } else { 0 })
}

/// Runs one case: each contestant copies once and is checked, then all are timed.
fn run<T: Value>(case: &Case, options: &Options) -> Result<Row, String> {
    let mut contestants = rivals::contestants::<T>(case, options)?;
    let places = case.buffer_len();
    let mut src = Buffer::new(places, T::BEFORE, options.large_pages);
    for (k, value) in src.get_mut().iter_mut().enumerate() {
        *value = T::nth(k);
    }
    let mut dst = Buffer::new(places, T::BEFORE, options.large_pages);
    let expected = expected(case, src.get());
    for contestant in contestants.iter_mut().filter(|one| one.permutes()) {
        let name = contestant.name();
        dst.get_mut().fill(T::BEFORE);
        contestant
            .time(src.get(), dst.get_mut(), 1)
            .and_then(|_| compare(case, &expected, dst.get()))
            .map_err(|why| format!("{name}: {why}"))?;
    }
    drop(expected);
    let ns = measure::medians(&mut contestants, src.get(), dst.get_mut(), options)?;
    let names = contestants.iter().map(|one| one.name());
    let mut ns: Vec<_> = names.zip(ns).collect();
    if let Some(python) = &options.python {
        ns.extend(rivals::python::times(python, case, options.rounds)?);
    }
    Ok(Row::new(case, ns))
}
