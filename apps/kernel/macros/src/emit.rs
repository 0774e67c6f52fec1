//! What is written beside the function.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{ReturnType, Type};

use crate::copies;
use crate::function::Function;
use crate::options::Options;
use crate::parameter::Parameter;

/// The function as it was, and for each combination of layouts and types what XLA calls.
pub(crate) fn write(options: &Options, functions: &[Function]) -> TokenStream {
    let item = functions[0].written();
    let count = functions.len();
    let kernels = functions.iter().enumerate();
    let kernels = kernels.map(|(number, function)| kernel(options, function, number, count));
    quote! {
        #[allow(
            elided_lifetimes_in_paths, clippy::needless_pass_by_value, clippy::too_many_arguments,
            clippy::type_complexity, clippy::unnecessary_wraps
        )]
        #item
        #(#kernels)*
    }
}

/// Variables of the macro's own, whatever names are in the types.
fn own(name: &str, place: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(place))
}

/// A constant without a name, that holds the kernel's table and what XLA calls. Items have no
/// hygiene: their names are such as no type of a parameter has.
///
/// XLA calls the handler for one set of instructions. The handler calls a function with the
/// features of the set, and the copy of the user's function is inlined into that one. The copy
/// itself has no features: its closures would have them, too, and the compiler does not inline such
/// a closure into a function without features, as those of `Iterator`. An indexed sum was 26 times
/// slower so.
fn kernel(options: &Options, function: &Function, number: usize, count: usize) -> TokenStream {
    let Options {
        batch,
        runtime,
        independent,
        vjp,
        ..
    } = options;
    let name = &function.signature.ident;
    let known_as = match &options.name {
        Some(name) => name.value(),
        None => name.unraw().to_string(),
    };
    let doc = function.doc();
    let conditions = function.conditions();
    // The line of the kernel's name, not that of the attribute.
    let line = quote_spanned!(name.span()=> ::core::line!());
    let combination = (count > 1).then(|| quote!(.combination(#number, #count)));
    let parameters = function.parameters.iter().enumerate();
    let parameters: Vec<_> = parameters
        .map(|(at, parameter)| Written::new(at, parameter))
        .collect();
    let declared = parameters.iter().map(|parameter| &parameter.declared);
    let passes = parameters.iter().map(|parameter| &parameter.passes);
    let (baseline, handlers) = handlers(options.baseline, function, number, &parameters);
    let fast_check = own("fast_check", name.span());
    quote! {
        #(#conditions)*
        #[allow(
            elided_lifetimes_in_paths, deprecated,
            clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction
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
                    true #(&& #passes)*
                }
            }
            static __XLAYOUT_KERNEL: __xlayout::Kernel =
                <__XlayoutKernel as __xlayout::Declares>::KERNEL;
            #baseline
            __xlayout::submit!(__XLAYOUT_KERNEL);
        };
    }
}

/// What is written for one parameter.
struct Written<'a> {
    of_type: &'a Type,
    declared: TokenStream,
    passes: TokenStream,
    /// The variable that holds it, and how it is taken from a call.
    argument: Ident,
    taken: TokenStream,
}

impl<'a> Written<'a> {
    fn new(at: usize, parameter: &'a Parameter) -> Self {
        let of_type = parameter.of_type();
        let name = parameter.name.unraw().to_string();
        // What is wrong with a type is said where it is, by the same path in all three places, so
        // that it is one mistake to the compiler.
        let place = of_type.span();
        let here = Span::call_site().located_at(place);
        let path = quote_spanned!(here=> <#of_type as __xlayout::Parameter<'_>>);
        // The other layouts of the parameter, with which this one is compared.
        let others = &parameter.types[..parameter.chosen];
        let fast_check = own("fast_check", place);
        let call = own("call", place);
        Self {
            of_type,
            declared: quote_spanned! {here=>
                __xlayout::Declared::new(#name, #path::KIND)
                    #(.apart_from(&<#others as __xlayout::Parameter<'_>>::KIND))*
            },
            passes: quote_spanned! {here=>
                #path::passes::<__XlayoutKernel, #at>(#fast_check)
            },
            argument: own(&format!("__xlayout_argument_{at}"), place),
            taken: quote_spanned! {here=>
                // SAFETY: the parameter was declared with the same type. It is taken here only,
                // after those of smaller numbers.
                unsafe { #path::take(#call, &__XLAYOUT_KERNEL, #at)? }
            },
        }
    }
}

/// The handler of the baseline, and the list of all handlers with the others in it.
fn handlers(
    is_baseline_only: bool,
    function: &Function,
    number: usize,
    parameters: &[Written<'_>],
) -> (TokenStream, TokenStream) {
    let name = &function.signature.ident;
    let output = &function.signature.output;
    let arguments = parameters.iter().map(|parameter| &parameter.argument);
    let arguments: Vec<_> = arguments.collect();
    let types = parameters.iter().map(|parameter| parameter.of_type);
    let call_directly = quote!(#name(#(#arguments),*));
    let baseline = if number == 0 {
        call_directly.clone()
    } else {
        // The user's function has the first combination of layouts.
        let level = quote!(__xlayout::Baseline = __xlayout::Baseline);
        in_a_copy(function, &level, &call_directly)
    };
    let baseline = handler("__xlayout_handler", function, parameters, &baseline);
    if is_baseline_only {
        let handlers = quote!(__xlayout::Handlers::baseline(__xlayout_handler));
        return (baseline, handlers);
    }
    let with_features = |handler_name: &str, level: &str, features: &str| {
        let level = Ident::new(level, Span::call_site());
        let types = types.clone();
        // SAFETY: the description names the handler only where the processor has these features
        // (`Isa::is_here`).
        let level = quote!(__xlayout::#level = unsafe { __xlayout::#level::new() });
        let called = quote! {
            #[target_feature(enable = #features)]
            fn __xlayout_with_features(#(#arguments: #types),*) #output {
                #call_directly
            }
            // SAFETY: as above.
            unsafe { __xlayout_with_features(#(#arguments),*) }
        };
        let called = in_a_copy(function, &level, &called);
        handler(handler_name, function, parameters, &called)
    };
    let v3 = with_features("__xlayout_handler_v3", "V3", copies::V3);
    let v4 = with_features("__xlayout_handler_v4", "V4", copies::V4);
    let handlers = quote! {
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
    };
    (baseline, handlers)
}

/// A block that has a copy of the function, and calls it. The copy has the function's name, which
/// may be that of a variable outside of the block.
fn in_a_copy(function: &Function, level: &TokenStream, called: &TokenStream) -> TokenStream {
    let copy = copies::copy(function);
    quote! {{
        #[allow(dead_code)]
        const __XLAYOUT_LEVEL: #level;
        #[allow(warnings, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
        #[inline(always)]
        #copy
        #called
    }}
}

/// What XLA calls.
fn handler(
    handler: &str,
    function: &Function,
    parameters: &[Written<'_>],
    called: &TokenStream,
) -> TokenStream {
    let handler = Ident::new(handler, Span::call_site());
    let name = function.signature.ident.span();
    let frame = own("frame", name);
    let call = own("call", name);
    // What is wrong with the function's answer is said where its type is.
    let outcome = match &function.signature.output {
        ReturnType::Default => own("outcome", name),
        ReturnType::Type(_, outcome) => own("outcome", outcome.span()),
    };
    let arguments = parameters.iter().map(|parameter| &parameter.argument);
    let taken = parameters.iter().map(|parameter| &parameter.taken);
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
            // SAFETY of what is written: XLA passes its frame, and `passes` and `run` above read
            // and take the parameters as the table declares them.
            unsafe { __xlayout::handle::<__XlayoutKernel, __XlayoutRun>(#frame, &__XLAYOUT_KERNEL) }
        }
    }
}
