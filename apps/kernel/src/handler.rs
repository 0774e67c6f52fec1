//! A call by XLA: from a frame to the user's function, and back.
#![allow(unsafe_code)]

use core::any::Any;
use core::panic::AssertUnwindSafe;
use core::ptr;
use std::panic::catch_unwind;

use crate::abi::{self, CallFrame, XlaError};
use crate::batch::Batch;
use crate::conversion::{Conversions, Converter};
use crate::error::{Error, Result};
use crate::fast_check::{Declares, FastCheck};
use crate::fault::{Fault, Place, Wrong};
use crate::frame::{self, Asked, Attribute, Attributes, Frame};
use crate::full_check::{FullCheck, Seen, by_items, check_names, find};
use crate::kernel::{BufferSpec, Direction, Kernel};
use crate::passed::Memory;
use crate::pool::{Pool, discard};
use crate::refuse;
use crate::slots::Slots;
use crate::xla::{self, Context};

/// A call, from which the macro takes the parameters.
pub struct Call<'call> {
    frame: Frame<'call>,
    full_check: FullCheck<'call>,
    seen: &'call Slots<Seen<'call>>,
    attributes: Attributes<'call>,
    /// The conversions of the call; `None` if no array is converted.
    converting: Option<Converting<'call>>,
}

/// The conversions of a call.
#[derive(Clone, Copy)]
struct Converting<'call> {
    conversions: &'call Conversions,
    pool: Pool<'call>,
    /// Whether XLA passes all arrays row-major (`full_check::by_items`).
    by_items: bool,
}

/// The user's function, for a level of the processor's features.
///
/// The macro implements it, like [`Declares`]. It is a trait and not a closure, so that the
/// compiler can inline `run` in each caller. Without inlining, the checked arrays would be passed
/// in memory.
pub trait Runs {
    /// Takes the arrays from the call, and calls the function inside of [`Call::caught`].
    fn run(call: &Call<'_>) -> Result<()>;
}

/// All of a handler except the user's function: reads and checks the frame, calls `run`, and turns
/// errors and panics into errors of XLA's.
///
/// # Safety
/// `frame` is what XLA passed to the handler, and `kernel` is `K::KERNEL`. `K::passes` only
/// reads parameters. `R::run` takes them in the sequence of their numbers, each at most once, as
/// the types that they were declared with. An array is compared with those of smaller numbers.
#[inline(always)]
pub unsafe fn handle<K: Declares, R: Runs>(
    frame: *mut CallFrame,
    kernel: &'static Kernel,
) -> *mut XlaError {
    // SAFETY: the caller's promise: XLA's frame, which XLA does not change during the call.
    let result = match unsafe { Frame::read(frame) } {
        Ok(Asked::Execute(frame)) => {
            execute::<K, R>(frame, kernel).map_err(|error| error.of_kernel(kernel.source.name))
        }
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

#[inline(always)]
fn execute<K: Declares, R: Runs>(frame: Frame<'_>, kernel: &'static Kernel) -> Result<()> {
    // Converting an array takes longer than the full check, so the fast check would not help.
    if const { K::KERNEL.converts } {
        return execute_checked(frame, kernel, R::run);
    }
    let fast_check = match FastCheck::<K>::new(frame) {
        Some(fast_check) if K::passes(&fast_check) && fast_check.agree() => fast_check,
        _ => return execute_checked(frame, kernel, R::run),
    };
    R::run(&Call {
        frame,
        full_check: FullCheck {
            kernel,
            arguments: fast_check.arguments,
            results: fast_check.results,
            batch: Batch::NONE,
        },
        seen: &fast_check.seen,
        attributes: fast_check.attributes,
        converting: None,
    })
}

/// Runs a call that the fast check does not accept: one with a batch, a conversion or a fault. It
/// is compiled once for all kernels.
#[cold]
#[inline(never)]
fn execute_checked(
    frame: Frame<'_>,
    kernel: &'static Kernel,
    run: fn(&Call<'_>) -> Result<()>,
) -> Result<()> {
    let refused = |fault| refuse::error(kernel, Some(frame), fault);
    let arguments = frame.arguments(None).map_err(refused)?;
    let results = frame.results(None).map_err(refused)?;
    if arguments.len() != kernel.arguments || results.len() != kernel.results {
        return Err(refused(Fault::Counts {
            arguments: arguments.len(),
            results: results.len(),
        }));
    }
    let attributes = frame.attributes(None).map_err(refused)?;
    // If they are as many as were declared, the access to each checks that it exists.
    if attributes.len() != kernel.attributes_len {
        check_names(kernel, &attributes).map_err(refused)?;
    }
    let mut batch = Batch::NONE;
    if kernel.source.batch {
        batch = Batch::of(kernel, &arguments, &results).map_err(refused)?;
    }
    let full_check = FullCheck {
        kernel,
        arguments,
        results,
        batch,
    };
    let by_items = by_items(kernel, &attributes).map_err(refused)?;
    let conversions = (kernel.converts || by_items).then(Conversions::default);
    let converting = conversions.as_ref().map(|conversions| Converting {
        conversions,
        pool: Pool::of(frame.context()),
        by_items,
    });
    let run_once = |batch| {
        run(&Call {
            frame,
            full_check: FullCheck {
                batch,
                ..full_check
            },
            seen: &Slots::new(),
            attributes,
            converting,
        })
    };
    caught(kernel, || {
        if kernel.source.batch {
            full_check.check_all().map_err(refused)?;
            // Once for each index of the leading dimensions.
            (0..batch.runs()).try_for_each(|index| run_once(Batch { index, ..batch }))?;
        } else {
            run_once(batch)?;
        }
        if let Some(converting) = converting {
            converting.conversions.finish(&converting.pool);
        }
        Ok(())
    })
}

/// Runs the kernel. A panic becomes an error, so XLA does not use the results.
#[inline(always)]
fn caught(kernel: &Kernel, run: impl FnOnce() -> Result<()>) -> Result<()> {
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(result) => result,
        Err(payload) => Err(panicked(kernel, payload)),
    }
}

/// Writes the description of the handler that XLA requests.
///
/// # Safety
/// `extension` is that of `frame`, which is XLA's.
#[cold]
unsafe fn describe(frame: *mut CallFrame, extension: *mut abi::MetadataExtension) -> Result<()> {
    // SAFETY: the caller's promise: XLA's frame, with its table of functions.
    let own = unsafe { xla::version(frame::api_of(frame)) };
    let version = match own {
        None => abi::VERSION,
        // All that this crate uses exists since version 0.1. XLA accepts versions up to its own.
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
    discard(payload);
    let text = format!(
        "{text} (standard error has the place; the kernel is at {}:{})",
        kernel.source.file, kernel.source.line
    );
    Error::of_panic(kernel.source.name, &text)
}

impl<'call> Call<'call> {
    /// Runs the user's function. A panic becomes an error.
    ///
    /// The arrays are taken before this call, so that only what the function gets is saved for
    /// unwinding.
    #[inline(always)]
    pub fn caught(&self, run: impl FnOnce() -> Result<()>) -> Result<()> {
        caught(self.full_check.kernel, run)
    }

    /// The sizes of an array, and its memory for this run.
    ///
    /// Its bytes are those of its element type and sizes, which XLA keeps during the call; the
    /// pointer is not null (both functions `array`). They share none with an array that the kernel
    /// writes: with none of the call (`FastCheck::agree`), or with none that was taken before, nor
    /// does one that is taken later (`FullCheck::enter`).
    #[inline(always)]
    pub(crate) fn memory(
        &self,
        kernel: &'static Kernel,
        parameter: usize,
        direction: Direction,
        spec: &BufferSpec,
    ) -> Result<(&'call [i64], Memory<'call>)> {
        let converts =
            |own: &Converting<'_>| spec.converted.is_some() || own.by_items && spec.by_items;
        let converting = self.converting.filter(converts);
        if let (None, Some(seen)) = (converting, self.seen.get(parameter)) {
            // The fast check accepted the call, so it has no batch.
            let bytes = ptr::slice_from_raw_parts_mut(seen.data, seen.bytes);
            return Ok((seen.sizes(), Memory::Passed(bytes)));
        }
        let seen = self
            .full_check
            .enter(kernel, self.seen, parameter, direction, spec)
            .map_err(|fault| refuse::error(kernel, Some(self.frame), fault))?;
        let rank = self.full_check.batch.rank();
        let rank = if kernel.source.batch { rank } else { 0 };
        let (leading, dims) = seen.dims.split_at(rank);
        let at = self.full_check.batch.item(leading);
        if let Some(converting) = converting {
            let converter = Converter {
                conversions: converting.conversions,
                pool: converting.pool,
                parameter,
                data: seen.data,
                bytes: seen.item,
                count: leading.iter().map(|&size| size as usize).product(),
                at,
            };
            return Ok((dims, Memory::Converted(converter)));
        }
        // Within the array: the number of the item is below the product of the leading sizes.
        let data = seen.data.wrapping_add(at * seen.item);
        let bytes = ptr::slice_from_raw_parts_mut(data, seen.item);
        Ok((dims, Memory::Passed(bytes)))
    }

    /// The value of an attribute; `None` if the call does not have it.
    #[inline(always)]
    pub(crate) fn attribute(
        &self,
        kernel: &'static Kernel,
        parameter: usize,
    ) -> Result<Option<Attribute<'call>>> {
        let name = kernel.source.parameters[parameter].name;
        let place = kernel.places[parameter].argument;
        if place < self.attributes.len() && self.attributes.name(place) == Some(name.as_bytes()) {
            return Ok(Some(self.attributes.value(place)));
        }
        // No function gets the address of the call, so that it stays in registers.
        search(self.frame, self.full_check.kernel, self.attributes, name)
    }

    /// The error for a parameter that does not get what it declared.
    #[inline(always)]
    pub(crate) fn refuse(&self, parameter: usize, wrong: Wrong) -> Error {
        refused(self.frame, self.full_check.kernel, parameter, wrong)
    }

    #[inline(always)]
    pub(crate) fn context(&self) -> Context<'call> {
        self.frame.context()
    }
}

/// Searches for an attribute that is not in its declared position.
#[cold]
fn search<'call>(
    frame: Frame<'call>,
    kernel: &'static Kernel,
    attributes: Attributes<'call>,
    name: &str,
) -> Result<Option<Attribute<'call>>> {
    if let Err(fault) = check_names(kernel, &attributes) {
        return Err(refuse::error(kernel, Some(frame), fault));
    }
    Ok(find(&attributes, name).map(|number| attributes.value(number)))
}

#[cold]
fn refused(frame: Frame<'_>, kernel: &'static Kernel, parameter: usize, wrong: Wrong) -> Error {
    refuse::error(kernel, Some(frame), Fault::at(parameter, Place::Own, wrong))
}
