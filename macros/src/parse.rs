//! Pieces of Rust around a layout, read with syn.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::Token;
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::ParseStream;

use crate::text::{inside, is_punct, is_word};

/// The next tokens.
pub(crate) fn take(input: ParseStream<'_>, count: usize) -> syn::Result<TokenStream> {
    let mut tokens = Vec::new();
    for _ in 0..count {
        tokens.push(input.parse::<TokenTree>()?);
    }
    Ok(TokenStream::from_iter(tokens))
}

/// All tokens before the end.
pub(crate) fn take_to(input: ParseStream<'_>, end: Cursor<'_>) -> syn::Result<Vec<TokenTree>> {
    let mut tokens = Vec::new();
    while input.cursor() != end {
        tokens.push(input.parse()?);
    }
    Ok(tokens)
}

/// All tokens that are left.
pub(crate) fn rest(input: ParseStream<'_>) -> syn::Result<Vec<TokenTree>> {
    Ok(input.parse::<TokenStream>()?.into_iter().collect())
}

/// Reads as much as there is of `N`, `a::N`, `::a::N`, `crate::N`; what comes out is the last name.
pub(crate) fn path(input: ParseStream<'_>) -> syn::Result<Ident> {
    input.parse::<Option<Token![::]>>()?;
    let mut name = segment(input)?;
    loop {
        let ahead = input.fork();
        if ahead.parse::<Token![::]>().is_err() || segment(&ahead).is_err() {
            return Ok(name);
        }
        input.parse::<Token![::]>()?;
        name = segment(input)?;
    }
}

/// A name, or a word that means a module or a type.
fn segment(input: ParseStream<'_>) -> syn::Result<Ident> {
    let module = input.peek(Token![crate]) || input.peek(Token![super]);
    if module || input.peek(Token![self]) || input.peek(Token![Self]) {
        input.call(Ident::parse_any)
    } else {
        input.parse()
    }
}

/// typenum calls its numbers `U0`, `U1`, …
pub(crate) fn is_typenum(name: &str) -> bool {
    let digits = name.strip_prefix('U').unwrap_or_default();
    !digits.is_empty() && is_digits(digits)
}

/// Whether all of a text is decimal digits.
pub(crate) fn is_digits(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

/// Whether tokens look like something to be computed: `2+1`, `N * 2`, `size_of::<T>()`, `f(3)`,
/// `N as usize`, `if …`. A negative number does not.
pub(crate) fn is_expression(tokens: &[TokenTree]) -> bool {
    let operand = |token: &TokenTree| match token {
        TokenTree::Literal(_) | TokenTree::Ident(_) => true,
        TokenTree::Group(g) => g.delimiter() != Delimiter::Bracket,
        TokenTree::Punct(_) => false,
    };
    let operator = |token: &TokenTree| match token {
        TokenTree::Punct(p) => "+-*/%&|^!.".contains(p.as_char()),
        token => is_word(Some(token), "as"),
    };
    let Some(first) = tokens.first() else {
        return false;
    };
    let mut operands = false;
    let mut binary = false;
    let mut shift = false;
    let mut named = false;
    let mut call = false;
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        let name = matches!(token, TokenTree::Ident(_));
        let pair = |a, b| is_punct(Some(token), a) && is_punct(next, b);
        binary |= operands && operator(token) && next.is_some_and(operand);
        operands |= operand(token);
        shift |= pair('<', '<') || pair('>', '>');
        named |= name;
        call |= name && inside(next, Delimiter::Parenthesis).is_some() || pair(':', '<');
    }
    let begins = match first {
        TokenTree::Ident(word) => {
            let word = word.to_string();
            matches!(&*word, "as" | "if" | "match" | "unsafe" | "loop" | "const")
        }
        first => named && operator(first),
    };
    binary && !is_range(tokens) || call || shift && operand(first) || begins && tokens.len() > 1
}

/// `0..3`, `1..=N`, `..`.
pub(crate) fn is_range(tokens: &[TokenTree]) -> bool {
    let dots = |pair: &[TokenTree]| is_punct(pair.first(), '.') && is_punct(pair.last(), '.');
    tokens.windows(2).any(dots)
}
