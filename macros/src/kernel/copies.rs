//! Copies of the function, each compiled for one set of instructions.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use super::Mistakes;
use super::function::Function;
use crate::mistake::{Mistake, Place};
use crate::text::{inside, is_punct, is_word, see_through};

/// The features of `x86-64-v3`, as `xlayout_kernel::Isa::is_here` detects them. Source: the x86-64
/// psABI, "Micro-Architecture Levels".
pub(super) const V3: &str =
    "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt,sse3,ssse3,sse4.1,sse4.2";
/// The features of `x86-64-v4`.
pub(super) const V4: &str = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,movbe,popcnt,sse3,ssse3,sse4.1,\
     sse4.2,avx512f,avx512bw,avx512cd,avx512dq,avx512vl";

/// Attributes that do not belong on a copy: text, a symbol's name and place, and `inline(always)`,
/// which the compiler refuses beside `target_feature`.
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

/// The function without those attributes, and private: it is called where it is written.
pub(super) fn copy(item: &[TokenTree]) -> TokenStream {
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
    quote!(#kept #(#rest)*)
}

/// Refuses a body that means something else when it is compiled several times.
pub(super) fn refuse(item: &[TokenTree], function: &Function, mistakes: &mut Mistakes) {
    let Some(body) = item.last() else { return };
    let Some(tokens) = inside(Some(body), Delimiter::Brace) else {
        return;
    };
    let Some((place, found)) = once_only(&see_through(tokens), true) else {
        return;
    };
    mistakes.push(Mistake::new(
        place,
        format!(
            "the body of `{}` is compiled for several sets of instructions, and {found}",
            function.name
        ),
        "move it out of the function; or compile the body once: `#[kernel(isa = \"baseline\")]`",
    ));
}

/// The first item that cannot be, or means something else if it is, in several copies.
fn once_only(tokens: &[TokenTree], in_braces: bool) -> Option<(Place, &'static str)> {
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &tokens[at]);
        // `'static` is a quote and a word.
        if is_word(Some(token), "static") && !is_punct(before, '\'') {
            return Some((Place::of(token), "each copy would have its own `static`"));
        }
        let begins = match before {
            None => in_braces,
            Some(TokenTree::Group(group)) => group.delimiter() != Delimiter::Parenthesis,
            Some(token) => is_punct(Some(token), ';') || is_word(Some(token), "unsafe"),
        };
        if begins && is_word(Some(token), "impl") {
            return Some((Place::of(token), "an `impl` cannot be written twice"));
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
