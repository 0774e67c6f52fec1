//! Declarations: `pub type A = f32[2,3]{0,1};` becomes a type and a constant of that name.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;

use crate::emit;
use crate::mistake::{Mistake, Place, report, report_items};
use crate::read::{as_written, read};
use crate::text::{inside, is_punct, is_word};

/// One declaration, its parts as they were written.
struct Declaration {
    attributes: Vec<TokenTree>,
    visibility: Vec<TokenTree>,
    name: Ident,
    generics: Vec<TokenTree>,
    layout: Vec<TokenTree>,
}

/// Whether this is a declaration (perhaps a wrong one) and no layout: `#[…]`, `pub`, `type` or
/// another word that begins an item of Rust, or `A = …`.
pub(crate) fn begins(tokens: &[TokenTree]) -> bool {
    const WORDS: [&str; 10] = [
        "pub", "type", "const", "static", "let", "struct", "enum", "use", "fn", "mod",
    ];
    begins_attribute(tokens)
        || WORDS.iter().any(|word| is_word(tokens.first(), word))
        || matches!(tokens.first(), Some(TokenTree::Ident(_))) && is_punct(tokens.get(1), '=')
}

fn begins_attribute(tokens: &[TokenTree]) -> bool {
    is_punct(tokens.first(), '#') && inside(tokens.get(1), Delimiter::Bracket).is_some()
}

/// All declarations. A layout with mistakes still declares its name, so that nobody misses it.
pub(crate) fn expand(root: &TokenStream, tokens: &[TokenTree]) -> TokenStream {
    let mut items = TokenStream::new();
    let mut rest = tokens;
    while let [first, after @ ..] = rest {
        if is_punct(Some(first), ';') {
            rest = after;
            continue;
        }
        match declaration(&mut rest) {
            Ok(declaration) => items.extend(emit(root, &declaration)),
            Err(mistake) => items.extend(report_items(&[mistake])),
        }
    }
    items
}

/// The next declaration; after a mistake, `rest` begins behind the next `;`.
fn declaration(rest: &mut &[TokenTree]) -> Result<Declaration, Mistake> {
    let all = *rest;
    let end = statement_len(all);
    let (mut tokens, after) = all.split_at(end);
    let terminated = is_punct(after.first(), ';');
    *rest = if terminated { &after[1..] } else { after };
    let whole = Place::of_all(tokens);

    let mut attributes = Vec::new();
    while begins_attribute(tokens) {
        attributes.extend_from_slice(&tokens[..2]);
        tokens = &tokens[2..];
    }
    let mut visibility = Vec::new();
    if is_word(tokens.first(), "pub") {
        let restricted = inside(tokens.get(1), Delimiter::Parenthesis).is_some();
        let (words, behind) = tokens.split_at(if restricted { 2 } else { 1 });
        visibility = words.to_vec();
        tokens = behind;
    }
    let [keyword, tokens @ ..] = tokens else {
        return Err(Mistake::new(
            whole,
            "a declaration is missing after this",
            "write `type A = f32[2,3]{1,0};`",
        ));
    };
    if !is_word(Some(keyword), "type") {
        return Err(not_a_type(keyword, tokens, whole));
    }
    let [TokenTree::Ident(name), tokens @ ..] = tokens else {
        let place = tokens.first().map_or(Place::of(keyword), Place::of);
        return Err(Mistake::new(
            place,
            "the declaration has no name",
            "write a name after `type`: `type A = f32[2,3]{1,0};`",
        ));
    };
    let generics = generics_len(tokens);
    let (generics, tokens) = tokens.split_at(generics);
    let [equals, layout @ ..] = tokens else {
        return Err(Mistake::new(
            whole,
            format!("`{name}` is declared without a layout"),
            format!("write `type {name} = f32[2,3]{{1,0}};`"),
        ));
    };
    if !is_punct(Some(equals), '=') {
        return Err(Mistake::new(
            Place::of(equals),
            format!("expected `=` and a layout, found `{equals}`"),
            format!("write `type {name} = f32[2,3]{{1,0}};`"),
        ));
    }
    if layout.is_empty() {
        return Err(Mistake::new(
            Place::of(equals),
            format!("`{name}` is declared without a layout"),
            format!("write `type {name} = f32[2,3]{{1,0}};`"),
        ));
    }
    if !terminated {
        return Err(Mistake::new(
            Place::of_all(layout),
            format!("no `;` ends the declaration of `{name}`"),
            format!("write `type {name} = {};`", as_written(layout)),
        ));
    }
    Ok(Declaration {
        attributes,
        visibility,
        name: name.clone(),
        generics: generics.to_vec(),
        layout: layout.to_vec(),
    })
}

/// The tokens before the `;` of a declaration; or before the next declaration, when the `;` is
/// missing.
fn statement_len(tokens: &[TokenTree]) -> usize {
    let equals = tokens.iter().position(|token| is_punct(Some(token), '='));
    let begins_next = |at: usize| {
        equals.is_some_and(|equals| at > equals)
            && (begins_attribute(&tokens[at..])
                || is_word(tokens.get(at), "pub")
                || is_word(tokens.get(at), "type"))
    };
    (0..tokens.len())
        .find(|&at| is_punct(tokens.get(at), ';') || begins_next(at))
        .unwrap_or(tokens.len())
}

fn not_a_type(keyword: &TokenTree, tokens: &[TokenTree], whole: Place) -> Mistake {
    match tokens {
        [equals, layout @ ..] if is_punct(Some(equals), '=') => Mistake::new(
            whole,
            format!("expected `type` before `{keyword}`"),
            format!("write `type {keyword} = {};`", as_written(layout)),
        ),
        [TokenTree::Ident(name), equals, layout @ ..] if is_punct(Some(equals), '=') => {
            let layout = as_written(layout);
            Mistake::new(
                Place::of(keyword),
                format!("expected `type`, found `{keyword}`"),
                format!("write `type {name} = {layout};`: it is a constant of that name, too"),
            )
        }
        _ => Mistake::new(
            Place::of(keyword),
            format!("expected `type`, found `{keyword}`"),
            "`layout!` declares types, each with a constant of the same name: \
             `type A = f32[2,3]{1,0};`",
        ),
    }
}

/// The tokens of `<const M: usize>`, if they are there.
fn generics_len(tokens: &[TokenTree]) -> usize {
    if !is_punct(tokens.first(), '<') {
        return 0;
    }
    let mut depth = 0_usize;
    for (k, token) in tokens.iter().enumerate() {
        let arrow = k > 0 && is_punct(tokens.get(k - 1), '-');
        if is_punct(Some(token), '<') {
            depth += 1;
        } else if is_punct(Some(token), '>') && !arrow {
            depth -= 1;
            if depth == 0 {
                return k + 1;
            }
        }
    }
    tokens.len()
}

fn emit(root: &TokenStream, declaration: &Declaration) -> TokenStream {
    let Declaration {
        attributes,
        visibility,
        name,
        generics,
        layout,
    } = declaration;
    let attributes: TokenStream = attributes.iter().cloned().collect();
    let visibility: TokenStream = visibility.iter().cloned().collect();
    let has_generics = !generics.is_empty();
    let generics: TokenStream = generics.iter().cloned().collect();
    let (path, value) = match read(root, layout) {
        Ok(array) if emit::is_mixed(&array) => (emit::path(root, &array), None),
        Ok(array) => (
            emit::path(root, &array),
            Some(quote!(#root::__private::fixed::Fixed)),
        ),
        Err(mistakes) => (
            report(root, mistakes),
            Some(quote!(#root::__private::Poison)),
        ),
    };
    let mut items = quote!(#attributes #visibility type #name #generics = #path;);
    // The value's own arguments are those of the type, which the compiler infers.
    if let Some(value) = value.filter(|_| !has_generics) {
        items.extend(quote! {
            #attributes
            #[allow(non_upper_case_globals, dead_code, deprecated)]
            #visibility const #name: #name = #value;
        });
    }
    items
}
