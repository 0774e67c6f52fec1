//! The fields of a line or a case; a missing one, or one of another kind, is a mismatch in words.

use serde_json::{Map, Value};

use super::Check;

/// An object of JSON.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.0.get(name)
    }

    pub(super) fn value(&self, name: &str) -> Result<&'a Value, String> {
        self.get(name)
            .ok_or_else(|| format!("the field `{name}` is missing"))
    }

    pub(super) fn text(&self, name: &str) -> Result<&'a str, String> {
        let value = self.value(name)?;
        value
            .as_str()
            .ok_or_else(|| wrong_kind(name, "text", value))
    }

    pub(super) fn number(&self, name: &str) -> Result<i64, String> {
        let value = self.value(name)?;
        value
            .as_i64()
            .ok_or_else(|| wrong_kind(name, "whole number of 64 bits", value))
    }

    pub(super) fn list(&self, name: &str) -> Result<&'a [Value], String> {
        let value = self.value(name)?;
        value
            .as_array()
            .map(Vec::as_slice)
            .ok_or_else(|| wrong_kind(name, "list", value))
    }

    pub(super) fn numbers(&self, name: &str) -> Result<Vec<i64>, String> {
        numbers(name, self.value(name)?)
    }

    pub(super) fn object(&self, name: &str) -> Result<Fields<'a>, String> {
        let value = self.value(name)?;
        value
            .as_object()
            .map(Fields)
            .ok_or_else(|| wrong_kind(name, "object", value))
    }

    /// Whether XLA refuses or aborts in place of an answer.
    pub(super) fn refused(&self) -> bool {
        ["err", "crash", "fatal"]
            .iter()
            .any(|name| self.get(name).is_some())
    }
}

/// A list of whole numbers.
pub(super) fn numbers(name: &str, value: &Value) -> Result<Vec<i64>, String> {
    let list = value
        .as_array()
        .and_then(|list| list.iter().map(Value::as_i64).collect());
    list.ok_or_else(|| wrong_kind(name, "list of whole numbers", value))
}

fn wrong_kind(name: &str, wanted: &str, found: &Value) -> String {
    format!("the field `{name}` is no {wanted}, but {found}")
}

/// Whether XLA refuses or aborts in place of this one answer.
pub(super) fn is_refusal(value: &Value) -> bool {
    value.as_object().is_some_and(|object| {
        ["err", "error", "crash", "fatal"]
            .iter()
            .any(|name| object.contains_key(*name))
    })
}

/// Compares two answers.
pub(super) fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: T, found: T) -> Check {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected:?}, found {found:?}"))
    }
}
