//! What is wrong with a call, in words.

use core::fmt::Write as _;

use xlayout_core::PrimitiveType;

use crate::abi::{self, Buffer};
use crate::error::{Code, Error};
use crate::fault::{Fault, Part, Place, Wrong};
use crate::frame::{Frame, dims};
use crate::kernel::{BufferSpec, Direction, Form, Kernel, Kind};

const VERSIONS: &str = "build the kernel with an xlayout-kernel for this XLA, or use an XLA for it";

/// The error for a handler that XLA cannot use.
#[cold]
pub(crate) fn version((major, minor): (i32, i32)) -> Error {
    let (own_major, own_minor) = abi::VERSION;
    Error::new(
        Code::FailedPrecondition,
        format!(
            "XLA has version {major}.{minor} of its FFI, and this kernel is built for \
             {own_major}.1 to {own_major}.{own_minor}, which differ: {VERSIONS}"
        ),
    )
}

/// The error for a question about the handler that cannot be answered.
#[cold]
pub(crate) fn metadata(fault: Fault) -> Error {
    Error::invalid_argument(structure(fault).unwrap_or_default())
}

/// The error for a call.
#[cold]
pub(crate) fn error(kernel: &Kernel, frame: Option<Frame<'_>>, fault: Fault) -> Error {
    let refusal = Refusal { kernel, frame };
    let text = structure(fault).unwrap_or_else(|| refusal.text(fault));
    Error::invalid_argument(format!("kernel `{}`: {text}", kernel.source.name))
}

/// The text for what is no fault of the call, but of what XLA passes.
fn structure(fault: Fault) -> Option<String> {
    let text = match fault {
        Fault::Small {
            part,
            expected,
            found,
        } => format!(
            "XLA passed a {} of {found} bytes, where version {}.{} of its FFI has {expected}: \
             {VERSIONS}",
            part.name(),
            abi::VERSION.0,
            abi::VERSION.1
        ),
        Fault::Null(Part::Buffer) => "XLA passed a null pointer for an array".into(),
        Fault::Null(part) => format!("XLA passed a null pointer for {}", part.name()),
        Fault::Count { part, found } => {
            format!(
                "XLA passed {found} for the number of entries of {}",
                part.name()
            )
        }
        Fault::NotBuffer { found } => format!(
            "XLA passed an argument or a result of kind {found}, where arrays (kind {}) are the \
             only ones that a kernel takes",
            abi::BUFFER
        ),
        _ => return None,
    };
    Some(text)
}

struct Refusal<'a> {
    kernel: &'a Kernel,
    frame: Option<Frame<'a>>,
}

impl Refusal<'_> {
    fn text(&self, fault: Fault) -> String {
        match fault {
            Fault::Counts { arguments, results } => self.counts(arguments, results),
            Fault::UnknownAttribute { number } => self.unknown(number),
            Fault::Parameter {
                parameter,
                place,
                wrong,
            } => self.parameter(usize::from(parameter), place, wrong),
            _ => String::new(),
        }
    }

    fn name(&self, parameter: impl Into<usize>) -> &'static str {
        self.kernel.source.parameters[parameter.into()].name
    }

    fn counts(&self, arguments: usize, results: usize) -> String {
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        for declared in self.kernel.source.parameters {
            if let Kind::Buffer(direction, spec) = &declared.kind {
                let text = format!("`{}` {}", declared.name, (spec.shape)());
                if direction.is_argument() {
                    inputs.push(text.clone());
                }
                if direction.is_result() {
                    outputs.push(text);
                }
            }
        }
        let mut text = String::new();
        for (what, expected, found) in [
            ("argument", inputs, arguments),
            ("result", outputs, results),
        ] {
            if expected.len() == found {
                continue;
            }
            if !text.is_empty() {
                text.push_str("; ");
            }
            let plural = if expected.len() == 1 { "" } else { "s" };
            let _ = write!(text, "it takes {} {what}{plural}", expected.len());
            if !expected.is_empty() {
                let _ = write!(text, " ({})", expected.join(", "));
            }
            let _ = write!(text, ", and the call passes {found}");
        }
        text
    }

    fn unknown(&self, number: usize) -> String {
        let found = self
            .frame
            .and_then(|frame| frame.attributes().ok())
            .map(|attributes| String::from_utf8_lossy(attributes.name(number)).into_owned())
            .unwrap_or_default();
        let known: Vec<&str> = (0..self.kernel.attributes_len)
            .map(|k| self.kernel.attribute(k).name)
            .collect();
        let mut text = format!("it has no attribute `{found}`");
        match &known[..] {
            [] => text.push_str("; it takes none"),
            known => {
                let _ = write!(text, "; it has `{}`", known.join("`, `"));
            }
        }
        text
    }

    fn parameter(&self, parameter: usize, place: Place, wrong: Wrong) -> String {
        let declared = &self.kernel.source.parameters[parameter];
        match &declared.kind {
            Kind::Buffer(direction, spec) => {
                self.array(parameter, (*direction, spec), place, wrong)
            }
            Kind::Attribute(spec) => {
                let form = match spec.form {
                    Form::Scalar(dtype) => format!("one {dtype}"),
                    Form::Array(dtype) => format!("an array of {dtype}"),
                    Form::String => "a string".into(),
                };
                let what = match wrong {
                    Wrong::Missing => "and the call does not pass it".into(),
                    other => format!("found {other:?}"),
                };
                format!("attribute `{}` is {form}, {what}", declared.name)
            }
            Kind::Context => format!("`{}` cannot be had", declared.name),
        }
    }

    fn array(
        &self,
        parameter: usize,
        (direction, spec): (Direction, &BufferSpec),
        place: Place,
        wrong: Wrong,
    ) -> String {
        let found = self.found(parameter, direction, place);
        let what = match wrong {
            Wrong::Unequal { dimension, first } => format!(
                "dimension {dimension} must be that of dimension {} of `{}`",
                first.1,
                self.name(first.0)
            ),
            other => format!("{other:?}"),
        };
        format!(
            "`{}` is declared as {}, found {found}: {what}",
            self.name(parameter),
            (spec.shape)()
        )
    }

    /// What XLA passed for an array: `f32[4,128]`.
    fn found(&self, parameter: usize, direction: Direction, place: Place) -> String {
        let own = self.kernel.places[parameter];
        let buffer = self.frame.and_then(|frame| match (place, direction) {
            (Place::Argument(number), _) => frame.arguments().ok()?.buffer(number.into()).ok(),
            (Place::Result(number), _) => frame.results().ok()?.buffer(number.into()).ok(),
            (Place::Own, Direction::Out) => frame.results().ok()?.buffer(own.result.into()).ok(),
            (Place::Own, _) => frame.arguments().ok()?.buffer(own.argument.into()).ok(),
        });
        buffer.map_or_else(|| "nothing".into(), shape)
    }
}

/// Element type and sizes of a buffer, as XLA writes them.
fn shape(buffer: &Buffer) -> String {
    let dtype = PrimitiveType::from_number(buffer.dtype.into()).map_or_else(
        || format!("(element type {})", buffer.dtype),
        |dtype| dtype.to_string(),
    );
    let sizes = dims(buffer).map_or_else(
        |_| "?".into(),
        |sizes| {
            let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
            sizes.join(",")
        },
    );
    format!("{dtype}[{sizes}]")
}
