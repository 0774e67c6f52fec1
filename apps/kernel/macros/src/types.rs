//! `#[kernel(types(T = f32, f64))]`: one function for several element types.
//!
//! The function is written once for each type, with the type in the place of the name `T`: with
//! XLA's name inside of `layout!(…)`, and elsewhere with the Rust type that an array of it holds.
//! Python picks by the arrays of a call.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::ParseStream;
use syn::{Token, Type, parenthesized, token};
use xlayout_shape::ElementType;

use crate::function::Function;
use crate::mistake::{list, mistake};
use crate::parameter::{ELEMENTS, Parameter, of_xla};
use crate::path::last_name;
use crate::tokens::{as_written, call_layout};

const FORM: &str =
    "write a name for the element type and XLA's names of the types: `types(T = f32, f64)`";

/// The name, and the types that take its place: one at least.
pub(crate) struct Types {
    name: Ident,
    types: Vec<Ident>,
}

impl Types {
    /// `types(T = f32, f64)`: what stands behind the word.
    pub(crate) fn read(word: &Ident, input: ParseStream<'_>) -> syn::Result<Self> {
        let wrong = |found: &str| mistake(word, found, FORM);
        if !input.peek(token::Paren) {
            return Err(wrong("no list of types follows `types`"));
        }
        let of_types;
        parenthesized!(of_types in input);
        let name = of_types.parse();
        let equals = of_types.parse::<Token![=]>();
        let (Ok(name), Ok(_)) = (name, equals) else {
            let found = "the list of types does not begin with a name and `=`";
            return Err(wrong(found));
        };
        let types = list::<Ident>(of_types.parse()?, "an element type", FORM)?;
        let types: Vec<_> = types.into_iter().collect();
        for (number, found) in types.iter().enumerate() {
            if let Err(error) = found.to_string().parse::<ElementType>() {
                return Err(mistake(found, error.message(), error.help()));
            }
            if types[..number].contains(found) {
                let what = format!("`{found}` is in the list twice");
                return Err(mistake(found, what, "keep one of them"));
            }
        }
        if types.is_empty() {
            return Err(wrong("the list of types is empty"));
        }
        Ok(Self { name, types })
    }

    /// The function for each of the types.
    pub(crate) fn each(&self, item: &TokenStream, runtime: &TokenStream) -> Vec<TokenStream> {
        let each = self.types.iter().map(|xla_type| {
            let rust = match ELEMENTS.iter().find(|rust| *xla_type == of_xla(rust)) {
                Some(rust) => Ident::new(rust, xla_type.span()).into_token_stream(),
                None => quote! {
                    <#runtime::__private::dtype::#xla_type as #runtime::ElementStorage>::Stored
                },
            };
            self.written(item.clone(), &rust, &xla_type.into_token_stream())
        });
        each.collect()
    }

    /// The tokens with `rust_type` in the place of the name, and `in_layout` inside of a layout.
    fn written(
        &self,
        tokens: TokenStream,
        rust_type: &TokenStream,
        in_layout: &TokenStream,
    ) -> TokenStream {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut written = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            let start = written.len();
            match token {
                TokenTree::Ident(name) if *name == self.name => written.extend(rust_type.clone()),
                TokenTree::Group(group) => {
                    let rust_type = if call_layout(&tokens[..at]) {
                        in_layout
                    } else {
                        rust_type
                    };
                    let inside = self.written(group.stream(), rust_type, in_layout);
                    written.push(Group::new(group.delimiter(), inside).into());
                }
                token => written.push(token.clone()),
            }
            written[start..]
                .iter_mut()
                .for_each(|copy| copy.set_span(token.span()));
        }
        TokenStream::from_iter(written)
    }

    /// Refuses a function whose arguments do not tell the type: it is the same for two types.
    pub(crate) fn refuse(&self, functions: &[Function]) -> Option<syn::Error> {
        let [first, .., last] = functions else {
            return None;
        };
        let arguments = |function: &Function| -> Vec<String> {
            let types = function.parameters.iter().map(Parameter::of_type);
            let is_argument =
                |of_type: &&Type| matches!(last_name(of_type).as_str(), "In" | "InOut");
            types.filter(is_argument).map(as_written).collect()
        };
        if arguments(first) != arguments(last) {
            return None;
        }
        let name = &self.name;
        let function = &first.signature.ident;
        let found = format!("no argument of `{function}` has the element type `{name}`");
        let help = format!("write it in the layout of an argument: `x: In<layout!({name}[?])>`");
        Some(mistake(name, found, help))
    }
}
