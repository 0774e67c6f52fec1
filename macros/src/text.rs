//! Tokens as text, and back: which tokens come after a range of the text.

use core::ops::Range;

use proc_macro2::{Delimiter, Group, Ident, Literal, Spacing, TokenStream, TokenTree};
use syn::ext::IdentExt;

use crate::mistake::TokenRange;

/// The text that core reads, and the place of every piece of it.
#[derive(Debug, Default)]
pub(crate) struct Text {
    text: String,
    pieces: Vec<(Range<usize>, TokenRange)>,
    /// The next piece follows without a blank: `=` behind `<`, a number behind `-`.
    joint: bool,
}

impl Text {
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Where the next piece will be.
    pub(crate) fn end(&self) -> usize {
        self.text.len()
    }

    /// Adds a piece of text for the tokens at a place: directly behind the one before, as a person
    /// would write it, unless the two would be read as one.
    pub(crate) fn push(&mut self, piece: &str, place: TokenRange) {
        let in_word = |c: char| c.is_alphanumeric() || "_.-$".contains(c);
        let in_mark = |c: char| c.is_ascii_punctuation() && !"()[]{},\"'".contains(c);
        let merges = |before: char, next: char| {
            in_word(before) && in_word(next) || in_mark(before) && in_mark(next)
        };
        let ends = (self.text.chars().next_back(), piece.chars().next());
        if !self.joint && matches!(ends, (Some(before), Some(next)) if merges(before, next)) {
            self.text.push(' ');
        }
        self.joint = false;
        let start = self.text.len();
        self.text.push_str(piece);
        self.pieces.push((start..self.text.len(), place));
    }

    /// Adds tokens as they are.
    pub(crate) fn push_tokens(&mut self, tokens: &[TokenTree]) {
        let mut rest = tokens;
        while let [token, after @ ..] = rest {
            rest = after;
            match token {
                TokenTree::Group(group) => {
                    let inside = see_through(group.stream());
                    self.push_group(token, |text| text.push_tokens(&inside));
                }
                // A lifetime is two tokens. Core calls it what it looks like: an open quote.
                TokenTree::Punct(punct) if punct.as_char() == '\'' && !after.is_empty() => {
                    self.push(
                        "''",
                        TokenRange::of_all(&tokens[tokens.len() - after.len() - 1..][..2]),
                    );
                    rest = &after[1..];
                }
                TokenTree::Punct(punct) => {
                    self.push(
                        punct.as_char().encode_utf8(&mut [0; 4]),
                        TokenRange::of(token),
                    );
                    let sign = matches!(punct.as_char(), '-' | '.')
                        && matches!(after.first(), Some(TokenTree::Literal(_)));
                    self.joint = punct.spacing() == Spacing::Joint || sign;
                }
                // A word in quotes, for the error to name.
                TokenTree::Literal(literal) if is_quoted_word(literal) => {
                    self.push(&literal.to_string(), TokenRange::of(token));
                }
                // Rust has more kinds of quotes than core should know.
                TokenTree::Literal(literal) if is_quoted(literal) => {
                    self.push("\"\"", TokenRange::of(token));
                }
                token => self.push(&token.to_string(), TokenRange::of(token)),
            }
        }
    }

    /// Adds a group: its brackets as they are, and between them what `inside` adds.
    pub(crate) fn push_group(&mut self, group: &TokenTree, inside: impl FnOnce(&mut Self)) {
        let (open, close) = match group {
            TokenTree::Group(g) => match g.delimiter() {
                Delimiter::Parenthesis => ("(", ")"),
                Delimiter::Brace => ("{", "}"),
                Delimiter::Bracket => ("[", "]"),
                Delimiter::None => ("", ""),
            },
            _ => ("", ""),
        };
        let TokenRange { first, last } = TokenRange::of(group);
        self.push(open, TokenRange { first, last: first });
        inside(self);
        // A `?` directly before the bracket is "joint" in some compilers and not in others.
        self.joint = false;
        self.push(close, TokenRange { first: last, last });
    }

    /// The tokens behind a range of the text: all that it touches. An empty range is between two
    /// tokens, where something is missing: the token before it is meant, for there the eye has to
    /// go on.
    pub(crate) fn place(&self, range: Option<Range<usize>>) -> TokenRange {
        let all = match &self.pieces[..] {
            [] => TokenRange::call(),
            [first, .., last] => first.1.to(last.1),
            [one] => one.1,
        };
        let Some(range) = range else { return all };
        let mut touched = None::<TokenRange>;
        let mut before = None;
        for (piece, place) in &self.pieces {
            if piece.start < range.end && range.start < piece.end {
                touched = Some(touched.unwrap_or(*place).to(*place));
            } else if before.is_none() || piece.end <= range.start {
                before = Some(*place);
            }
        }
        touched.or(before).unwrap_or(all)
    }
}

/// Tokens without the invisible groups that `macro_rules!` puts around what it captured as
/// `$n:expr`, `$n:literal`, `$t:ty`, ….
pub(crate) fn see_through(tokens: impl IntoIterator<Item = TokenTree>) -> Vec<TokenTree> {
    let mut flat = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(g) if g.delimiter() == Delimiter::None => {
                flat.extend(see_through(g.stream()));
            }
            token => flat.push(token),
        }
    }
    flat
}

/// Whether a token is this punctuation character.
pub(crate) fn is_punct(token: Option<&TokenTree>, character: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == character)
}

/// Whether a token is this word.
pub(crate) fn is_word(token: Option<&TokenTree>, word: &str) -> bool {
    matches!(token, Some(TokenTree::Ident(ident)) if ident == word)
}

/// The inside of a group with this delimiter.
pub(crate) fn inside(token: Option<&TokenTree>, delimiter: Delimiter) -> Option<TokenStream> {
    match token {
        Some(TokenTree::Group(g)) if g.delimiter() == delimiter => Some(g.stream()),
        _ => None,
    }
}

/// Whether a literal is letters in plain quotes: `"C"`, `'F'`.
fn is_quoted_word(literal: &Literal) -> bool {
    let text = literal.to_string();
    let inside = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    let letters = |text: &str| text.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    inside('"').or_else(|| inside('\'')).is_some_and(letters)
}

/// Whether a literal is a text or a character, and no number.
pub(crate) fn is_quoted(literal: &Literal) -> bool {
    let text = literal.to_string();
    text.contains('"') || text.contains('\'')
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
                let blank = if alone { " " } else { "" };
                text.push_str(blank);
                text.push(punct.as_char());
                text.push_str(blank);
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

/// The letters of a name, without `r#`.
pub(crate) fn letters(name: &Ident) -> String {
    name.unraw().to_string()
}
