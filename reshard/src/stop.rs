//! A request to stop: the work ends at the next piece, and what is not whole is removed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Outcome};

/// Locks a mutex, also after a thread panicked with it: no thread leaves the value half changed here, and whoever joins the
/// thread reports its panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether to stop; all clones are one.
///
/// ```
/// let stop = xlayout_reshard::Stop::default();
/// assert!(stop.check().is_ok());
/// stop.reason().store(2, std::sync::atomic::Ordering::Relaxed);
/// assert!(stop.check().is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicUsize>);

impl Stop {
    /// Any number but 0 stops the work: that of a signal.
    #[must_use]
    pub fn reason(&self) -> &Arc<AtomicUsize> {
        &self.0
    }

    /// # Errors
    /// When it is to stop.
    pub fn check(&self) -> Outcome {
        match self.0.load(Ordering::Relaxed) {
            0 => Ok(()),
            _ => Err(Error::file("stopped; no file was written")),
        }
    }
}
