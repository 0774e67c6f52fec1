//! What is written beside the function.

use proc_macro2::{Ident, Span, TokenStream};
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
    let [frame, body, call] =
        ["frame", "body", "call"].map(|name| Ident::new(name, Span::mixed_site()));
    let declared = parameters.iter().map(|parameter| {
        let (name, sizes) = (parameter.plain_name(), &parameter.sizes);
        let of_type = parameter.of_type.iter().cloned().collect::<TokenStream>();
        quote!(#private::Declared::of::<#of_type>(#name, &[#(#sizes),*]))
    });
    let taken = parameters.iter().enumerate().map(|(at, parameter)| {
        let of_type = parameter.of_type.iter().cloned().collect::<TokenStream>();
        // SAFETY of what is written: it was declared with the same type, and is taken here only. The
        // user's function is called outside of the block: it is no part of the promise.
        quote!(unsafe { #call.take::<#of_type>(#at)? })
    });
    quote! {
        #[allow(
            elided_lifetimes_in_paths,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::type_complexity
        )]
        #item
        #(#[#conditions])*
        #[allow(elided_lifetimes_in_paths, deprecated, clippy::all, clippy::pedantic)]
        const _: () = {
            static __XLAYOUT_KERNEL: #private::Kernel = #private::Kernel::new(#private::Source {
                name: #known_as,
                doc: #doc,
                module: ::core::module_path!(),
                file: ::core::file!(),
                line: #line,
                batch: #batch,
                parameters: &[#(#declared),*],
                handler: __xlayout_handler,
            });
            unsafe extern "C" fn __xlayout_handler(
                #frame: *mut #private::CallFrame,
            ) -> *mut #private::XlaError {
                let #body = |#call: &#private::Call<'_>| {
                    #private::into_result(#name(#(#taken),*))
                };
                // SAFETY of what is written: XLA passes its frame, and `body` keeps to the table.
                unsafe { #private::handle(#frame, &__XLAYOUT_KERNEL, #body) }
            }
            #private::submit!(__XLAYOUT_KERNEL);
        };
    }
}
