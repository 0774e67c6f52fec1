//! The path that a layout becomes, token by token. Each use of `layout!` writes one: the compiler
//! takes one list of tokens faster than many small ones, and short paths faster than long ones.

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// A path that is being written.
pub(crate) struct Path<'a> {
    /// `$crate`
    root: &'a [TokenTree],
    tokens: Vec<TokenTree>,
}

impl<'a> Path<'a> {
    /// What `write` writes. `root` is `$crate`.
    pub(crate) fn write(root: &'a [TokenTree], write: impl FnOnce(&mut Self)) -> TokenStream {
        let tokens = Vec::with_capacity(64);
        let mut path = Self { root, tokens };
        write(&mut path);
        TokenStream::from_iter(path.tokens)
    }

    pub(crate) fn punct(&mut self, character: char) {
        self.tokens
            .push(Punct::new(character, Spacing::Alone).into());
    }

    fn colons(&mut self) {
        self.tokens.push(Punct::new(':', Spacing::Joint).into());
        self.tokens.push(Punct::new(':', Spacing::Alone).into());
    }

    /// A name that the facade has for its macros.
    pub(crate) fn name(&mut self, name: &str) {
        self.name_at(name, Span::call_site());
    }

    pub(crate) fn name_at(&mut self, name: &str, span: Span) {
        self.tokens.extend_from_slice(self.root);
        self.colons();
        self.tokens
            .push(Ident::new("__private", Span::call_site()).into());
        self.colons();
        self.tokens.push(Ident::new(name, span).into());
    }

    /// A number as a generic argument: `-1` is one, without braces.
    pub(crate) fn number(&mut self, n: i64, span: Span) {
        if n < 0 {
            self.punct('-');
        }
        let mut literal = Literal::u64_unsuffixed(n.unsigned_abs());
        literal.set_span(span);
        self.tokens.push(literal.into());
    }

    /// The letters of a name as generic arguments: `'a','b'`.
    pub(crate) fn letters(&mut self, letters: &str, span: Span) {
        for (k, letter) in letters.chars().enumerate() {
            if k > 0 {
                self.punct(',');
            }
            let mut letter = Literal::character(letter);
            letter.set_span(span);
            self.tokens.push(letter.into());
        }
    }

    /// A name with one number: `Nat<2>`.
    pub(crate) fn numbered(&mut self, name: &str, n: i64, span: Span) {
        self.generic(name, |path| path.number(n, span));
    }

    /// A name with arguments.
    pub(crate) fn generic(&mut self, name: &str, arguments: impl FnOnce(&mut Self)) {
        self.name(name);
        self.punct('<');
        arguments(self);
        self.punct('>');
    }

    /// `(a, b,)`
    pub(crate) fn tuple<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.parentheses(|path| {
            for item in items {
                write(path, item);
                path.punct(',');
            }
        });
    }

    /// `{ value }`
    pub(crate) fn block(&mut self, value: &TokenStream) {
        let group = Group::new(Delimiter::Brace, value.clone());
        self.tokens.push(group.into());
    }

    /// Tokens as they are.
    pub(crate) fn tokens(&mut self, tokens: TokenStream) {
        self.tokens.extend(tokens);
    }

    /// `StaticLayout::<…>`
    pub(crate) fn turbofish(&mut self, name: &str, arguments: impl FnOnce(&mut Self)) {
        self.name(name);
        self.colons();
        self.punct('<');
        arguments(self);
        self.punct('>');
    }

    pub(crate) fn parentheses(&mut self, inside: impl FnOnce(&mut Self)) {
        let start = self.tokens.len();
        inside(self);
        let stream = TokenStream::from_iter(self.tokens.split_off(start));
        let group = Group::new(Delimiter::Parenthesis, stream);
        self.tokens.push(group.into());
    }
}
