//! Pieces of Rust around a layout, read with syn.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::Token;
use syn::buffer::Cursor;
use syn::ext::IdentExt;
use syn::parse::ParseStream;

use crate::text::{is_punct, is_word};

/// The next tokens.
pub(crate) fn take(input: ParseStream<'_>, count: usize) -> syn::Result<TokenStream> {
    let mut tokens = Vec::new();
    for _ in 0..count {
        tokens.push(input.parse::<TokenTree>()?);
    }
    Ok(tokens.into_iter().collect())
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
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether tokens look like something to be computed: `2+1`, `N * 2`, `size_of::<T>()`, `f(3)`,
/// `N as usize`, `if …`. A negative number does not.
pub(crate) fn is_expression(tokens: &[TokenTree]) -> bool {
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
    let shift = tokens.windows(2).any(|p| {
        ['<', '>']
            .iter()
            .any(|&c| p.iter().all(|t| is_punct(Some(t), c)))
    });
    let binary = !is_range(tokens)
        && tokens.windows(2).enumerate().any(|(at, pair)| {
            operator(&pair[0]) && operand(&pair[1]) && tokens[..at].iter().any(operand)
        });
    let named = tokens.iter().any(|t| matches!(t, TokenTree::Ident(_)));
    binary
        || shift && tokens.first().is_some_and(operand)
        || (0..tokens.len()).any(call)
        || BEGIN.iter().any(|word| is_word(tokens.first(), word)) && tokens.len() > 1
        || tokens.first().is_some_and(operator) && named && tokens.len() > 1
        || tokens
            .windows(2)
            .any(|p| is_punct(Some(&p[0]), ':') && is_punct(Some(&p[1]), '<'))
}

/// `0..3`, `1..=N`, `..`.
pub(crate) fn is_range(tokens: &[TokenTree]) -> bool {
    let dots = |pair: &[TokenTree]| pair.iter().all(|token| is_punct(Some(token), '.'));
    tokens.windows(2).any(dots)
}
