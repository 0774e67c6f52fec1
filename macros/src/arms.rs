//! `specialize!`: a layout that is known at run time is tried against layouts that are types.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;

use crate::emit;
use crate::mistake::{Mistake, Place};
use crate::read::{as_written, read};
use crate::text::{inside, is_punct, is_word, see_through};

const HELP: &str = "write `specialize!(x, { f32[?,3]{1,0} => fast(x), _ => general(x) })`";

/// One arm; several layouts before one body are several arms.
struct Arm<'a> {
    layouts: Vec<&'a [TokenTree]>,
    body: &'a [TokenTree],
}

/// `match x { f32[?,3]{1,0} => fast(x), _ => general(x) }`, where `x` has the layout's type in the
/// arm that names it.
pub(crate) fn expand(
    root: &TokenStream,
    tokens: &[TokenTree],
) -> Result<TokenStream, Vec<Mistake>> {
    let (name, value, arms) = head(tokens).map_err(|mistake| vec![mistake])?;
    let arms: Vec<_> = see_through(arms.stream());
    let arms = split(&arms)?;
    let mut mistakes = Vec::new();
    let mut offset = 0;
    let mut tried = Vec::new();
    let mut general = None;
    let last = arms.len().saturating_sub(1);
    for (k, arm) in arms.iter().enumerate() {
        for layout in &arm.layouts {
            offset += 1;
            match pattern(root, layout, k == last, arm.layouts.len()) {
                Ok(Some(path)) => tried.push((path, arm.body)),
                Ok(None) => general = Some(arm.body),
                Err(all) => mistakes.extend(all.into_iter().map(|m| m.at_offset(offset))),
            }
        }
        if arm.body.is_empty() {
            mistakes.push(
                Mistake::new(
                    Place::of_all(arm.layouts.first().copied().unwrap_or_default()),
                    "this arm does nothing",
                    "write an expression behind `=>`, or `{}`",
                )
                .at_offset(offset),
            );
        }
    }
    if !arms
        .iter()
        .flat_map(|arm| &arm.layouts)
        .any(|layout| is_rest(layout))
    {
        mistakes.push(
            Mistake::new(
                Place::of_all(&tokens[tokens.len() - 1..]),
                "no arm takes the layouts that are not listed",
                format!("end with an arm for all others: `_ => general({name})`"),
            )
            .at_offset(usize::MAX),
        );
    }
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let body = |tokens: &[TokenTree]| tokens.iter().cloned().collect::<TokenStream>();
    let general = body(general.unwrap_or_default());
    // From the last arm to the first, each in the `Err` of the one before it. The borrow says
    // that the name is used even where an arm's body has no need of it.
    let mut expression = quote!({ let _ = &#name; #general });
    for (path, tokens) in tried.into_iter().rev() {
        let body = body(tokens);
        expression = quote! {
            match #root::__private::Specialize::<#path>::specialize(#name) {
                ::core::result::Result::Ok(#name) => { let _ = &#name; #body }
                ::core::result::Result::Err(#name) => #expression
            }
        };
    }
    Ok(match value {
        Some(value) => {
            let value = body(value);
            quote!(match #value { #name => #expression })
        }
        None => expression,
    })
}

type Head<'a> = (&'a Ident, Option<&'a [TokenTree]>, &'a proc_macro2::Group);

/// `x, { … }` or `x = expression, { … }`.
fn head(tokens: &[TokenTree]) -> Result<Head<'_>, Mistake> {
    let place = Place::of_all(tokens);
    // A comma may follow the braces, as it may follow a function's last argument.
    let tokens = match tokens {
        [all @ .., comma] if is_punct(Some(comma), ',') => all,
        all => all,
    };
    let [value @ .., TokenTree::Group(arms)] = tokens else {
        return Err(Mistake::new(place, "there are no arms here", HELP));
    };
    if arms.delimiter() != Delimiter::Brace {
        let place = Place::of_all(&tokens[tokens.len() - 1..]);
        return Err(Mistake::new(place, "the arms stand in braces", HELP));
    }
    match value {
        [TokenTree::Ident(name), comma] if is_punct(Some(comma), ',') => Ok((name, None, arms)),
        [TokenTree::Ident(name), equals, value @ .., comma]
            if is_punct(Some(equals), '=') && is_punct(Some(comma), ',') && !value.is_empty() =>
        {
            Ok((name, Some(value), arms))
        }
        [] => Err(Mistake::new(place, "there is nothing to specialize", HELP)),
        [value @ .., comma] if is_punct(Some(comma), ',') => Err(Mistake::new(
            Place::of_all(value),
            "the arms need a name for what they are given",
            format!(
                "give it one: `specialize!(x = {}, {{ … }})`",
                as_written(value)
            ),
        )),
        value => Err(Mistake::new(
            Place::of_all(value),
            "there is no comma between this and the arms",
            HELP,
        )),
    }
}

/// The arms, each with the layouts before its `=>` and the body behind it.
fn split(tokens: &[TokenTree]) -> Result<Vec<Arm<'_>>, Vec<Mistake>> {
    let mut arms = Vec::new();
    let mut rest = tokens;
    while !rest.is_empty() {
        let Some(at) = arrow(rest) else {
            let help = "write `=>` and an expression behind the layout";
            return Err(vec![Mistake::new(
                Place::of_all(rest),
                "this arm has no `=>`",
                help,
            )]);
        };
        let layouts = rest[..at]
            .split(|token| is_punct(Some(token), '|'))
            .collect();
        let behind = &rest[at + 2..];
        let len = body_len(behind);
        arms.push(Arm {
            layouts,
            body: &behind[..len],
        });
        rest = &behind[len..];
        if is_punct(rest.first(), ',') {
            rest = &rest[1..];
        }
    }
    Ok(arms)
}

fn arrow(tokens: &[TokenTree]) -> Option<usize> {
    tokens.windows(2).position(|pair| {
        matches!(&pair[0], TokenTree::Punct(p)
            if p.as_char() == '=' && p.spacing() == proc_macro2::Spacing::Joint)
            && is_punct(Some(&pair[1]), '>')
    })
}

/// How many tokens the body of an arm has: a block alone, or all before the comma that ends it.
/// A comma between the angle brackets of `f::<A, B>(x)` does not, unless an arm begins behind it.
fn body_len(tokens: &[TokenTree]) -> usize {
    let block = inside(tokens.first(), Delimiter::Brace).is_some();
    let goes_on = tokens
        .get(1)
        .is_some_and(|next| ".?".contains(|c| is_punct(Some(next), c)));
    if block && !goes_on {
        return 1;
    }
    let mut depth = 0_usize;
    for (k, token) in tokens.iter().enumerate() {
        let path = k == 0 || is_punct(tokens.get(k - 1), ':') || depth > 0;
        if is_punct(Some(token), '<') && path {
            depth += 1;
        } else if is_punct(Some(token), '>') {
            depth = depth.saturating_sub(1);
        } else if is_punct(Some(token), ',') && (depth == 0 || begins_arm(&tokens[k + 1..])) {
            return k;
        }
    }
    tokens.len()
}

/// Whether these tokens begin an arm beyond doubt.
fn begins_arm(tokens: &[TokenTree]) -> bool {
    let named = matches!(tokens.first(), Some(TokenTree::Ident(_)))
        && inside(tokens.get(1), Delimiter::Bracket).is_some();
    named || is_word(tokens.first(), "_") && arrow(tokens) == Some(1)
}

fn is_rest(layout: &[TokenTree]) -> bool {
    is_word(layout.first(), "_")
}

/// The type of an arm's layout, and nothing for `_`.
fn pattern(
    root: &TokenStream,
    layout: &[TokenTree],
    last: bool,
    alternatives: usize,
) -> Result<Option<TokenStream>, Vec<Mistake>> {
    let place = Place::of_all(layout);
    let fail = |found: &str, help: &str| Err(vec![Mistake::new(place, found, help)]);
    if let Some(at) = layout.iter().position(|token| is_word(Some(token), "if")) {
        return Err(vec![Mistake::new(
            Place::of_all(&layout[at..]),
            "an arm has no condition",
            "ask in the arm's body: a layout either fits or does not",
        )]);
    }
    if is_rest(layout) {
        return match layout.len() {
            1 if alternatives > 1 => fail(
                "`_` takes every layout, and the others beside it none",
                "write `_` alone, in the last arm",
            ),
            1 if !last => fail("the arms behind `_` are never tried", "write this arm last"),
            1 => Ok(None),
            _ => fail("`_` stands for every layout", "write `_` alone"),
        };
    }
    if is_declared(layout) {
        return Ok(Some(layout.iter().cloned().collect()));
    }
    match read(root, layout) {
        Ok(array) => Ok(Some(emit::path(root, &array))),
        Err(mistakes) => Err(mistakes),
    }
}

/// Whether this is the name of a declared layout, with or without arguments: `A`, `a::B<3>`.
fn is_declared(layout: &[TokenTree]) -> bool {
    let named = match layout {
        [TokenTree::Ident(name)] => {
            xlayout_core::PrimitiveType::from_name(&name.to_string()).is_none()
                && name.to_string().starts_with(char::is_uppercase)
        }
        [TokenTree::Ident(_), next, ..] => is_punct(Some(next), ':') || is_punct(Some(next), '<'),
        _ => false,
    };
    named
        && !layout
            .iter()
            .any(|token| inside(Some(token), Delimiter::Bracket).is_some())
}
