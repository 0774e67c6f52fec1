//! Reads tokens one after another, for what is Rust around a layout. The layout itself has core's
//! grammar.
//!
//! The macros need a few marks, words and groups of Rust's grammar. A crate for the whole grammar
//! would take longer to compile than the macros themselves.

use core::cell::Cell;

use proc_macro2::{Delimiter, Ident, Spacing, TokenTree};

use crate::mistake::TokenRange;

/// The tokens that are not read yet.
#[derive(Clone)]
pub(crate) struct Input<'a> {
    left: Cell<&'a [TokenTree]>,
}

impl<'a> Input<'a> {
    pub(crate) fn new(tokens: &'a [TokenTree]) -> Self {
        Self {
            left: Cell::new(tokens),
        }
    }

    /// The tokens that are not read yet, which stay unread.
    pub(crate) fn left(&self) -> &'a [TokenTree] {
        self.left.get()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left().is_empty()
    }

    /// Whether one token is left.
    pub(crate) fn is_last(&self) -> bool {
        self.left().len() == 1
    }

    /// Reads the next token.
    pub(crate) fn token(&self) -> Option<&'a TokenTree> {
        self.take(1).first()
    }

    /// Reads so many tokens, or all that are left.
    pub(crate) fn take(&self, count: usize) -> &'a [TokenTree] {
        let (taken, left) = self.left().split_at(count.min(self.left().len()));
        self.left.set(left);
        taken
    }

    /// Reads the tokens that another reader of the same tokens has read.
    pub(crate) fn take_to(&self, ahead: &Self) -> &'a [TokenTree] {
        self.take(self.left().len() - ahead.left().len())
    }

    /// Reads all tokens that are left.
    pub(crate) fn rest(&self) -> &'a [TokenTree] {
        self.take(usize::MAX)
    }

    /// Whether this word or mark is next: `type`, `,`, `=>`. A mark is also the beginning of a
    /// longer one: `=` of `=>`.
    pub(crate) fn peek(&self, text: &str) -> bool {
        self.peek_behind(0, text)
    }

    /// Whether this word or mark comes after so many tokens.
    pub(crate) fn peek_behind(&self, tokens: usize, text: &str) -> bool {
        length(self.left().get(tokens..).unwrap_or_default(), text).is_some()
    }

    /// Whether a group with this delimiter is next, perhaps one that `macro_rules!` captured.
    pub(crate) fn peek_group(&self, delimiter: Delimiter) -> bool {
        is_group(self.left().first(), delimiter)
    }

    /// Whether a group with this delimiter comes after so many tokens.
    pub(crate) fn peek_group_behind(&self, tokens: usize, delimiter: Delimiter) -> bool {
        is_group(self.left().get(tokens), delimiter)
    }

    /// Whether a word of any kind comes after so many tokens.
    pub(crate) fn peek_word_behind(&self, tokens: usize) -> bool {
        matches!(self.left().get(tokens), Some(TokenTree::Ident(_)))
    }

    /// Reads this word or mark if it is next, and returns its place.
    pub(crate) fn accept(&self, text: &str) -> Option<TokenRange> {
        let count = length(self.left(), text)?;
        Some(TokenRange::of_all(self.take(count)))
    }

    /// Reads a word of any kind: a name, one of Rust's words, or `_`.
    pub(crate) fn word(&self) -> Option<&'a Ident> {
        let Some(TokenTree::Ident(word)) = self.left().first() else {
            return None;
        };
        self.take(1);
        Some(word)
    }

    /// Reads a name: a word that is none of Rust's.
    pub(crate) fn name(&self) -> Option<&'a Ident> {
        match self.left().first() {
            Some(TokenTree::Ident(word)) if is_name(&word.to_string()) => self.word(),
            _ => None,
        }
    }
}

/// How many tokens this word or mark is, if the tokens begin with it.
fn length(tokens: &[TokenTree], text: &str) -> Option<usize> {
    if let Some(TokenTree::Ident(word)) = tokens.first() {
        return (word == text).then_some(1);
    }
    let count = text.len();
    let mut characters = text.chars().zip(tokens);
    let is_mark = |(k, (character, token)): (usize, (char, &TokenTree))| match token {
        // Nothing is between the characters of one mark.
        TokenTree::Punct(p) => {
            p.as_char() == character && (k + 1 == count || p.spacing() == Spacing::Joint)
        }
        _ => false,
    };
    let found = tokens.len() >= count && characters.by_ref().enumerate().all(is_mark);
    found.then_some(count)
}

fn is_group(token: Option<&TokenTree>, delimiter: Delimiter) -> bool {
    match token {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => true,
        Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::None => {
            is_group(group.stream().into_iter().next().as_ref(), delimiter)
        }
        _ => false,
    }
}

/// Whether a word can be a name: none of Rust's words, and not `_`.
pub(crate) fn is_name(word: &str) -> bool {
    const WORDS: [&str; 52] = [
        "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
        "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "if",
        "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv",
        "pub", "ref", "return", "Self", "self", "static", "struct", "super", "trait", "true",
        "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    !WORDS.contains(&word)
}
