//! Calls of XLA's functions.
#![allow(unsafe_code)]

use core::ffi::CStr;
use std::ffi::CString;

use crate::abi::{Api, ErrorCreate, ErrorDestroy, ErrorGetMessage, XlaError};
use crate::error::{Code, Error};

/// A function of XLA's table, where the table is long enough to have it.
macro_rules! function {
    ($api:expr, $field:ident) => {{
        let api: *const Api = $api;
        let end = core::mem::offset_of!(Api, $field) + size_of::<usize>();
        // SAFETY: `api` is not null, and leads to XLA's table (the promise of the function that
        // this stands in), of which `struct_size` bytes are there; a function may be null.
        unsafe {
            if (&raw const (*api).struct_size).read() < end {
                None
            } else {
                (&raw const (*api).$field).read()
            }
        }
    }};
}

/// The minor version of XLA's own API, where the major one is ours.
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

/// An error of XLA's.
///
/// Without the function that makes one there is no way to say that a call failed, and XLA would take
/// results for computed that are not: the process ends then.
///
/// # Safety
/// `api` is null or leads to XLA's table of functions.
#[cold]
pub(crate) unsafe fn create_error(api: *const Api, error: &Error) -> *mut XlaError {
    let message = c_string(error.message());
    let create = if api.is_null() {
        None
    } else {
        function!(api, error_create)
    };
    let Some(create) = create else {
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

/// The text as C has it: a NUL in it, which would end it, is written out.
fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', "\\0")).unwrap_or_default()
}

/// The message of an error of XLA's, which is destroyed.
///
/// # Safety
/// `api` leads to XLA's table of functions; `error` is an error that one of them gave, and is used
/// nowhere else.
#[cold]
pub(crate) unsafe fn take_error(api: *const Api, error: *mut XlaError) -> Error {
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
