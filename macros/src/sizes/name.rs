//! Sizes that are known at run time only, and their names.

use proc_macro2::{Ident, TokenTree};
use syn::Token;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use xlayout_shape::dims::MAX_NAME_LETTERS;

use crate::mistake::{Mistake, TokenRange, kind};
use crate::parse::is_expression;
use crate::text::{as_written, is_punct, letters};

/// `?`, `?M` or `?_`: a size that is known at run time only, and its name.
pub(super) fn run_time(input: ParseStream<'_>) -> syn::Result<Option<Ident>> {
    input.parse::<Token![?]>()?;
    if input.peek(Token![_]) || input.peek(Ident::peek_any) {
        let name = input.call(Ident::parse_any)?;
        let word = name.to_string();
        let place = name.span().into();
        if word != "_" && syn::parse_str::<Ident>(&word).is_err() {
            return Err(kind::word_as_name(place, &word).into());
        }
        let letters = letters(&name).chars().count();
        if letters > MAX_NAME_LETTERS {
            return Err(kind::long_name(place, &letters).into());
        }
        return Ok(Some(name));
    }
    Ok(None)
}

/// What is wrong with `?` and what comes after it, where it is more than a name.
pub(super) fn beyond_a_name(
    place: TokenRange,
    written: &str,
    behind: &[TokenTree],
) -> Option<Mistake> {
    Some(match behind {
        [TokenTree::Ident(_)] => return None,
        [TokenTree::Ident(_), colon, ..] if is_punct(Some(colon), ':') => {
            kind::name_is_path(place, &written)
        }
        [TokenTree::Ident(_), sign, ..]
            if is_expression(behind)
                || ['+', '-', '*', '/', '%']
                    .iter()
                    .any(|&c| is_punct(Some(sign), c)) =>
        {
            kind::not_a_sum(place, &written)
        }
        [TokenTree::Ident(name), behind @ ..] => {
            kind::text_after_name(place, name, &as_written(behind))
        }
        [TokenTree::Group(_), ..] => kind::name_is_group(place),
        _ => return None,
    })
}
