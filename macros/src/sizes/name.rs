//! Sizes that are known at run time only, and their names.

use proc_macro2::{Ident, TokenTree};
use syn::Token;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use xlayout_shape::dims::MAX_NAME_LETTERS;

use crate::mistake::Mistake;
use crate::parse::is_expression;
use crate::text::{as_written, is_punct, letters};

/// `?`, `?M` or `?_`: a size that is known at run time only, and its name.
pub(super) fn run_time(input: ParseStream<'_>) -> syn::Result<Option<Ident>> {
    input.parse::<Token![?]>()?;
    if input.peek(Token![_]) || input.peek(Ident::peek_any) {
        let name = input.call(Ident::parse_any)?;
        let word = name.to_string();
        let refuse = |found, help| Err(Mistake::new(name.span().into(), found, help).into());
        if word != "_" && syn::parse_str::<Ident>(&word).is_err() {
            let found = format!("`{word}` is a word of Rust's, and no name");
            return refuse(found, "write another: `?M`".to_owned());
        }
        let letters = letters(&name).chars().count();
        if letters > MAX_NAME_LETTERS {
            let found = format!("the name of a size has {letters} letters");
            return refuse(
                found,
                format!("write one of {MAX_NAME_LETTERS} letters at most"),
            );
        }
        return Ok(Some(name));
    }
    Ok(None)
}

/// What is wrong with `?` and what comes after it, where it is more than a name.
pub(super) fn beyond_a_name(written: &str, behind: &[TokenTree]) -> Option<(String, String)> {
    let own = "write `?`, or `?M` with a name of its own; a sum of such sizes and numbers may be \
               computed: `2*?H`, `?H - ?K + 1`";
    let found = match behind {
        [TokenTree::Ident(_)] => return None,
        [TokenTree::Ident(_), colon, ..] if is_punct(Some(colon), ':') => {
            format!("`{written}` is a path, and the name of such a size is one word")
        }
        [TokenTree::Ident(_), sign, ..]
            if is_expression(behind)
                || ['+', '-', '*', '/', '%']
                    .iter()
                    .any(|&c| is_punct(Some(sign), c)) =>
        {
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
