//! Kinds of vectors and ops of unit cases, by topic. Tests of one topic use its file alone.

pub(crate) mod bitcast;
pub(crate) mod layouts;
pub(crate) mod shapes;
mod sharding;
mod transpose;

use serde_json::Value;

use super::Check;

/// The ops of XLA's unit tests about protos. The crate `xlayout-proto` answers them, in a workspace
/// of its own.
pub(super) const OF_PROTOS: [&str; 5] = [
    "shape_proto_roundtrip",
    "layout_proto_roundtrip",
    "layout_from_proto",
    "validate_shape_proto",
    "program_shape_to_string",
];

/// Checks a line of a kind of vectors, or a case with an op; nothing if it is not known. Several
/// topics may check different parts of a line: all must hold.
pub(super) fn check(kind_or_op: &str, case: &Value) -> Option<Check> {
    let mut known = None;
    for check in [
        bitcast::check,
        layouts::check,
        shapes::check,
        transpose::check,
        sharding::check,
    ] {
        match check(kind_or_op, case) {
            Some(Ok(())) => known = Some(Ok(())),
            Some(Err(what)) => return Some(Err(what)),
            None => {}
        }
    }
    known
}

fn text<'a>(fields: &'a Value, name: &str) -> Result<&'a str, String> {
    fields[name]
        .as_str()
        .ok_or(format!("the field `{name}` is no text"))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: T, found: T) -> Check {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected:?}, found {found:?}"))
    }
}
