//! How long a copy takes, and how many threads it is worth.

use crate::machine::Machine;

/// What a copy does, for an estimate of its time.
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
    /// The place of each element is computed.
    General,
}

/// The nanoseconds that it takes to start and to join a thread: the median on Linux; one of ten takes 72,000.
pub(crate) const STARTED: f64 = 50_000.0;

/// The nanoseconds that it takes to wake a thread of rayon and to wait for it. A third of a start: one
/// MiB for each thread was worth it.
#[cfg(feature = "rayon")]
pub(crate) const WOKEN: f64 = 17_000.0;

/// The work of a thread must take this many times as long as its start. Large copies on two threads are 1.2
/// to 1.9 times as fast as on one, since threads share the last cache and the memory. At 1.2 a second
/// thread gains from 6 starts of work on, and both threads together have 8. The rest is for a start
/// that takes longer.
const STARTS: f64 = 4.0;

/// The nanoseconds that a copy takes on one thread, or less: an estimate that is too long would start
/// threads in vain. The rates, bytes or elements in a nanosecond, are the highest that were measured on
/// Zen 5; slower cores gain from threads earlier.
pub(crate) fn nanoseconds(work: Work, bytes: usize, elements: usize, machine: Machine) -> f64 {
    // In the second cache, in the last one, and in memory. Both sides need room.
    let by_cache = |second, last, memory| {
        let rate = if bytes <= machine.l2 / 2 {
            second
        } else if machine.l3 == 0 || bytes <= machine.l3 / 2 {
            // Of a last cache of unknown size the faster rate is assumed.
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

/// The number of threads, at most `most`, for a copy that takes `nanoseconds` on one thread. Starting a thread takes
/// `start` nanoseconds.
pub(crate) fn worth(most: usize, nanoseconds: f64, start: f64) -> usize {
    // A number that is too large becomes the largest one.
    most.min((nanoseconds / (STARTS * start)) as usize).max(1)
}
