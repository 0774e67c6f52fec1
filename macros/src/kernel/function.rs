//! The head of the function: what a kernel may have, and what it may not.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{LitStr, Token, token};

use super::outcome;
use super::parameter::{self, Parameter};
use super::{EXAMPLE, Mistakes};
use crate::items::generics;
use crate::mistake::{Mistake, TokenRange};
use crate::parse::{rest, take};
use crate::text::{inside, is_punct, is_word, see_through};

/// What a kernel's table needs of its function.
pub(super) struct Function {
    pub(super) name: Ident,
    pub(super) doc: String,
    /// Each `#[cfg(…)]`, where another macro left one.
    pub(super) conditions: Vec<TokenStream>,
    pub(super) parameters: Vec<Parameter>,
    /// The tokens for the compiler if there are mistakes, made so that no further errors follow.
    pub(super) repaired: TokenStream,
    /// What comes after `->`.
    pub(super) outcome: Vec<TokenTree>,
}

/// Reads a function. Without mistakes there is one; with mistakes there may be.
pub(super) fn read(item: &[TokenTree], mistakes: &mut Mistakes) -> Option<Function> {
    let whole = TokenRange::of_all(item);
    let function = |input: ParseStream<'_>| {
        let function = function(input, item, mistakes)?;
        rest(input)?;
        Ok(function)
    };
    match function.parse2(item.iter().cloned().collect()) {
        Ok(function) => function,
        // The compiler parses the item that an attribute is on, so that its grammar is no question.
        Err(error) => {
            mistakes.push(Mistake::of_syn(&error, whole));
            None
        }
    }
}

fn function(
    input: ParseStream<'_>,
    item: &[TokenTree],
    mistakes: &mut Mistakes,
) -> syn::Result<Option<Function>> {
    let (doc, conditions) = attributes(input, mistakes)?;
    if input.parse::<Option<Token![pub]>>()?.is_some() && input.peek(token::Paren) {
        take(input, 1)?;
    }
    let words = modifiers(input)?;
    if input.parse::<Option<Token![fn]>>()?.is_none() {
        mistakes.push(no_function(&words, &rest(input)?));
        return Ok(None);
    }
    refuse_modifiers(&words, mistakes);
    let name = input.call(Ident::parse_any)?;
    let generics: Vec<_> = generics(input)?.into_iter().collect();
    let is_generic = generics.len() > 2;
    let of_types = is_generic.then(|| generic(&generics, &name));
    mistakes.extend(of_types.clone());
    let named = is_punct(generics.get(1), '\'');
    let of_types = of_types.filter(|_| !named && !is_word(generics.get(1), "const"));
    let at = item.len() - rest(&input.fork())?.len();
    let list = take(input, 1)?.into_iter().next();
    let list = see_through(inside(list.as_ref(), Delimiter::Parenthesis).unwrap_or_default());
    let (parameters, list_repaired) =
        parameter::read_all(&list, of_types.as_ref(), named, mistakes);
    let list_repaired = Group::new(Delimiter::Parenthesis, list_repaired).into();
    // An `async fn` wants to know the lifetimes of its parameters.
    let repaired = (item[..at].iter())
        .filter(|token| !is_word(Some(token), "async"))
        .chain([&list_repaired])
        .chain(&item[at + 1..])
        .cloned()
        .collect();
    let without_mistakes = mistakes.is_empty();
    let outcome = behind_the_arrow(input, is_generic, mistakes)?;
    let returned = outcome::refuse(&outcome, &parameters);
    mistakes.extend(returned.clone());
    let no_results = returned.is_none() && parameters.iter().all(Parameter::is_no_result);
    if without_mistakes && no_results {
        let found = format!("the kernel `{name}` has no results");
        let help = "write each as a parameter: `mut y: Out<layout!(f32[8])>`";
        mistakes.push(Mistake::new(name.span().into(), found, help));
    }
    Ok(Some(Function {
        name,
        doc,
        conditions,
        parameters,
        repaired,
        outcome,
    }))
}

/// The text of the documentation, and the conditions.
fn attributes(
    input: ParseStream<'_>,
    mistakes: &mut Mistakes,
) -> syn::Result<(String, Vec<TokenStream>)> {
    let (mut lines, mut conditions) = (Vec::new(), Vec::new());
    while input.parse::<Option<Token![#]>>()?.is_some() {
        let attribute = input.parse::<TokenTree>()?;
        let tokens = see_through(inside(Some(&attribute), Delimiter::Bracket).unwrap_or_default());
        match &tokens[..] {
            [word, equals, text] if is_word(Some(word), "doc") && is_punct(Some(equals), '=') => {
                lines.extend(syn::parse2::<LitStr>(text.clone().into()).map(|text| text.value()));
            }
            [word, ..] if is_word(Some(word), "cfg") => {
                conditions.push(tokens.into_iter().collect());
            }
            [word, ..] if is_word(Some(word), "target_feature") => mistakes.push(Mistake::new(
                TokenRange::of(word),
                "a kernel runs on every processor",
                "call a function with `#[target_feature]` from the kernel, \
                 where `is_x86_feature_detected!` says that it may run",
            )),
            tokens if is_kernel(tokens) => mistakes.push(Mistake::new(
                TokenRange::of_all(tokens),
                "the function is a kernel already",
                "write `#[kernel]` once, with all options",
            )),
            _ => {}
        }
    }
    // `/// text` is `#[doc = " text"]`.
    let lines: Vec<_> = lines.iter().flat_map(|text| text.split('\n')).collect();
    let indent = |line: &&&str| line.starts_with(' ') || line.trim().is_empty();
    let indented = lines.iter().filter(indent).count() == lines.len();
    let lines: Vec<_> = lines
        .into_iter()
        .map(|line| match indented {
            true => line.strip_prefix(' ').unwrap_or(line).trim_end(),
            false => line.trim_end(),
        })
        .collect();
    Ok((lines.join("\n").trim_matches('\n').to_owned(), conditions))
}

/// `kernel` or `xlayout::kernel`, and perhaps options.
fn is_kernel(attribute: &[TokenTree]) -> bool {
    let path = match attribute {
        [path @ .., TokenTree::Group(_)] => path,
        path => path,
    };
    match path {
        [word] => is_word(Some(word), "kernel"),
        [root, .., word] => is_word(Some(root), "xlayout") && is_word(Some(word), "kernel"),
        [] => false,
    }
}

/// The words between the visibility and `fn`, each with what belongs to it.
fn modifiers(input: ParseStream<'_>) -> syn::Result<Vec<Vec<TokenTree>>> {
    const WORDS: [&str; 7] = [
        "const", "async", "unsafe", "extern", "default", "safe", "gen",
    ];
    let mut words: Vec<Vec<TokenTree>> = Vec::new();
    while let Some((next, _)) = input.cursor().token_tree() {
        match &next {
            TokenTree::Ident(word) if WORDS.iter().any(|w| word == w) => words.push(vec![next]),
            TokenTree::Literal(_) if !words.is_empty() => {
                words
                    .last_mut()
                    .into_iter()
                    .for_each(|word| word.push(next.clone()));
            }
            _ => break,
        }
        take(input, 1)?;
    }
    Ok(words)
}

fn refuse_modifiers(words: &[Vec<TokenTree>], mistakes: &mut Mistakes) {
    for word in words {
        let (found, help) = match word[0].to_string().as_str() {
            "async" => (
                "a kernel is not `async`: XLA waits until it returns",
                "remove `async`; work is shared among threads by a parameter of the type `Pool`",
            ),
            "unsafe" => (
                "a kernel cannot be `unsafe`: XLA does not know what a caller of unsafe code must ensure",
                "remove `unsafe`, and write `unsafe { … }` with its reason in the body",
            ),
            "extern" => (
                "a kernel is a function of Rust: `#[kernel]` writes what XLA calls",
                "remove `extern`",
            ),
            "const" => (
                "a kernel is not `const`: it runs when XLA calls it",
                "remove `const`",
            ),
            _ => ("a kernel is a plain function", "remove this word"),
        };
        mistakes.push(Mistake::new(TokenRange::of_all(word), found, help));
    }
}

/// The item that the attribute is on, if it is not a function.
fn no_function(words: &[Vec<TokenTree>], item: &[TokenTree]) -> Mistake {
    let words = words.concat();
    let names = |item: &[TokenTree]| matches!(item.first(), Some(TokenTree::Ident(_)));
    // `const X`, `extern "C" { … }`; but `unsafe impl`.
    let tokens: Vec<_> = match words.last() {
        Some(word) if !is_word(Some(word), "unsafe") || !names(item) => {
            words.into_iter().chain(item.iter().cloned()).collect()
        }
        _ => item.to_vec(),
    };
    let kind = tokens.first().map_or_else(String::new, ToString::to_string);
    let (found, help) = match &kind[..] {
        "impl" | "trait" => (
            format!("expected a function, found `{kind}`"),
            "a kernel is a function of a module: write it outside, and the attribute on it",
        ),
        "mod" => (
            "expected a function, found a module".into(),
            "write it on each function of the module that is a kernel",
        ),
        _ if is_punct(tokens.get(1), '!') => (
            format!("expected a function, found a call of `{kind}!`"),
            EXAMPLE,
        ),
        _ => (format!("expected a function, found `{kind}`"), EXAMPLE),
    };
    let end = usize::from(matches!(tokens.get(1), Some(TokenTree::Ident(_)))) + 1;
    Mistake::new(
        TokenRange::of_all(tokens.get(..end).unwrap_or(&tokens)),
        found,
        help,
    )
}

/// Parameters between angle brackets.
fn generic(generics: &[TokenTree], name: &Ident) -> Mistake {
    let (found, help) = match generics.get(1) {
        Some(token) if is_punct(Some(token), '\'') => (
            format!("the kernel `{name}` has lifetime parameters"),
            "remove them: `In`, `Out` and `InOut` need none",
        ),
        Some(token) if is_word(Some(token), "const") => (
            format!("the kernel `{name}` has constant parameters, and XLA gives it none"),
            "write a `?` in the layouts for a size that is known at run time only; \
             or one kernel for each size, which calls the generic function",
        ),
        _ => (
            format!("the kernel `{name}` has type parameters, and XLA gives it none"),
            "write the types; or one kernel for each type, which calls the generic function",
        ),
    };
    Mistake::new(TokenRange::of_all(generics), found, help)
}

/// What is between the parameters and the body.
fn behind_the_arrow(
    input: ParseStream<'_>,
    is_generic: bool,
    mistakes: &mut Mistakes,
) -> syn::Result<Vec<TokenTree>> {
    if input.parse::<Option<Token![->]>>()?.is_some() && input.peek(Token![impl]) {
        let word: Token![impl] = input.parse()?;
        mistakes.push(Mistake::new(
            word.span.into(),
            "a kernel returns no `impl Trait`",
            "write `Result<()>`, or nothing: results are parameters of the type `Out<…>`",
        ));
    }
    let ends = || input.peek(token::Brace) || input.peek(Token![;]);
    let mut outcome = Vec::new();
    while !(input.is_empty() || ends() || input.peek(Token![where])) {
        outcome.push(input.parse()?);
    }
    if let Some(word) = input.parse::<Option<Token![where]>>()?
        && !is_generic
    {
        let found = "a kernel has no `where`: its types are known";
        mistakes.push(Mistake::new(word.span.into(), found, "remove it"));
    }
    while !(input.is_empty() || ends()) {
        take(input, 1)?;
    }
    if let Some(end) = input.parse::<Option<Token![;]>>()? {
        let help = "write `{ … }` in the place of `;`";
        mistakes.push(Mistake::new(
            end.span.into(),
            "the kernel has no body",
            help,
        ));
    }
    Ok(outcome)
}
