//! Interleaved rounds, so that disturbances of the machine affect all contestants alike.

use std::time::{Duration, Instant};

use crate::options::Options;
use crate::rivals::Contestant;
use crate::value::Value;

/// The least time of a sample. It copies several times if necessary.
const SAMPLE: Duration = Duration::from_micros(200);
/// The approximate time of all rounds of a case.
const CASE: Duration = Duration::from_millis(600);
/// The least and the most rounds, if the command line does not set their number.
const ROUNDS: (usize, usize) = (9, 101);

/// The median time of one copy, in nanoseconds, of each contestant.
pub(crate) fn medians<T: Value>(
    contestants: &mut [Box<dyn Contestant<T>>],
    src: &[T],
    dst: &mut [T],
    options: &Options,
) -> Result<Vec<f64>, String> {
    let mut times = Vec::new();
    let start = Instant::now();
    for contestant in contestants.iter_mut() {
        times.push(calibrate(|times| {
            time(&mut **contestant, src, dst, times, options)
        })?);
    }
    let one_round = start.elapsed().max(SAMPLE);
    let rounds = options.rounds.unwrap_or_else(|| {
        let rounds = CASE.as_nanos() / one_round.as_nanos();
        (rounds as usize).clamp(ROUNDS.0, ROUNDS.1)
    });
    let mut samples = vec![Vec::with_capacity(rounds); contestants.len()];
    let steps: Vec<usize> = (1..=contestants.len())
        .filter(|step| coprime(*step, contestants.len()))
        .collect();
    for round in 0..rounds {
        for turn in 0..contestants.len() {
            // Each contestant is sometimes first. None always follows the same one, because the
            // state of the caches after that one matters.
            let k = (round + turn * steps[round % steps.len()]) % contestants.len();
            let time = time(&mut *contestants[k], src, dst, times[k], options)?;
            samples[k].push(time.as_nanos() as f64 / f64::from(times[k]));
        }
    }
    Ok(samples.into_iter().map(median).collect())
}

/// Whether two numbers have no divisor in common: steps of such a length visit every contestant.
fn coprime(a: usize, b: usize) -> bool {
    let mut a = a;
    let mut b = b;
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a == 1
}

/// The time of the number of copies that the options give.
fn time<T: Value>(
    contestant: &mut dyn Contestant<T>,
    src: &[T],
    dst: &mut [T],
    times: u32,
    options: &Options,
) -> Result<Duration, String> {
    if options.allocate {
        contestant.time_with_allocation(src, dst.len(), times)
    } else {
        contestant.time(src, dst, times)
    }
}

/// The number of copies in a sample.
fn calibrate(mut copy: impl FnMut(u32) -> Result<Duration, String>) -> Result<u32, String> {
    let mut times: u32 = 1;
    loop {
        let time = copy(times)?;
        if time >= SAMPLE || times >= 1 << 24 {
            return Ok(times);
        }
        // A little more than the measured time requires, and at most ten times as many.
        let nanos = time.as_nanos().max(1);
        let wanted = u128::from(times) * SAMPLE.as_nanos() * 5 / (4 * nanos);
        times = (wanted as u32).clamp(times * 2, times * 10);
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_by(f64::total_cmp);
    match samples.len() {
        0 => 0.0,
        len if len % 2 == 1 => samples[len / 2],
        len => (samples[len / 2 - 1] + samples[len / 2]) / 2.0,
    }
}
