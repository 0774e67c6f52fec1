//! Mistakes: a place in the tokens, what was found there, and what to write instead.

use core::fmt::Display;

use quote::ToTokens;

/// The mistakes of one kernel, in the sequence in which the compiler reports them.
pub(crate) type Mistakes = Vec<syn::Error>;

/// The compiler underlines from the first of the tokens to the last.
pub(crate) fn mistake(place: impl ToTokens, found: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new_spanned(place, format!("{found}\nhelp: {help}"))
}
