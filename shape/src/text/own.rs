//! Our own notation: named options after the shape, for what has no text in XLA.
//!
//! `f32[2,3]<0,1>, padded_dimensions = [3, 5], padding_value = zero`

use super::lex::{TokenKind, same_letters};
use super::read::Reader;
use super::read_array::Spans;
use super::read_list::{Known, Stop};
use super::rules::{PADDED_DIMENSIONS, PADDING_VALUE};
use crate::constant::INLINE_RANK;
use crate::error::{ErrorKind, Excerpt, Expected, Item, ShortOrder, nearest};
use crate::layout::{Layout, PaddingValue};
use crate::list::List;

const NAMES: [&str; 2] = [PADDED_DIMENSIONS, PADDING_VALUE];

impl Reader<'_, '_> {
    /// The options after an array. Answers what is known of `padded_dimensions`.
    pub(super) fn options(
        &mut self,
        layout: &mut Layout,
        rank: Option<usize>,
        has_layout: bool,
        spans: &mut Spans,
    ) -> Known {
        let mut known = Known::ALL;
        let mut seen = [false; NAMES.len()];
        let order = rank.and_then(|_| ShortOrder::listed(&layout.minor_to_major));
        loop {
            if self.order_in_words(rank, order, has_layout) {
                continue;
            }
            if !self.at_option() {
                break;
            }
            self.advance();
            let name = self.slice(self.here());
            let span = self.here();
            let found = self.found();
            let Some(which) = NAMES.iter().position(|known| *known == name) else {
                let mut ahead = self.lexer;
                ahead.next();
                let list = ahead.next().tok == TokenKind::Mark(b'[');
                let suggestion = suggest_option(name, list);
                self.blame(ErrorKind::UnknownOption { found, suggestion });
                self.skip_to(&[]);
                continue;
            };
            if !self.extended() {
                self.blame(ErrorKind::NotXla { found });
                self.skip_to(&[]);
                continue;
            }
            let again = core::mem::replace(&mut seen[which], true);
            if again {
                self.say(ErrorKind::OptionTwice { name: NAMES[which] }, span);
            }
            self.advance();
            if !self.eat(b'=') {
                self.unexpected(Expected::Equals);
                // `padding_value: zero`
                self.eat(b':');
            }
            if NAMES[which] == PADDING_VALUE {
                let value = self.padding_value();
                if !again {
                    layout.padding_value = value;
                }
            } else if again {
                self.padded(&mut List::new(), &mut Spans::default());
            } else {
                let padded = &mut layout.padded_dimensions;
                known = self.padded(padded, spans);
                // An empty list means "no padding" elsewhere; written, it is too short.
                let listed = padded.len();
                if let (0, Some(rank @ 1..), true) = (listed, rank, known.items) {
                    self.say(ErrorKind::PaddedLength { listed, rank }, spans.padded);
                }
            }
        }
        known
    }

    /// Whether a comma and an option are here. In a tuple another shape may follow the comma.
    fn at_option(&self) -> bool {
        if !self.at(b',') || self.prefix {
            return false;
        }
        let mut ahead = self.lexer;
        let name = ahead.next();
        let next = ahead.next();
        if name.tok != TokenKind::Word {
            return false;
        }
        let text = self.slice((name.start, name.end));
        if !self.extended() {
            return NAMES.contains(&text);
        }
        NAMES.contains(&text)
            || next.tok == TokenKind::Mark(b'=')
            || suggest_option(text, false).is_some()
    }

    /// `[3, 5]`
    fn padded(&mut self, padded: &mut List<i64, INLINE_RANK>, spans: &mut Spans) -> Known {
        if !self.at(b'[') {
            self.unexpected(Expected::PaddedList);
            self.skip_to(&[]);
            return Known::NOTHING;
        }
        let open = self.enter();
        let mut known = self.items(open, Item::Padded, Stop::NONE, &mut |reader| {
            let span = reader.here();
            match reader.integer(Item::Padded) {
                Ok(width) => {
                    Self::keep_place(&mut spans.padded_entry, span);
                    reader.push(padded, width, Item::Padded)
                }
                Err(read) => read,
            }
        });
        if !self.leave(open) {
            known = Known::NOTHING;
        }
        spans.padded = (open.start, self.last_end);
        known
    }

    fn padding_value(&mut self) -> Option<PaddingValue> {
        let found = self.found();
        let number = matches!(self.token.tok, TokenKind::Integer | TokenKind::Number(_));
        let infinity = self.at(b'-') && self.second().tok == TokenKind::Word;
        if number || infinity {
            let suggestion = match self.slice(self.here()) {
                "-" => Some("lowest"),
                text if text.bytes().all(|b| matches!(b, b'0' | b'.')) => Some("zero"),
                "1" | "1.0" | "1." => Some("one"),
                _ => None,
            };
            let found = if infinity {
                Excerpt::new(self.slice((self.token.start, self.second().end)))
            } else {
                found
            };
            self.blame(ErrorKind::UnknownPaddingValue { found, suggestion });
            self.skip_to(&[]);
            return None;
        }
        if self.token.tok != TokenKind::Word {
            self.unexpected(Expected::PaddingValue);
            self.skip_to(&[]);
            return None;
        }
        let name = self.slice(self.here());
        let value = PaddingValue::from_name(name);
        if value.is_none() {
            let suggestion = suggest_value(name);
            self.blame(ErrorKind::UnknownPaddingValue { found, suggestion });
        }
        self.advance();
        value
    }
}

/// The option that was probably meant; `list` says whether its value is in brackets.
fn suggest_option(name: &str, list: bool) -> Option<&'static str> {
    let about_padding = name.starts_with("pad") || name.starts_with("fill");
    match nearest(name, NAMES.iter().map(|name| (*name, *name))) {
        Some(near) => Some(near),
        None if !about_padding => None,
        None if list => Some(PADDED_DIMENSIONS),
        None => Some(PADDING_VALUE),
    }
}

/// The padding value that was probably meant.
pub(crate) fn suggest_value(name: &str) -> Option<&'static str> {
    // The names of the old proto: ZERO_PAD, LOWEST_PAD.
    let stem = name
        .strip_suffix("_PAD")
        .or(name.strip_suffix("_pad"))
        .unwrap_or(name);
    match Excerpt::new(stem).as_str() {
        "min" | "minimum" | "lowest_value" => return Some("lowest"),
        "max" | "maximum" | "highest_value" | "inf" | "infinity" => return Some("highest"),
        "none" | "undefined" | "any" | "uninit" => return Some("unknown"),
        _ => {}
    }
    for (known, _) in &PaddingValue::NAMES {
        if same_letters(known, stem) {
            return Some(known);
        }
    }
    nearest(name, PaddingValue::NAMES.iter().map(|row| (row.0, row.0)))
}
