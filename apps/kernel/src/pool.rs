//! XLA's thread pool.
#![allow(unsafe_code)]

use core::any::Any;
use core::ffi::c_void;
use core::fmt;
use core::panic::AssertUnwindSafe;
use core::sync::atomic::{AtomicBool, Ordering};
use std::panic::{catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use crate::level::{Baseline, Level, lock};
use crate::xla::{self, Context};

/// XLA's thread pool: a parameter of a kernel.
///
/// The calling thread works, too, and does not wait for tasks that have not begun. So a kernel may
/// use the pool although it runs on one of the pool's threads, and inside work that runs on the
/// pool. If XLA has no pool, the calling thread does all work.
///
/// ```
/// use xlayout_kernel::Pool;
///
/// fn double(pool: Pool, x: &[f32], y: &mut [f32]) {
///     pool.for_each(x.chunks(1024).zip(y.chunks_mut(1024)), |(x, y)| {
///         for (x, y) in x.iter().zip(y) {
///             *y = 2.0 * x;
///         }
///     });
/// }
/// let (x, mut y) = (vec![1.0; 3000], vec![0.0; 3000]);
/// double(Pool::here(), &x, &mut y);
/// assert_eq!(y, [2.0; 3000]);
/// ```
#[doc(alias = "XLA_FFI_ThreadPool_Schedule")]
#[derive(Clone, Copy)]
pub struct Pool<'call> {
    context: Context<'call>,
    /// XLA's threads; 0 where there is no pool, and the context is not used.
    threads: usize,
}

// SAFETY: the pointers of the context are only passed to `XLA_FFI_ThreadPool_Schedule`. Any thread
// may call it: it is there for work on the pool's threads, too, which gives the pool more work.
unsafe impl Send for Pool<'_> {}
// SAFETY: as above. The other field is a number.
unsafe impl Sync for Pool<'_> {}

impl fmt::Debug for Pool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool")
            .field("threads", &self.threads())
            .finish()
    }
}

impl<'call> Pool<'call> {
    /// A pool without threads: the calling thread does all work. For tests of kernels.
    #[must_use]
    pub const fn here() -> Self {
        Self {
            context: Context::NONE,
            threads: 0,
        }
    }

    /// XLA's pool.
    pub(crate) fn of(context: Context<'call>) -> Self {
        match xla::num_threads(context) {
            Some(threads @ 2..) => Self { context, threads },
            _ => Self::here(),
        }
    }

    /// The number of threads that may work at the same time: the size of XLA's pool, or 1 without a
    /// pool.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads.max(1)
    }

    /// Does the work for each item, on as many threads as are free, and returns when all is done.
    ///
    /// Each thread takes one item after the other, so a thread that waits leaves its items to the
    /// others. Use a few items for each thread (`4 * pool.threads()`), not one for each element of
    /// an array. Any iterator is accepted: `0..n`, `chunks_mut`, …
    ///
    /// # Panics
    /// If the work for an item or the iterator panics. Items that were begun are finished, no other
    /// item is begun, and the first panic continues here.
    pub fn for_each<I>(&self, items: I, work: impl Fn(I::Item) + Sync)
    where
        I: IntoIterator<IntoIter: Send>,
    {
        self.__for_each_at(Baseline, items, work);
    }

    /// [`for_each`](Self::for_each) with a set of instructions: what the macro writes in its place.
    /// Not for use: it may change in any version.
    #[doc(hidden)]
    pub fn __for_each_at<I>(
        &self,
        level: impl Level + Sync,
        items: I,
        work: impl Fn(I::Item) + Sync,
    ) where
        I: IntoIterator<IntoIter: Send>,
    {
        let items = items.into_iter();
        let (_, most_items) = items.size_hint();
        let item_limit = most_items.unwrap_or(usize::MAX);
        // This thread is one of those that work.
        let helpers = self.threads.min(item_limit).saturating_sub(1);
        let items = Mutex::new(items);
        let stop = AtomicBool::new(false);
        // What each thread does: it takes items until none is left.
        let take_items = || {
            let _stop = StopOnPanic(&stop);
            level.work(&items, &stop, &work);
        };
        match helpers {
            0 => take_items(),
            _ => self.on_threads(helpers, &take_items),
        }
    }

    /// Calls `work` on this thread and, at the same time, on up to `helpers` free threads of the
    /// pool.
    fn on_threads(&self, helpers: usize, work: &(dyn Fn() + Sync)) {
        let pointer: *const (dyn Fn() + Sync + '_) = work;
        // SAFETY: only the lifetime in the type of a pointer changes. A pointer does not promise
        // that its target lives: `Shared` may outlive the work.
        let pointer: *const (dyn Fn() + Sync + 'static) = unsafe { core::mem::transmute(pointer) };
        let shared = Arc::new(Shared {
            work: pointer,
            state: Mutex::new(State::default()),
            idle: Condvar::new(),
        });
        for _ in 0..helpers {
            let clone = Arc::into_raw(Arc::clone(&shared));
            let data = clone.cast_mut().cast();
            // SAFETY: `task` gets a clone of the `Arc` that is its own.
            let scheduled = unsafe { xla::schedule(self.context, task, data) };
            if !scheduled {
                // SAFETY: XLA did not take the task, so that the clone is still ours.
                drop(unsafe { Arc::from_raw(clone) });
                break;
            }
        }
        // This thread must wait for the others, also if its own work panics.
        let own_panic = catch_unwind(AssertUnwindSafe(work)).err();
        let mut their_panic = shared.close();
        if let Some(payload) = own_panic.or_else(|| their_panic.take()) {
            // If both panicked, theirs is dropped.
            their_panic.into_iter().for_each(discard);
            resume_unwind(payload);
        }
    }
}

/// The task that a thread of XLA's pool calls.
///
/// # Safety
/// `data` is a clone of an `Arc<Shared>`, by `into_raw`, that is this task's own.
unsafe extern "C" fn task(data: *mut c_void) {
    // SAFETY: the caller's promise; the task is run once.
    let shared = unsafe { Arc::from_raw(data.cast::<Shared>()) };
    // A task that begins after the end of the work does nothing.
    if !shared.begin() {
        return;
    }
    // SAFETY: `begin` counted this task before the state was closed, and `on_threads`, which has
    // the work, waits in `close` until `end` has counted it out. It may be called by any thread
    // (`Sync`).
    let work = unsafe { &*shared.work };
    let panic = catch_unwind(AssertUnwindSafe(work)).err();
    // A second panic is dropped, as with the threads of a scope.
    shared.end(panic).into_iter().for_each(discard);
}

/// Drops the payload of a panic. The drop may panic again, and nothing may unwind into XLA. So the
/// payload of that panic is dropped in turn, at most eight times.
pub(crate) fn discard(mut payload: Box<dyn Any + Send>) {
    for _ in 0..8 {
        match catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            Ok(()) => return,
            Err(again) => payload = again,
        }
    }
    // There may be no end to it: this payload is never dropped.
    core::mem::forget(payload);
}

/// Work that several threads do, and the state of these threads.
struct Shared {
    /// A pointer and not a reference: a task that XLA begins late has this structure after the work
    /// is dropped. The work lives until the state is closed and no thread runs it.
    work: *const (dyn Fn() + Sync),
    state: Mutex<State>,
    /// Signals that no thread runs the work.
    idle: Condvar,
}

// SAFETY: the pointer leads to something `Sync`, and `task`, which dereferences it, proves that it
// is valid. The other fields are `Send` and `Sync` by themselves.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

#[derive(Default)]
struct State {
    /// The number of tasks that run the work now.
    working: usize,
    /// Whether no further task may begin.
    closed: bool,
    /// The first panic of a task.
    panic: Option<Box<dyn Any + Send>>,
}

impl Shared {
    /// Begins a task, if the state is not closed. Returns whether it does.
    fn begin(&self) -> bool {
        let mut state = lock(&self.state);
        let begins = !state.closed;
        state.working += usize::from(begins);
        begins
    }

    /// Ends a task. Stores the first panic and returns any later one.
    fn end(&self, panic: Option<Box<dyn Any + Send>>) -> Option<Box<dyn Any + Send>> {
        let mut state = lock(&self.state);
        state.working -= 1;
        if state.working == 0 {
            self.idle.notify_all();
        }
        if state.panic.is_some() {
            return panic;
        }
        state.panic = panic;
        None
    }

    /// Closes the state so that no further thread begins, and waits for the threads that began.
    /// Returns the first panic.
    fn close(&self) -> Option<Box<dyn Any + Send>> {
        let mut state = lock(&self.state);
        state.closed = true;
        let idle = self.idle.wait_while(state, |state| state.working > 0);
        idle.unwrap_or_else(PoisonError::into_inner).panic.take()
    }
}

/// When a panic of this thread drops it, it tells the other threads to stop.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
