//! The attributes of an instruction: only those that an analysis needs are kept.

use super::build::{Builder, Parts, plain};
use super::origins::Source;
use super::tail;
use crate::wrong::Wrong;

/// The largest length of a value that is kept.
const LONGEST_VALUE: usize = 1 << 16;
impl Builder {
    /// Reads an attribute as the source location, a kept attribute, or called computations.
    pub(super) fn attribute(&mut self, text: &str, parts: &mut Parts) -> Option<Wrong> {
        let (key, value) = tail::attribute(text)?;
        let texts = &mut self.module.texts;
        let origin = &mut parts.origin;
        match key {
            "metadata" => {
                if let Some(name) = tail::field(value, "op_name") {
                    origin.op_name = texts.add(name);
                }
                let number = |name| tail::field(value, name)?.parse().ok();
                if let Some(frame) = number("stack_frame_id").filter(|&frame| frame > 0) {
                    origin.source = Source::Frame(frame);
                } else if let Some(file) = tail::field(value, "source_file") {
                    // XLA leaves out an unknown line, which is 0.
                    let line = number("source_line").unwrap_or(0);
                    origin.source = Source::Line(texts.add(file), line);
                }
            }
            "backend_config" => self.backend_config(parts, value),
            "sharding" | "frontend_attributes" | "origin" | "statistics" => {}
            _ if is_role(key) => {
                let list = value.strip_prefix('{').and_then(|v| v.strip_suffix('}'));
                let mut error = None;
                for name in tail::parts(list.unwrap_or(value)) {
                    // A body that is printed here was read as a computation.
                    let name = plain(name);
                    if name.starts_with('{') || name.is_empty() {
                        continue;
                    }
                    error = self.call(parts, key, name).or(error);
                }
                return error;
            }
            // Aliases are kept at any length.
            _ if value.len() <= LONGEST_VALUE || key == "output_to_operand_aliasing" => {
                self.keep(parts, key, value);
            }
            _ => {}
        }
        None
    }

    /// Keeps the parts of a compiler configuration that an analysis needs.
    pub(crate) fn backend_config(&mut self, parts: &mut Parts, config: &str) {
        self.module.is_of_cpu |= tail::is_of_cpu(config);
        if let Some(count) = tail::trip_count(config) {
            self.keep(parts, "known_trip_count", count);
        }
    }

    /// Keeps an attribute.
    pub(crate) fn keep(&mut self, parts: &mut Parts, key: &str, value: &str) {
        let value = self.module.texts.add(value);
        parts.kept.push((self.module.texts.add(key), value));
    }

    /// Notes a computation that is called in a role.
    pub(crate) fn call(&mut self, parts: &mut Parts, role: &str, name: &str) -> Option<Wrong> {
        match self.computations.get(name) {
            Some(&number) => {
                parts.called.push((self.module.texts.add(role), number));
                None
            }
            None => Some(Wrong::missing("computation above", name)),
        }
    }
}

/// Whether the attribute names computations.
fn is_role(name: &str) -> bool {
    matches!(
        name,
        "calls"
            | "to_apply"
            | "condition"
            | "body"
            | "branch_computations"
            | "true_computation"
            | "false_computation"
            | "called_computations"
            | "select"
            | "scatter"
            | "async_wrapped"
            | "comparator"
    )
}
