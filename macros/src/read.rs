//! One layout: from tokens to what core read, or to all mistakes.

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};
use xlayout_core::ArrayShape;
use xlayout_core::text::{Notation, Rules, read_array};

use crate::mistake::{Mistake, Place};
use crate::sizes::{self, Size};
use crate::text::{Text, inside};

/// The rules that a layout keeps in `layout!`: our notation beside XLA's, and whatever index
/// arithmetic needs.
pub(crate) const RULES: Rules = Rules { notation: Notation::Extended, addressable: true };

/// A layout that was read and found valid.
#[derive(Debug)]
pub(crate) struct Array {
    /// What core read. Where a size is a constant of the user's, there is an unbounded dimension.
    pub(crate) shape: ArrayShape,
    /// The sizes as they were written, one for each dimension.
    pub(crate) sizes: Vec<Size>,
    /// The span of the element type, for editors.
    pub(crate) element_type: Span,
}

/// Reads and checks one layout.
pub(crate) fn read(root: &TokenStream, tokens: &[TokenTree]) -> Result<Array, Vec<Mistake>> {
    let mut text = Text::default();
    let mut mistakes = Vec::new();
    let brackets =
        tokens.iter().position(|token| inside(Some(token), Delimiter::Bracket).is_some());
    let sizes = match brackets {
        Some(at) => {
            text.push_tokens(&tokens[..at]);
            let sizes = sizes::read(root, &tokens[at], &mut text, &mut mistakes);
            text.push_tokens(&tokens[at + 1..]);
            sizes
        }
        None => {
            text.push_tokens(tokens);
            Vec::new()
        }
    };
    let shape = read_array(text.as_str(), RULES, &mut |error| {
        let place = text.place(error.span());
        let message = match error.help() {
            Some(help) => format!("{}\nhelp: {help}", error.message()),
            None => error.message().to_string(),
        };
        let offset = error.span().map_or(0, |range| range.start);
        mistakes.push(Mistake { place, message, offset });
    });
    let element_type = Place::of_all(tokens).first;
    match shape {
        Some(shape) if mistakes.is_empty() => Ok(Array { shape, sizes, element_type }),
        _ => {
            mistakes.sort_by_key(|mistake| mistake.offset);
            Err(mistakes)
        }
    }
}

/// Tokens as a person would write them: without the blanks of `N * 2`, but with those that keep
/// words apart.
pub(crate) fn as_written(tokens: &[TokenTree]) -> String {
    let mut text = String::new();
    let mut blank = false;
    for token in tokens {
        let word = matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_));
        if word && blank {
            text.push(' ');
        }
        blank = word;
        match token {
            TokenTree::Group(group) => text.push_str(&group_as_written(group)),
            TokenTree::Punct(punct) => {
                let operator = "+-*/%&|^".contains(punct.as_char()) && !text.is_empty();
                let alone = operator && punct.spacing() == Spacing::Alone;
                text.extend(alone.then_some(' '));
                text.push(punct.as_char());
                text.extend(alone.then_some(' '));
            }
            token => text.push_str(&token.to_string()),
        }
    }
    text
}

fn group_as_written(group: &Group) -> String {
    let inside: Vec<_> = group.stream().into_iter().collect();
    let inside = as_written(&inside);
    match group.delimiter() {
        Delimiter::Parenthesis => format!("({inside})"),
        Delimiter::Brace => format!("{{ {inside} }}"),
        Delimiter::Bracket => format!("[{inside}]"),
        Delimiter::None => inside,
    }
}
