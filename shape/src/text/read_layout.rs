//! Layouts: minor_to_major and the names of attributes.
//!
//! A mistake is reported, and reading goes on. What was misread is left out of later checks.

use super::lex::{TokenKind, length, same_letters, until};
use super::misplaced::attribute_by_name;
use super::read::Reader;
use super::read_array::Spans;
use super::read_list::{Known, Stop};
use crate::error::{Attribute, ErrorKind, Excerpt, Expected, Item};
use crate::layout::Layout;

/// What ends minor_to_major: the `:` before the attributes, or an attribute where it is missing.
const ATTRIBUTES_BEGIN: Stop = Stop {
    marks: b":#*(",
    attributes: true,
};

impl Reader<'_, '_> {
    /// A whole text that is one layout.
    #[inline]
    pub(super) fn whole_layout(mut self) -> Option<Layout> {
        let mut layout = Layout::new(Default::default());
        let mut spans = Spans::default();
        match self.token.tok {
            TokenKind::Mark(b'{') => {}
            TokenKind::Mark(b'<') if self.extended() => {}
            TokenKind::Mark(b'<') => {
                let start = self.token.start;
                self.skip_group();
                let (found, span) = self.read_since(start);
                self.say(ErrorKind::NotXla { found }, span);
                return None;
            }
            _ => {
                self.unexpected(Expected::Layout);
                return None;
            }
        }
        self.layout(&mut layout, &mut spans);
        self.options(&mut layout, None, true, &mut spans);
        self.end();
        (self.errors() == 0).then_some(layout)
    }

    /// `{1,0:T(8,128)}` or `<1,0>`; the bracket is the next token.
    pub(super) fn layout(&mut self, layout: &mut Layout, spans: &mut Spans) -> Known {
        let open = self.enter();
        let angles = open.tok == TokenKind::Mark(b'<');
        let list_start = self.token.start;
        let mut order = crate::list::List::new();
        let mut known = self.items(
            open,
            Item::MinorToMajorEntry,
            ATTRIBUTES_BEGIN,
            &mut |reader| {
                let span = reader.here();
                match reader.integer(Item::MinorToMajorEntry) {
                    Ok(dimension) => {
                        Self::keep_place(&mut spans.order_entry, span);
                        reader.push(&mut order, dimension, Item::MinorToMajorEntry)
                    }
                    Err(state) => state,
                }
            },
        );
        layout.minor_to_major = crate::order::MinorToMajor::from_list(order);
        spans.order = (list_start, self.last_end.max(list_start));
        // Whether the bracket closes after the list: there are no attributes.
        let list_only = self.at(super::read::closing(if angles { b'<' } else { b'{' }));

        if !list_only && !self.at_end() {
            if angles && (self.at(b':') || self.attribute_begins()) {
                let rest = &self.text[open.end..];
                let inside = Excerpt::new(until(rest, b'>').trim());
                self.blame(ErrorKind::AttributesInAngles { inside });
                self.eat(b':');
                known = Known::NOTHING;
            } else if !self.eat(b':') && self.attribute_begins() {
                self.blame(ErrorKind::MissingColon {
                    found: self.found(),
                });
                self.eat(b';');
                // `{T(2)}` lists nothing, and that is the same mistake.
                known = if layout.minor_to_major.is_empty() {
                    Known::NOTHING
                } else {
                    known
                };
            }
            self.attributes(layout, spans);
        }
        self.leave(open);
        if list_only {
            // An error about the list marks the brackets, too.
            spans.order = (open.start, self.last_end);
        }
        known
    }

    fn attribute_begins(&self) -> bool {
        matches!(
            self.token.tok,
            TokenKind::Word | TokenKind::Mark(b'#' | b'*' | b'(' | b';')
        )
    }

    /// Whether the next token, a word, is probably meant as an attribute.
    pub(super) fn at_attribute(&self) -> bool {
        let name = self.slice(self.here());
        let second = self.second().tok;
        let after_comma = self.text[..self.last_end].ends_with(',');
        if second == TokenKind::Mark(b',') || after_comma && second != TokenKind::Mark(b'(') {
            // `{M,0}`: a name where a number should be.
            return false;
        }
        in_any_case(name).is_some()
            || with_number(name).is_some()
            || second == TokenKind::Mark(b'(')
    }

    /// The attributes, up to a closing bracket.
    fn attributes(&mut self, layout: &mut Layout, spans: &mut Spans) {
        // The last one of those in the right sequence.
        let mut last: Option<Attribute> = None;
        // A bit for each attribute that was read.
        let mut seen = 0u16;
        // The attribute before, and its text with its arguments.
        let mut before = None;
        loop {
            let start = self.token.start;
            let errors_before = self.errors();
            let attribute = match self.token.tok {
                TokenKind::Word | TokenKind::Mark(b'#' | b'*') => self.attribute_name(),
                TokenKind::Mark(b'}' | b')' | b']' | b'>')
                | TokenKind::End
                | TokenKind::OpenComment => return,
                _ => {
                    self.no_attribute();
                    None
                }
            };
            let is_name_right = self.errors() == errors_before;
            let Some(attribute) = attribute else { continue };
            let name_span = (start, self.last_end);
            let joined = self.joined(before, attribute);
            let bit = 1 << attribute as u16;
            if seen & bit != 0 {
                if is_name_right {
                    self.say(ErrorKind::AttributeTwice { attribute, joined }, name_span);
                }
            } else if let Some(after) = last.filter(|last| *last > attribute) {
                if is_name_right {
                    self.say(ErrorKind::AttributeSequence { attribute, after }, name_span);
                }
            } else {
                last = Some(attribute);
            }
            // A second one of a kind is read for its own mistakes, and forgotten.
            if seen & bit == 0 {
                self.attribute(attribute, name_span, layout, spans);
            } else {
                self.attribute(
                    attribute,
                    name_span,
                    &mut Layout::new(Default::default()),
                    &mut Spans::default(),
                );
            }
            seen |= bit;
            let text = Excerpt::new(self.slice((start, self.last_end)));
            before = Some((attribute, joined.unwrap_or(text)));
        }
    }

    /// Reports a text between attributes that is no attribute.
    fn no_attribute(&mut self) {
        match self.token.tok {
            TokenKind::Mark(b',') => {
                self.blame(ErrorKind::AttributeComma);
                self.advance();
            }
            TokenKind::Mark(b'(') => {
                let bracket = self.here();
                let (_, inside_start) = bracket;
                let rest = &self.text[inside_start..];
                let inside = Excerpt::new(until(rest, b')').trim());
                self.blame_at(ErrorKind::UnnamedTile { inside }, bracket);
                self.skip_group();
            }
            _ => {
                self.unexpected(Expected::Attribute);
                self.advance();
                while !self.attribute_begins() && !self.at(b',') && !self.at_closing_or_end() {
                    self.advance();
                }
                while self.at(b'(') {
                    self.skip_group();
                }
            }
        }
    }

    /// What was probably meant where an attribute follows itself: `T(8,128)(2,1)` for
    /// `T(8,128)T(2,1)`. That is the text of the attribute before, with the arguments that begin
    /// here. `None` if another attribute is before, or if no text that is short enough can be made.
    fn joined(
        &self,
        before: Option<(Attribute, Excerpt)>,
        attribute: Attribute,
    ) -> Option<Excerpt> {
        let (_, text) = before.filter(|(same, text)| *same == attribute && !text.is_cut())?;
        if !matches!(attribute, Attribute::Tiles | Attribute::Splits) || !self.at(b'(') {
            return None;
        }
        let mut ahead = self.lexer;
        let mut token = self.token;
        let mut end = self.token.start;
        while token.tok == TokenKind::Mark(b'(') {
            while token.tok != TokenKind::Mark(b')') {
                token = match token.tok {
                    TokenKind::End | TokenKind::OpenComment => return None,
                    _ => ahead.next(),
                };
            }
            end = token.end;
            token = ahead.next();
        }
        let arguments = self.slice((self.token.start, end));
        let joined = Excerpt::with_prefix(text.as_str(), arguments);
        (!joined.is_cut()).then_some(joined)
    }

    pub(super) fn at_closing_or_end(&self) -> bool {
        self.at_end() || matches!(self.token.tok, TokenKind::Mark(b'}' | b')' | b']' | b'>'))
    }

    /// Reads the name of an attribute. A wrong name is skipped.
    fn attribute_name(&mut self) -> Option<Attribute> {
        let name = self.slice(self.here());
        let found = self.found();
        if let Some(attribute) = Attribute::from_name(name) {
            self.advance();
            return Some(attribute);
        }
        if let Some(attribute) = in_any_case(name) {
            self.blame(ErrorKind::AttributeCase { found, attribute });
            self.advance();
            return Some(attribute);
        }
        match with_number(name) {
            Some((attribute, number)) => {
                let found = Excerpt::new(number);
                self.blame(ErrorKind::AttributeArgument { attribute, found });
            }
            _ => {
                let suggestion = attribute_by_name(name);
                self.blame(ErrorKind::UnknownAttribute { found, suggestion });
            }
        }
        self.advance();
        // `tiles=(8,128)`, `T8,128`: all of it is one mistake.
        self.eat(b'=');
        while matches!(self.token.tok, TokenKind::Integer)
            || self.at(b',') && matches!(self.second().tok, TokenKind::Integer)
        {
            self.advance();
        }
        while self.at(b'(') {
            self.skip_group();
        }
        None
    }
}

/// The attribute of this name. Case is ignored.
fn in_any_case(name: &str) -> Option<Attribute> {
    for &(attribute, right_name, _) in Attribute::ALL {
        if same_letters(right_name, name) {
            return Some(attribute);
        }
    }
    None
}

/// `S1`, meant as `S(1)`: the attribute and the rest of the word.
fn with_number(name: &str) -> Option<(Attribute, &str)> {
    let (letters, number) = name.split_at(length(name, |c| !c.is_ascii_digit()));
    if number.is_empty() {
        return None;
    }
    Some((Attribute::from_name(letters)?, number))
}
