//! Random tests of all operations against an independent model of layouts (the package's library).
//!
//! `cargo test -p xlayout-model` runs a fixed number of cases. The program runs for the given time:
//!
//! ```text
//! cargo run --release -p xlayout-model --example model -- --seconds 60
//! cargo run --release -p xlayout-model --example model -- --seed 1000 --seconds 3600
//! cargo run --release -p xlayout-model --example model -- --only copies --seed 17 --cases 1
//! ```
//!
//! A kind of case and a seed decide everything. If a case fails, the program looks for the smallest
//! arrays with which a case of that kind fails, and prints its layouts and parts.

mod any;
mod blocks;
mod casts;
mod cells;
mod check;
mod copies;
mod coverage;
mod kinds;
mod packed;
mod parts;
mod random;
mod rows;
mod run;
#[cfg(test)]
mod tests;
mod typed;

use std::cell::RefCell;
use std::process::ExitCode;

thread_local! {
    /// The operations of the current case, for the message of a failure.
    static TRAIL: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Remembers a layout or a part of the case that is run.
pub(crate) fn trail(step: impl FnOnce() -> String) {
    TRAIL.with_borrow_mut(|trail| trail.push(step()));
}

fn main() -> ExitCode {
    run::program(std::env::args().skip(1))
}
