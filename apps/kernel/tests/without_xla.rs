//! The table of functions that calls from NumPy have, which no XLA gives.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use xlayout_kernel::abi::{
    Api, DeviceOrdinalGet, ErrorCreate, ErrorDestroy, ErrorGetMessage, RunIdGet,
    ThreadPoolNumThreads, ThreadPoolSchedule,
};

fn api() -> &'static Api {
    // SAFETY: the table is a static.
    unsafe { &*xlayout_kernel::__private::api() }
}

#[test]
#[cfg_attr(miri, ignore = "the description takes minutes")]
fn the_description_has_its_address() {
    let text = xlayout_kernel::__private::description().to_str().unwrap();
    let description: serde_json::Value = serde_json::from_str(text).unwrap();
    assert_eq!(description["api"], std::ptr::from_ref(api()) as usize);
}

#[test]
fn errors() {
    let api = api();
    for (code, message, expected) in [
        (11, "-1 is negative", "OUT_OF_RANGE: -1 is negative"),
        (1, "", "CANCELLED: "),
        (16, "ä", "UNAUTHENTICATED: ä"),
        (17, "x", "UNKNOWN: x"),
        (-1, "x", "UNKNOWN: x"),
    ] {
        let message = CString::new(message).unwrap();
        let mut create = ErrorCreate {
            struct_size: size_of::<ErrorCreate>(),
            extensions: null_mut(),
            message: message.as_ptr(),
            code,
        };
        // SAFETY: each function gets its structure, and the error is destroyed once.
        unsafe {
            let error = api.error_create.unwrap()(&raw mut create);
            drop(message);
            let mut get = ErrorGetMessage {
                struct_size: size_of::<ErrorGetMessage>(),
                extensions: null_mut(),
                error,
                message: std::ptr::null(),
            };
            api.error_get_message.unwrap()(&raw mut get);
            assert_eq!(CStr::from_ptr(get.message).to_str(), Ok(expected));
            let mut destroy = ErrorDestroy {
                struct_size: size_of::<ErrorDestroy>(),
                extensions: null_mut(),
                error,
            };
            api.error_destroy.unwrap()(&raw mut destroy);
        }
    }
}

#[test]
fn the_run_and_the_device() {
    let mut run = RunIdGet {
        struct_size: size_of::<RunIdGet>(),
        extensions: null_mut(),
        context: null_mut(),
        run_id: 0,
    };
    let mut device = DeviceOrdinalGet {
        struct_size: size_of::<DeviceOrdinalGet>(),
        extensions: null_mut(),
        context: null_mut(),
        device_ordinal: 7,
    };
    let mut runs = [0; 2];
    for seen in &mut runs {
        // SAFETY: each function gets its structure.
        unsafe {
            assert!(api().run_id_get.unwrap()(&raw mut run).is_null());
            assert!(api().device_ordinal_get.unwrap()(&raw mut device).is_null());
        }
        *seen = run.run_id;
    }
    assert!(0 < runs[0] && runs[0] < runs[1] && device.device_ordinal == 0);
}

/// Every task that is taken runs once, from several threads that give them.
#[test]
#[cfg_attr(miri, ignore = "the threads do not end")]
fn tasks() {
    unsafe extern "C" fn task(data: *mut c_void) {
        // SAFETY: the data is a static counter.
        unsafe { &*data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::Relaxed);
    }
    static DONE: AtomicUsize = AtomicUsize::new(0);
    let mut threads = 0;
    let mut number = ThreadPoolNumThreads {
        struct_size: size_of::<ThreadPoolNumThreads>(),
        extensions: null_mut(),
        context: null_mut(),
        num_threads: &raw mut threads,
    };
    // SAFETY: the function gets its structure.
    assert!(unsafe { api().thread_pool_num_threads.unwrap()(&raw mut number) }.is_null());
    let here = std::thread::available_parallelism().map_or(1, usize::from);
    assert!(1 <= threads && threads <= here as i64);
    let give = || {
        let mut work = ThreadPoolSchedule {
            struct_size: size_of::<ThreadPoolSchedule>(),
            extensions: null_mut(),
            context: null_mut(),
            task,
            data: (&raw const DONE).cast_mut().cast(),
        };
        // SAFETY: the function gets its structure, and the task may run at any time.
        let error = unsafe { api().thread_pool_schedule.unwrap()(&raw mut work) };
        usize::from(error.is_null())
    };
    let taken: usize = std::thread::scope(|scope| {
        let all: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| (0..500).map(|_| give()).sum::<usize>()))
            .collect();
        all.into_iter().map(|one| one.join().unwrap()).sum()
    });
    assert_eq!(taken, if threads > 1 { 2000 } else { 0 });
    let begin = Instant::now();
    while DONE.load(Ordering::Relaxed) < taken {
        assert!(begin.elapsed() < Duration::from_secs(60));
        std::thread::yield_now();
    }
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(DONE.load(Ordering::Relaxed), taken);
}
