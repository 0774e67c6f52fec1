//! The context of a call, and calls of XLA's functions.
#![allow(unsafe_code)]

use core::ffi::{CStr, c_void};
use core::marker::PhantomData;
use std::ffi::CString;

use crate::abi::{
    Api, DeviceOrdinalGet, ErrorCreate, ErrorDestroy, ErrorGetMessage, ExecutionContext, RunIdGet,
    Task, ThreadPoolNumThreads, ThreadPoolSchedule, XlaError,
};
use crate::error::{Code, Error};

/// XLA's context of the call, with its table of functions: a parameter of a kernel that calls
/// functions of [`abi`](crate::abi) which this crate does not call.
//
// Invariant: `api` is null or leads to XLA's table of functions, and `context` is what XLA passed
// beside it. Both stay during `'call`.
#[doc(alias = "XLA_FFI_ExecutionContext")]
#[derive(Clone, Copy, Debug)]
pub struct Context<'call> {
    api: *const Api,
    context: *mut ExecutionContext,
    call: PhantomData<&'call ()>,
}

impl Context<'_> {
    /// No table of functions.
    pub(crate) const NONE: Self = Self {
        api: core::ptr::null(),
        context: core::ptr::null_mut(),
        call: PhantomData,
    };

    /// Table and context of a call.
    ///
    /// # Safety
    /// They fulfil the invariant of the type.
    pub(crate) const unsafe fn new(api: *const Api, context: *mut ExecutionContext) -> Self {
        Self {
            api,
            context,
            call: PhantomData,
        }
    }

    /// XLA's table of functions; null where XLA passes none.
    #[must_use]
    pub const fn api(self) -> *const Api {
        self.api
    }

    /// What XLA's functions take as `ctx`.
    #[must_use]
    pub const fn as_ptr(self) -> *mut ExecutionContext {
        self.context
    }
}

/// A function of XLA's table, if there is a table that is long enough to contain it.
macro_rules! function {
    ($api:expr, $field:ident) => {{
        let api: *const Api = $api;
        let end = core::mem::offset_of!(Api, $field) + size_of::<usize>();
        // SAFETY: `api` is null or leads to XLA's table (the promise of the function that this is
        // in, or the invariant of `Context`), of which `struct_size` bytes are there; a function
        // may be null.
        unsafe {
            if api.is_null() || (&raw const (*api).struct_size).read() < end {
                None
            } else {
                (&raw const (*api).$field).read()
            }
        }
    }};
}

/// The major and minor version of XLA's API.
///
/// # Safety
/// `api` is null or leads to XLA's table of functions.
pub(crate) unsafe fn version(api: *const Api) -> Option<(i32, i32)> {
    let end = core::mem::offset_of!(Api, internal);
    // SAFETY: `api` leads to XLA's table, of which `struct_size` bytes are there.
    unsafe {
        if api.is_null() || (&raw const (*api).struct_size).read() < end {
            return None;
        }
        let version = &raw const (*api).api_version;
        Some((
            (&raw const (*version).major).read(),
            (&raw const (*version).minor).read(),
        ))
    }
}

/// Makes an error of XLA.
///
/// If the table has no function that makes an error, the process ends: a failed call could not be
/// reported, and XLA would use results that were not computed.
///
/// # Safety
/// `api` is null or leads to XLA's table of functions.
#[cold]
pub(crate) unsafe fn create_error(api: *const Api, error: &Error) -> *mut XlaError {
    let message = c_string(error.message());
    let Some(create) = function!(api, error_create) else {
        eprintln!(
            "xlayout-kernel: XLA passed no function to make errors with (`XLA_FFI_Error_Create`), \
             so that this one cannot be reported: {error}"
        );
        std::process::abort();
    };
    let mut args = ErrorCreate {
        struct_size: core::mem::offset_of!(ErrorCreate, code) + size_of::<i32>(),
        extensions: core::ptr::null_mut(),
        message: message.as_ptr(),
        code: error.code() as i32,
    };
    // SAFETY: the function is XLA's, and takes this structure; it copies the message.
    unsafe { create(&raw mut args) }
}

/// The text as a C string. A NUL in it would end the string, so it is escaped.
pub(crate) fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "\\0")).unwrap_or_else(|_| unreachable!("no NUL is left"))
}

/// The message of an error of XLA's, which is destroyed.
///
/// # Safety
/// `api` leads to XLA's table of functions; `error` is an error that one of them gave, and is used
/// nowhere else.
#[cold]
unsafe fn take_error(api: *const Api, error: *mut XlaError) -> Error {
    let mut text = String::from("XLA gives no message");
    if let Some(get_message) = function!(api, error_get_message) {
        let mut args = ErrorGetMessage {
            struct_size: size_of::<ErrorGetMessage>(),
            extensions: core::ptr::null_mut(),
            error,
            message: core::ptr::null(),
        };
        // SAFETY: the function is XLA's, and takes this structure and this error.
        unsafe { get_message(&raw mut args) };
        if !args.message.is_null() {
            // SAFETY: XLA lends a C string as long as the error lives.
            let message = unsafe { CStr::from_ptr(args.message) };
            text = message.to_string_lossy().into_owned();
        }
    }
    if let Some(destroy) = function!(api, error_destroy) {
        let mut args = ErrorDestroy {
            struct_size: size_of::<ErrorDestroy>(),
            extensions: core::ptr::null_mut(),
            error,
        };
        // SAFETY: the function is XLA's, and takes this structure and this error, which is its
        // receiver's to destroy.
        unsafe { destroy(&raw mut args) };
    }
    Error::new(Code::Unavailable, text)
}

/// Calls a function of XLA that takes the context of the call. The error is XLA's error, or `None`
/// if this XLA has no such function.
macro_rules! ask {
    ($context:expr, $field:ident, $args:ident { $($fields:tt)* }, $size:expr) => {{
        let context: Context<'_> = $context;
        // The table is null or XLA's: the invariant of `Context`.
        match function!(context.api(), $field) {
            None => Err(None),
            Some(function) => {
                let mut args = $args {
                    struct_size: $size,
                    extensions: core::ptr::null_mut(),
                    context: context.as_ptr(),
                    $($fields)*
                };
                // SAFETY: the function is XLA's, and takes this structure with XLA's own context,
                // which is the one beside the table (the invariant of `Context`).
                let error = unsafe { function(&raw mut args) };
                if error.is_null() {
                    Ok(args)
                } else {
                    // SAFETY: the table is XLA's, and the error is this caller's.
                    Err(Some(unsafe { take_error(context.api(), error) }))
                }
            }
        }
    }};
}

/// Functions that ask XLA for one number, which it writes to the last field of the structure.
macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident: $number:ty, $function:ident($args:ident);)*) => {$(
        $(#[$doc])*
        pub(crate) fn $name(context: Context<'_>) -> Result<$number, Option<Error>> {
            // Not the size of the Rust type, which is rounded up.
            let size = core::mem::offset_of!($args, $name) + size_of::<$number>();
            ask!(context, $function, $args { $name: 0 }, size).map(|args| args.$name)
        }
    )*};
}
numbers! {
    /// The number of the device.
    device_ordinal: i32, device_ordinal_get(DeviceOrdinalGet);
    /// The number of the run.
    run_id: i64, run_id_get(RunIdGet);
}

/// The number of threads of XLA's pool; `None` without a pool.
pub(crate) fn num_threads(context: Context<'_>) -> Option<usize> {
    let mut threads = 0_i64;
    ask!(
        context,
        thread_pool_num_threads,
        ThreadPoolNumThreads {
            num_threads: &raw mut threads
        },
        size_of::<ThreadPoolNumThreads>()
    )
    .ok()?;
    usize::try_from(threads).ok()
}

/// Passes a task to a thread of XLA's pool. Returns whether XLA took it; if not, the task is not
/// run.
///
/// # Safety
/// `task` may be called once with `data`, on any thread and at any time.
pub(crate) unsafe fn schedule(context: Context<'_>, task: Task, data: *mut c_void) -> bool {
    ask!(
        context,
        thread_pool_schedule,
        ThreadPoolSchedule { task, data },
        size_of::<ThreadPoolSchedule>()
    )
    .is_ok()
}
