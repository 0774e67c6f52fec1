//! Protos: `proto_hex` of `text`, `p` of `layout_text` and of shardings, and the ops of XLA's unit
//! tests about protos. Every rule here is about a kind of line or an op, never about one line.

#[path = "cases/fields.rs"]
mod fields;
#[path = "cases/sharding.rs"]
mod sharding;
#[path = "cases/text_format.rs"]
mod text_format;

use serde_json::Value;
use xlayout_core::{Layout, Shape, TileDim};
use xlayout_proto::{LayoutProto, Parameter, ProgramShape, Proto, ProtoErrorKind, ShapeProto};

use fields::layout_message;

pub(crate) type Check = Result<(), String>;

/// Checks a line or a case. Returns `None` if it is not about protos.
pub(crate) fn check(kind_or_op: &str, case: &Value) -> Option<Check> {
    let input = &case["in"];
    let expected = &case["expect"];
    Some(match kind_or_op {
        "text" => shape_bytes(case, case.get("proto_hex")?.as_str()?),
        "layout_text" => layout_bytes(case, case.get("p")?.as_str()?),
        "sharding" | "sharding_jaxlib" => sharding::bytes(case, case.get("p")?.as_str()?),
        "shape_proto_roundtrip" => shape_round_trip(input, expected),
        "layout_proto_roundtrip" => layout_round_trip(input, expected),
        "layout_from_proto" => layout_from_proto(input, expected),
        "validate_shape_proto" => validate(input, expected),
        "program_shape_to_string" => program_shape(input, expected),
        _ => return None,
    })
}

/// XLA keeps a negative metadata prefix, which prints as nothing; our reader of texts takes it for
/// none.
fn without_negative_prefix(layout: Option<&mut LayoutProto>) {
    if let Some(layout) = layout {
        let prefix = &mut layout.dynamic_shape_metadata_prefix_bytes;
        *prefix = (*prefix).max(0);
    }
}

fn program_shape(input: &Value, expected: &Value) -> Check {
    let shape = |value: &Value| {
        let text = value.as_str().ok_or("a shape is no text")?;
        Shape::read_xla(text).map_err(|e| format!("reading `{text}`: {e}"))
    };
    let parameters = input["params"].as_array().ok_or("no list `params`")?;
    let parameter = |pair: &Value| {
        let name = pair[0].as_str().ok_or("a name is no text")?.to_owned();
        Ok(Parameter {
            name,
            shape: shape(&pair[1])?,
        })
    };
    let program = ProgramShape {
        parameters: parameters
            .iter()
            .map(parameter)
            .collect::<Result<_, String>>()?,
        result: shape(&input["result"])?,
    };
    let expected = expected.as_str().ok_or("the answer is no text")?;
    same("the program's shape", expected, &program.to_string())
}

fn shape_bytes(line: &Value, hex: &str) -> Check {
    let bytes = from_hex(hex)?;
    let shape = Shape::from_proto_bytes(&bytes).map_err(|e| format!("reading {hex}: {e}"))?;
    same(
        "bytes, read and written",
        hex,
        &to_hex(&shape.to_proto_bytes()),
    )?;
    same(
        "text of what the bytes hold",
        text(line, "printed")?,
        &shape.to_string(),
    )?;
    if line["expect"] == "accept" {
        let text = text(line, "text")?;
        // Leftovers of sparse layouts are read and written, although they are not valid.
        let read =
            Shape::read_xla_unvalidated(text).map_err(|e| format!("reading `{text}`: {e}"))?;
        let mut expected: ShapeProto = xlayout_proto::decode(&bytes).map_err(|e| e.to_string())?;
        each_array(&mut expected, &mut |array| {
            without_negative_prefix(array.layout.as_deref_mut())
        });
        same(&format!("message of `{text}`"), &expected, &read.to_proto())?;
        let encoded = xlayout_proto::prost::Message::encode_to_vec(&expected);
        same(
            &format!("bytes of `{text}`"),
            to_hex(&encoded),
            to_hex(&read.to_proto_bytes()),
        )?;
    }
    Ok(())
}

fn each_array(shape: &mut ShapeProto, change: &mut dyn FnMut(&mut ShapeProto)) {
    change(shape);
    for member in &mut shape.tuple_shapes {
        each_array(member, change);
    }
}

fn layout_bytes(line: &Value, hex: &str) -> Check {
    let bytes = from_hex(hex)?;
    let layout = Layout::from_proto_bytes(&bytes).map_err(|e| format!("reading {hex}: {e}"))?;
    same(
        "bytes, read and written",
        hex,
        &to_hex(&layout.to_proto_bytes()),
    )?;
    same(
        "text of what the bytes hold",
        text(line, "s")?,
        &layout.to_string(),
    )?;
    let text = text(line, "t")?;
    let read = Layout::read_xla(text).map_err(|e| format!("reading `{text}`: {e}"))?;
    let mut expected: LayoutProto = xlayout_proto::decode(&bytes).map_err(|e| e.to_string())?;
    without_negative_prefix(Some(&mut expected));
    let encoded = xlayout_proto::prost::Message::encode_to_vec(&expected);
    same(
        &format!("bytes of `{text}`"),
        to_hex(&encoded),
        to_hex(&read.to_proto_bytes()),
    )
}

fn shape_round_trip(input: &Value, expected: &Value) -> Check {
    let text = text(input, "shape")?;
    let shape = Shape::read_xla(text).map_err(|e| format!("reading `{text}`: {e}"))?;
    let again = Shape::from_proto_bytes(&shape.to_proto_bytes());
    same("the shape", Ok(&shape), again.as_ref())?;
    answer(expected, again.map(|shape| shape.to_string()))
}

fn layout_round_trip(input: &Value, expected: &Value) -> Check {
    if let Some(text) = input.get("layout").and_then(Value::as_str) {
        let layout = Layout::read_xla(text).map_err(|e| format!("reading `{text}`: {e}"))?;
        let again = Layout::from_proto_bytes(&layout.to_proto_bytes());
        same("the layout", Ok(&layout), again.as_ref())?;
        return answer(expected, again.map(|layout| layout.to_string()));
    }
    let message = layout_message(&input["layout_fields"])?;
    let read = Layout::from_proto(&message);
    // There are no sparse arrays here, nor in XLA since 2025: an error is the answer.
    if is_sparse(&message) {
        return match read {
            Err(error) if *error.kind() == ProtoErrorKind::Sparse => Ok(()),
            other => Err(format!(
                "expected an error about sparse arrays, found {other:?}"
            )),
        };
    }
    let layout = read.map_err(|e| e.to_string())?;
    if expected == "unchanged" {
        return same("the message", &message, &layout.to_proto());
    }
    answer::<String>(expected, Ok(layout.to_string()))
}

fn is_sparse(layout: &LayoutProto) -> bool {
    layout.physical_shape.is_some()
        || layout.dim_level_types.iter().any(|&level| level != 0)
        || layout
            .dim_unique
            .iter()
            .chain(&layout.dim_ordered)
            .any(|flag| !flag)
}

/// Reads a layout as XLA does since TensorFlow 2.21: a `*` in a tile is an error, although XLA
/// writes it.
fn as_newest_xla(message: &LayoutProto) -> Result<Layout, String> {
    let mut sizes = message.tiles.iter().flat_map(|tile| &tile.dimensions);
    if sizes.any(|size| *size == TileDim::Combine.to_xla()) {
        return Err("a `*` in a tile".into());
    }
    Layout::from_proto(message).map_err(|error| error.to_string())
}

fn layout_from_proto(input: &Value, expected: &Value) -> Check {
    let fields = input.get("layout_fields").unwrap_or(input);
    let message = layout_message(fields)?;
    let read = as_newest_xla(&message);
    // The reader that accepts more reads every text of XLA in the same way.
    if let Ok(read) = &read {
        same("read", Ok(read), Layout::from_proto(&message).as_ref())?;
    }
    answer(expected, read.map(|layout| layout.to_string()))
}

fn validate(input: &Value, expected: &Value) -> Check {
    let message = text_format::shape(text(input, "textproto")?)?;
    let read = Shape::from_proto(&message).map_err(|e| e.to_string());
    let valid = read.and_then(|shape| {
        shape
            .validate()
            .map(|()| shape.to_string())
            .map_err(|e| e.to_string())
    });
    if expected.get("error").is_some() || expected.is_string() {
        return answer(expected, valid);
    }
    // `true`, `"ok": …` and the like: that it is valid.
    valid.map(|_| ())
}

/// Compares with a text, or with an error of any words.
fn answer<E: ToString>(expected: &Value, found: Result<String, E>) -> Check {
    let expected = expected.get("ok").unwrap_or(expected);
    match (expected.as_str(), found.map_err(|e| e.to_string())) {
        (None, Ok(found)) => Err(format!("expected an error ({expected}), found {found}")),
        (None, Err(words)) if words.trim().is_empty() => Err("the error says nothing".into()),
        (None, Err(_)) => Ok(()),
        (Some(expected), Ok(found)) => same("the answer", expected, &found),
        (Some(expected), Err(words)) => {
            Err(format!("expected {expected}, found the error: {words}"))
        }
    }
}

pub(crate) fn text<'a>(fields: &'a Value, name: &str) -> Result<&'a str, String> {
    fields[name]
        .as_str()
        .ok_or(format!("the field `{name}` is no text"))
}

pub(crate) fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: T, found: T) -> Check {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected:?}, found {found:?}"))
    }
}

/// The bytes of hexadecimal digits.
pub(crate) fn from_hex(hex: &str) -> Result<Vec<u8>, String> {
    let digit = |at: usize| {
        hex.get(at..at + 2)
            .and_then(|two| u8::from_str_radix(two, 16).ok())
    };
    let bytes = (0..hex.len()).step_by(2).map(digit).collect::<Option<_>>();
    bytes.ok_or(format!("`{hex}` is not hexadecimal"))
}

/// Hexadecimal digits of bytes.
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
