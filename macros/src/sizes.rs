//! The sizes between the brackets: numbers are core's; constants, blocks and typenum's numbers are
//! Rust, so core reads a `1` in the place of each.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::quote;

use crate::mistake::{Mistake, Place};
use crate::read::as_written;
use crate::text::{Text, inside, is_punct, is_word, see_through};

/// The most dimensions of a layout that is a type.
pub(crate) const MAX_RANK: usize = 16;

/// A size as its tokens say it.
#[derive(Clone, Debug)]
pub(crate) enum Size {
    /// A number, `?`, or what core will refuse.
    Text(Span),
    /// `N`, `path::N`, `{ N * 2 }` or `U2`: a constant, and whether `<=` stands before it.
    Const { value: TokenStream, bound: bool },
    /// `type N`: a type that is one of typenum's numbers.
    Type(TokenStream),
}

/// Reads what stands between the brackets: text for core, and each size as it is to be emitted.
pub(crate) fn read(
    root: &TokenStream,
    brackets: &TokenTree,
    text: &mut Text,
    mistakes: &mut Vec<Mistake>,
) -> Vec<Size> {
    let Some(content) = inside(Some(brackets), Delimiter::Bracket) else {
        return Vec::new();
    };
    let tokens = see_through_sizes(content);
    let mut sizes = Vec::new();
    text.push_group(brackets, |text| {
        let mut rest = &tokens[..];
        loop {
            let (entry, after) = rest.split_at(entry_len(rest));
            if sizes.is_empty() && rest.is_empty() {
                break;
            }
            let offset = text.end();
            let (size, mistake) = one(root, entry, text);
            sizes.push(size);
            mistakes.extend(mistake.map(|m| m.at_offset(offset)));
            rest = match after {
                [] => break,
                [comma, after @ ..] if is_punct(Some(comma), ',') => {
                    text.push(",", Place::of(comma));
                    after
                }
                [next, ..] => {
                    let place = Place::of_all(entry).to(Place::of(next));
                    let (left, right) =
                        (as_written(entry), as_written(core::slice::from_ref(next)));
                    let found = format!("there is no comma between `{left}` and `{right}`");
                    let help = format!("write `{left}, {right}`");
                    mistakes.push(Mistake::new(place, found, help).at_offset(offset));
                    text.push(",", place);
                    after
                }
            };
        }
    });
    if sizes.len() > MAX_RANK {
        let count = sizes.len();
        let found = format!("`layout!` takes up to {MAX_RANK} dimensions, found {count}");
        let help = "read the layout at run time: a `Dyn` holds any number";
        mistakes.push(Mistake::new(Place::of(brackets), found, help));
    }
    sizes
}

/// Like [`see_through`]; but an expression that `macro_rules!` captured whole (`$n:expr`) needs
/// no braces from the user, for it is one size whatever is in it.
fn see_through_sizes(content: TokenStream) -> Vec<TokenTree> {
    let mut flat = Vec::new();
    for token in content {
        let captured = match &token {
            TokenTree::Group(g) if g.delimiter() == Delimiter::None => see_through(g.stream()),
            _ => {
                flat.push(token);
                continue;
            }
        };
        let after_type = is_word(flat.last(), "type");
        if !after_type && is_expression(&captured) {
            let mut braces = Group::new(Delimiter::Brace, captured.into_iter().collect());
            braces.set_span(token.span());
            flat.push(braces.into());
        } else {
            flat.extend(captured);
        }
    }
    flat
}

/// How many tokens there are before the comma that ends a size, or before the next size where a
/// comma is missing behind a name. Commas between the angle brackets of
/// `type UInt<UInt<UTerm, B1>, B0>` end none.
fn entry_len(tokens: &[TokenTree]) -> usize {
    let block = |token: &TokenTree| inside(Some(token), Delimiter::Brace).is_some();
    let begins = |token: &TokenTree| {
        matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_)) || block(token)
    };
    let size = match tokens {
        [first, ..] if block(first) => Some(1),
        _ => (1..=tokens.len()).rev().find(|&n| is_path(&tokens[..n])),
    };
    if let Some(n) = size.filter(|&n| tokens.get(n).is_some_and(begins))
        && !is_word(tokens.get(n), "as")
    {
        return n;
    }
    let counts = is_word(tokens.first(), "type");
    let mut depth = 0_usize;
    for (k, token) in tokens.iter().enumerate() {
        let token = Some(token);
        if counts && is_punct(token, '<') {
            depth += 1;
        } else if is_punct(token, '>') {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && is_punct(token, ',') {
            return k;
        }
    }
    tokens.len()
}

/// One size. What core should not see becomes `1` in its text: a size that breaks no rule of its
/// own, so that whatever else is wrong is still found.
fn one(root: &TokenStream, entry: &[TokenTree], text: &mut Text) -> (Size, Option<Mistake>) {
    let place = Place::of_all(entry);
    match in_rust(root, entry) {
        Some(Ok(size)) => {
            text.push("1", place);
            (size, None)
        }
        Some(Err((found, help))) => {
            text.push("1", place);
            (
                Size::Text(place.first),
                Some(Mistake::new(place, found, help)),
            )
        }
        None => {
            push_for_core(entry, text);
            (
                Size::Text(entry.last().map_or(place.first, TokenTree::span)),
                None,
            )
        }
    }
}

/// What a size means in Rust, or what is wrong with it and what to write; nothing when it is for
/// core to read.
fn in_rust(root: &TokenStream, entry: &[TokenTree]) -> Option<Result<Size, (String, String)>> {
    let bound = is_punct(entry.first(), '<') && is_punct(entry.get(1), '=');
    let (sign, size) = if bound {
        ("<=", &entry[2..])
    } else {
        ("", entry)
    };
    let fail = |found: &str, help: &str| Some(Err((found.into(), help.into())));
    match size {
        [TokenTree::Literal(_)] => None,
        [word] if is_word(Some(word), "_") => fail(
            "`_` is no size: a layout cannot leave a size to be inferred",
            "write a number, the name of a constant, \
             or `?` for a size that is known at run time only",
        ),
        [TokenTree::Group(block)] if block.delimiter() == Delimiter::Brace => {
            if block.stream().is_empty() {
                return fail(
                    "there is no size between these braces",
                    "write an expression between the braces: `{ N * 2 }`",
                );
            }
            Some(Ok(Size::Const {
                value: block.stream(),
                bound,
            }))
        }
        [word, number @ ..] if is_word(Some(word), "type") => {
            let number: TokenStream = number.iter().cloned().collect();
            if number.is_empty() {
                return fail(
                    "there is no type after `type`",
                    "write one of typenum's numbers after it: `type N`, where `N: Unsigned`",
                );
            }
            if bound {
                let help = format!("write `<={{ <{number} as Unsigned>::USIZE }}`");
                return fail("a bound is a constant, and this is a type", &help);
            }
            Some(Ok(Size::Type(number)))
        }
        path if is_path(path) => {
            let names_a_number = |name: &TokenTree| is_typenum(&name.to_string());
            let path: TokenStream = path.iter().cloned().collect();
            let value = if size.last().is_some_and(names_a_number) {
                quote!(<#path as #root::__private::typenum::Unsigned>::USIZE)
            } else {
                path
            };
            Some(Ok(Size::Const { value, bound }))
        }
        [TokenTree::Ident(name), equals, ..] if is_punct(Some(equals), '=') => fail(
            &format!("dimensions have no names, and this one is called `{name}`"),
            "write the size alone",
        ),
        [word, TokenTree::Ident(name), ..] if is_word(Some(word), "const") => fail(
            &format!("`{name}` cannot be declared here"),
            &format!("write `{name}` alone; the item around the layout declares it"),
        ),
        size if is_expression(size) => {
            let written = as_written(size);
            if written.contains('{') {
                return fail(
                    "a size is a number or a name, and this is an expression",
                    &format!("wrap it in braces: `{sign}{{ … }}`"),
                );
            }
            fail(
                &format!("`{written}` is an expression, not a number or a name"),
                &format!("wrap it in braces: `{sign}{{ {written} }}`"),
            )
        }
        _ => None,
    }
}

/// Adds what core will refuse, each name as `1`: core knows no names, and something else is wrong.
fn push_for_core(entry: &[TokenTree], text: &mut Text) {
    let mut rest = entry;
    while !rest.is_empty() {
        let path = (1..=rest.len()).rev().find(|&n| is_path(&rest[..n]));
        let (tokens, after) = rest.split_at(path.unwrap_or_else(|| {
            // A sign goes with what follows it: whether it belongs to a number is seen there. So
            // does the quote of a lifetime.
            let sign = "-.'".chars().any(|c| is_punct(rest.first(), c));
            if sign && rest.len() > 1 { 2 } else { 1 }
        }));
        match path {
            Some(_) => text.push("1", Place::of_all(tokens)),
            None => text.push_tokens(tokens),
        }
        rest = after;
    }
}

/// `N`, `a::N`, `::a::N`, `crate::N`.
fn is_path(tokens: &[TokenTree]) -> bool {
    const NO_NAMES: [&str; 8] = ["_", "type", "as", "const", "if", "match", "unsafe", "loop"];
    let tokens = match tokens {
        [a, b, rest @ ..] if is_punct(Some(a), ':') && is_punct(Some(b), ':') => rest,
        all => all,
    };
    match tokens {
        [TokenTree::Ident(name), rest @ ..] if NO_NAMES.iter().all(|no| name != no) => {
            rest.is_empty() || is_punct(rest.first(), ':') && rest.len() > 2 && is_path(rest)
        }
        _ => false,
    }
}

/// typenum calls its numbers `U0`, `U1`, …
fn is_typenum(name: &str) -> bool {
    let digits = name.strip_prefix('U').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether tokens look like something to be computed: `2+1`, `N * 2`, `size_of::<T>()`, `f(3)`,
/// `N as usize`, `if …`. A negative number does not.
fn is_expression(tokens: &[TokenTree]) -> bool {
    const BEGIN: [&str; 5] = ["if", "match", "unsafe", "loop", "const"];
    let operand = |token: &TokenTree| match token {
        TokenTree::Literal(_) | TokenTree::Ident(_) => true,
        TokenTree::Group(g) => g.delimiter() != Delimiter::Bracket,
        TokenTree::Punct(_) => false,
    };
    let operator = |token: &TokenTree| {
        "+-*/%&|^!.".chars().any(|c| is_punct(Some(token), c)) || is_word(Some(token), "as")
    };
    let call = |at: usize| match &tokens[at] {
        TokenTree::Group(g) => {
            g.delimiter() == Delimiter::Parenthesis
                && at > 0
                && matches!(tokens[at - 1], TokenTree::Ident(_))
        }
        _ => false,
    };
    let range = tokens
        .windows(2)
        .any(|p| is_punct(Some(&p[0]), '.') && is_punct(Some(&p[1]), '.'));
    let binary = !range
        && tokens.windows(2).enumerate().any(|(at, pair)| {
            operator(&pair[0]) && operand(&pair[1]) && tokens[..at].iter().any(operand)
        });
    let named = tokens.iter().any(|t| matches!(t, TokenTree::Ident(_)));
    binary
        || (0..tokens.len()).any(call)
        || BEGIN.iter().any(|word| is_word(tokens.first(), word)) && tokens.len() > 1
        || tokens.first().is_some_and(operator) && named && tokens.len() > 1
        || tokens
            .windows(2)
            .any(|p| is_punct(Some(&p[0]), ':') && is_punct(Some(&p[1]), '<'))
}
