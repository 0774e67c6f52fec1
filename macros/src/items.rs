//! Declarations: `pub type A = f32[2,3]{0,1};` becomes a type and a constant of that name.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;

use crate::emit;
use crate::input::Input;
use crate::mistake::{Mistake, TokenRange, located, report};
use crate::read::read;
use crate::text::{as_written, inside, is_punct, is_word};

/// One declaration, its parts as they were written.
struct Declaration<'a> {
    attributes: &'a [TokenTree],
    visibility: &'a [TokenTree],
    name: &'a Ident,
    generics: &'a [TokenTree],
    layout: &'a [TokenTree],
}

/// Whether this is a declaration (perhaps a wrong one) and no layout: `#[…]`, `pub`, `type` or
/// another word that begins an item of Rust, or `A = …`.
pub(crate) fn begins(tokens: &[TokenTree]) -> bool {
    const WORDS: [&str; 10] = [
        "pub", "type", "const", "static", "let", "struct", "enum", "use", "fn", "mod",
    ];
    let attribute =
        is_punct(tokens.first(), '#') && inside(tokens.get(1), Delimiter::Bracket).is_some();
    attribute
        || WORDS.iter().any(|word| is_word(tokens.first(), word))
        || matches!(tokens.first(), Some(TokenTree::Ident(_))) && is_punct(tokens.get(1), '=')
}

/// All declarations. A layout with mistakes still declares its name, so that its uses are not errors.
pub(crate) fn expand(root: &TokenStream, tokens: &[TokenTree]) -> TokenStream {
    let mut items = TokenStream::new();
    let input = Input::new(tokens);
    while !input.is_empty() {
        if input.accept(";").is_some() {
            continue;
        }
        let tokens = statement(&input);
        let ends = input.peek(";");
        items.extend(match declaration(tokens, ends) {
            Ok(declaration) => emit(root, &declaration),
            Err(mistake) => mistake.into_compile_error(),
        });
    }
    items
}

/// The tokens before the `;` of a declaration; or before the next declaration, when the `;` is
/// missing.
fn statement<'a>(input: &Input<'a>) -> &'a [TokenTree] {
    let mut has_equals = false;
    let ahead = input.clone();
    let begins_next = || begins_attribute(&ahead) || ahead.peek("pub") || ahead.peek("type");
    while !(ahead.is_empty() || ahead.peek(";") || has_equals && begins_next()) {
        has_equals |= ahead.peek("=");
        ahead.token();
    }
    input.take_to(&ahead)
}

fn begins_attribute(input: &Input<'_>) -> bool {
    input.peek("#") && input.peek_group_behind(1, Delimiter::Bracket)
}

/// `#[attribute] pub(crate) type NAME<const N: usize> = layout`.
fn declaration(tokens: &[TokenTree], ends: bool) -> Result<Declaration<'_>, Mistake> {
    let whole = TokenRange::of_all(tokens);
    let input = &Input::new(tokens);
    let attributes = input.clone();
    while begins_attribute(input) {
        input.take(2);
    }
    let attributes = attributes.take_to(input);
    let visibility = match (
        input.peek("pub"),
        input.peek_group_behind(1, Delimiter::Parenthesis),
    ) {
        (true, true) => input.take(2),
        (true, false) => input.take(1),
        (false, _) => &[],
    };
    let Some(keyword) = input.accept("type") else {
        return Err(not_a_type(input.left(), whole));
    };
    let Some(name) = input.name() else {
        return Err(Mistake::new(
            input.left().first().map_or(keyword, TokenRange::of),
            "the declaration has no name",
            "write a name after `type`: `type A = f32[2,3]{1,0};`",
        ));
    };
    let fail = |place: TokenRange, found: String| {
        let help = format!("write `type {name} = f32[2,3]{{1,0}};`");
        Err(Mistake::new(place, found, help))
    };
    let without_layout = |place| fail(place, format!("`{name}` is declared without a layout"));
    let generics = generics(input);
    let Some(found) = input.left().first() else {
        return without_layout(whole);
    };
    let Some(equals) = input.accept("=") else {
        let place = TokenRange::of(found);
        return fail(place, format!("expected `=` and a layout, found `{found}`"));
    };
    let layout = input.rest();
    if layout.is_empty() {
        return without_layout(equals);
    }
    if !ends {
        return Err(Mistake::new(
            TokenRange::of_all(layout),
            format!("no `;` ends the declaration of `{name}`"),
            format!("write `type {name} = {};`", as_written(layout)),
        ));
    }
    Ok(Declaration {
        attributes,
        visibility,
        name,
        generics,
        layout,
    })
}

/// What is where `type` should.
fn not_a_type(tokens: &[TokenTree], whole: TokenRange) -> Mistake {
    match tokens {
        [] => Mistake::new(
            whole,
            "a declaration is missing after this",
            "write `type A = f32[2,3]{1,0};`",
        ),
        [name, equals, layout @ ..] if is_punct(Some(equals), '=') => Mistake::new(
            whole,
            format!("expected `type` before `{name}`"),
            format!("write `type {name} = {};`", as_written(layout)),
        ),
        [keyword, TokenTree::Ident(name), equals, layout @ ..] if is_punct(Some(equals), '=') => {
            let layout = as_written(layout);
            Mistake::new(
                TokenRange::of(keyword),
                format!("expected `type`, found `{keyword}`"),
                format!("write `type {name} = {layout};`: it is a constant of that name, too"),
            )
        }
        [keyword, ..] => Mistake::new(
            TokenRange::of(keyword),
            format!("expected `type`, found `{keyword}`"),
            "`layout!` declares types, each with a constant of the same name: \
             `type A = f32[2,3]{1,0};`",
        ),
    }
}

/// `<const M: usize>`, if it is there.
pub(crate) fn generics<'a>(input: &Input<'a>) -> &'a [TokenTree] {
    let mut depth = 0_usize;
    let ahead = input.clone();
    while ahead.peek("<") || depth > 0 && !ahead.is_empty() {
        if ahead.accept("->").is_some() {
            continue;
        }
        if ahead.peek("<") {
            depth += 1;
        } else if ahead.peek(">") {
            depth -= 1;
        }
        ahead.token();
        if depth == 0 {
            break;
        }
    }
    input.take_to(&ahead)
}

fn emit(root: &TokenStream, declaration: &Declaration<'_>) -> TokenStream {
    let Declaration {
        attributes,
        visibility,
        name,
        generics,
        layout,
    } = declaration;
    let (path, value, is_unchecked) = match read(root, layout) {
        Ok(array) => (
            emit::path(root, &array),
            emit::value(&array).map(|name| quote!(#root::__private::#name)),
            emit::has_constants(&array),
        ),
        Err(mistakes) => (
            report(root, mistakes),
            Some(quote!(#root::__private::Poison)),
            false,
        ),
    };
    let mut items = quote!(#(#attributes)* #(#visibility)* type #name #(#generics)* = #path;);
    // With constants of the user's in it, the layout was not checked here. This makes the compiler
    // do so where it is declared, `cargo check` included. Other layouts need no such evaluation.
    if is_unchecked && generics.is_empty() {
        let bytes = located(quote!(<#path>::BYTES), name.span());
        items.extend(quote! {
            #(#attributes)*
            #[allow(dead_code, deprecated)]
            const _: usize = #bytes;
        });
    }
    // The value's own arguments are those of the type, which the compiler infers.
    if let Some(value) = value.filter(|_| generics.is_empty()) {
        items.extend(quote! {
            #(#attributes)*
            #[allow(non_upper_case_globals, dead_code, deprecated)]
            #(#visibility)* const #name: #name = #value;
        });
    }
    items
}
