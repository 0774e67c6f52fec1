//! The macros of [xlayout](https://docs.rs/xlayout); use them through that crate.
//!
//! `text` joins the tokens to text and keeps a map back to them. `xlayout-shape` reads and checks
//! the text, as at run time. `emit` writes one path, or `mistake` reports all mistakes, each at its
//! tokens. The words for what is wrong are one table, `mistake::kind`. This crate itself reads only
//! what is Rust and not XLA's text, with the parser of `parse`: sizes that are constants (`sizes`),
//! declarations (`items`, with documentation by `describe`), arms (`arms`), and what a sharding
//! leaves to each device (`sharding`).

mod arms;
mod array;
mod describe;
mod emit;
mod items;
mod mistake;
mod parse;
mod path;
mod read;
mod sharding;
mod sizes;
#[cfg(test)]
mod tests;
mod text;

use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream};

use mistake::{TokenRange, kind};

/// What `xlayout::layout!` passes its tokens to, behind `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn layout_impl(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let Call { root, tokens } = syn::parse_macro_input!(input as Call);
    layout(&root, tokens).into()
}

/// What `xlayout::specialize!` passes its tokens to, behind `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn specialize_impl(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let Call { root, tokens } = syn::parse_macro_input!(input as Call);
    let arms = arms::expand(&root, &tokens);
    arms.unwrap_or_else(|mistakes| mistake::report(&root, mistakes))
        .into()
}

/// What `xlayout::index!` passes a name and coordinates to, behind `[$crate]`.
#[doc(hidden)]
#[proc_macro]
pub fn index_impl(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let Call { root, tokens } = syn::parse_macro_input!(input as Call);
    index(&root, &tokens).into()
}

/// What a macro is given: the facade's own name in brackets, `[$crate]`, which is right under any
/// name that a user gives to the crate; then what the user wrote.
struct Call {
    root: TokenStream,
    tokens: Vec<TokenTree>,
}

impl Parse for Call {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let root;
        syn::bracketed!(root in input);
        Ok(Self {
            root: root.parse()?,
            tokens: text::see_through(parse::rest(input)?),
        })
    }
}

/// `layout!`: a declaration when it begins like one, else one path that is a type and a value.
fn layout(root: &TokenStream, tokens: Vec<TokenTree>) -> TokenStream {
    if items::begins(&tokens) {
        return items::expand(root, &tokens);
    }
    match read::read(root, &tokens) {
        Ok(array) => emit::path(root, &array),
        Err(mistakes) => mistake::report(root, mistakes),
    }
}

/// `index!` with a name before the brackets: the name of a type, which begins with a capital
/// letter, or else of a value, which `index!` does not take.
fn index(root: &TokenStream, tokens: &[TokenTree]) -> TokenStream {
    let [name, coordinates] = tokens else {
        unreachable!("`index!` passes a name and coordinates");
    };
    if name.to_string().starts_with(char::is_lowercase) {
        let written = text::as_written(tokens);
        let inside = written.trim_start_matches(&name.to_string());
        let mistake = kind::index_of_value(TokenRange::of(name), name, &inside);
        return syn::Error::from(mistake).into_compile_error();
    }
    if let TokenTree::Group(list) = coordinates {
        let list = text::see_through(list.stream());
        let mut written = list.split(|token| text::is_punct(Some(token), ','));
        let is_variable = |token: &TokenTree| token.to_string().starts_with(char::is_lowercase);
        if let Some([name]) =
            written.find(|index| matches!(index, [name @ TokenTree::Ident(_)] if is_variable(name)))
        {
            let written = text::as_written(&tokens[1..]);
            let mistake = kind::variable_in_index(TokenRange::of(name), name, &written);
            return syn::Error::from(mistake).into_compile_error();
        }
    }
    quote::quote!(const { #root::Index::<#name>::at(#coordinates) })
}
