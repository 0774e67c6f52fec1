//! What a kernel returns.

use syn::{ReturnType, Type};

use crate::mistake::mistake;
use crate::parameter::{Parameter, is_element, number};
use crate::path::{arguments, last_name};
use crate::tokens::as_written;

const VALUES: &[&str] = &[
    "Vec",
    "Box",
    "String",
    "Option",
    "Array",
    "View",
    "ViewMut",
    "SliceView",
    "SliceViewMut",
    "ArrayRef",
    "In",
    "Out",
    "Scalar",
];

/// Why a kernel does not return this, where it can be seen to be a value.
pub(crate) fn refuse(outcome: &ReturnType, parameters: &[Parameter]) -> Option<syn::Error> {
    let ReturnType::Type(_, outcome) = outcome else {
        return None;
    };
    if let Type::ImplTrait(outcome) = &**outcome {
        let found = "a kernel returns no `impl Trait`";
        let help = "write `Result<()>`, or nothing: results are parameters of the type `Out<…>`";
        return Some(mistake(outcome.impl_token, found, help));
    }
    let is_result = last_name(outcome) == "Result";
    let value = match arguments(outcome).first() {
        Some(value) if is_result => value,
        _ => &**outcome,
    };
    let is_value = match value {
        Type::Tuple(tuple) => !tuple.elems.is_empty(),
        Type::Paren(_) | Type::Reference(_) => true,
        value => is_element(value) || VALUES.contains(&&*last_name(value)),
    };
    if !is_value {
        return None;
    }
    let written = as_written(outcome);
    let found = format!("a kernel returns nothing, or `Result<()>`, and this is `{written}`");
    // A name that no parameter has.
    let is_free = |name: &&str| !parameters.iter().any(|parameter| parameter.name == *name);
    let name = ["y", "result", "out"].into_iter().find(is_free);
    let name = name.unwrap_or("result_of_the_kernel");
    let help = match number(value) {
        Some(element) => format!(
            "write the result as a parameter, `mut {name}: Out<layout!({element}[])>`, and \
             `{name}[[]] = …` in the body"
        ),
        None => format!("write each result as a parameter: `mut {name}: Out<layout!(f32[8])>`"),
    };
    Some(mistake(outcome, found, help))
}
