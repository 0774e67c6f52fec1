//! The answer as JSON.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::super::json::number;
use super::{Alive, Answer, Space};

pub(in super::super) fn write(out: &mut dyn Write, answers: &[Answer]) -> io::Result<()> {
    let all: Vec<Value> = answers.iter().map(one).collect();
    let value = match <[Value; 1]>::try_from(all) {
        Ok([one]) => one,
        Err(all) => json!({ "modules": all }),
    };
    serde_json::to_writer_pretty(&mut *out, &value)?;
    writeln!(out)
}

pub(super) fn one(answer: &Answer) -> Value {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| map.insert(key.to_owned(), value);
    put("file", json!(answer.file.display().to_string()));
    put("module", json!(answer.module));
    put("peak_bytes", number(answer.peak()));
    put("live_bytes", number(answer.live()));
    put("is_scheduled", json!(answer.is_scheduled));
    put("steps", json!(answer.steps));
    let file = answer.assigned_by.as_ref();
    put(
        "assigned_by",
        json!(file.map(|file| file.display().to_string())),
    );
    put("without_size", json!(answer.without_size));
    put("spaces", answer.spaces.iter().map(space).collect());
    Value::Object(map)
}

fn space(space: &Space) -> Value {
    json!({
        "space": space.space,
        "peak_bytes": number(space.peak),
        "live_bytes": number(space.live),
        "at": space.at,
        "computation": space.computation,
        "alive": space.alive,
        "buffers": space.buffers.iter().map(buffer).collect::<Vec<_>>(),
        "timeline": space.timeline.iter().map(|&bytes| number(bytes)).collect::<Vec<_>>(),
    })
}

fn buffer(buffer: &Alive) -> Value {
    json!({
        "instruction": buffer.instruction,
        "computation": buffer.computation,
        "kind": buffer.kind,
        "shape": buffer.shape,
        "bytes": buffer.bytes,
        "logical_bytes": buffer.logical,
        "op_name": buffer.op_name,
        "source": buffer.source,
    })
}
