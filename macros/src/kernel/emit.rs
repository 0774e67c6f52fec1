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
    let private = quote!(#runtime::__private);
    let known_as = match &options.name {
        Some(name) => name.value(),
        None => name.unraw().to_string(),
    };
    // The line of the name, for whoever looks for the kernel, and not that of the attribute.
    let line = quote_spanned!(name.span()=> ::core::line!());
    // Variables of the macro's own, whatever names stand in the types.
    let [frame, look, glance, body, call] = ["frame", "look", "glance", "body", "call"]
        .map(|name| Ident::new(name, Span::mixed_site()));
    // A type that is no parameter is the same error wherever it stands, which the compiler says once.
    let types: Vec<_> = parameters.iter().map(|parameter| {
        let of_type = alone(&parameter.of_type);
        quote!(<#of_type as #private::Parameter<'_>>)
    }).collect();
    let declared = parameters.iter().zip(&types).map(|(parameter, of_type)| {
        let (name, sizes) = (parameter.plain_name(), &parameter.sizes);
        quote!(#private::Declared::new(#name, &[#(#sizes),*], #of_type::KIND))
    });
    let looked = types.iter().enumerate().map(|(at, of_type)| {
        quote!(#of_type::look::<__XlayoutKernel, #at>(#glance))
    });
    let taken = types.iter().enumerate().map(|(at, of_type)| {
        // SAFETY of what is written: it was declared with the same type, and is taken here only. The
        // user's function is called outside of the block: it is no part of the promise.
        quote!(unsafe { #of_type::take(#call, &__XLAYOUT_KERNEL, #at)? })
    });
    // What is wrong with the function's answer is said where its type stands.
    let place = outcome.first().map_or(name.span(), TokenTree::span);
    let outcome = Ident::new("outcome", Span::mixed_site().located_at(place));
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
        #[allow(elided_lifetimes_in_paths, deprecated, clippy::all, clippy::pedantic)]
        const _: () = {
            enum __XlayoutKernel {}
            impl #private::Declares for __XlayoutKernel {
                const KERNEL: #private::Kernel = #private::Kernel::new(#private::Source {
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
            static __XLAYOUT_KERNEL: #private::Kernel =
                <__XlayoutKernel as #private::Declares>::KERNEL;
            unsafe extern "C" fn __xlayout_handler(
                #frame: *mut #private::CallFrame,
            ) -> *mut #private::XlaError {
                let #look = |#glance: &#private::Glance<'_, __XlayoutKernel>| {
                    true #(&& #looked)*
                };
                let #body = |#call: &#private::Call<'_>| {
                    let #outcome = #name(#(#taken),*);
                    #private::into_result(#outcome)
                };
                // SAFETY of what is written: XLA passes its frame, and both keep to the table.
                unsafe { #private::handle(#frame, &__XLAYOUT_KERNEL, #look, #body) }
            }
            #private::submit!(__XLAYOUT_KERNEL);
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
