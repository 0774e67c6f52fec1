//! What a kernel returns.

use proc_macro2::{Delimiter, TokenTree};

use super::parameter::{ELEMENTS, Parameter, is_element, last_segment, split};
use crate::mistake::{Mistake, TokenRange};
use crate::text::as_written;
use crate::text::is_punct;

/// Why a kernel does not return this, where it can be seen to be a value.
pub(super) fn refuse(outcome: &[TokenTree], parameters: &[Parameter]) -> Option<Mistake> {
    const VALUES: [&str; 11] = [
        "Vec", "Box", "String", "Option", "Array", "View", "ViewMut", "ArrayRef", "In", "Out",
        "Scalar",
    ];
    let is_result = last_segment(outcome).is_some_and(|name| name == "Result");
    let value = match is_result {
        true => first_argument(outcome)?,
        false => outcome,
    };
    let is_value = match value {
        [TokenTree::Group(tuple)] if tuple.delimiter() == Delimiter::Parenthesis => {
            !tuple.stream().is_empty()
        }
        value => {
            is_element(value)
                || is_punct(value.first(), '&')
                || last_segment(value).is_some_and(|name| VALUES.iter().any(|v| name == v))
        }
    };
    if !is_value {
        return None;
    }
    let found = format!(
        "a kernel returns nothing, or `Result<()>`, and this is `{}`",
        as_written(outcome)
    );
    // A name that no parameter has.
    let taken = |name: &&str| !parameters.iter().any(|p| p.name == *name);
    let name = ["y", "result", "out"]
        .into_iter()
        .find(taken)
        .unwrap_or("result_of_the_kernel");
    let row = ELEMENTS.iter().find(|row| as_written(value) == row.0);
    let help = match row {
        Some((_, element)) => format!(
            "write the result as a parameter, `mut {name}: Out<layout!({element}[])>`, and \
             `{name}[[]] = …` in the body"
        ),
        None => format!("write each result as a parameter: `mut {name}: Out<layout!(f32[8])>`"),
    };
    Some(Mistake::new(TokenRange::of_all(outcome), found, help))
}

/// `T` of `Result<T, E>`.
fn first_argument(of_type: &[TokenTree]) -> Option<&[TokenTree]> {
    let open = of_type
        .iter()
        .position(|token| is_punct(Some(token), '<'))?;
    let (_, arguments) = of_type[open + 1..].split_last()?;
    split(arguments).into_iter().next()
}
