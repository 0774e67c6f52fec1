//! Declarations: `pub type A = f32[2,3]{0,1};` becomes a type and a constant of that name.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{ParseStream, Parser};
use syn::{Token, token};

use crate::describe::describe;
use crate::emit;
use crate::mistake::{Mistake, TokenRange, kind, located, report};
use crate::parse::{rest, take};
use crate::read::read;
use crate::text::{as_written, inside, is_punct, is_word};

/// One declaration, its parts as they were written.
struct Declaration {
    attributes: TokenStream,
    visibility: TokenStream,
    name: Ident,
    generics: TokenStream,
    layout: Vec<TokenTree>,
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

/// All declarations. A layout with mistakes still declares its name, so that its uses are not
/// errors.
pub(crate) fn expand(root: &TokenStream, tokens: &[TokenTree]) -> TokenStream {
    let items = |input: ParseStream<'_>| {
        let mut items = TokenStream::new();
        while !input.is_empty() {
            if input.parse::<Option<Token![;]>>()?.is_some() {
                continue;
            }
            let tokens = statement(input)?;
            let whole = TokenRange::of_all(&tokens);
            let ends = input.peek(Token![;]);
            let parts = |input: ParseStream<'_>| declaration(input, whole, ends);
            items.extend(match parts.parse2(tokens.into_iter().collect()) {
                Ok(declaration) => emit(root, &declaration),
                Err(mistake) => mistake.into_compile_error(),
            });
        }
        Ok(items)
    };
    items
        .parse2(TokenStream::from_iter(tokens.to_vec()))
        .unwrap_or_else(syn::Error::into_compile_error)
}

/// The tokens before the `;` of a declaration; or before the next declaration, when the `;` is
/// missing.
fn statement(input: ParseStream<'_>) -> syn::Result<Vec<TokenTree>> {
    let mut tokens = Vec::new();
    let mut has_equals = false;
    let begins_next =
        || begins_attribute(input) || input.peek(Token![pub]) || input.peek(Token![type]);
    while !(input.is_empty() || input.peek(Token![;]) || has_equals && begins_next()) {
        has_equals |= input.peek(Token![=]);
        tokens.push(input.parse()?);
    }
    Ok(tokens)
}

fn begins_attribute(input: ParseStream<'_>) -> bool {
    input.peek(Token![#]) && input.peek2(token::Bracket)
}

/// `#[attribute] pub(crate) type NAME<const N: usize> = layout`.
fn declaration(input: ParseStream<'_>, whole: TokenRange, ends: bool) -> syn::Result<Declaration> {
    let mut attributes = TokenStream::new();
    while begins_attribute(input) {
        attributes.extend(take(input, 2)?);
    }
    let visibility = match (input.peek(Token![pub]), input.peek2(token::Paren)) {
        (true, true) => take(input, 2)?,
        (true, false) => take(input, 1)?,
        (false, _) => TokenStream::new(),
    };
    if !input.peek(Token![type]) {
        return Err(not_a_type(&rest(input)?, whole).into());
    }
    let keyword: Token![type] = input.parse()?;
    let Ok(name) = input.parse::<Ident>() else {
        let found = input.cursor().token_tree();
        let place = found.map_or(keyword.span.into(), |(found, _)| TokenRange::of(&found));
        return Err(kind::no_name(place).into());
    };
    let fail = |mistake: Mistake| Err(mistake.into());
    let generics = generics(input)?;
    let Some((found, _)) = input.cursor().token_tree() else {
        return fail(kind::no_layout(whole, &name));
    };
    let Some(equals) = input.parse::<Option<Token![=]>>()? else {
        let place = TokenRange::of(&found);
        return fail(kind::expected_equals(place, &name, &found));
    };
    let layout = rest(input)?;
    if layout.is_empty() {
        return fail(kind::no_layout(equals.span.into(), &name));
    }
    if !ends {
        let written = as_written(without_comma(&layout));
        let place = TokenRange::of_all(&layout);
        return fail(kind::no_semicolon(place, &name, &written));
    }
    Ok(Declaration {
        attributes,
        visibility,
        name,
        generics,
        layout,
    })
}

/// The tokens without a comma at the end, which stands where `;` should.
fn without_comma(tokens: &[TokenTree]) -> &[TokenTree] {
    match tokens {
        [layout @ .., comma] if is_punct(Some(comma), ',') => layout,
        layout => layout,
    }
}

/// What is where `type` should.
fn not_a_type(tokens: &[TokenTree], whole: TokenRange) -> Mistake {
    match tokens {
        [] => kind::no_declaration(whole),
        [name, equals, layout @ ..] if is_punct(Some(equals), '=') => {
            kind::expected_type_before(whole, name, &as_written(layout))
        }
        [keyword, TokenTree::Ident(name), equals, layout @ ..] if is_punct(Some(equals), '=') => {
            kind::constant(TokenRange::of(keyword), keyword, name, &as_written(layout))
        }
        [keyword, ..] => kind::expected_type(TokenRange::of(keyword), keyword),
    }
}

/// `<const M: usize>`, if it is there.
fn generics(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut generics = TokenStream::new();
    let mut depth = 0_usize;
    while input.peek(Token![<]) || depth > 0 && !input.is_empty() {
        let arrow = input.peek(Token![->]);
        if input.peek(Token![<]) {
            depth += 1;
        } else if input.peek(Token![>]) {
            depth -= 1;
        }
        generics.extend(take(input, if arrow { 2 } else { 1 })?);
        if depth == 0 {
            break;
        }
    }
    Ok(generics)
}

/// The parameters without the bounds of types: Rust checks none in an alias, and wants their traits
/// imported. A bound stays where the layout names something of the parameter's, as `N::Size`.
fn without_bounds(generics: &TokenStream, layout: &[TokenTree]) -> TokenStream {
    let written = as_written(layout);
    let names = |name: &TokenTree| written.contains(&format!("{name}::"));
    let mut depth = 0_usize;
    let mut arrow = false;
    let mut skipped = false;
    let mut parameter: Option<TokenTree> = None;
    let mut tokens = Vec::new();
    for token in generics.clone() {
        let is = |c| is_punct(Some(&token), c);
        let outer = depth;
        let closes = is('>') && !arrow;
        arrow = is('-');
        depth = (depth + usize::from(is('<'))).saturating_sub(closes.into());
        if outer == 0 || outer == 1 && is(',') {
            (parameter, skipped) = (None, false);
        } else if depth == 0 || outer == 1 && is('=') {
            skipped = false;
        } else if outer == 1 && is(':') && !skipped {
            skipped = parameter
                .as_ref()
                .is_some_and(|name| !is_word(Some(name), "const") && !names(name));
        } else if parameter.is_none() {
            parameter = Some(token.clone());
        }
        if !skipped {
            tokens.push(token);
        }
    }
    TokenStream::from_iter(tokens)
}

fn emit(root: &TokenStream, declaration: &Declaration) -> TokenStream {
    let Declaration {
        attributes,
        visibility,
        name,
        generics,
        layout,
    } = declaration;
    let (path, value, is_unchecked, documentation) = match read(root, layout) {
        Ok(array) => (
            emit::path(root, &array),
            emit::value(&array).map(|name| quote!(#root::__private::#name)),
            emit::has_constants(&array),
            Some(describe(&array, layout)),
        ),
        Err(mistakes) => (
            report(root, mistakes),
            Some(quote!(#root::__private::Poison)),
            false,
            None,
        ),
    };
    let parameters = without_bounds(generics, layout);
    // An editor shows the one or the other, whichever a name is.
    let documentation = documentation.map(|text| quote!(#[doc = #text]));
    let mut items = quote! {
        #attributes #documentation
        #visibility type #name #parameters = #path;
    };
    // With constants of the user's in it, the layout was not checked here. This makes the compiler
    // do so where it is declared, `cargo check` included. Other layouts need no such evaluation.
    if is_unchecked && generics.is_empty() {
        let bytes = located(quote!(<#path>::BYTES), name.span());
        items.extend(quote! {
            #attributes
            #[allow(dead_code, deprecated)]
            const _: usize = #bytes;
        });
    }
    // The value's own arguments are those of the type, which the compiler infers. Where the run
    // time knows a size, the constant takes the sizes, as `layout!(f32[?,3])` does.
    if generics.is_empty() {
        let (kind, value) = match value {
            Some(value) => (quote!(#name), value),
            None => (
                quote!(#root::__private::WithSizes<#name>),
                quote!(<#name>::with_sizes),
            ),
        };
        items.extend(quote! {
            #attributes #documentation
            #[allow(non_upper_case_globals, dead_code, deprecated)]
            #visibility const #name: #kind = #value;
        });
    }
    items
}
