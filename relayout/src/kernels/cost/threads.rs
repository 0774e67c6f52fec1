//! Estimates how long a copy takes, and how many threads it is worth.

use crate::machine::Machine;

/// The kind of work of a copy, for an estimate of its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Runs of bytes are copied, or rows interleaved.
    Runs,
    /// Panels are transposed, or short runs trade places.
    Panels,
    /// Runs of elements are packed into bits or unpacked.
    BitRuns,
    /// Single elements are packed or unpacked.
    Bits,
    /// Elements are moved one by one, at strides that are known.
    Elements,
    /// The linear index of each element is computed.
    General,
}

/// The nanoseconds to start and to join a thread: the median on Linux; one start of ten takes
/// 72,000.
pub(crate) const STARTED: f64 = 50_000.0;

/// The nanoseconds to wake a thread of rayon and to wait for it. A third of a start: copies of one
/// MiB for each thread became faster.
#[cfg(feature = "rayon")]
pub(crate) const WOKEN: f64 = 17_000.0;

/// The work of a thread must take this many times as long as its start. Large copies on two threads
/// are 1.2 to 1.9 times as fast as on one, since threads share the last cache and the memory. At a
/// factor of 1.2 a second thread gains time from 6 starts of work on; this rule asks for 8 of both
/// threads together, because some starts take longer.
const STARTS: f64 = 4.0;

/// Estimates the nanoseconds that a copy takes on one thread, and rather fewer than more: too long
/// an estimate would start threads in vain. The rates, in bytes or elements for each nanosecond,
/// are the highest that were measured on Zen 5; slower cores gain from threads earlier.
pub(crate) fn nanoseconds(work: Work, bytes: usize, elements: usize, machine: Machine) -> f64 {
    // The rates in the second cache, in the last one, and in memory. Both sides need room.
    let by_cache = |second, last, memory| {
        let rate = if bytes <= machine.second_cache / 2 {
            second
        } else if machine.last_cache == 0 || bytes <= machine.last_cache / 2 {
            // If the size of the last cache is unknown, the faster rate is assumed.
            last
        } else {
            memory
        };
        bytes as f64 / rate
    };
    match work {
        Work::Runs => by_cache(120.0, 40.0, 21.0),
        Work::Panels => by_cache(60.0, 15.0, 11.0),
        Work::BitRuns => elements as f64 / 34.0,
        Work::Bits => elements as f64 / 6.0,
        Work::Elements => elements as f64 / 2.0,
        Work::General => elements as f64 / 0.5,
    }
}

/// The number of threads, at most `limit`, for a copy that takes `nanoseconds` on one thread.
/// Starting a thread takes `start` nanoseconds.
pub(crate) fn worth(limit: usize, nanoseconds: f64, start: f64) -> usize {
    // The cast saturates.
    limit.min((nanoseconds / (STARTS * start)) as usize).max(1)
}
