//! The sizes between the brackets: numbers are core's; constants, blocks and typenum's numbers are
//! Rust, so core reads a `1` in the place of each.

mod computed;
mod name;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{End, ParseStream, Parser};
use syn::{Lifetime, Token, braced, token};

use computed::computed;
use name::{beyond_a_name, run_time};

use crate::mistake::{Mistake, TokenRange, kind};
use crate::parse::{is_digits, is_expression, is_range, is_typenum, path, rest, take, take_to};
use crate::text::{Text, as_written, inside, is_punct, is_word, see_through};

/// The most dimensions of a layout that is a type.
const MAX_RANK: usize = xlayout_shape::INLINE_RANK;

/// A size as its tokens say it.
#[derive(Clone, Debug)]
pub(crate) enum Size {
    /// A number, `?`, or what core will refuse.
    Text(Span),
    /// `?M` or `?_`.
    Named(Ident),
    /// `2*?H`: a sum of named sizes and numbers, without `?` and spaces.
    Computed { text: String, span: Span },
    /// `N`, `path::N`, `{ N * 2 }` or `U2`: a constant, and whether `<=` comes before it.
    Const { value: TokenStream, bound: bool },
    /// `type N`: a type that is one of typenum's numbers.
    Type(TokenStream),
}

/// Reads what is between the brackets: text for core, and each size as it is to be emitted.
pub(crate) fn read(
    root: &TokenStream,
    brackets: &TokenTree,
    text: &mut Text,
    mistakes: &mut Vec<Mistake>,
) -> Vec<Size> {
    let Some(content) = inside(Some(brackets), Delimiter::Bracket) else {
        return Vec::new();
    };
    let content = see_through_sizes(content);
    let mut sizes = Vec::new();
    text.push_group(brackets, |text| {
        if numbers(&content) {
            for token in &content {
                if let TokenTree::Literal(number) = token {
                    sizes.push(Size::Text(number.span()));
                }
            }
            return text.push_tokens(&content);
        }
        let content = TokenStream::from_iter(content);
        let list = |input: ParseStream<'_>| list(root, input, text, &mut sizes, mistakes);
        if let Err(error) = list.parse2(content) {
            mistakes.push(Mistake::of_syn(&error, TokenRange::of(brackets)));
        }
    });
    if sizes.len() > MAX_RANK {
        let place = TokenRange::of(brackets);
        mistakes.push(kind::too_many(
            place,
            &MAX_RANK,
            &"dimensions",
            &sizes.len(),
        ));
    }
    sizes
}

/// Whether the sizes are numbers with commas between them, which need no reader of Rust.
fn numbers(content: &[TokenTree]) -> bool {
    for (k, token) in content.iter().enumerate() {
        let fits = match token {
            TokenTree::Literal(n) => k % 2 == 0 && is_digits(&n.to_string()),
            token => k % 2 == 1 && is_punct(Some(token), ','),
        };
        if !fits {
            return false;
        }
    }
    content.len() % 2 == 1
}

/// Sizes with commas between them; or without, which is a mistake.
fn list(
    root: &TokenStream,
    input: ParseStream<'_>,
    text: &mut Text,
    sizes: &mut Vec<Size>,
    mistakes: &mut Vec<Mistake>,
) -> syn::Result<()> {
    while !(sizes.is_empty() && input.is_empty()) {
        let entry = entry(input)?;
        let offset = text.end();
        let (size, mistake) = size(root, &entry, text);
        sizes.push(size);
        if let Some(mistake) = mistake {
            mistakes.push(mistake.at_offset(offset));
        }
        let Some((next, _)) = input.cursor().token_tree() else {
            break;
        };
        if let Some(comma) = input.parse::<Option<Token![,]>>()? {
            text.push(",", comma.span.into());
            continue;
        }
        let place = TokenRange::of_all(&entry).to(TokenRange::of(&next));
        let left = as_written(&entry);
        let right = as_written(&[next]);
        mistakes.push(kind::no_comma_between(place, &left, &right).at_offset(offset));
        text.push(",", place);
    }
    Ok(())
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
            let mut braces = Group::new(Delimiter::Brace, TokenStream::from_iter(captured));
            braces.set_span(token.span());
            flat.push(braces.into());
        } else {
            flat.extend(captured);
        }
    }
    flat
}

/// The tokens before the comma that ends a size, or before the next size where a comma is missing
/// behind a name or a block. Commas between the angle brackets of
/// `type UInt<UInt<UTerm, B1>, B0>` end none.
fn entry(input: ParseStream<'_>) -> syn::Result<Vec<TokenTree>> {
    let ahead = input.fork();
    let block = |input: ParseStream<'_>| input.peek(token::Brace);
    let whole = if block(&ahead) {
        take(&ahead, 1).is_ok()
    } else if input.peek(Token![?]) {
        run_time(&ahead).is_ok_and(|name| name.is_some())
    } else {
        path(&ahead).is_ok()
    };
    let name = ahead.peek(Ident::peek_any) && !ahead.peek(Token![as]);
    if whole && (name || block(&ahead) || ahead.cursor().literal().is_some()) {
        return take_to(input, ahead.cursor());
    }
    let is_type = input.peek(Token![type]);
    let mut depth = 0_usize;
    let mut tokens = Vec::new();
    while !(input.is_empty() || depth == 0 && input.peek(Token![,])) {
        if is_type && input.peek(Token![<]) {
            depth += 1;
        } else if input.peek(Token![>]) {
            depth = depth.saturating_sub(1);
        }
        tokens.push(input.parse()?);
    }
    Ok(tokens)
}

/// One size. What core should not see becomes `1` in its text: a size that breaks no rule of its
/// own, so that whatever else is wrong is still found.
fn size(root: &TokenStream, entry: &[TokenTree], text: &mut Text) -> (Size, Option<Mistake>) {
    let place = TokenRange::of_all(entry);
    let read = |input: ParseStream<'_>| {
        let size = in_rust(root, place, &input.fork());
        let ahead = input.fork();
        let is_computed = matches!(size, Ok(Some(Size::Computed { .. })));
        if is_computed || run_time(&ahead).is_ok() && ahead.is_empty() {
            text.push("?", place);
            rest(input)?;
        } else if let Ok(None) = size {
            push_for_core(input, text)?;
        } else {
            text.push("1", place);
            rest(input)?;
        }
        size
    };
    match read.parse2(TokenStream::from_iter(entry.to_vec())) {
        Ok(Some(size)) => (size, None),
        for_core => {
            let span = entry.last().map_or(place.first, TokenTree::span);
            let mistake = for_core.err().map(|error| Mistake::of_syn(&error, place));
            (Size::Text(span), mistake)
        }
    }
}

/// What a size means in Rust; nothing when it is for core to read. A mistake is one of the whole
/// size, at `place`.
fn in_rust(
    root: &TokenStream,
    place: TokenRange,
    input: ParseStream<'_>,
) -> syn::Result<Option<Size>> {
    let fail = |mistake: Mistake| Err(mistake.into());
    let bound = input.parse::<Option<Token![<=]>>()?.is_some();
    if input.peek(token::Brace) && input.peek2(End) {
        let block;
        braced!(block in input);
        let value: TokenStream = block.parse()?;
        if value.is_empty() {
            return fail(kind::empty_braces(place));
        }
        return Ok(Some(Size::Const { value, bound }));
    }
    if input.parse::<Option<Token![type]>>()?.is_some() {
        let number: TokenStream = input.parse()?;
        if number.is_empty() {
            return fail(kind::no_type(place));
        }
        if bound {
            return fail(kind::bound_is_type(place, &number));
        }
        if !cfg!(feature = "typenum") {
            return fail(kind::type_without_typenum(place));
        }
        return Ok(Some(Size::Type(number)));
    }
    let ahead = input.fork();
    if let Ok(name) = path(&ahead)
        && ahead.is_empty()
    {
        let value = named(root, place, &name, input.parse()?)?;
        return Ok(Some(Size::Const { value, bound }));
    }
    if input.peek(Token![?]) {
        let ahead = input.fork();
        if let Some(name) = run_time(&ahead)?
            && ahead.is_empty()
            && !bound
        {
            rest(input)?;
            return Ok(Some(Size::Named(name)));
        }
    }
    let size = rest(input)?;
    if !bound && let Some(text) = computed(&size)? {
        let span = size[0].span();
        return Ok(Some(Size::Computed { text, span }));
    }
    wrong(place, &size, bound).map_or(Ok(None), fail)
}

/// The value of a path, whose last word is `name`: of a constant, or of a number of typenum.
fn named(
    root: &TokenStream,
    place: TokenRange,
    name: &Ident,
    path: TokenStream,
) -> Result<TokenStream, Mistake> {
    let word = name.to_string();
    if word == "None" || word == "Ellipsis" {
        return Err(kind::no_size(place, name));
    }
    if path.clone().into_iter().count() == 1
        && word.starts_with(char::is_lowercase)
        && *name == name.unraw()
        && word.parse::<xlayout_shape::ElementType>().is_err()
    {
        return Err(kind::variable(place, name));
    }
    if !is_typenum(&word) {
        return Ok(path);
    }
    if !cfg!(feature = "typenum") {
        return Err(kind::number_without_typenum(place, name));
    }
    Ok(quote!(<#path as #root::__private::typenum::Unsigned>::USIZE))
}

/// The mistake that a size is, if core has no better words for it.
fn wrong(place: TokenRange, size: &[TokenTree], bound: bool) -> Option<Mistake> {
    let written = as_written(size);
    let sign = if bound { "<=" } else { "" };
    Some(match size {
        [word] if is_word(Some(word), "_") => kind::inferred(place),
        [TokenTree::Ident(name), mark] if is_punct(Some(mark), '?') => {
            kind::mark_behind_name(place, name)
        }
        [TokenTree::Ident(name), mark, ..] if is_punct(Some(mark), '?') => {
            kind::no_comma_between(place, name, &as_written(&size[1..]))
        }
        [mark, behind @ ..] if is_punct(Some(mark), '?') => {
            return beyond_a_name(place, &written, behind);
        }
        [TokenTree::Ident(name), sign, size @ ..]
            if is_punct(Some(sign), '=')
                || is_punct(Some(sign), ':')
                    && !size.is_empty()
                    && !is_punct(size.first(), ':') =>
        {
            kind::named_dimension(place, name, &as_written(size))
        }
        [TokenTree::Ident(name), open, number @ .., close]
            if is_punct(Some(open), '<') && is_punct(Some(close), '>') && !number.is_empty() =>
        {
            if *name == "Nat" {
                kind::number_as_type(place, &written, &sign, &as_written(number))
            } else {
                kind::type_as_size(place, &written)
            }
        }
        [
            TokenTree::Literal(first),
            TokenTree::Ident(times),
            rest @ ..,
        ] if !rest.is_empty() && matches!(&*times.to_string(), "x" | "X" | "by") => {
            kind::times(place, &written, first, &as_written(rest))
        }
        [word, TokenTree::Ident(name), ..] if is_word(Some(word), "const") => {
            kind::declared_in_size(place, name)
        }
        [_, _] | [_, _, _] if size.iter().all(|dot| is_punct(Some(dot), '.')) => {
            kind::no_size(place, &written)
        }
        size if is_range(size) => kind::range(place, &written),
        size if is_expression(size) => {
            let note = of_parameters(size, bound);
            if written.contains('{') {
                kind::long_expression(place, &sign, &note)
            } else {
                kind::expression(place, &written, &sign, &note)
            }
        }
        _ => return None,
    })
}

/// What else to say of an expression that may have a parameter of the item around it in it.
fn of_parameters(size: &[TokenTree], bound: bool) -> &'static str {
    let name = |token: &TokenTree| match token {
        TokenTree::Ident(name) => name
            .to_string()
            .chars()
            .all(|c| c.is_uppercase() || c == '_'),
        _ => false,
    };
    match (size.iter().any(name), bound) {
        (false, _) => "",
        (true, true) => kind::OF_PARAMETERS_IN_BOUND,
        (true, false) => kind::OF_PARAMETERS,
    }
}

/// Adds what core will refuse, each name as `1`: core knows no names, and something else is wrong.
fn push_for_core(input: ParseStream<'_>, text: &mut Text) -> syn::Result<()> {
    while !input.is_empty() {
        let ahead = input.fork();
        let named = input.fork();
        if path(&ahead).is_ok() {
            let name = take_to(input, ahead.cursor())?;
            text.push("1", TokenRange::of_all(&name));
            continue;
        }
        if let Ok(Some(_)) = run_time(&named) {
            let size = take_to(input, named.cursor())?;
            text.push("?", TokenRange::of_all(&size));
            continue;
        }
        // A sign goes with what follows it: whether it belongs to a number is seen there. So does
        // the quote of a lifetime.
        let sign = (input.peek(Token![-]) || input.peek(Token![.])) && !input.peek2(End);
        let count = if sign || input.peek(Lifetime) { 2 } else { 1 };
        let tokens: Vec<_> = take(input, count)?.into_iter().collect();
        text.push_tokens(&tokens);
    }
    Ok(())
}
