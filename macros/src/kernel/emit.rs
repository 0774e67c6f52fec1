//! What is written beside the function.

use proc_macro2::{Ident, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

use super::also::Combinations;
use super::copies;
use super::function::Function;
use super::options::Options;

/// The function as it was, and for each combination of layouts what XLA calls.
pub(super) fn write(
    options: &Options,
    functions: impl Iterator<Item = Function>,
    combinations: &Combinations,
) -> TokenStream {
    let item = &combinations.functions[0];
    let kernels = functions
        .enumerate()
        .map(|(number, function)| kernel(options, &function, combinations, number));
    let kernels: Vec<_> = kernels.collect();
    quote! {
        #[allow(
            elided_lifetimes_in_paths,
            clippy::needless_pass_by_value,
            clippy::too_many_arguments,
            clippy::type_complexity,
            clippy::unnecessary_wraps
        )]
        #(#item)*
        #(#kernels)*
    }
}

/// A constant without a name, that holds the kernel's table and what XLA calls. Items have no
/// hygiene: their names are such as no type of a parameter has.
///
/// XLA calls the handler for one set of instructions. The handler calls a function with the features of
/// the set, and the copy of the user's function is inlined into that one. The copy itself has no
/// features: its closures would have them, too, and the compiler does not inline such a closure into
/// a function without features, as those of `Iterator`. An indexed sum was 26 times slower so.
fn kernel(
    options: &Options,
    function: &Function,
    combinations: &Combinations,
    number: usize,
) -> TokenStream {
    let (tokens, others) = (
        &combinations.functions[number],
        &combinations.others[number],
    );
    let Function {
        name,
        doc,
        conditions,
        parameters,
        outcome,
        ..
    } = function;
    let Options {
        batch,
        runtime,
        independent,
        vjp,
        ..
    } = options;
    let known_as = match &options.name {
        Some(name) => name.value(),
        None => name.unraw().to_string(),
    };
    // The line of the kernel's name, not that of the attribute.
    let line = quote_spanned!(name.span()=> ::core::line!());
    // Variables of the macro's own, whatever names are in the types.
    let own = |name: &str, place: Span| Ident::new(name, Span::mixed_site().located_at(place));
    let [frame, fast_check, call] =
        ["frame", "fast_check", "call"].map(|word| own(word, name.span()));
    // What is wrong with a type is said where it is, by the same path in all three places, so that
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
    let declared = parameters
        .iter()
        .zip(&typed)
        .enumerate()
        .map(|(at, (parameter, typed))| {
            let name = parameter.plain_name();
            let (place, path) = typed;
            // The other layouts of the parameter, with which this one is compared.
            let others = others.iter().find(|(number, _)| *number == at);
            let others = others
                .map_or(&[][..], |(_, types)| types)
                .iter()
                .map(|of_type| {
                    quote_spanned! {Span::call_site().located_at(*place)=>
                        .apart_from(&<#of_type as __xlayout::Parameter<'_>>::KIND)
                    }
                });
            quote_spanned! {Span::call_site().located_at(*place)=>
                __xlayout::Declared::new(#name, #path::KIND) #(#others)*
            }
        });
    let count = combinations.functions.len();
    let combination = (count > 1).then(|| quote!(.combination(#number, #count)));
    let all_pass = typed.iter().enumerate().map(|(at, (place, path))| {
        let fast_check = own("fast_check", *place);
        quote_spanned! {Span::call_site().located_at(*place)=>
            #path::passes::<__XlayoutKernel, #at>(#fast_check)
        }
    });
    let taken: Vec<_> = typed
        .iter()
        .enumerate()
        .map(|(at, (place, path))| {
            let call = own("call", *place);
            quote_spanned! {Span::call_site().located_at(*place)=>
                // SAFETY: the parameter was declared with the same type. It is taken here only, after
                // those of smaller numbers.
                unsafe { #path::take(#call, &__XLAYOUT_KERNEL, #at)? }
            }
        })
        .collect();
    // What is wrong with the function's answer is said where its type is.
    let place = outcome.first().map_or(name.span(), TokenTree::span);
    let outcome = own("outcome", place);
    let all_pass: Vec<_> = all_pass.collect();
    let arguments: Vec<_> = (typed.iter().enumerate())
        .map(|(at, (place, _))| own(&format!("__xlayout_argument_{at}"), *place))
        .collect();
    let types: Vec<_> = (parameters.iter())
        .map(|parameter| alone(&parameter.of_type))
        .collect();
    let returned = &function.outcome;
    let arrow = (!returned.is_empty()).then(|| quote!(-> #(#returned)*));
    // The handler, the level and the features that it is for, and the function that it calls.
    let handler = |handler: &str, level: Option<(&str, &str)>| {
        let handler = Ident::new(handler, Span::call_site());
        // The copy has the function's name, which may be that of a variable here. So it is in a block
        // of its own.
        let copy = || {
            let copy = copies::copy(tokens, function);
            quote! {
                #[allow(
                    warnings,
                    clippy::all,
                    clippy::pedantic,
                    clippy::nursery,
                    clippy::restriction
                )]
                #[inline(always)]
                #copy
            }
        };
        let called = match level {
            None if number == 0 => quote!(#name(#(#arguments),*)),
            // The user's function has the first combination of layouts.
            None => {
                let copy = copy();
                quote! {{
                    #[allow(dead_code)]
                    const __XLAYOUT_LEVEL: __xlayout::Baseline = __xlayout::Baseline;
                    #copy
                    #name(#(#arguments),*)
                }}
            }
            Some((level, features)) => {
                let (level, copy) = (Ident::new(level, Span::call_site()), copy());
                quote! {{
                    #[allow(dead_code)]
                    // SAFETY: the description names the handler only where the processor has these
                    // features (`Isa::is_here`).
                    const __XLAYOUT_LEVEL: __xlayout::#level = unsafe { __xlayout::#level::new() };
                    #copy
                    #[target_feature(enable = #features)]
                    fn __xlayout_with_features(#(#arguments: #types),*) #arrow {
                        #name(#(#arguments),*)
                    }
                    // SAFETY: as above.
                    unsafe { __xlayout_with_features(#(#arguments),*) }
                }}
            }
        };
        quote! {
            unsafe extern "C" fn #handler(
                #frame: *mut __xlayout::CallFrame,
            ) -> *mut __xlayout::XlaError {
                enum __XlayoutRun {}
                impl __xlayout::Runs for __XlayoutRun {
                    #[inline(always)]
                    fn run(#call: &__xlayout::Call<'_>) -> __xlayout::Result<()> {
                        #(let #arguments = #taken;)*
                        #call.caught(move || {
                            let #outcome = #called;
                            __xlayout::into_result(#outcome)
                        })
                    }
                }
                // SAFETY of what is written: XLA passes its frame, and both keep to the table.
                unsafe { __xlayout::handle::<__XlayoutKernel, __XlayoutRun>(#frame, &__XLAYOUT_KERNEL) }
            }
        }
    };
    let baseline = handler("__xlayout_handler", None);
    let handlers = match options.baseline {
        true => quote!(__xlayout::Handlers::baseline(__xlayout_handler)),
        false => {
            let v3 = handler("__xlayout_handler_v3", Some(("V3", copies::V3)));
            let v4 = handler("__xlayout_handler_v4", Some(("V4", copies::V4)));
            quote! {
                __xlayout::Handlers {
                    baseline: __xlayout_handler,
                    v3: __xlayout::if_v3!({
                        #v3
                        ::core::option::Option::Some(__xlayout_handler_v3)
                    }),
                    v4: __xlayout::if_v4!({
                        #v4
                        ::core::option::Option::Some(__xlayout_handler_v4)
                    }),
                }
            }
        }
    };
    quote! {
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
                    independent: &[#(&[#(&[#(#independent),*]),*]),*],
                    vjp: #vjp,
                    handlers: #handlers,
                }) #combination;
                #[inline(always)]
                fn passes(#fast_check: &__xlayout::FastCheck<'_, Self>) -> bool {
                    true #(&& #all_pass)*
                }
            }
            static __XLAYOUT_KERNEL: __xlayout::Kernel =
                <__XlayoutKernel as __xlayout::Declares>::KERNEL;
            #baseline
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
