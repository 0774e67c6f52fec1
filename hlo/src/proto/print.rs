//! A binary module as the text that XLA prints.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;

use xlayout::shape::Shape;
use xlayout_proto::{Proto, ShapeProto};

use super::instructions::Names;
use super::messages::{HloInstructionProto, HloModuleProto, LiteralProto, Metadata};
use crate::words::joined;

/// The first line, and the tables of source locations.
pub(super) fn head(module: &HloModuleProto, is_scheduled: bool) -> io::Result<String> {
    let mut text = format!("HloModule {}", name(&module.name));
    if is_scheduled {
        text += ", is_scheduled=true";
    }
    let entries = module
        .input_output_alias
        .iter()
        .flat_map(|aliases| &aliases.entries);
    let aliases: Vec<String> = entries
        .map(|entry| {
            format!(
                "{{{}}}: ({}, {{{}}}, {}-alias)",
                joined(&entry.output_shape_index, ", "),
                entry.parameter_number,
                joined(&entry.parameter_shape_index, ", "),
                if entry.kind == 2 { "must" } else { "may" }
            )
        })
        .collect();
    if !aliases.is_empty() {
        let _ = write!(text, ", input_output_alias={{ {} }}", aliases.join(", "));
    }
    if let Some(program) = &module.host_program_shape {
        let parameters: io::Result<Vec<String>> = program
            .parameters
            .iter()
            .enumerate()
            .map(|(k, parameter)| shape(parameter, &format!("parameter {k} of the program")))
            .collect();
        let result = match &program.result {
            Some(result) => shape(result, "the result of the program")?,
            None => "()".to_owned(),
        };
        let _ = write!(
            text,
            ", entry_computation_layout={{({})->{result}}}",
            parameters?.join(", ")
        );
    }
    text += "\n\n";
    if let Some(frames) = &module.stack_frame_index {
        for (table, names) in [
            ("FileNames", &frames.file_names),
            ("FunctionNames", &frames.function_names),
        ] {
            let _ = writeln!(text, "{table}");
            for (k, name) in names.iter().enumerate() {
                let _ = writeln!(text, "{} {}", k + 1, quoted(name));
            }
            text.push('\n');
        }
        text += "FileLocations\n";
        for (k, at) in frames.file_locations.iter().enumerate() {
            let _ = writeln!(
                text,
                "{} {{file_name_id={} function_name_id={} line={} column={}}}",
                k + 1,
                at.file_name_id,
                at.function_name_id,
                at.line,
                at.column
            );
        }
        text += "\nStackFrames\n";
        for (k, frame) in frames.stack_frames.iter().enumerate() {
            // XLA prints the number after the one that the proto has, so that no number is 0.
            let parent = i64::from(frame.parent_frame_id) + 1;
            let _ = writeln!(
                text,
                "{} {{file_location_id={} parent_frame_id={parent}}}",
                k + 1,
                frame.file_location_id
            );
        }
        text.push('\n');
    }
    Ok(text)
}

/// The first line of a computation.
pub(super) fn begin(text: &mut String, name: &str, is_entry: bool) {
    let entry = if is_entry { "ENTRY " } else { "" };
    let _ = writeln!(text, "{entry}%{} {{", self::name(name));
}

/// An instruction on a line.
///
/// # Errors
/// If the proto is damaged.
pub(super) fn instruction(
    text: &mut String,
    one: &HloInstructionProto,
    is_root: bool,
    names: &Names,
    computations: &HashMap<i64, String>,
) -> io::Result<()> {
    let what = || {
        format!(
            "the instruction `{}`",
            crate::words::shortened(&one.name, 60)
        )
    };
    let result = match &one.shape {
        Some(result) => shape(result, &what())?,
        None => return Err(io::Error::other(format!("{} has no shape", what()))),
    };
    let root = if is_root { "ROOT " } else { "" };
    let _ = write!(
        text,
        "  {root}%{} = {result} {}(",
        name(&one.name),
        name(&one.opcode)
    );
    operands(text, one, names)?;
    text.push(')');
    attributes(text, one, computations)?;
    text.push('\n');
    Ok(())
}

fn operands(text: &mut String, one: &HloInstructionProto, names: &Names) -> io::Result<()> {
    match one.opcode.as_str() {
        "parameter" => {
            let _ = write!(text, "{}", one.parameter_number);
        }
        "constant" => {
            *text += &one
                .literal
                .as_ref()
                .map_or_else(|| "{...}".to_owned(), value)
        }
        _ => {
            for (k, id) in one.operand_ids.iter().enumerate() {
                let between = if k > 0 { ", " } else { "" };
                let operand = names.get(*id).ok_or_else(|| {
                    io::Error::other(format!(
                        "the instruction `{}` has operand {id}, which its computation does not have",
                        crate::words::shortened(&one.name, 60)
                    ))
                })?;
                let _ = write!(text, "{between}%{}", name(operand));
            }
        }
    }
    Ok(())
}

/// The value of a scalar; others are left out.
fn value(literal: &LiteralProto) -> String {
    let LiteralProto {
        preds,
        s32s,
        s64s,
        u32s,
        u64s,
    } = literal;
    match (&preds[..], &s32s[..], &s64s[..], &u32s[..], &u64s[..]) {
        ([one], [], [], [], []) => one.to_string(),
        ([], [one], [], [], []) => one.to_string(),
        ([], [], [one], [], []) => one.to_string(),
        ([], [], [], [one], []) => one.to_string(),
        ([], [], [], [], [one]) => one.to_string(),
        _ => "{...}".to_owned(),
    }
}

fn attributes(
    text: &mut String,
    one: &HloInstructionProto,
    computations: &HashMap<i64, String>,
) -> io::Result<()> {
    let called: Option<Vec<String>> = one
        .called_computation_ids
        .iter()
        .map(|id| Some(format!("%{}", name(computations.get(id)?))))
        .collect();
    let called = called.ok_or_else(|| {
        io::Error::other(format!(
            "the instruction `{}` calls a computation that the module does not have",
            crate::words::shortened(&one.name, 60)
        ))
    })?;
    if one.opcode == "get-tuple-element" {
        let _ = write!(text, ", index={}", one.tuple_index);
    }
    let always = [
        "broadcast",
        "concatenate",
        "map",
        "reduce",
        "reverse",
        "sort",
        "transpose",
    ];
    if one.opcode == "iota" {
        let _ = write!(text, ", iota_dimension={}", joined(&one.dimensions, ","));
    } else if !one.dimensions.is_empty() || always.contains(&one.opcode.as_str()) {
        let _ = write!(text, ", dimensions={{{}}}", joined(&one.dimensions, ","));
    }
    if !one.slice_dimensions.is_empty() {
        let slices: Vec<String> = (one.slice_dimensions.iter())
            .map(|slice| match slice.stride {
                0 | 1 => format!("[{}:{}]", slice.start, slice.limit),
                stride => format!("[{}:{}:{stride}]", slice.start, slice.limit),
            })
            .collect();
        let _ = write!(text, ", slice={{{}}}", slices.join(", "));
    }
    if !one.dynamic_slice_sizes.is_empty() {
        let sizes = joined(&one.dynamic_slice_sizes, ",");
        let _ = write!(text, ", dynamic_slice_sizes={{{sizes}}}");
    }
    if !one.comparison_direction.is_empty() {
        let _ = write!(text, ", direction={}", name(&one.comparison_direction));
    }
    if !one.custom_call_target.is_empty() {
        let target = quoted(&one.custom_call_target);
        let _ = write!(text, ", custom_call_target={target}");
    }
    if !one.output_operand_aliasing.is_empty() {
        let aliases: Vec<String> = (one.output_operand_aliasing.iter())
            .map(|alias| {
                format!(
                    "{{{}}}: ({}, {{{}}})",
                    joined(&alias.output_shape_index, ", "),
                    alias.operand_index,
                    joined(&alias.operand_shape_index, ", ")
                )
            })
            .collect();
        let _ = write!(
            text,
            ", output_to_operand_aliasing={{{}}}",
            aliases.join(", ")
        );
    }
    if !one.fusion_kind.is_empty() {
        let _ = write!(text, ", kind={}", name(&one.fusion_kind));
    }
    match (one.opcode.as_str(), &called[..]) {
        (_, []) => {}
        // The proto has the body first.
        ("while", [body, condition]) => {
            let _ = write!(text, ", condition={condition}, body={body}");
        }
        ("conditional", branches) => {
            let _ = write!(text, ", branch_computations={{{}}}", branches.join(", "));
        }
        ("fusion" | "async-start", [callee]) => {
            let _ = write!(text, ", calls={callee}");
        }
        ("custom-call", several) if several.len() > 1 => {
            let _ = write!(text, ", called_computations={{{}}}", several.join(", "));
        }
        (_, [callee, ..]) => {
            let _ = write!(text, ", to_apply={callee}");
        }
    }
    if let Some(metadata) = &one.metadata {
        self::metadata(text, metadata);
    }
    // What follows a brace in it may be anything: only JSON is printed, as XLA does.
    if let Ok(config) = str::from_utf8(&one.backend_config)
        && serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(config).is_ok()
        && !config.contains(['\n', '\r'])
    {
        let _ = write!(text, ", backend_config={config}");
    }
    Ok(())
}

fn metadata(text: &mut String, metadata: &Metadata) {
    let mut parts = Vec::new();
    if !metadata.op_name.is_empty() {
        parts.push(format!("op_name={}", quoted(&metadata.op_name)));
    }
    if !metadata.source_file.is_empty() {
        parts.push(format!("source_file={}", quoted(&metadata.source_file)));
    }
    if metadata.source_line != 0 {
        parts.push(format!("source_line={}", metadata.source_line));
    }
    if metadata.stack_frame_id != 0 {
        parts.push(format!("stack_frame_id={}", metadata.stack_frame_id));
    }
    if !parts.is_empty() {
        let _ = write!(text, ", metadata={{{}}}", parts.join(" "));
    }
}

/// A shape as XLA prints it, with layouts.
fn shape(proto: &ShapeProto, of: &str) -> io::Result<String> {
    let shape = Shape::from_proto(proto)
        .map_err(|error| io::Error::other(format!("the shape of {of}: {error}")))?;
    Ok(shape.to_string())
}

/// A name without what cannot be in one, so that it cannot be taken for other text.
fn name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.-<>:".contains(c);
    name.chars()
        .map(|c| if plain(c) { c } else { '_' })
        .collect()
}

/// A string in quotes, as XLA escapes it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\n",
            c if c.is_control() => quoted.push('\u{fffd}'),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
