//! The attribute macro of [xlayout-kernel](https://docs.rs/xlayout-kernel). Use it through that
//! crate.
//!
//! `function` reads the function with syn, `parameter` and `outcome` its types, `also` further
//! layouts of a parameter, `layout` the layouts that tokens show, and `options` the options of the
//! attribute. `emit` writes names of types of the crate `xlayout-kernel`, which checks them.
//! The function is not changed. It is written once more for each set of instructions (`copies`),
//! for each combination of layouts, and for each element type (`types`).

mod also;
mod copies;
mod emit;
mod function;
mod layout;
mod mistake;
mod options;
mod outcome;
mod parameter;
mod path;
#[cfg(test)]
mod tests;
mod tokens;
mod types;

use proc_macro2::TokenStream;
use quote::quote;

use function::Function;
use tokens::see_through;

// Documented where it is exported, in `xlayout-kernel`.
#[allow(missing_docs)]
#[proc_macro_attribute]
pub fn kernel(
    options: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
) -> proc_macro::TokenStream {
    expand(options.into(), item.into()).into()
}

/// The function and its table; or the function and all mistakes, so that its uses are not errors.
fn expand(options: TokenStream, item: TokenStream) -> TokenStream {
    let mut mistakes = Vec::new();
    let options = options::read(options, &mut mistakes);
    let item = see_through(item);
    let of_types = match &options.types {
        Some(types) => types.each(&item, &options.runtime),
        None => vec![item.clone()],
    };
    let mut functions = Vec::new();
    for (number, tokens) in of_types.into_iter().enumerate() {
        // What is wrong with the first one is said once.
        if number == 0 || mistakes.is_empty() {
            match function::read(tokens, &mut mistakes) {
                Ok(function) => functions.push(function),
                Err(found) => mistakes.push(found),
            }
        }
    }
    let combinations: Vec<_> = functions.iter().flat_map(Function::combinations).collect();
    let several = match &options.types {
        _ if combinations.len() == 1 => None,
        Some(_) => Some("types"),
        None => Some("layouts"),
    };
    if several.is_some() || !options.baseline {
        let first = functions.first();
        mistakes.extend(first.and_then(|first| copies::refuse(first, several)));
    }
    if mistakes.is_empty()
        && let Some(types) = &options.types
    {
        mistakes.extend(types.refuse(&functions));
    }
    if mistakes.is_empty() {
        return emit::write(&options, &combinations);
    }
    let item = functions.first().map_or(item, Function::written);
    let mistakes = mistakes.iter().map(syn::Error::to_compile_error);
    quote!(#(#mistakes)* #[allow(unused, elided_lifetimes_in_paths)] #item)
}
