//! Copies of the function, each compiled for one set of instructions.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};

use crate::function::Function;
use crate::mistake::mistake;
use crate::parameter::Parameter;
use crate::path::last_name;
use crate::tokens::{inside, is_punct, is_word, see_through};

/// The features of `x86-64-v3`, as `xlayout_kernel::Isa::is_here` detects them. Source: the x86-64
/// psABI, "Micro-Architecture Levels".
pub(crate) const V3: &str =
    "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt,sse3,ssse3,sse4.1,sse4.2";
/// The features of `x86-64-v4`.
pub(crate) const V4: &str = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt,sse3,ssse3,sse4.1,\
     sse4.2,avx512f,avx512bw,avx512cd,avx512dq,avx512vl";

/// Attributes that belong on the function alone: text, a symbol's name and place, and `inline`,
/// which a copy has itself.
const LEFT_OUT: &str = "doc inline no_mangle export_name link_section unsafe deprecated must_use";

/// A copy of the function. It is private: it is called where it is written. What it gives to a pool
/// is compiled for the set of instructions, too.
pub(crate) fn copy(function: &Function) -> TokenStream {
    let attributes = function.attributes.iter().filter(|attribute| {
        let mut left_out = LEFT_OUT.split(' ');
        !left_out.any(|word| attribute.path().is_ident(word))
    });
    let is_pool = |parameter: &&Parameter| last_name(parameter.of_type()) == "Pool";
    let pools: Vec<_> = function.parameters.iter().filter(is_pool).collect();
    let signature = &function.signature;
    let body = at_level(function.body.to_token_stream(), &pools);
    quote!(#(#attributes)* #signature #(#body)*)
}

/// The tokens with `pool.__for_each_at(__XLAYOUT_LEVEL, …)` in the place of `pool.for_each(…)`.
///
/// A closure is compiled with the features of the function that it becomes a part of. The pool
/// calls one from a function of its own, so that it must know the level.
fn at_level(tokens: TokenStream, pools: &[&Parameter]) -> Vec<TokenTree> {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut written: Vec<TokenTree> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            written.push(token.clone());
            continue;
        };
        let mut inside = at_level(group.stream(), pools);
        if group.delimiter() == Delimiter::Parenthesis
            && let [.., TokenTree::Ident(pool), dot, TokenTree::Ident(method)] = &tokens[..at]
            && pools.iter().any(|parameter| parameter.name == *pool)
            && is_punct(Some(dot), '.')
            && method == "for_each"
        {
            let begins_closure = |pair: &[TokenTree]| {
                let next = pair.last();
                is_punct(pair.first(), ',') && (is_punct(next, '|') || is_word(next, "move"))
            };
            // The pool has to make the closure a part of its function.
            if let Some(comma) = inside.windows(2).position(begins_closure) {
                inside.splice(comma + 1..=comma, quote!(#[inline(always)]));
            }
            let level = Ident::new("__XLAYOUT_LEVEL", group.span());
            inside.splice(..0, quote!(#level,));
            written.pop();
            written.push(Ident::new("__for_each_at", method.span()).into());
        }
        let mut copied = Group::new(group.delimiter(), TokenStream::from_iter(inside));
        copied.set_span(group.span());
        written.push(copied.into());
    }
    written
}

/// Why the body means something else when it is compiled several times: for `several` of what,
/// where it is not only for sets of instructions.
pub(crate) fn refuse(function: &Function, several: Option<&str>) -> Option<syn::Error> {
    let body = inside(&function.body, Delimiter::Brace)?;
    let (place, found) = once_only(body, true)?;
    let (several, help) = match several {
        Some(several) => (several, "move it out of the function"),
        None => (
            "sets of instructions",
            "move it out of the function; or compile the body once: \
             `#[kernel(isa = \"baseline\")]`",
        ),
    };
    let name = &function.signature.ident;
    let found = format!("the body of `{name}` is compiled for several {several}, and {found}");
    Some(mistake(place, found, help))
}

/// The first item that cannot be, or means something else if it is, in several copies.
fn once_only(tokens: TokenStream, in_braces: bool) -> Option<(TokenTree, &'static str)> {
    let mut before = None;
    for token in see_through(tokens) {
        // An item stands at the beginning, or behind another one or an attribute. Behind
        // parentheses, `impl` is a type.
        let may_begin_item = match &before {
            None => in_braces,
            Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Parenthesis,
            before => is_punct(before.as_ref(), ';') || is_word(before.as_ref(), "unsafe"),
        };
        // `'static` is a quote and a word.
        if is_word(Some(&token), "static") && !is_punct(before.as_ref(), '\'') {
            return Some((token, "each copy would have its own `static`"));
        }
        if is_word(Some(&token), "impl") && may_begin_item {
            return Some((token, "an `impl` cannot be written twice"));
        }
        if let TokenTree::Group(group) = &token {
            let found = once_only(group.stream(), group.delimiter() == Delimiter::Brace);
            if found.is_some() {
                return found;
            }
        }
        before = Some(token);
    }
    None
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use quote::quote;

    use super::{copy, refuse};
    use crate::function;

    #[test]
    fn a_copy_is_private_and_gives_its_level_to_the_pool() {
        let tokens = quote! {
            #[doc = "text"] #[inline(never)] #[allow(unused)] #[unsafe(no_mangle)]
            pub(crate) fn f(pool: xlayout_kernel::Pool<'_>, mut y: Out<A>) {
                pool.for_each(zip::<A, B>(x, y), |(x, y)| pool.for_each(x, move |x| x));
                pool.for_each(x, work);
                other.for_each(x, |x| x);
                y.pool.for_all(x);
            }
        };
        let function = function::read(tokens, &mut Vec::new()).unwrap();
        let expected = quote! {
            #[allow(unused)]
            fn f(pool: xlayout_kernel::Pool<'_>, mut y: Out<A>) {
                pool.__for_each_at(__XLAYOUT_LEVEL, zip::<A, B>(x, y), #[inline(always)] |(x, y)|
                    pool.__for_each_at(__XLAYOUT_LEVEL, x, #[inline(always)] move |x| x));
                pool.__for_each_at(__XLAYOUT_LEVEL, x, work);
                other.for_each(x, |x| x);
                y.pool.for_all(x);
            }
        };
        assert_eq!(copy(&function).to_string(), expected.to_string());
    }

    #[test]
    fn items_that_exist_once_are_refused() {
        let is_refused = |body: TokenStream| {
            let function = function::read(quote!(fn f(mut y: Out<A>) #body), &mut Vec::new());
            refuse(&function.unwrap(), None).is_some()
        };
        assert!(is_refused(quote!({
            static N: u8 = 0;
        })));
        assert!(is_refused(quote!({
            if a {
                thread_local! { static N: u8 = 0; }
            }
        })));
        assert!(is_refused(quote!({
            struct A;
            #[b]
            impl A {}
        })));
        assert!(is_refused(quote!({
            struct A;
            unsafe impl B for A {}
        })));
        assert!(!is_refused(quote!({
            let s: &'static str = "";
            fn g(_: impl B) -> impl C {}
        })));
    }
}
