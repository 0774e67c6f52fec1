//! `specialize!`: a layout that is known at run time is tried against layouts that are types.

use proc_macro2::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};
use quote::quote;

use crate::emit;
use crate::mistake::{Mistake, Place, located};
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
    let (name, value, braces) = head(tokens).map_err(|mistake| vec![mistake])?;
    let content = see_through(braces.stream());
    let mut mistakes = Vec::new();
    let arms = split(&content, &mut mistakes);
    let mut tried = Vec::new();
    let mut general = None;
    for (k, arm) in arms.iter().enumerate() {
        let is_last = k + 1 == arms.len();
        for layout in &arm.layouts {
            match pattern(root, layout, is_last, arm.layouts.len()) {
                Ok(Some(path)) => tried.push((path, arm.body)),
                Ok(None) => general = Some(arm.body),
                Err(all) => mistakes.extend(all),
            }
        }
    }
    if !arms
        .iter()
        .flat_map(|arm| &arm.layouts)
        .any(|layout| is_rest(layout))
    {
        let Place { last, .. } = Place::of(&TokenTree::from(braces.clone()));
        let found = "no arm takes the layouts that are not listed";
        let help = format!("end with an arm for all others: `_ => general({name})`");
        mistakes.push(Mistake::new(Place { first: last, last }, found, help));
    }
    if !mistakes.is_empty() {
        // Their offsets are in the texts of several layouts, and say nothing here.
        return Err(mistakes
            .into_iter()
            .map(|mistake| mistake.at_offset(0))
            .collect());
    }
    let body = |tokens: &[TokenTree]| tokens.iter().cloned().collect::<TokenStream>();
    let general = body(general.unwrap_or_default());
    // From the last arm to the first, each in the `Err` of the one before it. The borrow says
    // that the name is used even where an arm's body has no need of it.
    let mut expression = quote!({ let _ = &#name; #general });
    for (path, tokens) in tried.into_iter().rev() {
        let body = body(tokens);
        // Where it cannot be specialized, the compiler points at the name, not at the whole macro.
        let call = quote!(#root::__private::SpecializeInto::<#path, _>::specialize(#name));
        let call = located(call, name.span());
        expression = quote! {
            match #call {
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

type Head<'a> = (&'a Ident, Option<&'a [TokenTree]>, &'a Group);

/// `x, { … }` or `x = expression, { … }`.
fn head(tokens: &[TokenTree]) -> Result<Head<'_>, Mistake> {
    // A comma may follow the braces, as it may follow a function's last argument.
    let tokens = match tokens {
        [all @ .., comma] if is_punct(Some(comma), ',') => all,
        all => all,
    };
    let comma = tokens.iter().position(|token| is_punct(Some(token), ','));
    let behind = comma.map_or(&[][..], |at| &tokens[at + 1..]);
    let is_braces = |token| inside(Some(token), Delimiter::Brace).is_some();
    let [value @ .., TokenTree::Group(braces)] = tokens else {
        return Err(match behind {
            [] => Mistake::new(Place::of_all(tokens), "there are no arms here", HELP),
            arms => Mistake::new(Place::of_all(arms), "the arms stand in braces", HELP),
        });
    };
    if !tokens.last().is_some_and(is_braces) {
        return Err(Mistake::new(
            Place::of_all(behind),
            "the arms stand in braces",
            HELP,
        ));
    }
    let [value @ .., comma] = value else {
        return Err(Mistake::new(
            Place::of_all(tokens),
            "there is nothing to specialize",
            HELP,
        ));
    };
    if !is_punct(Some(comma), ',') {
        let place = Place::of(comma).to(Place::of_all(tokens));
        return Err(Mistake::new(
            place,
            "there is no comma before the arms",
            HELP,
        ));
    }
    match value {
        [] => Err(Mistake::new(
            Place::of(comma),
            "there is nothing to specialize",
            HELP,
        )),
        [TokenTree::Ident(name)] => Ok((name, None, braces)),
        [TokenTree::Ident(name), equals, value @ ..] if is_punct(Some(equals), '=') => {
            if value.is_empty() {
                let place = Place::of(equals);
                return Err(Mistake::new(
                    place,
                    format!("`{name}` is given no value"),
                    HELP,
                ));
            }
            Ok((name, Some(value), braces))
        }
        value => Err(Mistake::new(
            Place::of_all(value),
            "the arms need a name for what they are given",
            format!(
                "give it one: `specialize!(x = {}, {{ … }})`",
                as_written(value)
            ),
        )),
    }
}

/// The arms, each with the layouts before its `=>` and the body behind it.
fn split<'a>(tokens: &'a [TokenTree], mistakes: &mut Vec<Mistake>) -> Vec<Arm<'a>> {
    let mut arms = Vec::new();
    let mut rest = tokens;
    while !rest.is_empty() {
        let arrow = arrow(rest).unwrap_or(rest.len());
        let next = (0..arrow)
            .find(|&at| is_punct(rest.get(at), ',') && begins_arm(&rest[at + 1..]))
            .unwrap_or(arrow);
        if next < arrow || arrow == rest.len() {
            let place = Place::of_all(&rest[..next]);
            let help = "write `=>` and an expression after the layout";
            mistakes.push(Mistake::new(place, "this arm has no `=>`", help));
            rest = rest.get(next + 1..).unwrap_or_default();
            continue;
        }
        let behind = &rest[arrow + 2..];
        let len = body_len(behind);
        let body = &behind[..len];
        if body.is_empty() {
            let place = Place::of_all(&rest[..arrow + 2]);
            let help = "write an expression after `=>`, or `{}`";
            mistakes.push(Mistake::new(place, "this arm does nothing", help));
        }
        let mut layouts: Vec<_> = rest[..arrow].split(|t| is_punct(Some(t), '|')).collect();
        if layouts.iter().any(|layout| layout.is_empty()) {
            let place = Place::of_all(&rest[..arrow + 2]);
            let help = "write one, or `_` for all that are not listed";
            mistakes.push(Mistake::new(place, "a layout is missing before `=>`", help));
            layouts.retain(|layout| !layout.is_empty());
        }
        arms.push(Arm { layouts, body });
        rest = match &behind[len..] {
            [end, after @ ..] if is_punct(Some(end), ',') => after,
            [end, after @ ..] if is_punct(Some(end), ';') => {
                let help = "write `,` instead";
                mistakes.push(Mistake::new(
                    Place::of(end),
                    "an arm does not end with `;`",
                    help,
                ));
                after
            }
            after => after,
        };
    }
    arms
}

fn arrow(tokens: &[TokenTree]) -> Option<usize> {
    tokens.windows(2).position(|pair| {
        matches!(&pair[0], TokenTree::Punct(p)
            if p.as_char() == '=' && p.spacing() == Spacing::Joint)
            && is_punct(Some(&pair[1]), '>')
    })
}

/// How many tokens the body of an arm has: a block alone, or all before the comma that ends it.
/// A comma between the angle brackets of `f::<A, B>(x)` does not, unless an arm begins behind it.
fn body_len(tokens: &[TokenTree]) -> usize {
    let block = inside(tokens.first(), Delimiter::Brace).is_some();
    if block && !is_punct(tokens.get(1), '.') && !is_punct(tokens.get(1), '?') {
        return 1;
    }
    let mut depth = 0_usize;
    for (k, token) in tokens.iter().enumerate() {
        let path = k == 0 || is_punct(tokens.get(k - 1), ':') || depth > 0;
        let is = |c| is_punct(Some(token), c);
        if is('<') && path {
            depth += 1;
        } else if is('>') {
            depth = depth.saturating_sub(1);
        } else if is(';') || is(',') && (depth == 0 || begins_arm(&tokens[k + 1..])) {
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
    is_last: bool,
    alternatives: usize,
) -> Result<Option<TokenStream>, Vec<Mistake>> {
    let fail = |place: &[TokenTree], found: &str, help: &str| {
        Err(vec![Mistake::new(Place::of_all(place), found, help)])
    };
    if let Some(at) = layout.iter().position(|token| is_word(Some(token), "if")) {
        let help = "ask in the arm's body: a layout either fits or does not";
        return fail(&layout[at..], "an arm has no condition", help);
    }
    if is_rest(layout) {
        return match layout.len() {
            1 if alternatives > 1 => fail(
                layout,
                "`_` takes every layout, and leaves the others beside it nothing",
                "write `_` alone, in the last arm",
            ),
            1 if !is_last => fail(
                layout,
                "the arms after `_` are never tried",
                "write this arm last",
            ),
            1 => Ok(None),
            _ => fail(layout, "`_` stands for every layout", "write `_` alone"),
        };
    }
    if let [name, bang, TokenTree::Group(inside)] = layout
        && is_word(Some(name), "layout")
        && is_punct(Some(bang), '!')
    {
        let inside = as_written(&see_through(inside.stream()));
        let help = format!("write the layout alone: `{inside}`");
        return fail(layout, "`layout!` has no place in an arm", &help);
    }
    if is_declared(layout) {
        return Ok(Some(layout.iter().cloned().collect()));
    }
    read(root, layout).map(|array| Some(emit::path(root, &array)))
}

/// Whether this is the name of a declared layout, with or without arguments: `A`, `a::B<3>`.
fn is_declared(layout: &[TokenTree]) -> bool {
    let named = match layout {
        [TokenTree::Ident(name)] => name.to_string().starts_with(char::is_uppercase),
        [TokenTree::Ident(_), next, ..] => is_punct(Some(next), ':') || is_punct(Some(next), '<'),
        _ => false,
    };
    named
        && !layout
            .iter()
            .any(|token| inside(Some(token), Delimiter::Bracket).is_some())
}
