//! Sizes that are computed from named ones: `2*?H`, `?H - ?K + 1`.
//!
//! ```text
//! size = term, then any number of (`+` or `-`) and a term
//! term = a number, `?H`, a number `*` `?H`, or `?H` `*` a number
//! ```

use proc_macro2::TokenTree;
use syn::ext::IdentExt;
use xlayout_shape::dims::MAX_NAME_LETTERS;

use crate::mistake::{Mistake, TokenRange, kind};
use crate::text::{as_written, is_punct};

/// The size as the name that its type has: `2*H`, `H-K+1`. Nothing where it is no such sum.
pub(super) fn computed(size: &[TokenTree]) -> Result<Option<String>, Mistake> {
    let mut text = String::new();
    let mut rest = size;
    let mut terms = 0;
    loop {
        match rest.first() {
            Some(TokenTree::Punct(sign)) if matches!(sign.as_char(), '+' | '-') => {
                rest = &rest[1..];
                if sign.as_char() == '-' || terms > 0 {
                    text.push(sign.as_char());
                }
            }
            _ if terms > 0 => return Ok(None),
            _ => {}
        }
        let Some((number, name, behind)) = term(rest) else {
            return Ok(None);
        };
        text += &match (number, name) {
            (Some(number), Some(name)) if number != 1 => format!("{number}*{name}"),
            (_, Some(name)) => name,
            (number, None) => number.unwrap_or_default().to_string(),
        };
        (rest, terms) = (behind, terms + 1);
        if rest.is_empty() {
            break;
        }
    }
    // A name or a number alone is no sum, and a sum of numbers is Rust's.
    let of_names = size.iter().any(|token| is_punct(Some(token), '?'));
    let negative = terms == 1 && text.starts_with('-');
    if !of_names || negative || size.len() <= 2 {
        return Ok(None);
    }
    let letters = text.chars().count();
    if letters > MAX_NAME_LETTERS {
        let place = TokenRange::of_all(size);
        return Err(kind::long_sum(place, &as_written(size), &letters));
    }
    Ok(Some(text))
}

type Term<'a> = (Option<u32>, Option<String>, &'a [TokenTree]);

/// The number and the name of the first term, and what comes after it.
fn term(tokens: &[TokenTree]) -> Option<Term<'_>> {
    let times = |tokens: &[TokenTree]| is_punct(tokens.first(), '*');
    if let Some((name, behind)) = name(tokens) {
        return Some(match behind {
            [_, factor, behind @ ..] if times(&tokens[2..]) => {
                (Some(number(factor)?), Some(name), behind)
            }
            behind => (None, Some(name), behind),
        });
    }
    let (first, behind) = tokens.split_first()?;
    let number = number(first)?;
    if !times(behind) {
        return Some((Some(number), None, behind));
    }
    let (name, behind) = name(&behind[1..])?;
    Some((Some(number), Some(name), behind))
}

/// `?H`
fn name(tokens: &[TokenTree]) -> Option<(String, &[TokenTree])> {
    match tokens {
        [mark, TokenTree::Ident(name), behind @ ..] if is_punct(Some(mark), '?') && name != "_" => {
            Some((name.unraw().to_string(), behind))
        }
        _ => None,
    }
}

/// A number of up to 32 bits: no sum of products of such numbers and sizes overflows 128 bits.
fn number(token: &TokenTree) -> Option<u32> {
    match token {
        TokenTree::Literal(number) => number.to_string().parse().ok(),
        _ => None,
    }
}
