//! One layout: from tokens to what core read, or to all mistakes.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use xlayout_shape::ErrorKind;
use xlayout_shape::text::read_array;

use crate::array::{Array, RULES, beyond_a_type, of_core};
use crate::mistake::{Mistake, TokenRange, kind};
use crate::sharding;
use crate::sizes;
use crate::text::{Text, inside, is_punct, see_through};

/// Reads and checks one layout.
pub(crate) fn read(root: &TokenStream, tokens: &[TokenTree]) -> Result<Array, Vec<Mistake>> {
    if let Some(mistake) = array_of_rust(tokens) {
        return Err(vec![mistake]);
    }
    let mut mistakes = Vec::new();
    let (tokens, given) = sharding::take(tokens, &mut mistakes);
    let tokens = &tokens[..];
    let mut text = Text::default();
    let brackets = tokens
        .iter()
        .position(|token| inside(Some(token), Delimiter::Bracket).is_some());
    let sizes = match brackets {
        Some(at) => {
            match element_type_in_a_path(&tokens[..at]) {
                Some(path) => text.push(&path, TokenRange::of_all(&tokens[..at])),
                None => text.push_tokens(&tokens[..at]),
            }
            let sizes = sizes::read(root, &tokens[at], &mut text, &mut mistakes);
            text.push_tokens(&tokens[at + 1..]);
            sizes
        }
        None => {
            text.push_tokens(tokens);
            Vec::new()
        }
    };
    let shape = read_array(text.as_str(), RULES, &mut |error| {
        let mut mistake = of_core(&error, &text);
        if let ErrorKind::UnknownOption {
            suggestion: None, ..
        } = error.kind()
        {
            mistake.message += kind::OTHER_OPTION;
        }
        mistakes.push(mistake);
    });
    sort(&mut mistakes);
    let element_type = TokenRange::of_all(tokens).first;
    let sharding = given.and_then(|given| given.read(&mut mistakes));
    let Some(shape) = shape.filter(|_| mistakes.is_empty()) else {
        return Err(mistakes);
    };
    if let Some(mistake) = beyond_a_type(layout_place(tokens), &shape) {
        return Err(vec![mistake]);
    }
    let mut array = Array {
        shape,
        sizes,
        element_type,
        sharding: None,
    };
    if let Some(sharding) = sharding {
        array.sharding = Some(sharding.spread(&array).map_err(|mistake| vec![mistake])?);
    }
    Ok(array)
}

/// Sorts by the place in the text; mistakes of one place keep their sequence. There are few of
/// them, and the sort of the standard library is a twentieth of the code of this crate, which each
/// user compiles.
fn sort(mistakes: &mut [Mistake]) {
    for last in 1..mistakes.len() {
        let mut at = last;
        while at > 0 && mistakes[at - 1].offset > mistakes[at].offset {
            mistakes.swap(at - 1, at);
            at -= 1;
        }
    }
}

/// `[[f32; 3]; 2]`.
fn array_of_rust(tokens: &[TokenTree]) -> Option<Mistake> {
    let [brackets] = tokens else { return None };
    let inside = see_through(inside(Some(brackets), Delimiter::Bracket)?);
    inside
        .iter()
        .any(|token| is_punct(Some(token), ';'))
        .then(|| kind::array_of_rust(TokenRange::of(brackets)))
}

/// `np::float32` or `jnp.bfloat16` as one piece of text, as core reads it from a text.
fn element_type_in_a_path(tokens: &[TokenTree]) -> Option<String> {
    let (first, mut rest) = tokens.split_first()?;
    let mut path = match first {
        TokenTree::Ident(name) => name.to_string(),
        _ => return None,
    };
    while !rest.is_empty() {
        let (separator, name) = match rest {
            [dot, TokenTree::Ident(name), ..] if is_punct(Some(dot), '.') => (".", name),
            [first, second, TokenTree::Ident(name), ..]
                if is_punct(Some(first), ':') && is_punct(Some(second), ':') =>
            {
                ("::", name)
            }
            _ => return None,
        };
        path += separator;
        path += &name.to_string();
        rest = &rest[separator.len() + 1..];
    }
    (tokens.len() > 1).then_some(path)
}

/// The braces of the layout; all tokens where there are none.
fn layout_place(tokens: &[TokenTree]) -> TokenRange {
    let braces = tokens
        .iter()
        .find(|token| inside(Some(token), Delimiter::Brace).is_some());
    braces.map_or_else(|| TokenRange::of_all(tokens), TokenRange::of)
}
