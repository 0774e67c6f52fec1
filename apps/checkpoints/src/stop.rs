//! A request to stop: the work ends after the current piece, and incomplete files are removed.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Outcome};

/// Locks a mutex, also if a thread panicked while it held it: no thread of this crate leaves a
/// value half changed, and the panic is reported when the thread is joined.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A flag to stop work. Clones share the flag.
///
/// ```
/// let stop = xlayout_checkpoints::Stop::default();
/// assert!(stop.check().is_ok());
/// stop.reason().store(2, std::sync::atomic::Ordering::Relaxed);
/// assert!(stop.check().is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicUsize>);

impl Stop {
    /// The flag: any number except 0, such as that of a signal, stops the work.
    #[must_use]
    pub fn reason(&self) -> &Arc<AtomicUsize> {
        &self.0
    }

    /// # Errors
    /// When the work is to stop.
    pub fn check(&self) -> Outcome {
        match self.0.load(Ordering::Relaxed) {
            0 => Ok(()),
            _ => Err(Error::file("stopped; no file was written")),
        }
    }
}
