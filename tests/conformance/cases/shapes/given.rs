//! The inputs of a case or a line, and the comparison of its result.

use serde_json::Value;
use xlayout::shape::Shape;
use xlayout::{ArrayShape, ElementType};
use xlayout_xla::layout_util;

use super::{Answer, Check};

/// An error of any words where XLA has one or aborts, or where there is no answer.
pub(super) fn compare(expected: &Value, answer: Answer) -> Check {
    let expected = expected.get("ok").unwrap_or(expected);
    let wanted = !is_refusal(expected) && !expected.is_null();
    match answer {
        Ok(Value::Null) | Err(_) if !wanted => Ok(()),
        Ok(found) if wanted && found == *expected => Ok(()),
        Ok(found) => Err(format!("expected {expected}, found {found}")),
        Err(error) => Err(format!("expected {expected}, found the error: {error}")),
    }
}

/// Whether XLA refuses or aborts in place of an answer.
pub(super) fn is_refusal(value: &Value) -> bool {
    let names = ["err", "error", "crash", "fatal"];
    names.iter().any(|name| value.get(name).is_some())
        || value
            .as_str()
            .is_some_and(|text| text.starts_with("crash: "))
}

pub(super) fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The parts of a case or a line.
pub(super) struct Input<'a>(pub(super) &'a Value);

impl Input<'_> {
    pub(super) fn text(&self, name: &str) -> Result<&str, String> {
        let value = &self.0[name];
        value
            .as_str()
            .ok_or_else(|| format!("`{name}` is no text, but {value}"))
    }

    pub(super) fn number(&self, name: &str) -> Result<i64, String> {
        let value = &self.0[name];
        value
            .as_i64()
            .ok_or_else(|| format!("`{name}` is no number, but {value}"))
    }

    pub(super) fn numbers(&self, name: &str) -> Result<Vec<i64>, String> {
        let value = &self.0[name];
        let list = value
            .as_array()
            .and_then(|list| list.iter().map(Value::as_i64).collect());
        list.ok_or_else(|| format!("`{name}` is no list of numbers, but {value}"))
    }

    /// A dimension. A number that does not fit our type is not a dimension of the shape.
    pub(super) fn dimension(&self, name: &str) -> Result<usize, String> {
        usize::try_from(self.number(name)?).map_err(said)
    }

    /// The shape under this name. Without a text for the layout it has the default one, or none
    /// where the text says so.
    pub(super) fn shape_of(&self, name: &str) -> Result<Shape, String> {
        let text = self.text(name)?;
        let (text, bare) = match text.split_once("(no layout)") {
            Some((text, _)) => (text.trim(), true),
            None => (text, false),
        };
        let mut shape = Shape::read_xla(text).map_err(|error| format!("`{text}`: {error}"))?;
        if bare {
            layout_util::clear_layout(&mut shape);
        }
        Ok(shape)
    }

    pub(super) fn shape(&self) -> Result<Shape, String> {
        self.shape_of("shape")
    }

    pub(super) fn array(&self) -> Result<ArrayShape, String> {
        array(self.shape()?)
    }

    pub(super) fn primitive_type(&self) -> Result<ElementType, String> {
        let name = self.text("type")?;
        name.parse::<ElementType>()
            .map_err(|_| format!("there is no type `{name}`"))
    }
}

pub(super) fn array(shape: Shape) -> Result<ArrayShape, String> {
    let array = shape.as_array_or_buffer().cloned();
    array.ok_or_else(|| format!("{shape} is no array"))
}
