//! A replacement of XLA's table of functions in a process without XLA. The frames of calls from
//! NumPy point to it.
//!
//! No function of the table is a callback into Python. The interpreter runs signal handlers at the
//! beginning of a callback. If one raises, the callback does nothing and returns an arbitrary
//! value.
//!
//! Threads are made at the first call that asks for them. After a fork, the child has none of them,
//! and a lock may be held for ever by a thread that it lacks. So each process has its own state,
//! and a child makes a new one.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_void};
use core::num::NonZero;
use core::ptr::{null, null_mut};
use core::sync::atomic::{AtomicI64, AtomicPtr, Ordering};
use std::ffi::CString;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::thread::{Builder, available_parallelism};

use crate::abi::{
    Api, ApiVersion, DeviceOrdinalGet, ErrorCreate, ErrorDestroy, ErrorGetMessage, RunIdGet, Task,
    ThreadPoolNumThreads, ThreadPoolSchedule, VERSION, XlaError,
};
use crate::level::lock;
use crate::xla::c_string;

static API: Table = Table(Api {
    struct_size: size_of::<Api>(),
    extensions: null_mut(),
    api_version: ApiVersion {
        struct_size: size_of::<ApiVersion>(),
        extensions: null_mut(),
        major: VERSION.0,
        minor: VERSION.1,
    },
    internal: null(),
    error_create: Some(error_create),
    error_get_message: Some(error_get_message),
    error_destroy: Some(error_destroy),
    handler_register: None,
    unused: [None; 7],
    thread_pool_schedule: Some(schedule),
    thread_pool_num_threads: Some(num_threads),
    futures: [None; 3],
    run_id_get: Some(run_id_get),
    device_ordinal_get: Some(device_ordinal_get),
});

struct Table(Api);

// SAFETY: nothing writes to the table, its pointers are null, and its functions may be called by
// any thread.
unsafe impl Sync for Table {}

/// The table, which lives as long as the shared object is loaded.
#[must_use]
pub fn api() -> *const Api {
    &raw const API.0
}

/// The names of the codes, by their numbers.
const CODES: &str = "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND \
                     ALREADY_EXISTS PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION \
                     ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS \
                     UNAUTHENTICATED";

/// Makes an error: a C string with the code and the message, as JAX shows it.
///
/// # Safety
/// `args` leads to the structure, whose message is a C string.
unsafe extern "C" fn error_create(args: *mut ErrorCreate) -> *mut XlaError {
    // SAFETY: the caller's promise.
    let (message, code) = unsafe { (CStr::from_ptr((*args).message), (*args).code) };
    let name = usize::try_from(code).map(|code| CODES.split(' ').nth(code));
    let name = name.ok().flatten().unwrap_or("UNKNOWN");
    error(&format!("{name}: {}", message.to_string_lossy()))
}

fn error(text: &str) -> *mut XlaError {
    c_string(text).into_raw().cast()
}

/// # Safety
/// `args` leads to the structure, with an error of `error_create`.
unsafe extern "C" fn error_get_message(args: *mut ErrorGetMessage) {
    // SAFETY: the caller's promise.
    unsafe { (*args).message = (*args).error.cast_const().cast() };
}

/// # Safety
/// `args` leads to the structure, with an error of `error_create` that nothing uses any more.
unsafe extern "C" fn error_destroy(args: *mut ErrorDestroy) {
    // SAFETY: the caller's promise; `error_create` made the string with `into_raw`.
    drop(unsafe { CString::from_raw((*args).error.cast()) });
}

/// # Safety
/// `args` leads to the structure. If the answer is null, its task may be called once with its data,
/// by any thread and at any time.
unsafe extern "C" fn schedule(args: *mut ThreadPoolSchedule) -> *mut XlaError {
    // SAFETY: the caller's promise.
    let work = unsafe { Work((*args).task, (*args).data) };
    let threads = Threads::here();
    // The receiver lives as long as the process.
    if threads.count() == 0 || threads.give.send(work).is_err() {
        return error("UNAVAILABLE: no thread can be started");
    }
    null_mut()
}

/// Returns the number of the pool's threads and the calling thread, which works, too.
///
/// # Safety
/// `args` leads to the structure, and `num_threads` in it to a number.
unsafe extern "C" fn num_threads(args: *mut ThreadPoolNumThreads) -> *mut XlaError {
    let threads = 1 + Threads::here().count();
    // SAFETY: the caller's promise.
    unsafe { (*args).num_threads.write(threads as i64) };
    null_mut()
}

/// # Safety
/// `args` leads to the structure.
unsafe extern "C" fn run_id_get(args: *mut RunIdGet) -> *mut XlaError {
    static NEXT: AtomicI64 = AtomicI64::new(1);
    // SAFETY: the caller's promise.
    unsafe { (*args).run_id = NEXT.fetch_add(1, Ordering::Relaxed) };
    null_mut()
}

/// # Safety
/// `args` leads to the structure.
unsafe extern "C" fn device_ordinal_get(args: *mut DeviceOrdinalGet) -> *mut XlaError {
    // SAFETY: the caller's promise.
    unsafe { (*args).device_ordinal = 0 };
    null_mut()
}

/// A task and its data.
struct Work(Task, *mut c_void);

// SAFETY: the promise of `schedule`: any thread may call the task with the data.
unsafe impl Send for Work {}

/// The threads of one process, and their queue of tasks.
struct Threads {
    process: u32,
    /// How many were started.
    count: OnceLock<usize>,
    give: Sender<Work>,
    take: Mutex<Receiver<Work>>,
}

impl Threads {
    /// The threads of this process. They are never freed, because they do not end.
    fn here() -> &'static Self {
        Self::of(std::process::id())
    }

    /// The threads of the process that has this number, in which this is called.
    fn of(process: u32) -> &'static Self {
        // A pointer, because a lock may be held when the process forks.
        static HERE: AtomicPtr<Threads> = AtomicPtr::new(null_mut());
        let found = HERE.load(Ordering::Acquire);
        // SAFETY: it is null, or was made below and is never freed.
        match unsafe { found.as_ref() } {
            Some(threads) if threads.process == process => threads,
            _ => {
                let (give, take) = channel();
                let made = Box::into_raw(Box::new(Self {
                    process,
                    count: OnceLock::new(),
                    give,
                    take: Mutex::new(take),
                }));
                // If another thread was faster, this value is leaked, once in a process.
                let _ = HERE.compare_exchange(found, made, Ordering::AcqRel, Ordering::Relaxed);
                Self::of(process)
            }
        }
    }

    /// Returns the number of threads beside the caller. The first call starts them: as many as the
    /// process may use, or as the system allows.
    fn count(&'static self) -> usize {
        *self.count.get_or_init(|| {
            let threads = available_parallelism().map_or(1, NonZero::get);
            // The usual stack size of C threads on Linux, which XLA's threads have.
            let start = || Builder::new().stack_size(8 << 20).spawn(|| self.work());
            (1..threads).take_while(|_| start().is_ok()).count()
        })
    }

    fn work(&self) {
        let next = || lock(&self.take).recv();
        while let Ok(Work(task, data)) = next() {
            // SAFETY: the promise of `schedule`; the task was taken out, so it is called once.
            unsafe { task(data) };
        }
    }
}

#[cfg(test)]
mod tests {
    use core::ptr;
    use std::sync::OnceLock;

    use super::Threads;

    /// `kernel/python/numpy` has the same with a process that forks.
    #[test]
    fn a_child_has_threads_of_its_own() {
        // Threads are never freed. A static has those of the parent, or valgrind takes them for
        // lost.
        static OF_PARENT: OnceLock<&Threads> = OnceLock::new();
        let of_parent = *OF_PARENT.get_or_init(|| Threads::of(1));
        assert!(ptr::eq(of_parent, Threads::of(1)));
        // What the child finds after a fork: the memory of its parent, and another number.
        let of_child = Threads::of(2);
        assert!(!ptr::eq(of_child, of_parent));
        assert_eq!((of_parent.process, of_child.process), (1, 2));
        assert_eq!(of_child.count.get(), None);
        assert!(ptr::eq(of_child, Threads::of(2)));
    }
}
