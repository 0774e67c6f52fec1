//! Mistakes, and how the compiler is made to report them.

pub(crate) mod kind;

use core::fmt::Display;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};

/// A range of tokens, by its ends. (Joining two spans into one needs a nightly compiler.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenRange {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl TokenRange {
    /// Where the macro was called: there are no tokens to point at.
    pub(crate) fn call() -> Self {
        Span::call_site().into()
    }

    pub(crate) fn of(token: &TokenTree) -> Self {
        match token {
            TokenTree::Group(g) => Self {
                first: g.span_open(),
                last: g.span_close(),
            },
            token => token.span().into(),
        }
    }

    /// From the first of these tokens to the last.
    pub(crate) fn of_all(tokens: &[TokenTree]) -> Self {
        match tokens {
            [] => Self::call(),
            [first, .., last] => Self::of(first).to(Self::of(last)),
            [one] => Self::of(one),
        }
    }

    pub(crate) fn to(self, other: Self) -> Self {
        Self {
            first: self.first,
            last: other.last,
        }
    }
}

impl From<Span> for TokenRange {
    fn from(span: Span) -> Self {
        Self {
            first: span,
            last: span,
        }
    }
}

/// A mistake in what a macro was given.
#[derive(Clone, Debug)]
pub(crate) struct Mistake {
    pub(crate) place: TokenRange,
    /// What was found, and behind a line's end what to write instead.
    pub(crate) message: String,
    /// Where it is in the text, so that mistakes are reported from left to right.
    pub(crate) offset: usize,
}

impl Mistake {
    pub(crate) fn new(place: TokenRange, found: impl Display, help: impl Display) -> Self {
        Self {
            place,
            message: format!("{found}\nhelp: {help}"),
            offset: 0,
        }
    }

    /// What is wrong with a part that syn read, at the place of the whole.
    pub(crate) fn of_syn(error: &syn::Error, place: TokenRange) -> Self {
        Self {
            place,
            message: error.to_string(),
            offset: 0,
        }
    }

    /// What was found, without the help.
    #[cfg(feature = "sharding")]
    pub(crate) fn found(self) -> String {
        self.message.lines().take(1).collect()
    }

    pub(crate) fn at_offset(self, offset: usize) -> Self {
        Self { offset, ..self }
    }
}

impl From<Mistake> for syn::Error {
    /// syn reports an error as the call of a macro, which the compiler underlines from the first
    /// token to the last.
    fn from(Mistake { place, message, .. }: Mistake) -> Self {
        let first = quote_spanned!(place.first=> _);
        let last = quote_spanned!(place.last=> _);
        Self::new_spanned(quote!(#first #last), message)
    }
}

/// One path, as an expression, type or pattern, that reports all of these mistakes and nothing
/// else.
///
/// Two `compile_error!` in a row parse as neither, and one alone is `()` where a type is expected,
/// which has no layout's methods and traits: the compiler would complain about that, too. A block
/// that is a const argument holds any number of them; and a type with an erroneous const in it is
/// erroneous, which answers every later question without another error.
pub(crate) fn report(
    root: &TokenStream,
    mistakes: impl IntoIterator<Item: Into<syn::Error>>,
) -> TokenStream {
    let mistakes = mistakes
        .into_iter()
        .map(|mistake| mistake.into().into_compile_error());
    quote!(#root::__private::Poison::<{ #(#mistakes)* }>)
}

/// These tokens as if they stood at a place, each still naming what it named.
pub(crate) fn located(tokens: TokenStream, place: Span) -> TokenStream {
    let mut tokens: Vec<_> = tokens.into_iter().collect();
    for token in &mut tokens {
        token.set_span(place.resolved_at(token.span()));
    }
    TokenStream::from_iter(tokens)
}
