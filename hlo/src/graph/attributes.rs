//! The attributes of an instruction: those that a question needs are kept.

use super::build::{Builder, Wrong, plain};
use super::origins::{Origin, Source};
use super::tail;
use super::texts::Text;

/// Values of attributes that are longer are not kept.
const LONGEST_VALUE: usize = 1 << 16;
impl Builder {
    /// Reads an attribute into the place in the program, the attributes that are kept, or the computations that are called.
    pub(super) fn attribute(
        &mut self,
        text: &str,
        origin: &mut Origin,
        kept: &mut Vec<(Text, Text)>,
        called: &mut Vec<(Text, u32)>,
    ) -> Option<Wrong> {
        let (key, value) = tail::attribute(text)?;
        let texts = &mut self.module.texts;
        match key {
            "metadata" => {
                if let Some(name) = tail::field(value, "op_name") {
                    origin.op_name = texts.add(name);
                }
                let number = |name| tail::field(value, name)?.parse().ok();
                if let Some(frame) = number("stack_frame_id").filter(|&frame| frame > 0) {
                    origin.source = Source::Frame(frame);
                } else if let Some(file) = tail::field(value, "source_file") {
                    // XLA leaves out a line that is not known, which is 0.
                    let line = number("source_line").unwrap_or(0);
                    origin.source = Source::Line(texts.add(file), line);
                }
            }
            "backend_config" => {
                if let Some(count) = tail::trip_count(value) {
                    let count = texts.add(count);
                    kept.push((texts.add("known_trip_count"), count));
                }
            }
            "sharding" | "frontend_attributes" | "origin" | "statistics" => {}
            _ if is_role(key) => {
                let list = value.strip_prefix('{').and_then(|v| v.strip_suffix('}'));
                let mut error = None;
                for name in tail::parts(list.unwrap_or(value)) {
                    // A body that is here was read by itself.
                    let name = plain(name);
                    if name.starts_with('{') || name.is_empty() {
                        continue;
                    }
                    match self.computations.get(name) {
                        Some(&number) => {
                            let role = self.module.texts.add(key);
                            called.push((role, number));
                        }
                        None => error = Some(Wrong::missing("computation above", name)),
                    }
                }
                return error;
            }
            // What takes the memory of what is never left out.
            _ if value.len() <= LONGEST_VALUE || key == "output_to_operand_aliasing" => {
                let value = texts.add(value);
                kept.push((texts.add(key), value));
            }
            _ => {}
        }
        None
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
