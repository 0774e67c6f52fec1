//! Ctrl-C: the work ends at the next piece, the half file is removed, and then the program ends by the
//! signal, as the shell expects of it.
//!
//! A file without a name (`O_TMPFILE`) would vanish even when the program is killed, but not every file
//! system has it, and only where nothing is replaced can it get its name in one step.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use signal_hook::consts;
use xlayout_reshard::Stop;

use crate::failure::{Failure, Outcome};

#[cfg(unix)]
const SIGNALS: [i32; 3] = [consts::SIGINT, consts::SIGTERM, consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [consts::SIGINT, consts::SIGTERM];

/// Does this work. From now on signals stop it; so far they ended the program.
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
        // If that cannot be done, the error that it was stopped is reported.
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
    // A file that would grow beyond `ulimit -f`: an error of writing, not the end.
    #[cfg(unix)]
    signal_hook::flag::register(consts::SIGXFSZ, Arc::default())?;
    Ok(stop)
}
