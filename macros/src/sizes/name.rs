//! Sizes that are known at run time only, and their names.

use proc_macro2::{Ident, TokenTree};
use xlayout_shape::dims::MAX_NAME_LETTERS;

use crate::input::{Input, is_name};
use crate::mistake::Mistake;
use crate::parse::is_expression;
use crate::text::{as_written, is_punct, letters};

/// `?`, `?M` or `?_`: a size that is known at run time only, and its name. Nothing where no `?` is.
pub(super) fn run_time(input: &Input<'_>) -> Option<Result<Option<Ident>, Mistake>> {
    input.accept("?")?;
    Some(name(input))
}

/// The name behind `?`.
fn name(input: &Input<'_>) -> Result<Option<Ident>, Mistake> {
    if let Some(name) = input.word() {
        let word = name.to_string();
        let refuse = |found, help| Err(Mistake::new(name.span().into(), found, help));
        if word != "_" && !is_name(&word) {
            let found = format!("`{word}` is a word of Rust's, and no name");
            return refuse(found, "write another: `?M`".to_owned());
        }
        let letters = letters(name).len();
        if letters > MAX_NAME_LETTERS {
            let found = format!("the name of a size has {letters} letters");
            return refuse(
                found,
                format!("write one of {MAX_NAME_LETTERS} letters at most"),
            );
        }
        return Ok(Some(name.clone()));
    }
    Ok(None)
}

/// What is wrong with `?` and what comes after it, where it is more than a name.
pub(super) fn beyond_a_name(written: &str, behind: &[TokenTree]) -> Option<(String, String)> {
    let own = "write `?`, or `?M` with a name of its own";
    let found = match behind {
        [TokenTree::Ident(_)] => return None,
        [TokenTree::Ident(_), colon, ..] if is_punct(Some(colon), ':') => {
            format!("`{written}` is a path, and the name of such a size is one word")
        }
        behind if is_expression(behind) => {
            format!("`{written}` computes with a size that is known at run time only")
        }
        [TokenTree::Ident(name), behind @ ..] => {
            let found = as_written(behind);
            let found = format!("expected `,` or `]` after `?{name}`, found `{found}`");
            return Some((found, "separate dimensions with commas".into()));
        }
        [TokenTree::Group(_), ..] => "the name of such a size is one word".into(),
        _ => return None,
    };
    Some((found, own.into()))
}
