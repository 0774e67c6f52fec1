//! Tests of what the macros emit and say, on every compiler: no rustc is asked.

mod agreement;
mod emission;
mod kernel_emission;
mod messages;
mod rubbish;

use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

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

/// `#[kernel(options)] item` as the two parts that the attribute is given.
fn kernel(source: &str) -> (TokenStream, TokenStream) {
    let mut tokens = tokens(source).into_iter();
    let attribute = tokens.nth(1);
    let attribute = text::inside(attribute.as_ref(), Delimiter::Bracket).expect("an attribute");
    let options = attribute.into_iter().nth(1);
    let options = text::inside(options.as_ref(), Delimiter::Parenthesis);
    (options.unwrap_or_default(), tokens.collect())
}
