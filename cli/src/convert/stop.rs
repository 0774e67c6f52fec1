//! Ctrl-C: the work ends at the next piece, the half file is removed, and then the program ends by the
//! signal, as the shell expects of it.
//!
//! A file without a name (`O_TMPFILE`) would vanish even when the program is killed, but not every file
//! system has it, and only where nothing is replaced can it get its name in one step.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts;

use crate::failure::{Failure, Outcome};

/// Whether a signal came.
#[derive(Clone)]
pub(crate) struct Stop(Arc<AtomicUsize>);

#[cfg(unix)]
const SIGNALS: [i32; 3] = [consts::SIGINT, consts::SIGTERM, consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [consts::SIGINT, consts::SIGTERM];

impl Stop {
    /// From now on signals are noted; so far they ended the program.
    pub(crate) fn new() -> io::Result<Self> {
        let came = Arc::new(AtomicUsize::new(0));
        for signal in SIGNALS {
            let Ok(value) = usize::try_from(signal) else {
                unreachable!("the numbers of signals are positive")
            };
            signal_hook::flag::register_usize(signal, Arc::clone(&came), value)?;
        }
        // A file that would grow beyond `ulimit -f`: an error of writing, not the end.
        #[cfg(unix)]
        signal_hook::flag::register(consts::SIGXFSZ, Arc::default())?;
        Ok(Self(came))
    }

    /// # Errors
    /// When a signal came.
    pub(crate) fn check(&self) -> Outcome {
        match self.0.load(Ordering::Relaxed) {
            0 => Ok(()),
            _ => Err(Failure::file("stopped; no file was written")),
        }
    }

    /// Ends the program, if a signal came, as the signal alone would have done.
    pub(crate) fn end(&self) {
        if let Ok(signal @ 1..) = i32::try_from(self.0.load(Ordering::Relaxed)) {
            // If that cannot be done, the error of `check` is reported.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    }
}
