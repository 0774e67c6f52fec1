//! Loops over whole arrays: nanoseconds for each element, side by side.
//!
//! The implementations run in turns, for many rounds, so a busy machine slows all of them. The
//! table has the median of the rounds, and the median of the ratios of each round.
//!
//! `cargo run --release --bin table [part of a name]`

mod kernels;

use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 101;

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    println!("| loop | way | ns/element | ratio |\n|---|---|---|---|");
    for mut case in kernels::all()
        .into_iter()
        .filter(|case| case.name.contains(&wanted))
    {
        let mut times = vec![Vec::new(); case.ways.len()];
        for round in 0..ROUNDS + 5 {
            for (way, times) in case.ways.iter_mut().zip(&mut times) {
                // At least some dozens of microseconds, so that the time of reading the clock does
                // not matter.
                let repeat = (60_000 / way.elements).max(1);
                let start = Instant::now();
                for _ in 0..repeat {
                    black_box((way.run)());
                }
                let time = start.elapsed().as_secs_f64() * 1e9 / (repeat * way.elements) as f64;
                if round >= 5 {
                    times.push(time);
                }
            }
        }
        for (way, of) in case.ways.iter().zip(&times) {
            let ratios = of.iter().zip(&times[0]).map(|(a, b)| a / b).collect();
            let time = median(of.clone());
            let ratio = median(ratios);
            println!("| {} | {} | {time:.3} | {ratio:.2} |", case.name, way.name);
        }
    }
}
