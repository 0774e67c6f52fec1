//! `#[kernel(types(T = f32, f64))]`: one function for several element types.
//!
//! The function is written once for each type, with the type in the place of the name `T`: with XLA's name inside of
//! `layout!(…)`, and elsewhere with the Rust type that an array of it holds. Python picks by the arrays of a call.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use xlayout_shape::PrimitiveType;

use super::function::Function;
use super::options::comma;
use super::parameter::{ELEMENTS, last_segment, split};
use crate::mistake::{Mistake, TokenRange};
use crate::text::{as_written, inside, is_punct, is_word};

const FORM: &str =
    "write a name for the element type and XLA's names of the types: `types(T = f32, f64)`";

/// The name, and the types that take its place: one at least.
pub(super) struct Types {
    name: Ident,
    types: Vec<Ident>,
}

/// `types(T = f32, f64)`: what stands behind the word.
pub(super) fn read(word: &Ident, tokens: &[TokenTree]) -> Result<Types, Mistake> {
    let wrong = |found: &str| Mistake::new(word.span().into(), found, FORM);
    let Some(list) = inside(tokens.first(), Delimiter::Parenthesis) else {
        return Err(wrong("no list of types follows `types`"));
    };
    if let Some(mistake) = comma(
        &tokens[1..],
        &as_written(&[&[word.clone().into()], &tokens[..1]].concat()),
    ) {
        return Err(mistake);
    }
    let list: Vec<_> = list.into_iter().collect();
    let (name, list) = match &list[..] {
        [TokenTree::Ident(name), equals, list @ ..] if is_punct(Some(equals), '=') => (name, list),
        _ => {
            return Err(wrong(
                "the list of types does not begin with a name and `=`",
            ));
        }
    };
    let mut types: Vec<Ident> = Vec::new();
    for found in split(list) {
        let place = TokenRange::of_all(found);
        let [TokenTree::Ident(found)] = found else {
            let found = format!("expected an element type, found `{}`", as_written(found));
            return Err(Mistake::new(place, found, FORM));
        };
        if let Err(error) = found.to_string().parse::<PrimitiveType>() {
            return Err(Mistake::new(place, error.message(), error.help()));
        }
        if types.contains(found) {
            let found = format!("`{found}` is in the list twice");
            return Err(Mistake::new(place, found, "keep one of them"));
        }
        types.push(found.clone());
    }
    if types.is_empty() {
        return Err(wrong("the list of types is empty"));
    }
    let name = name.clone();
    Ok(Types { name, types })
}

impl Types {
    /// The function for each of the types.
    pub(super) fn each<'a>(
        &'a self,
        item: &'a [TokenTree],
        runtime: &'a TokenStream,
    ) -> impl Iterator<Item = Vec<TokenTree>> + 'a {
        self.types.iter().map(move |of| {
            let rust = |at: Span| match ELEMENTS.iter().find(|row| of == row.1) {
                Some((rust, _)) => {
                    let rust = Ident::new(rust, at);
                    quote!(#rust)
                }
                None => quote_spanned! {at=>
                    <#runtime::__private::dtype::#of as #runtime::ElementStorage>::Stored
                },
            };
            self.written(item, of, &rust).into_iter().collect()
        })
    }

    fn written(
        &self,
        tokens: &[TokenTree],
        of: &Ident,
        rust: &dyn Fn(Span) -> TokenStream,
    ) -> TokenStream {
        let mut written = TokenStream::new();
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(name) if *name == self.name => written.extend(rust(name.span())),
                TokenTree::Group(group) => {
                    let bang = at > 1 && is_punct(tokens.get(at - 1), '!');
                    let in_layout = bang && is_word(tokens.get(at - 2), "layout");
                    let of_xla = |at| TokenTree::from(Ident::new(&of.to_string(), at)).into();
                    let inside: Vec<_> = group.stream().into_iter().collect();
                    let inside = match in_layout {
                        true => self.written(&inside, of, &of_xla),
                        false => self.written(&inside, of, rust),
                    };
                    let mut copy = Group::new(group.delimiter(), inside);
                    copy.set_span(group.span());
                    written.extend([TokenTree::Group(copy)]);
                }
                token => written.extend([token.clone()]),
            }
        }
        written
    }

    /// Refuses a function whose arguments do not tell the type: it is the same for two types.
    pub(super) fn refuse(&self, first: &Function, last: &Function) -> Option<Mistake> {
        let of = |function: &Function| -> Vec<String> {
            let is_argument = |name: &Ident| *name == "In" || *name == "InOut";
            let parameters = function.parameters.iter();
            let arguments =
                parameters.filter(|p| last_segment(&p.of_type).is_some_and(is_argument));
            arguments.map(|p| as_written(&p.of_type)).collect()
        };
        let Self { name, types } = self;
        (types.len() > 1 && of(first) == of(last)).then(|| {
            let found = format!(
                "no argument of `{}` has the element type `{name}`",
                first.name
            );
            let help =
                format!("write it in the layout of an argument: `x: In<layout!({name}[?])>`");
            Mistake::new(name.span().into(), found, help)
        })
    }
}
