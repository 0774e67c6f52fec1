//! Reads what XLA passes to a handler. Only this module follows XLA's pointers, and `xla`, which
//! calls XLA's functions.
//!
//! Three things are trusted. A pointer that is not null points to the structure that the API
//! states, with `struct_size` bytes. A pointer to an array points to as many items as the count
//! beside it. These pointers are aligned for the type that `c_api.h` gives them: C has no other
//! pointers of such a type (C17, 6.3.2.3, paragraph 7), and XLA's own handlers in C++ read through
//! them without a check. The first two cannot be checked. To check the alignment of each list would
//! take 40 instructions more than the 285 of a call. Everything else is checked before it is used,
//! also the alignment of the data of arrays and attributes (`memory.rs`), which the caller's
//! program chooses.
#![allow(unsafe_code)]

use core::ffi::{c_int, c_void};
use core::marker::PhantomData;
use core::slice;

use crate::abi::{self, Buffer, CallFrame, Extension, MetadataExtension};
use crate::fault::{Fault, FramePart};
use crate::xla::Context;

/// A call frame that has all fields that this crate reads.
#[derive(Clone, Copy)]
pub(crate) struct Frame<'call> {
    frame: &'call CallFrame,
}

/// The arguments or the results.
#[derive(Clone, Copy)]
pub(crate) struct Operands<'call> {
    types: &'call [c_int],
    pointers: &'call [*mut c_void],
}

/// One attribute.
#[derive(Clone, Copy)]
pub struct Attribute<'call> {
    pub(crate) kind: c_int,
    value: *const c_void,
    call: PhantomData<&'call ()>,
}

/// The attributes, sorted by name.
#[derive(Clone, Copy)]
pub(crate) struct Attributes<'call> {
    types: &'call [c_int],
    names: &'call [*const abi::ByteSpan],
    values: &'call [*const c_void],
}

/// What XLA requests from a handler with this call.
pub(crate) enum Asked<'call> {
    /// To write its description to this extension.
    Metadata(*mut MetadataExtension),
    /// Nothing: kernels do nothing in the stage of this call.
    Nothing,
    /// To compute.
    Execute(Frame<'call>),
}

/// The first bytes of a frame, with the table of functions.
const HEAD: usize = core::mem::offset_of!(CallFrame, context);

/// Returns XLA's table of functions, or null if the frame is too short to contain it.
///
/// # Safety
/// `frame` is null or leads to a call frame.
pub(crate) unsafe fn api_of(frame: *const CallFrame) -> *const abi::Api {
    if frame.is_null() {
        return core::ptr::null();
    }
    // SAFETY: it is not null, so that its first field is there.
    let size = unsafe { (&raw const (*frame).struct_size).read() };
    if size < HEAD {
        return core::ptr::null();
    }
    // SAFETY: the frame is long enough to have this field.
    unsafe { (&raw const (*frame).api).read() }
}

impl<'call> Frame<'call> {
    /// Returns what the frame requests.
    ///
    /// # Safety
    /// `frame` is null or leads to a call frame, which is not changed during `'call`.
    #[inline(always)]
    pub(crate) unsafe fn read(frame: *const CallFrame) -> Result<Asked<'call>, Fault> {
        if frame.is_null() {
            return Err(Fault::Null(FramePart::Frame));
        }
        // SAFETY: it is not null, so that its first field is there.
        let size = unsafe { (&raw const (*frame).struct_size).read() };
        if size < size_of::<CallFrame>() {
            return Err(Fault::Size {
                part: FramePart::Frame,
                expected: size_of::<CallFrame>(),
                found: size,
            });
        }
        // SAFETY: the frame is long enough for all fields of the type, which hold any bits.
        let frame: &'call CallFrame = unsafe { &*frame };
        if !frame.extensions.is_null() {
            // SAFETY: the caller's promise: it leads to the chain of the frame's extensions.
            if let Some(metadata) = unsafe { metadata_in(frame.extensions) } {
                return Ok(Asked::Metadata(metadata));
            }
        }
        if frame.stage != abi::EXECUTE {
            return Ok(Asked::Nothing);
        }
        Ok(Asked::Execute(Self { frame }))
    }

    /// XLA's functions, and the context of the call that they take.
    pub(crate) fn context(self) -> Context<'call> {
        // SAFETY: both are XLA's, in a frame that is not changed during `'call` (`read`).
        unsafe { Context::new(self.frame.api, self.frame.context) }
    }

    #[inline(always)]
    pub(crate) fn arguments(self, expected: Option<usize>) -> Result<Operands<'call>, Fault> {
        Operands::of(&self.frame.args, FramePart::Arguments, expected)
    }

    #[inline(always)]
    pub(crate) fn results(self, expected: Option<usize>) -> Result<Operands<'call>, Fault> {
        Operands::of(&self.frame.rets, FramePart::Results, expected)
    }

    /// The attributes, if their number is `expected`; any number of them if none is expected.
    #[inline(always)]
    pub(crate) fn attributes(self, expected: Option<usize>) -> Result<Attributes<'call>, Fault> {
        let attributes = &self.frame.attrs;
        let part = FramePart::Attributes;
        part.check_size::<abi::Attributes>(attributes.struct_size)?;
        let count = part.count(attributes.size, expected)?;
        Ok(Attributes {
            types: list(attributes.types, count, part)?,
            names: list(attributes.names, count, part)?,
            values: list(attributes.values, count, part)?,
        })
    }
}

/// The metadata extension of a chain.
///
/// # Safety
/// `next` leads to a chain of extensions.
#[cold]
unsafe fn metadata_in(mut next: *mut Extension) -> Option<*mut MetadataExtension> {
    // A limit, because a cyclic chain has no end. XLA's chains have one or two links.
    for _ in 0..64 {
        if next.is_null() {
            return None;
        }
        // SAFETY: it is a link of the chain, and each has at least the fields of the head.
        let head = unsafe { &*next };
        if head.struct_size < size_of::<Extension>() {
            return None;
        }
        if head.kind == abi::METADATA {
            return Some(next.cast());
        }
        next = head.next;
    }
    None
}

/// Writes the version and the traits of the handler.
///
/// # Safety
/// `extension` leads to the metadata extension of a frame, which nothing else uses now.
#[cold]
pub(crate) unsafe fn describe(
    extension: *mut MetadataExtension,
    version: (c_int, c_int),
) -> Result<(), Fault> {
    // SAFETY: an extension has at least the fields of the head.
    let size = unsafe { (*extension).base.struct_size };
    FramePart::MetadataExtension.check_size::<MetadataExtension>(size)?;
    // SAFETY: the extension is long enough to have this field.
    let metadata = unsafe { (*extension).metadata };
    if metadata.is_null() {
        return Err(Fault::Null(FramePart::Metadata));
    }
    // SAFETY: it is not null, so that its first field is there.
    let size = unsafe { (*metadata).struct_size };
    // Not the size of the Rust type, which is rounded up.
    let needed = core::mem::offset_of!(abi::Metadata, traits) + size_of::<u32>();
    if size < needed {
        return Err(Fault::Size {
            part: FramePart::Metadata,
            expected: needed,
            found: size,
        });
    }
    // SAFETY: the structure is long enough for these fields, and XLA lends it to be written to.
    unsafe {
        (&raw mut (*metadata).api_version.major).write(version.0);
        (&raw mut (*metadata).api_version.minor).write(version.1);
        (&raw mut (*metadata).traits).write(0);
    }
    Ok(())
}

/// An array that XLA passes: pointer and length are two fields of one structure of XLA's (all
/// callers are in this module).
#[inline(always)]
fn list<'call, T>(first: *const T, len: usize, part: FramePart) -> Result<&'call [T], Fault> {
    if len == 0 {
        return Ok(&[]);
    }
    if first.is_null() {
        return Err(Fault::Null(part));
    }
    // SAFETY: it is not null, so that the array is there with the length that XLA says, during the
    // call, and it is aligned (what is trusted, above); a length that `FramePart::count` let
    // through is no more than memory can hold.
    Ok(unsafe { slice::from_raw_parts(first, len) })
}

impl<'call> Operands<'call> {
    #[inline(always)]
    fn of(
        operands: &'call abi::Operands,
        part: FramePart,
        expected: Option<usize>,
    ) -> Result<Self, Fault> {
        part.check_exact_size::<abi::Operands>(operands.struct_size)?;
        let count = part.count(operands.size, expected)?;
        Ok(Self {
            types: list(operands.types, count, part)?,
            pointers: list(operands.pointers, count, part)?,
        })
    }

    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.types.len()
    }

    /// The buffer with this number.
    #[inline(always)]
    pub(crate) fn buffer(&self, number: usize) -> Result<&'call Buffer, Fault> {
        if self.types[number] != abi::BUFFER {
            return Err(Fault::NotBuffer {
                found: self.types[number].into(),
            });
        }
        let pointer: *const Buffer = self.pointers[number].cast();
        if pointer.is_null() {
            return Err(Fault::Null(FramePart::Buffer));
        }
        // SAFETY: it is not null, and its type says that it is a buffer, so that its first field is
        // there.
        let size = unsafe { (&raw const (*pointer).struct_size).read() };
        FramePart::Buffer.check_size::<Buffer>(size)?;
        // SAFETY: the structure is long enough for all fields of the type, which hold any bits, and
        // XLA keeps it during the call.
        Ok(unsafe { &*pointer })
    }
}

/// The sizes of a buffer, whatever they are.
#[inline(always)]
pub(crate) fn dims(buffer: &Buffer) -> Result<&[i64], Fault> {
    let rank = FramePart::Dimensions.count(buffer.rank, None)?;
    list(buffer.dims, rank, FramePart::Dimensions)
}

impl<'call> Attributes<'call> {
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.types.len()
    }

    /// The name with this number; `None` if XLA passes a null pointer for it.
    #[inline(always)]
    pub(crate) fn name(&self, number: usize) -> Option<&'call [u8]> {
        let span = self.names[number];
        if span.is_null() {
            return None;
        }
        // SAFETY: it is not null, so that the span is there, and as many bytes as it says.
        unsafe { value((*span).data.cast(), (*span).len) }
    }

    #[inline(always)]
    pub(crate) fn value(&self, number: usize) -> Attribute<'call> {
        Attribute {
            kind: self.types[number],
            value: self.values[number],
            call: PhantomData,
        }
    }
}

impl<'call> Attribute<'call> {
    /// The attribute as a scalar: the number of its type, and its address.
    #[inline(always)]
    pub(crate) fn scalar(self) -> Option<(c_int, *const c_void)> {
        if self.kind != abi::SCALAR || self.value.is_null() {
            return None;
        }
        // SAFETY: it is not null, and its type says that it is a scalar.
        let scalar = unsafe { &*self.value.cast::<abi::ScalarValue>() };
        Some((scalar.dtype, scalar.value))
    }

    /// The attribute as an array: the number of its element type, its number of elements, and its
    /// address.
    #[inline(always)]
    pub(crate) fn array(self) -> Option<(c_int, usize, *const c_void)> {
        if self.kind != abi::ARRAY || self.value.is_null() {
            return None;
        }
        // SAFETY: it is not null, and its type says that it is an array.
        let array = unsafe { &*self.value.cast::<abi::Array>() };
        Some((array.dtype, array.size, array.data))
    }

    /// The attribute as a string: its bytes, or an inner `None` if they are missing.
    #[inline(always)]
    pub(crate) fn string(self) -> Option<Option<&'call [u8]>> {
        if self.kind != abi::STRING || self.value.is_null() {
            return None;
        }
        // SAFETY: it is not null, and its type says that it is a string, which XLA keeps during the
        // call.
        let span = unsafe { &*self.value.cast::<abi::ByteSpan>() };
        // SAFETY: as many bytes are there as the span says.
        Some(unsafe { value(span.data.cast(), span.len) })
    }
}

/// The `bytes` bytes of an attribute's name or value, during the call. `None` if there are to be
/// some and the pointer is null, or more than memory holds.
///
/// # Safety
/// If `data` is not null, `bytes` bytes are there during `'call`: `data` is that of a span of this
/// length, or of an attribute of this element type.
#[inline(always)]
pub(crate) unsafe fn value<'call>(data: *const c_void, bytes: usize) -> Option<&'call [u8]> {
    if bytes == 0 {
        return Some(&[]);
    }
    if data.is_null() || bytes > isize::MAX as usize {
        return None;
    }
    // SAFETY: it is not null, so that the bytes are there, by the caller's promise.
    Some(unsafe { slice::from_raw_parts(data.cast(), bytes) })
}
