//! `specialize!`: a layout that is known at run time is tried against layouts that are types.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt;
use syn::parse::{End, ParseStream, Parser};
use syn::{Token, braced, token};
use xlayout_shape::Dim;
use xlayout_shape::lowering::same_memory;

use crate::array::Array;
use crate::emit;
use crate::mistake::{Mistake, TokenRange, kind, located};
use crate::parse::take;
use crate::read::read;
use crate::sizes::Size;
use crate::text::{as_written, inside, is_punct, is_word, see_through};

/// One arm; several layouts before one body are several arms.
struct Arm {
    layouts: Vec<Vec<TokenTree>>,
    body: TokenStream,
}

/// `match x { f32[?,3]{1,0} => fast(x), _ => general(x) }`, where `x` has the layout's type in the
/// arm that names it.
pub(crate) fn expand(root: &TokenStream, tokens: &[TokenTree]) -> syn::Result<TokenStream> {
    let call = |input: ParseStream<'_>| {
        let mutable = input.parse()?;
        let (name, value) = head(input)?;
        let content;
        let braces = braced!(content in input);
        input.parse::<Option<Token![,]>>()?;
        let mut mistakes = Vec::new();
        let arms = arms(&content, &mut mistakes)?;
        let (tried, general) = patterns(root, &arms, &mut mistakes);
        let mut layouts = arms.iter().flat_map(|arm| &arm.layouts);
        // What is wrong with another last arm was said.
        if !layouts.any(|layout| is_rest(layout) || is_named_rest(layout)) {
            mistakes.push(kind::no_rest(braces.span.close().into(), &name).into());
        }
        let together = |mut all: syn::Error, next| {
            all.combine(next);
            all
        };
        match mistakes.into_iter().reduce(together) {
            Some(mistakes) => Err(mistakes),
            None => Ok(nested(root, mutable, &name, value, tried, general)),
        }
    };
    call.parse2(TokenStream::from_iter(tokens.to_vec()))
}

/// The path of each layout with the body of its arm, and the body of the last arm.
fn patterns(
    root: &TokenStream,
    arms: &[Arm],
    mistakes: &mut Vec<syn::Error>,
) -> (Vec<(TokenStream, TokenStream)>, Option<TokenStream>) {
    let mut tried = Vec::new();
    let mut before = Vec::<(Pattern, String)>::new();
    let mut general = None;
    for (k, arm) in arms.iter().enumerate() {
        let is_last = k + 1 == arms.len();
        for layout in &arm.layouts {
            match pattern(root, layout, is_last, arm.layouts.len()) {
                Ok(Some(pattern)) => {
                    let earlier = before.iter().find(|(other, _)| other.takes(&pattern));
                    if let Some((other, text)) = earlier {
                        let kind = if pattern.takes(other) {
                            kind::same_as_before
                        } else {
                            kind::taken_before
                        };
                        mistakes.push(kind(TokenRange::of_all(layout), text).into());
                    }
                    tried.push((pattern.path.clone(), statements(&arm.body)));
                    let text = as_written(layout).replace("{ ", "{").replace(" }", "}");
                    before.push((pattern, text));
                }
                Ok(None) => general = Some(statements(&arm.body)),
                Err(all) => all
                    .into_iter()
                    .for_each(|mistake| mistakes.push(mistake.into())),
            }
        }
    }
    (tried, general)
}

/// The layout of an arm: its type, and what was read, which of a declared layout is not known here.
struct Pattern {
    path: TokenStream,
    array: Option<Array>,
}

impl Pattern {
    /// Whether this takes every layout that `other` takes, as far as the macro sees. A `?` takes
    /// every size. Where all sizes of `other` are numbers, the memory maps are compared, otherwise
    /// the texts.
    fn takes(&self, other: &Self) -> bool {
        if self.path.to_string() == other.path.to_string() {
            return true;
        }
        let (Some(a), Some(b)) = (&self.array, &other.array) else {
            return false;
        };
        if a.sizes.len() != b.sizes.len() {
            return false;
        }
        let mut this = a.shape.clone();
        let mut only_numbers = true;
        for (d, sizes) in a.sizes.iter().zip(&b.sizes).enumerate() {
            let dim = b.shape.dims[d];
            let equal = match sizes {
                (Size::Text(_), _) if this.dims[d] == Dim::Unbounded => true,
                (Size::Named(name), _) => is_any_size(name, &a.sizes),
                (Size::Computed { text, .. }, Size::Computed { text: other, .. }) => text == other,
                (Size::Text(_), Size::Text(_)) => this.dims[d].bound() == dim.bound(),
                (
                    Size::Const { value, bound },
                    Size::Const {
                        value: other,
                        bound: other_bound,
                    },
                ) => bound == other_bound && value.to_string() == other.to_string(),
                _ => false,
            };
            if !equal {
                return false;
            }
            only_numbers &= matches!(sizes.1, Size::Text(_)) && dim != Dim::Unbounded;
            this.dims[d] = dim;
        }
        if only_numbers {
            same_memory(&this, &b.shape)
        } else {
            this.element_type == b.shape.element_type && this.layout == b.shape.layout
        }
    }
}

/// Whether `?M` takes every size: `?_`, and a name that no other dimension has.
fn is_any_size(name: &Ident, sizes: &[Size]) -> bool {
    let equal = |size: &&Size| matches!(size, Size::Named(other) if other == name);
    name == "_" || sizes.iter().filter(equal).count() == 1
}

/// What is in the braces of a body that is a block alone: it is put into a block again, and
/// rustc would call the second pair of braces unused. A block with attributes stays one.
fn statements(body: &TokenStream) -> TokenStream {
    let tokens: Vec<_> = body.clone().into_iter().collect();
    match &tokens[..] {
        [block] => match inside(Some(block), Delimiter::Brace) {
            Some(inside) if !is_punct(inside.clone().into_iter().next().as_ref(), '#') => inside,
            _ => body.clone(),
        },
        _ => body.clone(),
    }
}

/// Matches in matches, from the last arm to the first, each in the `Err` of the one before it. The
/// borrow says that the name is used even where an arm's body has no need of it; neither does each
/// have to write to what is `mut`.
fn nested(
    root: &TokenStream,
    mutable: Option<Token![mut]>,
    name: &Ident,
    value: Option<TokenStream>,
    tried: Vec<(TokenStream, TokenStream)>,
    general: Option<TokenStream>,
) -> TokenStream {
    let mutable = mutable.map(|word| quote!(#[allow(unused_mut)] let #word #name = #name;));
    let mut expression = quote!({ #mutable let _ = &#name; #general });
    for (path, body) in tried.into_iter().rev() {
        // Where it cannot be specialized, the compiler points at the name, not at the whole macro.
        let call = quote!(#root::__private::SpecializeInto::<#path, _>::specialize(#name));
        let call = located(call, name.span());
        expression = quote! {
            match #call {
                ::core::result::Result::Ok(#name) => { #mutable let _ = &#name; #body }
                ::core::result::Result::Err(#name) => #expression
            }
        };
    }
    match value {
        Some(value) => quote!(match #value { #name => #expression }),
        None => expression,
    }
}

/// `x,` or `x = expression,`, behind `mut` or not, before the braces at the end.
fn head(input: ParseStream<'_>) -> syn::Result<(Ident, Option<TokenStream>)> {
    let fail = |mistake: Mistake| Err(mistake.into());
    // A comma may follow the braces, as it may follow a function's last argument.
    let is_last = || input.peek2(End) || input.peek2(Token![,]) && input.peek3(End);
    let mut before = Vec::new();
    while !(input.is_empty() || input.peek(token::Brace) && is_last()) {
        before.push(input.parse::<TokenTree>()?);
    }
    let Some((braces, _)) = input.cursor().token_tree() else {
        if is_punct(before.last(), ',') {
            before.pop();
        }
        let comma = before.iter().position(|token| is_punct(Some(token), ','));
        let arms = comma.map_or(&[][..], |comma| &before[comma + 1..]);
        let group = matches!(before.last(), Some(TokenTree::Group(_)));
        return if arms.is_empty() && !group {
            fail(kind::no_arms(TokenRange::of_all(&before)))
        } else {
            fail(kind::arms_without_braces(TokenRange::of_all(arms)))
        };
    };
    let (value, comma) = match &before[..] {
        [value @ .., comma] if is_punct(Some(comma), ',') => (value, comma),
        [] => return fail(kind::nothing_to_specialize(TokenRange::of(&braces))),
        [.., last] => {
            let place = TokenRange::of(last).to(TokenRange::of(&braces));
            return fail(kind::no_comma_before_arms(place));
        }
    };
    match value {
        [] => fail(kind::nothing_to_specialize(TokenRange::of(comma))),
        [TokenTree::Ident(name)] => Ok((name.clone(), None)),
        [TokenTree::Ident(name), equals, value @ ..] if is_punct(Some(equals), '=') => {
            if value.is_empty() {
                return fail(kind::no_value(TokenRange::of(equals), name));
            }
            Ok((name.clone(), Some(TokenStream::from_iter(value.to_vec()))))
        }
        value => {
            let place = TokenRange::of_all(value);
            fail(kind::no_name_for_value(place, &as_written(value)))
        }
    }
}

/// The arms, each with the layouts before its `=>` and the body behind it.
fn arms(input: ParseStream<'_>, mistakes: &mut Vec<syn::Error>) -> syn::Result<Vec<Arm>> {
    let mut arms = Vec::new();
    let mut push = |mistake: Mistake| mistakes.push(mistake.into());
    while !input.is_empty() {
        let mut head = Vec::new();
        while !(input.is_empty() || input.peek(Token![=>]) || begins_arm(input)) {
            head.extend(see_through(take(input, 1)?));
        }
        let Some(arrow) = input.parse::<Option<Token![=>]>>()? else {
            push(kind::no_arrow(TokenRange::of_all(&head)));
            input.parse::<Option<Token![,]>>()?;
            continue;
        };
        let place = head.first().map_or(arrow.spans[0].into(), TokenRange::of);
        let place = place.to(arrow.spans[1].into());
        let (body, next) = body(input)?;
        if body.is_empty() {
            push(kind::empty_arm(place));
        }
        let mut layouts = Vec::new();
        let mut is_missing = false;
        for layout in head.split(|token| is_punct(Some(token), '|')) {
            match layout {
                [] => is_missing = true,
                _ => layouts.push(layout.to_vec()),
            }
        }
        if is_missing {
            push(kind::arm_without_layout(place));
        }
        arms.push(Arm { layouts, body });
        if let Some(next) = next {
            push(kind::no_comma_before_arm(next));
        } else if let Some(end) = input.parse::<Option<Token![;]>>()? {
            push(kind::semicolon_after_arm(end.span.into()));
        } else {
            input.parse::<Option<Token![,]>>()?;
        }
    }
    Ok(arms)
}

/// The body of an arm: a block alone, or all before the comma that ends it. A comma between the
/// angle brackets of `f::<A, B>(x)` does not, unless an arm begins behind it. Where the comma is
/// missing, the place of the arm that follows.
fn body(input: ParseStream<'_>) -> syn::Result<(TokenStream, Option<TokenRange>)> {
    if input.peek(token::Brace) && !input.peek2(Token![.]) && !input.peek2(Token![?]) {
        return Ok((take(input, 1)?, None));
    }
    let mut body = Vec::<TokenTree>::new();
    let mut depth = 0_usize;
    let ends =
        |depth| input.peek(Token![;]) || input.peek(Token![,]) && (depth == 0 || begins_arm(input));
    while !(input.is_empty() || ends(depth)) {
        let next = next_arm(body.last(), input);
        if next.is_some() {
            return Ok((TokenStream::from_iter(body), next));
        }
        let path = depth > 0 || body.is_empty() || is_punct(body.last(), ':');
        body.push(input.parse()?);
        if path && is_punct(body.last(), '<') {
            depth += 1;
        } else if is_punct(body.last(), '>') {
            depth = depth.saturating_sub(1);
        }
    }
    Ok((TokenStream::from_iter(body), None))
}

/// The place of the layout of an arm that begins here, after a whole expression without a comma: a
/// name cannot follow an operand in Rust, and `=>` is in no expression outside of brackets.
fn next_arm(before: Option<&TokenTree>, input: ParseStream<'_>) -> Option<TokenRange> {
    let name = |name: &Ident| syn::parse_str::<Ident>(&name.to_string()).is_ok();
    let operand = match before? {
        TokenTree::Ident(before) => name(before),
        TokenTree::Punct(before) => matches!(before.as_char(), '?' | '>'),
        TokenTree::Group(_) | TokenTree::Literal(_) => true,
    };
    let mut layout = Vec::new();
    let ahead = input.fork();
    while !(ahead.is_empty() || ahead.peek(Token![,]) || ahead.peek(Token![;])) {
        if ahead.peek(Token![=>]) {
            let begins = match layout.first()? {
                TokenTree::Ident(first) => first == "_" || name(first),
                _ => false,
            };
            return (operand && begins).then(|| TokenRange::of_all(&layout));
        }
        layout.push(ahead.parse().ok()?);
    }
    None
}

/// Whether a comma is next, and an arm begins behind it beyond doubt.
fn begins_arm(input: ParseStream<'_>) -> bool {
    let named = input.peek2(Ident::peek_any) && input.peek3(token::Bracket);
    let rest = input.peek2(Token![_]) && input.peek3(Token![=>]);
    input.peek(Token![,]) && (named || rest)
}

fn is_rest(layout: &[TokenTree]) -> bool {
    is_word(layout.first(), "_")
}

/// Whether this is another word for `_`: `else`, or `..`.
fn is_named_rest(layout: &[TokenTree]) -> bool {
    match layout {
        [TokenTree::Ident(name)] => {
            ["else", "default", "other", "rest"].contains(&&*name.to_string())
        }
        [first, second] => is_punct(Some(first), '.') && is_punct(Some(second), '.'),
        _ => false,
    }
}

/// An arm's layout, and nothing for `_`.
fn pattern(
    root: &TokenStream,
    layout: &[TokenTree],
    is_last: bool,
    alternatives: usize,
) -> Result<Option<Pattern>, Vec<Mistake>> {
    let fail = |mistake| Err(vec![mistake]);
    let place = TokenRange::of_all(layout);
    if let Some(at) = layout.iter().position(|token| is_word(Some(token), "if")) {
        return fail(kind::condition(TokenRange::of_all(&layout[at..])));
    }
    if is_rest(layout) {
        return match layout.len() {
            1 if alternatives > 1 => fail(kind::rest_beside_others(place)),
            1 if !is_last => fail(kind::rest_before_others(place)),
            1 => Ok(None),
            _ => fail(kind::rest_with_more(place)),
        };
    }
    if is_named_rest(layout) {
        return fail(kind::named_rest(place, &as_written(layout)));
    }
    if let [name, bang, TokenTree::Group(inside)] = layout
        && is_word(Some(name), "layout")
        && is_punct(Some(bang), '!')
    {
        let inside = as_written(&see_through(inside.stream()));
        return fail(kind::macro_in_arm(place, &inside));
    }
    if is_declared(layout) {
        let path = TokenStream::from_iter(layout.to_vec());
        return Ok(Some(Pattern { path, array: None }));
    }
    let array = read(root, layout)?;
    if array.sharding.is_some() {
        return fail(kind::sharding_in_arm(place));
    }
    let path = emit::path(root, &array);
    let array = Some(array);
    Ok(Some(Pattern { path, array }))
}

/// Whether this is the name of a declared layout, with or without arguments: `A`, `a::B<3>`.
fn is_declared(layout: &[TokenTree]) -> bool {
    let named = match layout {
        [TokenTree::Ident(name)] => name.to_string().starts_with(char::is_uppercase),
        [TokenTree::Ident(_), next, ..] => is_punct(Some(next), ':') || is_punct(Some(next), '<'),
        _ => false,
    };
    named
        && !layout
            .iter()
            .any(|token| inside(Some(token), Delimiter::Bracket).is_some())
}
