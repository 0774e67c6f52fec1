//! Ctrl-C: the work stops after the current piece, the incomplete file is removed, and then the
//! program ends by the signal, as a shell expects.
//!
//! A file without a name (`O_TMPFILE`) would vanish even if the program is killed. But not every
//! file system supports it, and it can get its name in one step only if no file is replaced.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::Stop;
use signal_hook::consts;

use xlayout_command::{Failure, Outcome};

#[cfg(unix)]
const SIGNALS: [i32; 3] = [consts::SIGINT, consts::SIGTERM, consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [consts::SIGINT, consts::SIGTERM];

/// Does this work. Signals stop the work from now on. Before, they end the program.
///
/// # Errors
/// Those of the work, if no signal came.
pub(crate) fn stopping<T>(work: impl FnOnce(&Stop) -> Outcome<T>) -> Outcome<T> {
    let stop = watched()
        .map_err(|error| Failure::file(format_args!("cannot watch for signals: {error}")))?;
    let done = work(&stop);
    if done.is_err()
        && let Ok(signal @ 1..) = i32::try_from(stop.reason().load(Ordering::Relaxed))
    {
        // If this fails, the error that the work was stopped is reported.
        let _ = signal_hook::low_level::emulate_default_handler(signal);
    }
    done
}

fn watched() -> std::io::Result<Stop> {
    let stop = Stop::default();
    for signal in SIGNALS {
        let Ok(value) = usize::try_from(signal) else {
            unreachable!("the numbers of signals are positive")
        };
        signal_hook::flag::register_usize(signal, Arc::clone(stop.reason()), value)?;
    }
    // A file beyond `ulimit -f` causes an error of writing, and does not end the program.
    #[cfg(unix)]
    signal_hook::flag::register(consts::SIGXFSZ, Arc::default())?;
    Ok(stop)
}
