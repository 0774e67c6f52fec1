//! What is written beside the function.

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

use super::function::Function;
use super::options::Options;

/// The function as it was, and a constant without a name, in which its table stands and what XLA
/// calls. Items have no hygiene: their names are such as no type of a parameter has.
pub(super) fn write(options: &Options, function: &Function, item: &TokenStream) -> TokenStream {
    let Function {
        name,
        doc,
        conditions,
        parameters,
        outcome,
        ..
    } = function;
    let Options { batch, runtime, .. } = options;
    let known_as = match &options.name {
        Some(name) => name.value(),
        None => name.unraw().to_string(),
    };
    // The line of the kernel's name, not that of the attribute.
    let line = quote_spanned!(name.span()=> ::core::line!());
    // Variables of the macro's own, whatever names stand in the types.
    let own = |name, place| Ident::new(name, Span::mixed_site().located_at(place));
    let [frame, passes, fast_check, body, call] =
        ["frame", "passes", "fast_check", "body", "call"].map(|word| own(word, name.span()));
    // What is wrong with a type is said where it stands, by the same path in all three places, so that
    // it is one mistake to the compiler.
    let typed: Vec<_> = parameters
        .iter()
        .map(|parameter| {
            let place = parameter
                .of_type
                .first()
                .map_or(name.span(), TokenTree::span);
            let of_type = alone(&parameter.of_type);
            let path = quote_spanned! {Span::call_site().located_at(place)=>
                <#of_type as __xlayout::Parameter<'_>>
            };
            (place, path)
        })
        .collect();
    let declared = parameters.iter().zip(&typed).map(|(parameter, typed)| {
        let name = parameter.plain_name();
        let (place, path) = typed;
        quote_spanned! {Span::call_site().located_at(*place)=>
            __xlayout::Declared::new(#name, #path::KIND)
        }
    });
    let all_pass = typed.iter().enumerate().map(|(at, (place, path))| {
        let fast_check = own("fast_check", *place);
        quote_spanned! {Span::call_site().located_at(*place)=>
            #path::passes::<__XlayoutKernel, #at>(#fast_check)
        }
    });
    let taken = typed.iter().enumerate().map(|(at, (place, path))| {
        let call = own("call", *place);
        // SAFETY of what is written: it was declared with the same type, and is taken here only. The
        // user's function is called outside of the block: it is no part of the promise.
        quote_spanned! {Span::call_site().located_at(*place)=>
            unsafe { #path::take(#call, &__XLAYOUT_KERNEL, #at)? }
        }
    });
    // What is wrong with the function's answer is said where its type stands.
    let place = outcome.first().map_or(name.span(), TokenTree::span);
    let outcome = own("outcome", place);
    quote! {
        #[allow(
            elided_lifetimes_in_paths,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::type_complexity,
            clippy::unnecessary_wraps
        )]
        #item
        #(#[#conditions])*
        #[allow(
            elided_lifetimes_in_paths,
            deprecated,
            clippy::all,
            clippy::pedantic,
            clippy::nursery,
            clippy::restriction
        )]
        const _: () = {
            use #runtime::__private as __xlayout;
            enum __XlayoutKernel {}
            impl __xlayout::Declares for __XlayoutKernel {
                const KERNEL: __xlayout::Kernel = __xlayout::Kernel::new(__xlayout::Source {
                    name: #known_as,
                    doc: #doc,
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    line: #line,
                    batch: #batch,
                    parameters: &[#(#declared),*],
                    handler: __xlayout_handler,
                });
            }
            static __XLAYOUT_KERNEL: __xlayout::Kernel =
                <__XlayoutKernel as __xlayout::Declares>::KERNEL;
            unsafe extern "C" fn __xlayout_handler(
                #frame: *mut __xlayout::CallFrame,
            ) -> *mut __xlayout::XlaError {
                // Closures and no pointers to functions, so that the compiler sees through them.
                let #passes = |#fast_check: &__xlayout::FastCheck<'_, __XlayoutKernel>| {
                    true #(&& #all_pass)*
                };
                let #body = |#call: &__xlayout::Call<'_>| {
                    let #outcome = #name(#(#taken),*);
                    __xlayout::into_result(#outcome)
                };
                // SAFETY of what is written: XLA passes its frame, and both keep to the table.
                unsafe { __xlayout::handle(#frame, &__XLAYOUT_KERNEL, #passes, #body) }
            }
            __xlayout::submit!(__XLAYOUT_KERNEL);
        };
    }
}

/// A type whose last `>` is no part of a `>>` with what follows: the compiler would lose its place.
fn alone(of_type: &[TokenTree]) -> TokenStream {
    let mut tokens = of_type.to_vec();
    if let Some(TokenTree::Punct(last)) = tokens.last_mut() {
        let span = last.span();
        *last = Punct::new(last.as_char(), Spacing::Alone);
        last.set_span(span);
    }
    tokens.into_iter().collect()
}
