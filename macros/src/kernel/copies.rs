//! Copies of the function, each compiled for one set of instructions.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::quote;

use super::Mistakes;
use super::function::Function;
use super::parameter::{Parameter, last_segment, split};
use crate::mistake::{Mistake, TokenRange};
use crate::text::{inside, is_punct, is_word, see_through};

/// The features of `x86-64-v3`, as `xlayout_kernel::Isa::is_here` detects them. Source: the x86-64
/// psABI, "Micro-Architecture Levels".
pub(super) const V3: &str =
    "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt,sse3,ssse3,sse4.1,sse4.2";
/// The features of `x86-64-v4`.
pub(super) const V4: &str = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt,sse3,ssse3,sse4.1,\
     sse4.2,avx512f,avx512bw,avx512cd,avx512dq,avx512vl";

/// Attributes that do not belong on a copy: text, a symbol's name and place, and `inline`, which a copy
/// has itself.
const LEFT_OUT: [&str; 8] = [
    "doc",
    "inline",
    "no_mangle",
    "export_name",
    "link_section",
    "unsafe",
    "deprecated",
    "must_use",
];

/// The function without those attributes, and private: it is called where it is written. What it gives to
/// a pool is compiled for the set of instructions, too.
pub(super) fn copy(item: &[TokenTree], function: &Function) -> TokenStream {
    let (mut rest, mut kept) = (item, TokenStream::new());
    while let [hash, attribute @ TokenTree::Group(brackets), after @ ..] = rest
        && is_punct(Some(hash), '#')
    {
        let word = see_through(brackets.stream()).into_iter().next();
        if !LEFT_OUT.iter().any(|left| is_word(word.as_ref(), left)) {
            kept.extend(quote!(#hash #attribute));
        }
        rest = after;
    }
    if let [word, after @ ..] = rest
        && is_word(Some(word), "pub")
    {
        rest = match after {
            [TokenTree::Group(path), after @ ..] if path.delimiter() == Delimiter::Parenthesis => {
                after
            }
            after => after,
        };
    }
    let is_pool = |p: &&Parameter| last_segment(&p.of_type).is_some_and(|name| *name == "Pool");
    let pools: Vec<_> = function.parameters.iter().filter(is_pool).collect();
    let rest = at_level(rest, &pools);
    quote!(#kept #rest)
}

/// The tokens with `pool.__for_each_at(__XLAYOUT_LEVEL, …)` in the place of `pool.for_each(…)`.
///
/// A closure is compiled with the features of the function that it becomes a part of. The pool calls
/// one from a function of its own, so that it must know the level.
fn at_level(tokens: &[TokenTree], pools: &[&Parameter]) -> TokenStream {
    let mut written = TokenStream::new();
    let mut rest = tokens;
    while let [token, after @ ..] = rest {
        rest = after;
        if let TokenTree::Ident(name) = token
            && pools.iter().any(|pool| pool.name == *name)
            && let [
                dot,
                method @ TokenTree::Ident(_),
                TokenTree::Group(group),
                after @ ..,
            ] = rest
            && is_punct(Some(dot), '.')
            && is_word(Some(method), "for_each")
            && group.delimiter() == Delimiter::Parenthesis
        {
            let inside: Vec<_> = group.stream().into_iter().collect();
            let items = split(&inside).first().map_or(0, |items| items.len() + 1);
            let (items, closure) = inside.split_at(items.min(inside.len()));
            // The pool has to make the closure a part of its function. Attributes of arguments are stable.
            let inline = closure
                .first()
                .is_some_and(|first| is_punct(Some(first), '|') || is_word(Some(first), "move"))
                .then(|| quote!(#[inline(always)]));
            let (items, closure) = (at_level(items, pools), at_level(closure, pools));
            let inside = quote!(#items #inline #closure);
            let method = Ident::new("__for_each_at", method.span());
            let level = Ident::new("__XLAYOUT_LEVEL", group.span());
            let mut arguments = Group::new(Delimiter::Parenthesis, quote!(#level, #inside));
            arguments.set_span(group.span());
            written.extend(quote!(#token #dot #method #arguments));
            rest = after;
            continue;
        }
        let TokenTree::Group(group) = token else {
            written.extend([token.clone()]);
            continue;
        };
        let inside: Vec<_> = group.stream().into_iter().collect();
        let mut copied = Group::new(group.delimiter(), at_level(&inside, pools));
        copied.set_span(group.span());
        written.extend([TokenTree::Group(copied)]);
    }
    written
}

/// Refuses a body that means something else when it is compiled several times.
pub(super) fn refuse(
    item: &[TokenTree],
    function: &Function,
    several: Option<&str>,
    mistakes: &mut Mistakes,
) {
    let Some(body) = item.last() else { return };
    let Some(tokens) = inside(Some(body), Delimiter::Brace) else {
        return;
    };
    let Some((place, found)) = once_only(&see_through(tokens), true) else {
        return;
    };
    let (several, help) = match several {
        Some(several) => (several, "move it out of the function"),
        None => (
            "sets of instructions",
            "move it out of the function; or compile the body once: `#[kernel(isa = \"baseline\")]`",
        ),
    };
    mistakes.push(Mistake::new(
        place,
        format!(
            "the body of `{}` is compiled for several {several}, and {found}",
            function.name
        ),
        help,
    ));
}

/// The first item that cannot be, or means something else if it is, in several copies.
fn once_only(tokens: &[TokenTree], in_braces: bool) -> Option<(TokenRange, &'static str)> {
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        // `'static` is a quote and a word.
        if is_word(Some(token), "static") && !is_punct(before, '\'') {
            return Some((
                TokenRange::of(token),
                "each copy would have its own `static`",
            ));
        }
        let begins = match before {
            None => in_braces,
            Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Parenthesis,
            Some(token) => is_punct(Some(token), ';') || is_word(Some(token), "unsafe"),
        };
        if begins && is_word(Some(token), "impl") {
            return Some((TokenRange::of(token), "an `impl` cannot be written twice"));
        }
        if let TokenTree::Group(group) = token
            && let Some(found) = once_only(
                &see_through(group.stream()),
                group.delimiter() == Delimiter::Brace,
            )
        {
            return Some(found);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use quote::quote;

    use super::{copy, refuse};
    use crate::kernel::function;
    use crate::text::see_through;

    #[test]
    fn a_copy_is_private_and_gives_its_level_to_the_pool() {
        let tokens = see_through(quote! {
            #[doc = "text"] #[inline(never)] #[allow(unused)] #[unsafe(no_mangle)]
            pub(crate) fn f(pool: xlayout_kernel::Pool<'_>, mut y: Out<A>) {
                pool.for_each(zip::<A, B>(x, y), |(x, y)| pool.for_each(x, move |x| x));
                pool.for_each(x, work);
                other.for_each(x, |x| x);
                y.pool.for_all(x);
            }
        });
        let mut mistakes = Vec::new();
        let function = function::read(&tokens, &mut mistakes).unwrap();
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
        assert_eq!(copy(&tokens, &function).to_string(), expected.to_string());
    }

    #[test]
    fn items_that_exist_once_are_refused() {
        let found = |body: proc_macro2::TokenStream| {
            let tokens = see_through(quote!(fn f(mut y: Out<A>) #body));
            let mut mistakes = Vec::new();
            let function = function::read(&tokens, &mut mistakes).unwrap();
            refuse(&tokens, &function, None, &mut mistakes);
            mistakes.len()
        };
        assert_eq!(
            found(quote!({
                static N: u8 = 0;
            })),
            1
        );
        assert_eq!(
            found(quote!({
                if a {
                    thread_local! { static N: u8 = 0; }
                }
            })),
            1
        );
        assert_eq!(
            found(quote!({
                struct A;
                #[b]
                impl A {}
            })),
            1
        );
        assert_eq!(
            found(quote!({
                struct A;
                unsafe impl B for A {}
            })),
            1
        );
        assert_eq!(
            found(quote!({
                let s: &'static str = "";
                fn g(_: impl B) -> impl C {}
            })),
            0
        );
    }
}
