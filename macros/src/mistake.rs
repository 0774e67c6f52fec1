//! Mistakes, and how the compiler is made to report them.

use core::fmt::Display;

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

/// A range of tokens, by its ends. (Joining two spans into one needs a nightly compiler.)
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) first: Span,
    pub(crate) last: Span,
}

impl Place {
    /// Where the macro was called: there are no tokens to point at.
    pub(crate) fn call() -> Self {
        Self {
            first: Span::call_site(),
            last: Span::call_site(),
        }
    }

    pub(crate) fn of(token: &TokenTree) -> Self {
        match token {
            TokenTree::Group(g) => Self {
                first: g.span_open(),
                last: g.span_close(),
            },
            token => Self {
                first: token.span(),
                last: token.span(),
            },
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

/// A mistake in what a macro was given.
#[derive(Debug)]
pub(crate) struct Mistake {
    pub(crate) place: Place,
    /// What was found, and behind a line's end what to write instead.
    pub(crate) message: String,
    /// Where it stands in the text, so that mistakes are reported from left to right.
    pub(crate) offset: usize,
}

impl Mistake {
    pub(crate) fn new(place: Place, found: impl Display, help: impl Display) -> Self {
        Self {
            place,
            message: format!("{found}\nhelp: {help}"),
            offset: 0,
        }
    }

    pub(crate) fn at_offset(self, offset: usize) -> Self {
        Self { offset, ..self }
    }

    /// `::core::compile_error! { "message" }`, underlined from the first token to the last: the
    /// compiler reports a macro call from the beginning of its path to the end of its braces.
    fn compile_error(&self) -> TokenStream {
        let Place { first, last } = self.place;
        let colon = |spacing| {
            let mut colon = Punct::new(':', spacing);
            colon.set_span(first);
            TokenTree::from(colon)
        };
        let mut bang = Punct::new('!', Spacing::Alone);
        bang.set_span(first);
        let mut message = Literal::string(&self.message);
        message.set_span(last);
        let mut braces = Group::new(Delimiter::Brace, TokenTree::from(message).into());
        braces.set_span(last);
        TokenStream::from_iter([
            colon(Spacing::Joint),
            colon(Spacing::Alone),
            Ident::new("core", first).into(),
            colon(Spacing::Joint),
            colon(Spacing::Alone),
            Ident::new("compile_error", first).into(),
            bang.into(),
            braces.into(),
        ])
    }
}

/// One path, as an expression, type or pattern, that reports all of these mistakes and nothing else.
///
/// Two `compile_error!` in a row parse as neither, and one alone is `()` where a type is expected,
/// which has no layout's methods and traits: the compiler would complain about that, too. A block
/// that is a const argument holds any number of them; and a type with an erroneous const in it is
/// erroneous, which answers every later question without another error.
pub(crate) fn report(root: &TokenStream, mut mistakes: Vec<Mistake>) -> TokenStream {
    mistakes.sort_by_key(|mistake| mistake.offset);
    let mistakes = report_items(&mistakes);
    quote!(#root::__private::Poison::<{ #mistakes }>)
}

/// These mistakes in a row, where items or statements are expected.
pub(crate) fn report_items(mistakes: &[Mistake]) -> TokenStream {
    mistakes.iter().map(Mistake::compile_error).collect()
}

/// These tokens as if they stood at a place, each still naming what it named.
pub(crate) fn located(tokens: TokenStream, place: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            token.set_span(place.resolved_at(token.span()));
            token
        })
        .collect()
}
