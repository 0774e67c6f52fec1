//! `specialize!`: a layout that is known at run time is tried against layouts that are types.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;

use crate::emit;
use crate::input::{Input, is_name};
use crate::mistake::{Mistake, TokenRange, located};
use crate::read::read;
use crate::text::{as_written, inside, is_punct, is_word, see_through};

const HELP: &str = "write `specialize!(x, { f32[?,3]{1,0} => fast(x), _ => general(x) })`";

/// One arm; several layouts before one body are several arms.
struct Arm {
    layouts: Vec<Vec<TokenTree>>,
    body: TokenStream,
}

/// `match x { f32[?,3]{1,0} => fast(x), _ => general(x) }`, where `x` has the layout's type in the
/// arm that names it.
pub(crate) fn expand(
    root: &TokenStream,
    tokens: &[TokenTree],
) -> Result<TokenStream, Vec<Mistake>> {
    let (name, value, braces) = head(&Input::new(tokens)).map_err(|mistake| vec![mistake])?;
    let mut mistakes = Vec::new();
    let content: Vec<_> = braces.stream().into_iter().collect();
    let arms = arms(&Input::new(&content), &mut mistakes);
    let (tried, general) = patterns(root, &arms, &mut mistakes);
    let mut layouts = arms.iter().flat_map(|arm| &arm.layouts);
    // What is wrong with another last arm was said.
    if !layouts.any(|layout| is_rest(layout) || is_named_rest(layout)) {
        let found = "no arm takes the layouts that are not listed";
        let help = format!("end with an arm for all others: `_ => general({name})`");
        mistakes.push(Mistake::new(braces.span_close().into(), found, help));
    }
    if mistakes.is_empty() {
        Ok(nested(root, name, value, tried, general))
    } else {
        Err(mistakes)
    }
}

/// The path of each layout with the body of its arm, and the body of the last arm.
fn patterns(
    root: &TokenStream,
    arms: &[Arm],
    mistakes: &mut Vec<Mistake>,
) -> (Vec<(TokenStream, TokenStream)>, Option<TokenStream>) {
    let mut tried = Vec::new();
    let mut general = None;
    for (k, arm) in arms.iter().enumerate() {
        let is_last = k + 1 == arms.len();
        for layout in &arm.layouts {
            match pattern(root, layout, is_last, arm.layouts.len()) {
                Ok(Some(path)) => tried.push((path, statements(&arm.body))),
                Ok(None) => general = Some(statements(&arm.body)),
                Err(all) => mistakes.extend(all),
            }
        }
    }
    (tried, general)
}

/// What is in the braces of a body that is a block alone: it is put into a block again, and
/// rustc would call the second pair of braces unused. A block with attributes stays one.
fn statements(body: &TokenStream) -> TokenStream {
    let tokens: Vec<_> = body.clone().into_iter().collect();
    match &tokens[..] {
        [block] => match inside(Some(block), Delimiter::Brace) {
            Some(inside) if !is_punct(inside.clone().into_iter().next().as_ref(), '#') => inside,
            _ => body.clone(),
        },
        _ => body.clone(),
    }
}

/// Matches in matches, from the last arm to the first, each in the `Err` of the one before it. The
/// borrow says that the name is used even where an arm's body has no need of it.
fn nested(
    root: &TokenStream,
    name: &Ident,
    value: Option<&[TokenTree]>,
    tried: Vec<(TokenStream, TokenStream)>,
    general: Option<TokenStream>,
) -> TokenStream {
    let mut expression = quote!({ let _ = &#name; #general });
    for (path, body) in tried.into_iter().rev() {
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
    match value {
        Some(value) => quote!(match #(#value)* { #name => #expression }),
        None => expression,
    }
}

/// What a call is given: the name in the arms, the value of it if there is one, and the arms.
type Head<'a> = (&'a Ident, Option<&'a [TokenTree]>, &'a Group);

/// `x,` or `x = expression,` before the braces at the end.
fn head<'a>(input: &Input<'a>) -> Result<Head<'a>, Mistake> {
    let fail = |place, found: &str| Err(Mistake::new(place, found, HELP));
    let ahead = input.clone();
    // A comma may follow the braces, as it may follow a function's last argument.
    let is_last = || ahead.is_last() || ahead.left().len() == 2 && ahead.peek_behind(1, ",");
    while !(ahead.is_empty() || ahead.peek_group(Delimiter::Brace) && is_last()) {
        ahead.token();
    }
    let before = input.take_to(&ahead);
    let Some(TokenTree::Group(braces)) = input.token() else {
        let before = match before {
            [before @ .., comma] if is_punct(Some(comma), ',') => before,
            before => before,
        };
        let arms = before.splitn(2, |token| is_punct(Some(token), ',')).nth(1);
        let arms = arms.unwrap_or_default();
        let group = matches!(before.last(), Some(TokenTree::Group(_)));
        return if arms.is_empty() && !group {
            fail(TokenRange::of_all(before), "there are no arms here")
        } else {
            fail(TokenRange::of_all(arms), "the arms must be in braces")
        };
    };
    let place = TokenRange {
        first: braces.span_open(),
        last: braces.span_close(),
    };
    let (value, comma) = match before {
        [value @ .., comma] if is_punct(Some(comma), ',') => (value, comma),
        [] => return fail(place, "there is nothing to specialize"),
        [.., last] => {
            let place = TokenRange::of(last).to(place);
            return fail(place, "there is no comma before the arms");
        }
    };
    match value {
        [] => fail(TokenRange::of(comma), "there is nothing to specialize"),
        [TokenTree::Ident(name)] => Ok((name, None, braces)),
        [TokenTree::Ident(name), equals, value @ ..] if is_punct(Some(equals), '=') => {
            if value.is_empty() {
                return fail(
                    TokenRange::of(equals),
                    &format!("`{name}` is given no value"),
                );
            }
            Ok((name, Some(value), braces))
        }
        value => {
            let place = TokenRange::of_all(value);
            let value = as_written(value);
            let help = format!("give it one: `specialize!(x = {value}, {{ … }})`");
            let found = "the arms need a name for what they are given";
            Err(Mistake::new(place, found, help))
        }
    }
}

/// The arms, each with the layouts before its `=>` and the body behind it.
fn arms(input: &Input<'_>, mistakes: &mut Vec<Mistake>) -> Vec<Arm> {
    let mut arms = Vec::new();
    let mut mistake = |place: TokenRange, found: &str, help: &str| {
        mistakes.push(Mistake::new(place, found, help));
    };
    while !input.is_empty() {
        let mut head = Vec::new();
        while !(input.is_empty() || input.peek("=>") || begins_arm(input)) {
            head.extend(see_through(input.token().cloned()));
        }
        let Some(arrow) = input.accept("=>") else {
            let help = "write `=>` and an expression after the layout";
            mistake(TokenRange::of_all(&head), "this arm has no `=>`", help);
            input.accept(",");
            continue;
        };
        let place = head.first().map_or(arrow, TokenRange::of).to(arrow);
        let (body, next) = body(input);
        if body.is_empty() {
            let help = "write an expression after `=>`, or `{}`";
            mistake(place, "this arm does nothing", help);
        }
        let body = body.iter().cloned().collect();
        let mut layouts: Vec<_> = head
            .split(|token| is_punct(Some(token), '|'))
            .map(<[_]>::to_vec)
            .collect();
        if layouts.iter().any(Vec::is_empty) {
            let help = "write one, or `_` for all that are not listed";
            mistake(place, "a layout is missing before `=>`", help);
            layouts.retain(|layout| !layout.is_empty());
        }
        arms.push(Arm { layouts, body });
        if let Some(next) = next {
            let help = "write `,` after the expression of the arm before it";
            mistake(next, "this arm has no comma before it", help);
        } else if let Some(end) = input.accept(";") {
            let found = "an arm does not end with `;`";
            mistake(end, found, "write `,` instead");
        } else {
            input.accept(",");
        }
    }
    arms
}

/// The body of an arm: a block alone, or all before the comma that ends it. A comma between the
/// angle brackets of `f::<A, B>(x)` does not, unless an arm begins behind it. Where the comma is
/// missing, the place of the arm that follows.
fn body<'a>(input: &Input<'a>) -> (&'a [TokenTree], Option<TokenRange>) {
    let continues = || input.peek_behind(1, ".") || input.peek_behind(1, "?");
    if input.peek_group(Delimiter::Brace) && !continues() {
        return (input.take(1), None);
    }
    let ahead = input.clone();
    let mut last = None;
    let mut depth = 0_usize;
    let ends = |depth| ahead.peek(";") || ahead.peek(",") && (depth == 0 || begins_arm(&ahead));
    while !(ahead.is_empty() || ends(depth)) {
        let next = next_arm(last, &ahead);
        if next.is_some() {
            return (input.take_to(&ahead), next);
        }
        let path = depth > 0 || last.is_none() || is_punct(last, ':');
        last = ahead.token();
        if path && is_punct(last, '<') {
            depth += 1;
        } else if is_punct(last, '>') {
            depth = depth.saturating_sub(1);
        }
    }
    (input.take_to(&ahead), None)
}

/// The place of the layout of an arm that begins here, after a whole expression without a comma: a
/// name cannot follow an operand in Rust, and `=>` is in no expression outside of brackets.
fn next_arm(before: Option<&TokenTree>, input: &Input<'_>) -> Option<TokenRange> {
    let name = |name: &Ident| is_name(&name.to_string());
    let operand = match before? {
        TokenTree::Ident(before) => name(before),
        TokenTree::Punct(before) => matches!(before.as_char(), '?' | '>'),
        TokenTree::Group(_) | TokenTree::Literal(_) => true,
    };
    let ahead = input.clone();
    while !(ahead.is_empty() || ahead.peek(",") || ahead.peek(";")) {
        if ahead.peek("=>") {
            let layout = input.clone().take_to(&ahead);
            let begins = match layout.first()? {
                TokenTree::Ident(first) => first == "_" || name(first),
                _ => false,
            };
            return (operand && begins).then(|| TokenRange::of_all(layout));
        }
        ahead.token();
    }
    None
}

/// Whether a comma is next, and an arm begins behind it beyond doubt.
fn begins_arm(input: &Input<'_>) -> bool {
    let named = input.peek_word_behind(1) && input.peek_group_behind(2, Delimiter::Bracket);
    let rest = input.peek_behind(1, "_") && input.peek_behind(2, "=>");
    input.peek(",") && (named || rest)
}

fn is_rest(layout: &[TokenTree]) -> bool {
    is_word(layout.first(), "_")
}

/// Whether this is another word for `_`: `else`, or `..`.
fn is_named_rest(layout: &[TokenTree]) -> bool {
    match layout {
        [TokenTree::Ident(name)] => {
            ["else", "default", "other", "rest"].contains(&&*name.to_string())
        }
        [first, second] => is_punct(Some(first), '.') && is_punct(Some(second), '.'),
        _ => false,
    }
}

/// The type of an arm's layout, and nothing for `_`.
fn pattern(
    root: &TokenStream,
    layout: &[TokenTree],
    is_last: bool,
    alternatives: usize,
) -> Result<Option<TokenStream>, Vec<Mistake>> {
    let fail = |place: &[TokenTree], found: &str, help: &str| {
        Err(vec![Mistake::new(TokenRange::of_all(place), found, help)])
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
            _ => fail(layout, "`_` matches every layout", "write `_` alone"),
        };
    }
    if is_named_rest(layout) {
        let help = format!("write `_` in the place of `{}`", as_written(layout));
        return fail(layout, "the arm for all other layouts is `_`", &help);
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
    let array = read(root, layout)?;
    if array.sharding.is_some() {
        let help = "leave the sharding out: an arm takes the layout of one buffer";
        return fail(layout, "no layout of a buffer has a sharding", help);
    }
    Ok(Some(emit::path(root, &array)))
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
