//! Tokens with their byte ranges.

use crate::error::{NumberFlaw, split_at_byte};

/// What a token is. Numbers in forms that no shape takes are one token each, so that the reader
/// can say what is wrong with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// `f32`, `T`, `padded_dimensions`.
    Word,
    /// `3`, `-1`, `08`.
    Integer,
    /// `2.3`, `3usize`, …
    Number(NumberFlaw),
    /// A single ASCII character that is not of another kind.
    Mark(u8),
    /// `<=`
    AtMost,
    /// A string or a character in quotes.
    Quoted,
    /// A `/*` without `*/`, up to the end of the text.
    OpenComment,
    /// A character that is nowhere in a shape.
    Other,
    /// The end of the text.
    End,
}

#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub tok: TokenKind,
    pub start: usize,
    pub end: usize,
}

/// Walks through a text token by token. Copying it looks ahead.
#[derive(Clone, Copy)]
pub struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// Where the last token ended: the end of the text is reported there.
    last: usize,
}

impl<'t> Lexer<'t> {
    pub(super) const fn new(text: &'t str) -> Self {
        Self::at(text, 0)
    }

    /// Begins at this byte, where a character begins.
    pub const fn at(text: &'t str, at: usize) -> Self {
        Self { text, at, last: at }
    }

    #[expect(
        clippy::should_implement_trait,
        reason = "it has no end: behind the text it gives `TokenKind::End` again and again"
    )]
    pub fn next(&mut self) -> Token {
        if let Some(open) = self.skip_blanks() {
            return Token {
                tok: TokenKind::OpenComment,
                start: open,
                end: self.at,
            };
        }
        let start = self.at;
        let Some(first) = self.rest().chars().next() else {
            return Token {
                tok: TokenKind::End,
                start: self.last,
                end: self.last,
            };
        };
        let tok = self.token(first);
        self.last = self.at;
        Token {
            tok,
            start,
            end: self.at,
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Skips XLA's blanks and comments. Answers where a comment begins that never ends.
    fn skip_blanks(&mut self) -> Option<usize> {
        // Loops over bytes: `str::find` and `str::trim_start_matches` are slow without
        // optimisation, and the macro runs so for each layout.
        let bytes = self.text.as_bytes();
        loop {
            while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(self.at) {
                self.at += 1;
            }
            if bytes.get(self.at) != Some(&b'/') {
                return None;
            }
            match bytes.get(self.at + 1) {
                Some(b'/') => {
                    while !matches!(bytes.get(self.at), None | Some(b'\n' | b'\r')) {
                        self.at += 1;
                    }
                }
                Some(b'*') => {
                    let open = self.at;
                    self.at += 2;
                    while !bytes[self.at..].starts_with(b"*/") {
                        if self.at == bytes.len() {
                            self.last = self.at;
                            return Some(open);
                        }
                        self.at += 1;
                    }
                    self.at += 2;
                }
                _ => return None,
            }
        }
    }

    fn token(&mut self, first: char) -> TokenKind {
        let rest = self.rest();
        let second = rest[first.len_utf8()..].chars().next();
        match first {
            '0'..='9' => self.number(0),
            '-' | '.' if second.is_some_and(|c| c.is_ascii_digit()) => self.number(1),
            '+' if second.is_some_and(|c| c.is_ascii_digit()) => {
                self.number(1);
                TokenKind::Number(NumberFlaw::Plus)
            }
            '<' if second == Some('=') => {
                self.at += 2;
                TokenKind::AtMost
            }
            '"' | '\'' => {
                self.at += quoted(rest, first as u8);
                TokenKind::Quoted
            }
            c if c == '_' || c.is_alphabetic() => {
                self.at += length(rest, in_word);
                TokenKind::Word
            }
            c if c.is_ascii() && !c.is_ascii_control() => {
                self.at += 1;
                TokenKind::Mark(c as u8)
            }
            c => {
                // One token for a run of foreign characters: one mistake.
                self.at += c.len_utf8();
                let foreign = |c: char| {
                    !c.is_ascii() || c.is_ascii_control() && c != '\t' && c != '\n' && c != '\r'
                };
                let rest = self.rest();
                self.at += length(rest, foreign);
                TokenKind::Other
            }
        }
    }

    /// A number and all that is written onto it; `sign` is the length of its sign.
    fn number(&mut self, sign: usize) -> TokenKind {
        let rest = self.rest();
        let end = sign + length(&rest[sign..], in_number);
        let text = &rest[..end];
        self.at += end;
        classify(&text[sign..], text.starts_with('.'))
    }
}

/// How long the text in quotes at the beginning of `rest` is; up to the end of the line if they
/// are never closed. A backslash escapes.
fn quoted(rest: &str, quote: u8) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'\n' => return at,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    rest.len()
}

/// The text before the first `mark`, which is ASCII. All of the text if it has no `mark`.
pub(super) fn until(text: &str, mark: u8) -> &str {
    match split_at_byte(text, mark) {
        Some((before, _)) => before,
        None => text,
    }
}

/// Whether two words differ in case only. `str::eq_ignore_ascii_case` generates more code.
pub(super) fn same_letters(a: &str, b: &str) -> bool {
    let a = a.as_bytes();
    let b = b.as_bytes();
    let mut k = 0;
    while k < a.len() && k < b.len() && a[k].eq_ignore_ascii_case(&b[k]) {
        k += 1;
    }
    k == a.len() && k == b.len()
}

/// `text` without the ASCII characters `marks` at its two ends.
pub(super) fn trim<'t>(text: &'t str, marks: &[u8]) -> &'t str {
    // `str::trim_matches` generates much code for each set of characters.
    let bytes = text.as_bytes();
    let mut start = 0;
    let mut end = bytes.len();
    while start < end && marks.contains(&bytes[start]) {
        start += 1;
    }
    while start < end && marks.contains(&bytes[end - 1]) {
        end -= 1;
    }
    &text[start..end]
}

/// The bytes of the characters at the beginning that belong to a class.
pub(super) fn length(text: &str, class: fn(char) -> bool) -> usize {
    let mut chars = text.chars();
    loop {
        let rest = chars.as_str();
        match chars.next() {
            Some(c) if class(c) => {}
            _ => return text.len() - rest.len(),
        }
    }
}

fn in_word(c: char) -> bool {
    // XLA's identifiers hold `.` and `-`, too: `f32-` is one name, and an unknown one.
    c.is_alphanumeric() || matches!(c, '_' | '.' | '-')
}

fn in_number(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.')
}

fn classify(text: &str, fraction: bool) -> TokenKind {
    let digit = |c: char| c.is_ascii_digit();
    let digits = |s: &str| !s.is_empty() && length(s, digit) == s.len();
    if fraction {
        return TokenKind::Number(NumberFlaw::Fraction);
    }
    if digits(text) {
        return TokenKind::Integer;
    }
    let tail = &text[length(text, digit)..];
    let flaw = match tail.as_bytes()[0] {
        b'.' => NumberFlaw::Fraction,
        b'x' | b'X' | b'b' | b'o' | b'B' | b'O'
            if text.starts_with('0') && text.len() == tail.len() + 1 && tail.len() > 1 =>
        {
            NumberFlaw::Radix
        }
        b'x' if is_product(text) => NumberFlaw::Times,
        b'e' | b'E' if digits(&tail[1..]) => NumberFlaw::Exponent,
        b'_' if length(text, |c| c.is_ascii_digit() || c == '_') == text.len() => {
            NumberFlaw::Underscore
        }
        _ if is_suffix(&tail[length(tail, |c| c == '_')..]) => NumberFlaw::Suffix,
        _ => NumberFlaw::Letters,
    };
    TokenKind::Number(flaw)
}

/// `2x3`: numbers with an `x` between them.
fn is_product(text: &str) -> bool {
    let mut before = b'x';
    for &byte in text.as_bytes() {
        if !byte.is_ascii_digit() && (byte != b'x' || before == b'x') {
            return false;
        }
        before = byte;
    }
    before != b'x'
}

/// Rust's suffixes of numbers.
fn is_suffix(text: &str) -> bool {
    match text.as_bytes() {
        [b'u' | b'i', rest @ ..] => {
            matches!(rest, b"8" | b"16" | b"32" | b"64" | b"128" | b"size")
        }
        _ => matches!(text, "f32" | "f64"),
    }
}
