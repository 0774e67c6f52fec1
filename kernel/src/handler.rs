//! A call by XLA: from a frame to the user's function, and back.
#![allow(unsafe_code)]

use core::any::Any;
use core::panic::AssertUnwindSafe;
use core::slice;
use std::panic::catch_unwind;

use crate::abi::{self, Api, CallFrame, ExecutionContext, XlaError};
use crate::batch::Batch;
use crate::door::{Checked, find};
use crate::error::{Code, Error, Result};
use crate::fault::{Fault, Place, Wrong};
use crate::frame::{self, Asked, Attribute, Frame};
use crate::kernel::Kernel;
use crate::parameter::Parameter;
use crate::{refuse, xla};

/// A call that was checked, from which the macro takes the parameters.
pub struct Call<'call> {
    kernel: &'static Kernel,
    frame: Frame<'call>,
    checked: &'call Checked<'call>,
    /// Which run of a batch this is.
    batch: Batch<'call>,
}

/// What XLA calls, all but the user's function: reads and checks the frame, calls `run`, and turns
/// errors and panics into errors of XLA's.
///
/// # Safety
/// `frame` is what XLA passed to the handler. `run` takes each parameter of `kernel` at most once,
/// as the type that it was declared with.
#[inline]
pub unsafe fn handle(
    frame: *mut CallFrame,
    kernel: &'static Kernel,
    run: impl Fn(&Call<'_>) -> Result<()>,
) -> *mut XlaError {
    // SAFETY: the caller's promise: XLA's frame, which XLA does not change during the call.
    let result = match unsafe { Frame::read(frame) } {
        Ok(Asked::Execute(frame)) => execute(frame, kernel, run),
        Ok(Asked::Nothing) => Ok(()),
        Ok(Asked::Metadata(extension)) => {
            // SAFETY: the caller's promise: XLA's frame, and its extension.
            unsafe { describe(frame, extension) }
        }
        Err(fault) => Err(refuse::error(kernel, None, fault)),
    };
    match result {
        Ok(()) => core::ptr::null_mut(),
        // SAFETY: the caller's promise: XLA's frame, with its table of functions.
        Err(error) => unsafe { xla::create_error(frame::api_of(frame), &error) },
    }
}

#[inline]
fn execute(
    frame: Frame<'_>,
    kernel: &'static Kernel,
    run: impl Fn(&Call<'_>) -> Result<()>,
) -> Result<()> {
    let mut checked = Checked::new();
    if let Err(fault) = checked.check(frame, kernel) {
        return Err(refuse::error(kernel, Some(frame), fault));
    }
    // What a panic leaves behind is a result that XLA is told not to use.
    let runs = AssertUnwindSafe(|| {
        for index in 0..checked.batch.runs() {
            run(&Call {
                kernel,
                frame,
                checked: &checked,
                batch: checked.batch.run(index),
            })?;
        }
        Ok(())
    });
    match catch_unwind(runs) {
        Ok(result) => result,
        Err(payload) => Err(panicked(kernel, payload)),
    }
}

/// Answers what XLA asks about the handler.
///
/// # Safety
/// `extension` is that of `frame`, which is XLA's.
#[cold]
unsafe fn describe(frame: *mut CallFrame, extension: *mut abi::MetadataExtension) -> Result<()> {
    // SAFETY: the caller's promise: XLA's frame, with its table of functions.
    let own = unsafe { xla::version(frame::api_of(frame)) };
    let version = match own {
        None => abi::VERSION,
        // What this crate uses has been there since 0.1. XLA accepts versions up to its own.
        Some((0, minor)) if minor >= 1 => (0, minor.min(abi::VERSION.1)),
        Some(found) => return Err(refuse::version(found)),
    };
    // SAFETY: the caller's promise: it is the extension of XLA's frame.
    unsafe { frame::describe(extension, version) }.map_err(refuse::metadata)
}

/// The error for a panic.
#[cold]
fn panicked(kernel: &Kernel, payload: Box<dyn Any + Send>) -> Error {
    let text = if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        String::from("with something that is no text")
    };
    // What was thrown may panic again when it is dropped.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        core::mem::forget(again);
    }
    Error::new(
        Code::Internal,
        format!(
            "kernel `{}` panicked: {text} (standard error has the place; the kernel is at {}:{})",
            kernel.source.name, kernel.source.file, kernel.source.line
        ),
    )
}

impl<'call> Call<'call> {
    /// The value of the parameter with this number.
    ///
    /// # Safety
    /// The parameter was declared with this type, and is taken once.
    ///
    /// # Errors
    /// What XLA is to be told.
    #[inline(always)]
    pub unsafe fn take<T: Parameter<'call>>(&self, parameter: usize) -> Result<T> {
        // SAFETY: the caller's promise is the same.
        unsafe { T::take(self, parameter) }
    }

    /// Where the bytes of an array are for this run, how many, and its sizes.
    #[inline(always)]
    fn place(&self, parameter: usize) -> (*mut u8, usize, &'call [i64]) {
        let Some(seen) = self.checked.seen.get(parameter) else {
            return (core::ptr::null_mut(), 0, &[]);
        };
        let rank = self.batch.rank();
        if rank == 0 {
            return (seen.data, seen.bytes, seen.dims);
        }
        let (leading, dims) = seen.dims.split_at(rank);
        let item = self.batch.item(leading);
        // Within the array: the number of the item is below the product of the leading sizes.
        (seen.data.wrapping_add(item * seen.item), seen.item, dims)
    }

    /// The bytes of an array, and its sizes.
    ///
    /// # Safety
    /// The parameter was declared as an array, and nothing writes to it during `'call`.
    #[inline(always)]
    pub(crate) unsafe fn bytes(&self, parameter: usize) -> (&'call [u8], &'call [i64]) {
        let (data, bytes, dims) = self.place(parameter);
        if bytes == 0 {
            return (&[], dims);
        }
        // SAFETY: the array has so many bytes by its element type and sizes, which XLA keeps during
        // the call; the pointer is not null (`door::array`). It shares none with an array that the
        // kernel writes (`Checked::check_overlap`).
        (unsafe { slice::from_raw_parts(data, bytes) }, dims)
    }

    /// The bytes of an array to write, and its sizes.
    ///
    /// # Safety
    /// The parameter was declared as a result, and this is called once in a run.
    #[inline(always)]
    pub(crate) unsafe fn bytes_mut(&self, parameter: usize) -> (&'call mut [u8], &'call [i64]) {
        let (data, bytes, dims) = self.place(parameter);
        if bytes == 0 {
            return (&mut [], dims);
        }
        // SAFETY: as in `bytes`; it shares no byte with any other array of the call
        // (`Checked::check_overlap`), and is lent once in a run (the caller's promise), whose end
        // ends what was lent. What the memory holds, XLA's allocator left there, and any bits are a
        // `u8`.
        (unsafe { slice::from_raw_parts_mut(data, bytes) }, dims)
    }

    /// The value of an attribute; `None` where it is not there.
    #[inline]
    pub(crate) fn attribute(&self, parameter: usize) -> Option<Attribute<'call>> {
        let place = usize::from(self.kernel.places[parameter].argument);
        let attributes = &self.checked.attributes;
        if self.checked.aligned {
            return Some(attributes.value(place));
        }
        let name = self.kernel.source.parameters[parameter].name;
        find(attributes, name).map(|number| attributes.value(number))
    }

    /// The error for a parameter that does not get what it declared.
    #[cold]
    pub(crate) fn refuse(&self, parameter: usize, wrong: Wrong) -> Error {
        let fault = Fault::at(parameter, Place::Own, wrong);
        refuse::error(self.kernel, Some(self.frame), fault)
    }

    pub(crate) fn kernel(&self) -> &'static Kernel {
        self.kernel
    }

    /// XLA's functions, and what they are told of the call.
    pub(crate) fn xla(&self) -> (*const Api, *mut ExecutionContext) {
        (self.frame.api(), self.frame.context())
    }
}
