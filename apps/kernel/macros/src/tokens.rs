//! Tokens that no syntax tree holds: options, layouts, bodies, and what another macro captured.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// Tokens without the invisible groups that `macro_rules!` puts around what it captured as `$t:ty`.
pub(crate) fn see_through(tokens: TokenStream) -> TokenStream {
    let flat = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::None => {
            see_through(group.stream())
        }
        token => token.into(),
    });
    flat.collect()
}

/// Whether a token is this punctuation character.
pub(crate) fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(punct)) if punct.as_char() == character)
}

/// Whether a token is this word.
pub(crate) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

/// The inside of a group with this delimiter.
pub(crate) fn inside(token: &TokenTree, delimiter: Delimiter) -> Option<TokenStream> {
    match token {
        TokenTree::Group(group) if group.delimiter() == delimiter => Some(group.stream()),
        _ => None,
    }
}

/// Whether these tokens end in `layout!`, so that a layout follows.
pub(crate) fn call_layout(before: &[TokenTree]) -> bool {
    matches!(before, [.., word, bang] if is_word(Some(word), "layout") && is_punct(Some(bang), '!'))
}

/// Tokens as a person would write them.
pub(crate) fn as_written(tokens: impl ToTokens) -> String {
    let mut text = String::new();
    let mut behind_a_word = false;
    for token in tokens.into_token_stream() {
        let is_word = matches!(token, TokenTree::Ident(_) | TokenTree::Literal(_));
        if is_word && behind_a_word {
            text.push(' ');
        }
        behind_a_word = is_word;
        text += &match token {
            TokenTree::Group(group) => {
                let inside = as_written(group.stream());
                match group.delimiter() {
                    Delimiter::Parenthesis => format!("({inside})"),
                    Delimiter::Brace => format!("{{ {inside} }}"),
                    Delimiter::Bracket => format!("[{inside}]"),
                    Delimiter::None => inside,
                }
            }
            TokenTree::Punct(punct)
                if punct.spacing() == Spacing::Alone
                    && "+-*/%&|^".contains(punct.as_char())
                    && !text.is_empty() =>
            {
                format!(" {punct} ")
            }
            token => token.to_string(),
        };
    }
    text
}
