//! The texts for attributes.

use core::ffi::c_int;

use xlayout_core::ElementType;

use super::Refusal;
use crate::abi;
use crate::fault::Wrong;
use crate::frame::Attribute;
use crate::full_check::{BY_ITEMS, find};
use crate::kernel::{AttributeSpec, Form};
use crate::number;

impl Refusal<'_> {
    pub(super) fn unknown_attribute(&self, number: usize) -> String {
        let Some(found) = self.attributes().name(number) else {
            return format!("XLA passed a null pointer for the name of attribute {number}");
        };
        let found = String::from_utf8_lossy(found);
        let known = (0..self.kernel.attributes_len).map(|k| self.kernel.attribute(k).name);
        let text = format!("the call has an attribute `{found}`, which it does not take");
        if let Some(meant) = xlayout_words::nearest(&found, known.clone()) {
            return format!("{text}; did you mean `{meant}`?");
        }
        let known: Vec<&str> = known.collect();
        match &known[..] {
            [] => format!("{text}; it takes none"),
            known => format!("{text}; it takes `{}`", known.join("`, `")),
        }
    }

    pub(super) fn by_items(&self, number: usize) -> String {
        let attribute = self.attributes().value(number);
        let found = match number::read::<bool>(attribute) {
            Ok(value) => format!("`{value}`"),
            Err(Wrong::NotBool { .. }) => "a pred whose byte is neither 0 nor 1".into(),
            Err(Wrong::NoValue) => "a null pointer".into(),
            Err(_) => describe(attribute),
        };
        format!(
            "the call has {found} as the attribute `{BY_ITEMS}`, which says that it passes all \
             arrays row-major; pass `true` (one pred) if it does, and otherwise leave \
             the attribute out"
        )
    }

    pub(super) fn attribute(&self, parameter: usize, spec: &AttributeSpec, wrong: Wrong) -> String {
        let name = self.name(parameter);
        let declared = match spec.form {
            Form::Scalar(dtype) => format!("one {dtype}"),
            Form::Array(dtype) => format!("an array of {dtype}"),
            Form::String(words) => match &words()[..] {
                [] => "a string".into(),
                words => format!("one of \"{}\"", words.join("\", \"")),
            },
        };
        let example = match spec.form {
            Form::Scalar(dtype) => format!("`{name}=np.{}(…)`", numpy(dtype)),
            Form::Array(dtype) => format!("`{name}=np.array([…], np.{})`", numpy(dtype)),
            Form::String(words) => {
                format!("`{name}=\"{}\"`", words().first().unwrap_or(&"…"))
            }
        };
        let head = format!("attribute `{name}` is declared as {declared}");
        match wrong {
            Wrong::Missing => format!("{head}, and the call does not have it; pass {example}"),
            Wrong::Kind | Wrong::AttributeType => {
                format!(
                    "{head}, and the call has {}; pass {example}",
                    describe(self.found(name))
                )
            }
            Wrong::NotBool { at } => format!(
                "{head}, and the call has a byte that is neither 0 nor 1 (byte {at}), as those of \
                 a pred are; pass {example}"
            ),
            Wrong::NoWord => {
                let found = self.found(name).string().flatten().unwrap_or_default();
                let found = String::from_utf8_lossy(found);
                format!("{head}, and the call has {found:?}; pass {example}")
            }
            Wrong::NotUtf8 { at } => {
                format!("{head}, and that of the call is not UTF-8 from byte {at} on")
            }
            Wrong::Alignment { beyond } => format!(
                "{head}, and the value of the call lies {beyond} bytes behind where one may begin"
            ),
            Wrong::NoValue => format!(
                "{head}, and that of the call has no value (a null pointer, or more \
                 bytes than memory)"
            ),
            of_an_array => unreachable!("no attribute has {of_an_array:?}"),
        }
    }

    /// What XLA passed for an attribute.
    fn found(&self, name: &str) -> Attribute<'_> {
        let attributes = self.attributes();
        let Some(number) = find(&attributes, name) else {
            unreachable!("the value of `{name}` was found wrong");
        };
        attributes.value(number)
    }
}

fn describe(attribute: Attribute<'_>) -> String {
    let found = match attribute.kind {
        abi::SCALAR => (attribute.scalar()).map(|found| format!("one {}", element_type(found.0))),
        abi::ARRAY => {
            (attribute.array()).map(|found| format!("an array of {}", element_type(found.0)))
        }
        abi::STRING => attribute.string().map(|_| "a string".into()),
        abi::DICTIONARY => Some("a dictionary".into()),
        kind => Some(format!("something else (kind {kind})")),
    };
    found.unwrap_or_else(|| "a null pointer".into())
}

pub(super) fn element_type(number: c_int) -> String {
    ElementType::from_number(number.into()).map_or_else(
        || format!("(element type {number})"),
        |dtype| dtype.to_string(),
    )
}

fn numpy(dtype: ElementType) -> &'static str {
    match dtype {
        ElementType::Pred => "bool_",
        dtype => xlayout_interop::numpy_name(dtype).unwrap_or(dtype.name()),
    }
}
