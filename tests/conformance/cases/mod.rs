//! Kinds of vectors and ops of unit cases, by topic. Tests of one topic use its file alone.

pub(crate) mod bitcast;
pub(crate) mod layouts;
mod proto;
pub(crate) mod shapes;
mod sharding;
mod transpose;

use serde_json::Value;

use super::Check;

/// Checks a line of a kind of vectors, or a case with an op; nothing if it is not known. Several topics may
/// check different parts of a line: all must hold.
pub(super) fn check(kind_or_op: &str, case: &Value) -> Option<Check> {
    let mut known = None;
    for check in [
        bitcast::check,
        layouts::check,
        shapes::check,
        proto::check,
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
