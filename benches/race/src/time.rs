//! The clock of the race: that of the wall, or that of the thread.
//!
//! On a machine that does other work, too, a copy that takes longer is interrupted more often. The
//! time that the processor spent on this thread leaves the interruptions out. Reading it takes as
//! long as a short copy, so that samples are at least 200 µs long either way.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Whether times are those of the thread.
static OF_THREAD: AtomicBool = AtomicBool::new(false);

/// Lets all later times be those of the thread that asks.
pub(crate) fn measure_the_thread() {
    OF_THREAD.store(true, Ordering::Relaxed);
}

/// Whether [`measure_the_thread`] is possible.
pub(crate) const HAS_THREAD_CLOCK: bool = cfg!(target_os = "linux");

/// A moment.
#[derive(Clone, Copy)]
pub(crate) enum Time {
    Wall(Instant),
    Thread(Duration),
}

impl Time {
    pub(crate) fn now() -> Self {
        if OF_THREAD.load(Ordering::Relaxed) {
            Self::Thread(thread())
        } else {
            Self::Wall(Instant::now())
        }
    }

    pub(crate) fn elapsed(self) -> Duration {
        match self {
            Self::Wall(start) => start.elapsed(),
            Self::Thread(start) => thread().saturating_sub(start),
        }
    }
}

#[cfg(target_os = "linux")]
fn thread() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the clock exists on Linux, and the time is written to `time`.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    assert_eq!(failed, 0, "the clock of the thread exists");
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(target_os = "linux"))]
fn thread() -> Duration {
    unreachable!("`--thread-time` is refused where there is no such clock")
}
