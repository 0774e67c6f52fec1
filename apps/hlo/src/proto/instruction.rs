//! An instruction of a binary module, field by field.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use super::store::{self, Field, Fields, Store};
use crate::graph::{Builder, Parts, Source};
use crate::wrong::Wrong;
use xlayout_words::{joined, shortened};

/// The parts of `HloInstructionProto` that are read.
#[derive(Debug, Default)]
pub(super) struct Instruction {
    pub(super) name: String,
    pub(super) opcode: String,
    pub(super) shape: Option<Range<u64>>,
    pub(super) id: i64,
    pub(super) operands: Vec<i64>,
    pub(super) called: Vec<i64>,
    metadata: Option<Range<u64>>,
    literal: Option<Range<u64>>,
    backend_config: Option<Range<u64>>,
    parameter: u64,
    tuple_index: u64,
    dimensions: Vec<i64>,
    slices: Vec<Range<u64>>,
    slice_sizes: Vec<i64>,
    target: String,
    direction: String,
    aliases: Vec<Range<u64>>,
}

/// The number of bytes of a text that are kept.
const TEXT: u64 = 4 << 10;
/// The bytes of a constant that is kept: every scalar has fewer, other constants are left out.
const SCALAR: u64 = 64;
/// The number of bytes of a configuration that are examined.
const CONFIG: u64 = 64 << 20;

impl Instruction {
    pub(super) fn read(store: &mut Store, range: Range<u64>) -> io::Result<Self> {
        let mut instruction = Self::default();
        let mut rest = Fields(range);
        while let Some(field) = store.next(&mut rest)? {
            match field {
                (1, Field::Bytes(name)) => instruction.name = plain(&store.name(&name)?),
                (2, Field::Bytes(opcode)) => instruction.opcode = plain(&store.name(&opcode)?),
                (3, Field::Bytes(shape)) => instruction.shape = Some(shape),
                (7, Field::Bytes(metadata)) => instruction.metadata = Some(metadata),
                (8, Field::Bytes(literal)) => instruction.literal = Some(literal),
                (9, Field::Number(number)) => instruction.parameter = number,
                (13, Field::Number(index)) => instruction.tuple_index = index,
                (14, field) => store.list(field, &mut instruction.dimensions)?,
                (17, Field::Bytes(slice)) => {
                    store.take(64)?;
                    instruction.slices.push(slice);
                }
                (20, field) => store.list(field, &mut instruction.slice_sizes)?,
                (28, Field::Bytes(target)) => instruction.target = text(store, &target)?,
                (35, Field::Number(id)) => instruction.id = id as i64,
                (36, field) => store.list(field, &mut instruction.operands)?,
                (38, field) => store.list(field, &mut instruction.called)?,
                (43, Field::Bytes(config)) => instruction.backend_config = Some(config),
                (63, Field::Bytes(direction)) => {
                    instruction.direction = plain(&store.name(&direction)?)
                }
                (74, Field::Bytes(alias)) => {
                    store.take(64)?;
                    instruction.aliases.push(alias);
                }
                (tag @ (1 | 2 | 3 | 7 | 8 | 9 | 13 | 17 | 28 | 35 | 43 | 63 | 74), _) => {
                    let what = format!("field {tag} has the type of another field");
                    return Err(store::damaged(what));
                }
                _ => {}
            }
        }
        Ok(instruction)
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
        store: &mut Store,
        builder: &mut Builder,
        computations: &HashMap<i64, String>,
    ) -> io::Result<(Parts, Option<Wrong>)> {
        let mut parts = Parts::default();
        let mut keep = |key: &str, value: &str| builder.keep(&mut parts, key, value);
        let list = |items: String| format!("{{{items}}}");
        match self.opcode.as_str() {
            "parameter" => keep("", &(self.parameter as i64).to_string()),
            "constant" => keep("", &self.value(store)?),
            "get-tuple-element" => keep("index", &(self.tuple_index as i64).to_string()),
            "iota" => {}
            _ => keep("dimensions", &list(joined(&self.dimensions, ","))),
        }
        if !self.slices.is_empty() {
            let mut slices = Vec::new();
            for slice in &self.slices {
                let [(start, _), (limit, _)] = store.last(slice.clone(), [1, 2])?;
                slices.push(format!("[{start}:{limit}]"));
            }
            keep("slice", &list(slices.join(", ")));
        }
        if !self.slice_sizes.is_empty() {
            keep("dynamic_slice_sizes", &list(joined(&self.slice_sizes, ",")));
        }
        let texts = [
            ("direction", &self.direction),
            ("custom_call_target", &self.target),
        ];
        for (key, value) in texts.iter().filter(|text| !text.1.is_empty()) {
            keep(key, value);
        }
        if !self.aliases.is_empty() {
            let mut all = Vec::new();
            for alias in &self.aliases {
                all.push(alias_of(store, alias.clone())?);
            }
            keep("output_to_operand_aliasing", &list(all.join(", ")));
        }
        if let Some(config) = &self.backend_config {
            let config = config.start..config.end.min(config.start + CONFIG);
            let config = String::from_utf8_lossy(store.bytes(&config)?);
            builder.backend_config(&mut parts, &config);
        }
        if let Some(metadata) = &self.metadata {
            self.origin(store, metadata.clone(), builder, &mut parts)?;
        }
        let mut wrong = None;
        for (k, id) in self.called.iter().enumerate() {
            let Some(role) = self.role(k) else { continue };
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
    fn role(&self, k: usize) -> Option<&'static str> {
        Some(match (self.opcode.as_str(), self.called.len(), k) {
            // The proto lists the body first.
            ("while", 2, 0) => "body",
            ("while", 2, _) => "condition",
            ("conditional", ..) => "branch_computations",
            ("fusion" | "async-start", 1, _) => "calls",
            ("custom-call", 2.., _) => "called_computations",
            (.., 0) => "to_apply",
            _ => return None,
        })
    }

    /// The value of a scalar; empty for other constants.
    fn value(&self, store: &mut Store) -> io::Result<String> {
        let mut all = Vec::new();
        let Some(literal) = self.literal.clone() else {
            return Ok("{...}".to_owned());
        };
        let mut rest = Fields(literal);
        while let Some((tag, field)) = store.next(&mut rest)? {
            if let Field::Bytes(bytes) = &field
                && bytes.end - bytes.start > SCALAR
            {
                return Ok("{...}".to_owned());
            }
            // The type is pred, s32, s64, u32 or u64.
            if matches!(tag, 2 | 4..=7) {
                store.numbers(field, &mut |number| all.push((tag, number)))?;
            }
        }
        Ok(match all[..] {
            [(2, number)] => (number != 0).to_string(),
            [(4, number)] => (number as i32).to_string(),
            [(5, number)] => number.to_string(),
            [(6, number)] => (number as u32).to_string(),
            [(7, number)] => (number as u64).to_string(),
            _ => "{...}".to_owned(),
        })
    }

    fn origin(
        &self,
        store: &mut Store,
        metadata: Range<u64>,
        builder: &mut Builder,
        parts: &mut Parts,
    ) -> io::Result<()> {
        let [(_, name), (_, file), (line, _), (frame, _)] = store.last(metadata, [2, 3, 4, 15])?;
        if let Some(name) = name {
            parts.origin.op_name = builder.module.texts.add(&text(store, &name)?);
        }
        let file = file.map(|file| text(store, &file)).transpose()?;
        let file = file.filter(|file| !file.is_empty());
        let number = |number: i64| u32::try_from(number).ok();
        parts.origin.source = match (number(frame), number(line), file) {
            (Some(frame @ 1..), ..) => Source::Frame(frame),
            (_, Some(line), Some(file)) => Source::Line(builder.module.texts.add(&file), line),
            _ => Source::Unknown,
        };
        Ok(())
    }
}

/// Reads the fields of an alias: a list, a number, a list.
pub(super) fn alias_of(store: &mut Store, message: Range<u64>) -> io::Result<String> {
    let [mut first, mut number, mut other] = [const { Vec::new() }; 3];
    let mut rest = Fields(message);
    while let Some((tag, field)) = store.next(&mut rest)? {
        match tag {
            1 => store.list(field, &mut first)?,
            2 => store.list(field, &mut number)?,
            3 => store.list(field, &mut other)?,
            _ => {}
        }
    }
    let [first, other] = [first, other].map(|numbers| joined(&numbers, ", "));
    let number = number.last().copied().unwrap_or_default();
    Ok(format!("{{{first}}}: ({number}, {{{other}}})"))
}

/// Removes control characters from a name, which could move the cursor of a terminal.
pub(super) fn plain(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || "_.-<>:".contains(c);
    name.chars()
        .map(|c| if fits(c) { c } else { '_' })
        .collect()
}

/// The beginning of a text, escaped as in XLA's text.
pub(super) fn text(store: &mut Store, range: &Range<u64>) -> io::Result<String> {
    let bytes = store.bytes(&(range.start..range.end.min(range.start + TEXT)))?;
    let mut text = String::new();
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            '\n' => text += "\\n",
            c if c.is_control() => text.push('\u{fffd}'),
            c => text.push(c),
        }
    }
    Ok(text)
}
