//! Tests of what the macros emit and say, on every compiler: no rustc is asked.

mod agreement;
mod emission;
mod messages;
mod rubbish;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};

use crate::{layout, text};

/// What `layout!` with these tokens becomes.
fn expand(source: &str) -> TokenStream {
    layout(&root(), tokens(source))
}

/// `$crate`, as a name that Rust can read.
fn root() -> TokenStream {
    TokenTree::from(Ident::new("xl", Span::call_site())).into()
}

fn tokens(source: &str) -> Vec<TokenTree> {
    let tokens: TokenStream = source.parse().unwrap_or_else(|e| panic!("{source}: {e}"));
    text::see_through(tokens)
}
