//! `#[kernel]`: a function that XLA calls, and beside it what XLA needs to call it.
//!
//! The function is not changed. Five modules read it: `function` its signature, as far as a kernel may have
//! it, `parameter` its parameters, `outcome` what it returns, `layout` the layouts that tokens show, and
//! `options` the options of the attribute. `emit` writes names of types of the crate `xlayout-kernel`, which
//! checks them.
//! The function is written once more for each set of instructions (`copies`), for each combination
//! of layouts (`also`), and for each element type (`types`).

mod also;
mod copies;
mod emit;
mod function;
mod layout;
mod options;
mod outcome;
mod parameter;
mod types;

use core::iter;

use proc_macro2::TokenStream;
use quote::quote;

use crate::mistake::Mistake;
use crate::text::see_through;

/// The function and its table; or the function and all mistakes, so that its uses are not errors.
pub(crate) fn expand(options: TokenStream, item: &TokenStream) -> TokenStream {
    let mut mistakes = Vec::new();
    let options = options::read(&see_through(options), &mut mistakes);
    let tokens = see_through(item.clone());
    let mut of_types: Vec<_> = match &options.types {
        Some(types) => types.each(&tokens, &options.runtime).collect(),
        None => vec![tokens],
    };
    let mut combinations = also::read(of_types.remove(0), &mut mistakes);
    for tokens in of_types {
        // What is wrong with the first one is said once.
        let others = also::read(tokens, &mut Vec::new());
        combinations.functions.extend(others.functions);
        combinations.others.extend(others.others);
    }
    let tokens = &combinations.functions[0];
    let function = function::read(tokens, &mut mistakes);
    let several = combinations.functions.len() > 1;
    if let (true, Some(function)) = (several || !options.baseline, &function) {
        let several = several.then_some(match options.types {
            Some(_) => "types",
            None => "layouts",
        });
        copies::refuse(tokens, function, several, &mut mistakes);
    }
    let mut others = Vec::new();
    for tokens in &combinations.functions[1..] {
        // What is wrong now is in a layout that `also` names. One combination says it.
        if mistakes.is_empty() {
            others.push(function::read(tokens, &mut mistakes));
        }
    }
    if let (Some(types), Some(first), Some(Some(last))) = (&options.types, &function, others.last())
    {
        mistakes.extend(types.refuse(first, last));
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
