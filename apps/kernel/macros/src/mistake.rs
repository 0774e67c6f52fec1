//! Mistakes: a place in the tokens, what was found there, and what to write instead.

use core::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Token;
use syn::parse::{Parse, Parser};
use syn::punctuated::Punctuated;

use crate::tokens::as_written;

/// The mistakes of one kernel, in the sequence in which the compiler reports them.
pub(crate) type Mistakes = Vec<syn::Error>;

/// The compiler underlines from the first of the tokens to the last.
pub(crate) fn mistake(place: impl ToTokens, found: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new_spanned(place, format!("{found}\nhelp: {help}"))
}

/// The parts of a list with commas. `what` says what a part is, `help` how they are written.
pub(crate) fn list<T: Parse>(
    tokens: TokenStream,
    what: &str,
    help: &str,
) -> syn::Result<Punctuated<T, Token![,]>> {
    let parts = Punctuated::parse_terminated.parse2(tokens.clone());
    parts.map_err(|_| {
        let found = format!("expected {what}, found `{}`", as_written(&tokens));
        mistake(tokens, found, help)
    })
}
