//! Random maps against brute force.
//!
//! ```sh
//! cargo run --release -p xlayout-algebra --example random -- --cases 1000000 --seed 1
//! ```
//!
//! Prints the first wrong answers, and how many decisions there were and how many of them were
//! undecided; the exit code is 1 if an answer was wrong.

#[path = "../tests/random/mod.rs"]
mod random;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |name: &str, default: u64| {
        let at = arguments.iter().position(|argument| argument == name);
        at.and_then(|at| arguments.get(at + 1)?.parse().ok())
            .unwrap_or(default)
    };
    let report = random::run(number("--cases", 100_000), number("--seed", 1));
    for wrong in report.wrong.iter().take(10) {
        println!("{wrong}");
    }
    println!("{report}");
    if report.wrong.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
