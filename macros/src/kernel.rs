//! `#[kernel]`: a function that XLA calls, and beside it what XLA needs to call it.
//!
//! The function is not changed. Five modules read it: `function` its signature, as far as a kernel may have
//! it, `parameter` its parameters, `outcome` what it returns, `layout` the layouts that tokens show, and
//! `options` the options of the attribute. `emit` writes names of types of the crate `xlayout-kernel`, which
//! checks them.
//! The function is written once more for each set of instructions (`copies`) and for each combination
//! of layouts (`also`).

mod also;
mod copies;
mod emit;
mod function;
mod layout;
mod options;
mod outcome;
mod parameter;

use core::iter;

use proc_macro2::TokenStream;
use quote::quote;

use crate::mistake::Mistake;
use crate::text::see_through;

/// The function and its table; or the function and all mistakes, so that its uses are not errors.
pub(crate) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let mut mistakes = Vec::new();
    let options = options::read(&see_through(options), &mut mistakes);
    let combinations = also::read(see_through(item.clone()), &mut mistakes);
    let tokens = &combinations.functions[0];
    let function = function::read(tokens, &mut mistakes);
    let several = combinations.functions.len() > 1;
    if let (true, Some(function)) = (several || !options.baseline, &function) {
        copies::refuse(tokens, function, several, &mut mistakes);
    }
    let mut others = Vec::new();
    for tokens in &combinations.functions[1..] {
        // What is wrong now is in a layout that `also` names. One combination says it.
        if mistakes.is_empty() {
            others.push(function::read(tokens, &mut mistakes));
        }
    }
    match function {
        Some(function) if mistakes.is_empty() => {
            let functions = iter::once(function).chain(others.into_iter().flatten());
            emit::write(&options, functions, &combinations)
        }
        function => {
            let item = function.map_or_else(|| item.clone(), |function| function.repaired);
            let mistakes = mistakes.into_iter().map(syn::Error::from);
            let mistakes = mistakes.map(syn::Error::into_compile_error);
            quote!(#(#mistakes)* #[allow(unused, elided_lifetimes_in_paths)] #item)
        }
    }
}

/// The error for the attribute on anything but a function.
const EXAMPLE: &str = "write it on a function: `fn double(x: In<layout!(f32[?])>, mut y: Out<layout!(f32[?])>) { … }`";

/// The mistakes of one kernel, from the first token to the last.
type Mistakes = Vec<Mistake>;
