//! The messages for the faults of a call: which kernel and parameter, what was declared and what
//! was found, and what to do.

mod array;
mod attribute;

use crate::abi;
use crate::error::{Code, Error};
use crate::fault::{Fault, FramePart};
use crate::frame::{Attributes, Frame};
use crate::kernel::{Direction, Kernel, Kind};

const VERSIONS: &str = "build the kernel with an xlayout-kernel for this XLA, or use an XLA for it";

/// The error for a handler that XLA cannot use.
#[cold]
pub(crate) fn version((major, minor): (i32, i32)) -> Error {
    let (own_major, own_minor) = abi::VERSION;
    Error::new(
        Code::FailedPrecondition,
        format!(
            "XLA's FFI has version {major}.{minor}, and this kernel is built for {own_major}.1 to \
             {own_major}.{own_minor}, whose structures are others: {VERSIONS}"
        ),
    )
}

/// The error for a request for the handler's description that fails.
#[cold]
pub(crate) fn metadata(fault: Fault) -> Error {
    let Some(text) = structure(fault) else {
        unreachable!("a question about the handler has no arrays or attributes")
    };
    Error::invalid_argument(text)
}

/// The error for a call.
#[cold]
pub(crate) fn error(kernel: &'static Kernel, frame: Option<Frame<'_>>, fault: Fault) -> Error {
    let text = match (structure(fault), frame) {
        (Some(text), _) => text,
        (None, Some(frame)) => Refusal { kernel, frame }.text(fault),
        (None, None) => unreachable!("what a frame passes was found by reading it"),
    };
    Error::invalid_argument(text).of_kernel(kernel.source.name)
}

/// The text for a fault of XLA's structures, which is not a fault of the caller.
fn structure(fault: Fault) -> Option<String> {
    let text = match fault {
        Fault::Size {
            part,
            expected,
            found,
        } => format!(
            "XLA passed {} with {found} bytes, of which version {}.{} of its FFI has {expected}; \
             {VERSIONS}",
            part.name(),
            abi::VERSION.0,
            abi::VERSION.1
        ),
        Fault::Null(part) => format!("XLA passed a null pointer for {}", part.name()),
        Fault::Count { part, found } => format!(
            "XLA passed {found} as the number of entries of {}",
            part.name()
        ),
        Fault::NotBuffer { found } => format!(
            "XLA passed an argument or a result of kind {found}; a kernel takes arrays only (kind \
             {}), no tokens or tuples",
            abi::BUFFER
        ),
        _ => return None,
    };
    Some(text)
}

/// The data of which the texts are made.
struct Refusal<'a> {
    kernel: &'static Kernel,
    frame: Frame<'a>,
}

impl<'a> Refusal<'a> {
    fn text(&self, fault: Fault) -> String {
        match fault {
            Fault::Counts { arguments, results } => self.counts(arguments, results),
            Fault::UnknownAttribute { number } => self.unknown_attribute(number),
            Fault::ByItems { number } => self.by_items(number),
            Fault::Parameter {
                parameter,
                place,
                wrong,
            } => match &self.kernel.source.parameters[parameter].kind {
                Kind::Buffer(direction, spec) => {
                    self.array(parameter, *direction, spec, place, wrong)
                }
                Kind::Attribute(spec) => self.attribute(parameter, spec, wrong),
                Kind::Context => format!("`{}` cannot be had", self.name(parameter)),
            },
            Fault::Size { .. } | Fault::Null(_) | Fault::Count { .. } | Fault::NotBuffer { .. } => {
                unreachable!("`structure` has the text")
            }
        }
    }

    /// The attributes of the call, among which one was found wrong.
    fn attributes(&self) -> Attributes<'a> {
        read_before(self.frame.attributes(None))
    }

    fn name(&self, parameter: usize) -> &'static str {
        self.kernel.source.parameters[parameter].name
    }

    fn counts(&self, arguments: usize, results: usize) -> String {
        let mut texts = Vec::new();
        let is_argument: fn(Direction) -> bool = Direction::is_argument;
        for (what, is_counted, found) in [
            ("argument", is_argument, arguments),
            ("result", Direction::is_result, results),
        ] {
            let mut declared = Vec::new();
            for parameter in self.kernel.source.parameters {
                match &parameter.kind {
                    Kind::Buffer(direction, spec) if is_counted(*direction) => {
                        declared.push(format!("`{}` {}", parameter.name, (spec.shape)()));
                    }
                    _ => {}
                }
            }
            if declared.len() == found {
                continue;
            }
            let named = match &declared[..] {
                [] => String::new(),
                declared => format!(" ({})", declared.join(", ")),
            };
            texts.push(format!(
                "it has {}{named}, and the call has {found}",
                counted(declared.len(), what)
            ));
        }
        texts.join("; ")
    }
}

/// `1 argument`, `2 arguments`, `no arguments`
fn counted(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {}", xlayout_words::plural(what)),
        _ => xlayout_words::counted(count, what),
    }
}

impl FramePart {
    /// Its name in the C API.
    const fn name(self) -> &'static str {
        match self {
            Self::Frame => "XLA_FFI_CallFrame",
            Self::Arguments => "XLA_FFI_Args",
            Self::Results => "XLA_FFI_Rets",
            Self::Attributes => "XLA_FFI_Attrs",
            Self::Buffer => "XLA_FFI_Buffer",
            Self::Dimensions => "XLA_FFI_Buffer's dims",
            Self::MetadataExtension => "XLA_FFI_Metadata_Extension",
            Self::Metadata => "XLA_FFI_Metadata",
        }
    }
}

/// Unwraps a part of the frame that was accepted before the fault was found.
fn read_before<T>(found: Result<T, Fault>) -> T {
    found.unwrap_or_else(|fault| unreachable!("it was read before: {fault:?}"))
}
