//! XLA's thread pool, made of threads.

use std::ffi::c_void;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use xlayout_kernel::abi::{
    DeviceOrdinalGet, ErrorCreate, ExecutionContext, RunIdGet, Task, ThreadPoolNumThreads,
    ThreadPoolSchedule, XlaError,
};

/// The data of the mock functions, to which the context points.
pub struct Context {
    tasks: Option<Sender<(Task, Data)>>,
    threads: Vec<JoinHandle<()>>,
    /// Tasks are run by `schedule` itself, as XLA may.
    pub at_once: bool,
    /// Tasks are kept until `run_late`.
    pub late: bool,
    kept: Mutex<Vec<(Task, Data)>>,
    pub device: i32,
    pub run: i64,
}

struct Data(*mut c_void);
// SAFETY: a task may be run on any thread.
unsafe impl Send for Data {}

impl Context {
    pub fn new(threads: usize) -> Self {
        let (tasks, queue) = channel::<(Task, Data)>();
        let queue = std::sync::Arc::new(Mutex::new(queue));
        let threads = (0..threads)
            .map(|_| {
                let queue = queue.clone();
                std::thread::spawn(move || work(&queue))
            })
            .collect();
        Self {
            tasks: Some(tasks),
            threads,
            at_once: false,
            late: false,
            kept: Mutex::default(),
            device: 3,
            run: 42,
        }
    }

    /// Runs the kept tasks, and returns their number.
    pub fn run_late(&self) -> usize {
        let kept = std::mem::take(&mut *self.kept.lock().unwrap());
        // SAFETY: each task is run once, with its data.
        kept.iter().for_each(|(task, data)| unsafe { task(data.0) });
        kept.len()
    }

    pub fn pointer(&self) -> *mut ExecutionContext {
        (&raw const *self).cast_mut().cast()
    }
}

fn work(queue: &Mutex<Receiver<(Task, Data)>>) {
    loop {
        let next = queue.lock().unwrap().recv();
        match next {
            // SAFETY: each task is run once, with its data.
            Ok((task, data)) => unsafe { task(data.0) },
            Err(_) => return,
        }
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // All tasks are run before the threads end.
        self.tasks = None;
        for thread in self.threads.drain(..) {
            thread.join().unwrap();
        }
    }
}

fn unavailable() -> *mut XlaError {
    let mut args = ErrorCreate {
        struct_size: 28,
        extensions: std::ptr::null_mut(),
        message: c"No intra-op thread pool available on this platform".as_ptr(),
        code: 12,
    };
    // SAFETY: the structure is as the function wants it.
    unsafe { super::error_create(&raw mut args) }
}

pub unsafe extern "C" fn schedule(args: *mut ThreadPoolSchedule) -> *mut XlaError {
    // SAFETY: the kernel passes the structure, with a context of `Context::pointer`.
    let (args, context) = unsafe { (&*args, &*(*args).context.cast::<Context>()) };
    if context.threads.is_empty() {
        return unavailable();
    }
    if context.at_once {
        // SAFETY: the task is run once, with its data.
        unsafe { (args.task)(args.data) };
    } else if context.late {
        let mut kept = context.kept.lock().unwrap();
        kept.push((args.task, Data(args.data)));
    } else if let Some(tasks) = &context.tasks {
        tasks.send((args.task, Data(args.data))).unwrap();
    }
    std::ptr::null_mut()
}

pub unsafe extern "C" fn num_threads(args: *mut ThreadPoolNumThreads) -> *mut XlaError {
    // SAFETY: as in `schedule`.
    let (args, context) = unsafe { (&*args, &*(*args).context.cast::<Context>()) };
    if context.threads.is_empty() {
        return unavailable();
    }
    // SAFETY: the kernel passes a place for the number.
    unsafe { *args.num_threads = context.threads.len() as i64 };
    std::ptr::null_mut()
}

pub unsafe extern "C" fn run_id(args: *mut RunIdGet) -> *mut XlaError {
    // SAFETY: as in `schedule`.
    unsafe { (*args).run_id = (*(*args).context.cast::<Context>()).run };
    std::ptr::null_mut()
}

pub unsafe extern "C" fn device_ordinal(args: *mut DeviceOrdinalGet) -> *mut XlaError {
    // SAFETY: as in `schedule`.
    unsafe { (*args).device_ordinal = (*(*args).context.cast::<Context>()).device };
    std::ptr::null_mut()
}
