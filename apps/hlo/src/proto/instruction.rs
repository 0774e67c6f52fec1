//! An instruction of a binary module.

use std::collections::HashMap;
use std::io;

use prost::bytes::Bytes;

use super::decode::decode;
use super::message::{Aliasing, HloInstruction, Literal, OpMetadata};
use crate::graph::{Builder, Origin, Parts, Source};
use crate::opcode::Opcode;
use crate::wrong::Wrong;
use xlayout_words::{joined, shortened};

/// An instruction with its name and opcode as they are shown.
pub(super) struct Instruction {
    pub(super) name: String,
    pub(super) opcode: Opcode,
    pub(super) opcode_text: String,
    pub(super) message: HloInstruction,
}

/// The number of bytes of a name that are read. Names in a text have the same limit.
const NAME: usize = 8 << 10;
/// The number of bytes of a text that are kept.
const TEXT: usize = 4 << 10;
/// The bytes of a constant that is kept, with its shape: every scalar has fewer, other constants
/// are left out.
const SCALAR: usize = 128;
/// The number of bytes of a configuration that are examined.
const CONFIG: usize = 64 << 20;

impl Instruction {
    pub(super) fn new(message: HloInstruction) -> Self {
        let opcode_text = name(&message.opcode);
        Self {
            name: name(&message.name),
            opcode: Opcode::from(&*opcode_text),
            opcode_text,
            message,
        }
    }

    /// The name of the instruction in an error.
    pub(super) fn shown(&self) -> String {
        format!("the instruction `{}`", shortened(&self.name, 60))
    }

    /// Returns everything except the operands, in the form that the builder takes.
    ///
    /// # Errors
    /// If bytes are damaged, or the module lacks a computation that is called.
    pub(super) fn parts(
        &self,
        builder: &mut Builder,
        computations: &HashMap<i64, String>,
    ) -> io::Result<(Parts, Option<Wrong>)> {
        let message = &self.message;
        let mut parts = Parts::default();
        let mut keep = |key: &str, value: &str| builder.keep(&mut parts, key, value);
        let list = |items: String| format!("{{{items}}}");
        match self.opcode {
            Opcode::Parameter => keep("", &message.parameter_number.to_string()),
            Opcode::Constant => keep("", &value(message.literal.as_ref())?),
            Opcode::GetTupleElement => keep("index", &message.tuple_index.to_string()),
            Opcode::Iota => {}
            _ => keep("dimensions", &list(joined(&message.dimensions, ","))),
        }
        let slices = message
            .slice_dimensions
            .iter()
            .map(|slice| format!("[{}:{}]", slice.start, slice.limit));
        let aliases = message.output_operand_aliasing.iter().map(alias_of);
        for (key, items) in [
            ("slice", joined(slices, ", ")),
            (
                "dynamic_slice_sizes",
                joined(&message.dynamic_slice_sizes, ","),
            ),
            ("output_to_operand_aliasing", joined(aliases, ", ")),
        ] {
            if !items.is_empty() {
                keep(key, &list(items));
            }
        }
        for (key, value) in [
            ("direction", name(&message.comparison_direction)),
            ("custom_call_target", text(&message.custom_call_target)),
        ] {
            if !value.is_empty() {
                keep(key, &value);
            }
        }
        if let Some(config) = &message.backend_config {
            let config = String::from_utf8_lossy(&config[..config.len().min(CONFIG)]);
            builder.backend_config(&mut parts, &config);
        }
        if let Some(metadata) = &message.metadata {
            parts.origin = origin(metadata, builder);
        }
        let mut wrong = None;
        for (number, id) in message.called_computation_ids.iter().enumerate() {
            let Some(role) = self.role(number) else {
                continue;
            };
            let name = computations.get(id).ok_or_else(|| {
                let shown = self.shown();
                io::Error::other(format!(
                    "{shown} calls a computation that the module does not have"
                ))
            })?;
            wrong = wrong.or(builder.call(&mut parts, role, name));
        }
        Ok((parts, wrong))
    }

    /// The attribute that names a called computation in XLA's text; `None` if the text leaves it
    /// out.
    fn role(&self, number: usize) -> Option<&'static str> {
        let calls = self.message.called_computation_ids.len();
        Some(match (self.opcode, calls, number) {
            // The proto lists the body first.
            (Opcode::While, 2, 0) => "body",
            (Opcode::While, 2, _) => "condition",
            (Opcode::Conditional, ..) => "branch_computations",
            (Opcode::Fusion | Opcode::Start(Opcode::Async), 1, _) => "calls",
            (Opcode::CustomCall, 2.., _) => "called_computations",
            (.., 0) => "to_apply",
            _ => return None,
        })
    }
}

/// The value of a scalar; `{...}` for other constants.
fn value(literal: Option<&Bytes>) -> io::Result<String> {
    let mut scalar = None;
    if let Some(literal) = literal.filter(|literal| literal.len() <= SCALAR) {
        let literal: Literal = decode(literal)?;
        let mut values = literal
            .preds
            .iter()
            .map(bool::to_string)
            .chain(literal.s32s.iter().map(i32::to_string))
            .chain(literal.s64s.iter().map(i64::to_string))
            .chain(literal.u32s.iter().map(u32::to_string))
            .chain(literal.u64s.iter().map(u64::to_string));
        scalar = values.next().filter(|_| values.next().is_none());
    }
    Ok(scalar.unwrap_or_else(|| "{...}".to_owned()))
}

fn origin(metadata: &OpMetadata, builder: &mut Builder) -> Origin {
    let texts = &mut builder.module.texts;
    let file = text(&metadata.source_file);
    let frame = u32::try_from(metadata.stack_frame_id);
    let line = u32::try_from(metadata.source_line);
    Origin {
        op_name: texts.add(&text(&metadata.op_name)),
        source: match (frame, line) {
            (Ok(frame @ 1..), _) => Source::Frame(frame),
            (_, Ok(line)) if !file.is_empty() => Source::Line(texts.add(&file), line),
            _ => Source::Unknown,
        },
    }
}

/// The text of an alias.
pub(super) fn alias_of(alias: &Aliasing) -> String {
    let result = joined(&alias.output_shape_index, ", ");
    let place = joined(&alias.shape_index, ", ");
    format!("{{{result}}}: ({}, {{{place}}})", alias.number)
}

/// A name, up to [`NAME`] bytes, without control characters, which could move the cursor of a
/// terminal.
pub(super) fn name(bytes: &Bytes) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-<>:".contains(c);
    String::from_utf8_lossy(&bytes[..bytes.len().min(NAME)])
        .chars()
        .map(|c| if fits(c) { c } else { '_' })
        .collect()
}

/// The beginning of a text, escaped as in XLA's text.
pub(super) fn text(bytes: &Bytes) -> String {
    let bytes = &bytes[..bytes.len().min(TEXT)];
    let mut text = String::new();
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text += "\\n",
            c if c.is_control() => text.push('\u{fffd}'),
            c => text.push(c),
        }
    }
    text
}
