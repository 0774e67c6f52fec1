//! What belongs in the braces of a layout and was written elsewhere, or in words: `row_major`,
//! `order = C`, `major_to_minor = [0,1]`, `f32[2,3]:T(8,128)`. All of it is a mistake; it is read
//! so that the error can show the list to write.

use super::lex::{Lexer, Token, TokenKind, trim};
use super::read::Reader;
use crate::error::{Attribute, ErrorKind, Excerpt, OrderAdvice, ShortOrder};

/// What a word says of the dimensions.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Word {
    RowMajor,
    ColumnMajor,
    /// Something about their sequence, but not what it is.
    Other,
}

/// The option that a wrong name probably means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meant {
    /// A list of dimensions, or a word for one.
    MinorToMajor,
    /// The reverse of such a list.
    MajorToMinor,
    /// Something about the sequence of the dimensions, but no list of them.
    Strides,
    /// An attribute of the layout.
    Attribute(&'static str),
    /// A word in place of an option.
    Word(Word),
}

/// Words of numpy, JAX, PyTorch and C++, in lower case, without `_` and `-`.
const WORDS: [(&str, Word); 3] = [
    ("rowmajor row c corder ccontiguous", Word::RowMajor),
    (
        "columnmajor colmajor column col f forder fcontiguous fortran fortranorder",
        Word::ColumnMajor,
    ),
    (
        "contiguous channelslast channelsfirst nhwc nchw majortominor minortomajor",
        Word::Other,
    ),
];

/// Names of options of other notations, in lower case, without `_` and `-`.
const OPTIONS: [(&str, Meant); 6] = [
    (
        "minortomajor layout order memorylayout memoryformat dimorder dimensionorder",
        Meant::MinorToMajor,
    ),
    ("majortominor", Meant::MajorToMinor),
    ("strides stride", Meant::Strides),
    ("tile tiles tiling t", Meant::Attribute("T(8,128)")),
    ("memoryspace space", Meant::Attribute("S(1)")),
    ("elementsize elementsizeinbits", Meant::Attribute("E(4)")),
];

/// The row whose names, with blanks between them, contain a word. Case, `_` and `-` are ignored.
fn named<T: Copy>(rows: &[(&str, T)], word: &str) -> Option<T> {
    for (names, meant) in rows {
        for name in names.split(' ') {
            if is_written(word, name) {
                return Some(*meant);
            }
        }
    }
    None
}

/// Whether `word` is `name`. Case, `_` and `-` are ignored.
fn is_written(word: &str, name: &str) -> bool {
    let mut rest = name.as_bytes();
    for &byte in word.as_bytes() {
        match rest {
            _ if matches!(byte, b'_' | b'-') => {}
            [first, after @ ..] if *first == byte.to_ascii_lowercase() => rest = after,
            _ => return false,
        }
    }
    rest.is_empty()
}

/// An example of the attribute that has this name elsewhere: `tiles`, `memory_space`.
pub(super) fn attribute_by_name(name: &str) -> Option<&'static str> {
    match named(&OPTIONS, name)? {
        Meant::Attribute(example) => Some(example),
        _ => None,
    }
}

impl Reader<'_, '_> {
    /// Reports `row_major`, `order = C`, `minor_to_major = [1,0]`, `tiles = (8,128)` and the like,
    /// with or without a comma before them. Answers whether there was one.
    pub(super) fn order_in_words(
        &mut self,
        rank: Option<usize>,
        order: Option<ShortOrder>,
        has_layout: bool,
    ) -> bool {
        if self.prefix {
            return false;
        }
        let mut ahead = self.lexer;
        let mut first = self.token;
        if matches!(first.tok, TokenKind::Mark(b',' | b';')) {
            first = ahead.next();
        }
        let start = first.start;
        if self.list_elsewhere(first, ahead, rank, has_layout) {
            return true;
        }
        let Some(meant) = self.option_or_word(first, ahead) else {
            return false;
        };
        while self.token.start < start {
            self.advance();
        }
        let advice = if let Meant::Word(word) = meant {
            advise(word, rank)
        } else {
            self.advance();
            self.advance();
            match self.token.tok {
                _ if meant == Meant::Strides => unknown(rank),
                TokenKind::Word | TokenKind::Quoted => self
                    .word_at(self.token, self.lexer)
                    .map_or(unknown(rank), |(word, _)| advise(word, rank)),
                TokenKind::Mark(b'{' | b'[' | b'(' | b'<') => self.advise_list(meant, rank),
                _ => unknown(rank),
            }
        };
        self.skip_to(b";");
        let (found, span) = self.read_since(start);
        let kind = match meant {
            Meant::Attribute(example) => ErrorKind::AttributesOutside {
                found,
                attributes: Excerpt::new(example),
                order,
            },
            _ if has_layout => ErrorKind::OrderInWords {
                found,
                advice: OrderAdvice::Remove,
            },
            _ => ErrorKind::OrderInWords { found, advice },
        };
        self.say(kind, span);
        true
    }

    /// Reports `(0,1)` or `, {0,1}` after the dimensions, in whose brackets each dimension is once.
    fn list_elsewhere(
        &mut self,
        first: Token,
        ahead: Lexer<'_>,
        rank: Option<usize>,
        has_layout: bool,
    ) -> bool {
        let comma = first.start != self.token.start;
        let bracket = match first.tok {
            TokenKind::Mark(b'(' | b'[') => true,
            TokenKind::Mark(b'{' | b'<') => comma,
            _ => false,
        };
        if !bracket || has_layout {
            return false;
        }
        let Some((order, _)) = self.list_of_dimensions(ahead) else {
            return false;
        };
        let len = order.as_slice().len();
        // `f32[1][0]` has two dimensions, more likely than a layout.
        if Some(len) != rank || len == 1 && !comma {
            return false;
        }
        while self.token.start < first.start {
            self.advance();
        }
        self.skip_group();
        let (found, span) = self.read_since(first.start);
        let advice = OrderAdvice::List(order);
        self.say(ErrorKind::OrderInWords { found, advice }, span);
        true
    }

    /// Reports `{row_major}`, `<C>`, `{(1,0)}` and the like, whose bracket is the next token.
    /// Answers whether it was one.
    pub(super) fn order_in_words_in_braces(&mut self, rank: usize) -> bool {
        let mut ahead = self.lexer;
        let first = ahead.next();
        let (advice, mut after) = match first.tok {
            TokenKind::Word | TokenKind::Quoted => match self.word_at(first, ahead) {
                Some((word, after)) => (advise(word, Some(rank)), after),
                None => return false,
            },
            TokenKind::Mark(b'{' | b'[' | b'(') => match self.list_of_dimensions(ahead) {
                Some((order, after)) if order.as_slice().len() == rank => {
                    (OrderAdvice::List(order), after)
                }
                _ => return false,
            },
            _ => return false,
        };
        if !matches!(after.next().tok, TokenKind::Mark(b'}' | b'>')) {
            return false;
        }
        let start = self.token.start;
        self.skip_group();
        let (found, span) = self.read_since(start);
        self.say(ErrorKind::OrderInWords { found, advice }, span);
        true
    }

    /// Reports attributes after a shape, with or without their `:`. `order` is the list to which
    /// they belong.
    pub(super) fn attributes_outside(&mut self, order: Option<ShortOrder>) {
        let colon = self.at(b':');
        let first = if colon { self.second() } else { self.token };
        let attribute = match first.tok {
            TokenKind::Word => Attribute::from_name(self.slice((first.start, first.end))).is_some(),
            TokenKind::Mark(b'(') => colon,
            _ => false,
        };
        let mut after = Lexer::at(self.text, first.end);
        let argument =
            first.tok == TokenKind::Mark(b'(') || after.next().tok == TokenKind::Mark(b'(');
        if self.prefix || !attribute || !argument {
            return;
        }
        let start = self.token.start;
        if colon {
            self.advance();
        }
        let inside = self.token.start;
        loop {
            match self.token.tok {
                TokenKind::Word => {
                    self.advance();
                }
                TokenKind::Mark(b'(') => self.skip_group(),
                _ => break,
            }
        }
        let attributes = self.slice((inside, self.last_end));
        let attributes = if attributes.starts_with('(') {
            // A tile without its letter.
            Excerpt::with_prefix("T", attributes)
        } else {
            Excerpt::new(attributes)
        };
        let kind = ErrorKind::AttributesOutside {
            found: Excerpt::new(self.slice((start, self.last_end))),
            attributes,
            order,
        };
        self.say(kind, (start, self.last_end));
    }

    /// An option of another notation, or a word that is a whole option; `first` is its first token,
    /// and `ahead` reads what follows.
    fn option_or_word(&self, first: Token, ahead: Lexer<'_>) -> Option<Meant> {
        let mut after = ahead;
        if first.tok == TokenKind::Word
            && let Some(meant) = named(&OPTIONS, self.slice((first.start, first.end)))
            && matches!(after.next().tok, TokenKind::Mark(b'=' | b':'))
        {
            return Some(meant);
        }
        let (word, mut after) = self.word_at(first, ahead)?;
        let ends = matches!(
            after.next().tok,
            TokenKind::End | TokenKind::Mark(b',' | b';' | b')' | b'}' | b']')
        );
        ends.then_some(Meant::Word(word))
    }

    /// `row_major`, `row-major`, `C`, `"C"`: the word that `first` begins, and what follows it.
    fn word_at<'t>(&self, first: Token, ahead: Lexer<'t>) -> Option<(Word, Lexer<'t>)> {
        let text = match first.tok {
            TokenKind::Word => self.slice((first.start, first.end)),
            TokenKind::Quoted => trim(self.slice((first.start, first.end)), b"\"'"),
            _ => return None,
        };
        let mut after = ahead;
        let mut joined = ahead;
        let dash = joined.next();
        let major = joined.next();
        if dash.tok == TokenKind::Mark(b'-') && self.slice((major.start, major.end)) == "major" {
            after = joined;
        }
        let is_sequence = text.ends_with("_major") || text.ends_with("_minor");
        let word = named(&WORDS, text).or(is_sequence.then_some(Word::Other))?;
        Some((word, after))
    }

    /// What to write in the place of the list in brackets that begins here.
    fn advise_list(&self, meant: Meant, rank: Option<usize>) -> OrderAdvice {
        match self.list_of_dimensions(self.lexer) {
            Some((order, _)) if rank.is_some_and(|rank| rank != order.as_slice().len()) => {
                unknown(rank)
            }
            Some((order, _)) if meant == Meant::MajorToMinor => OrderAdvice::List(order.reversed()),
            Some((order, _)) => OrderAdvice::List(order),
            None if self.at(b'{') && meant == Meant::MinorToMajor => OrderAdvice::Braces,
            None => unknown(rank),
        }
    }

    /// The rest of a list in brackets, where it lists each dimension once, and what follows it.
    fn list_of_dimensions<'t>(&self, mut ahead: Lexer<'t>) -> Option<(ShortOrder, Lexer<'t>)> {
        let mut listed = [0_i64; 16];
        let mut len = 0;
        loop {
            let token = ahead.next();
            match token.tok {
                TokenKind::Integer => {
                    *listed.get_mut(len)? = self.slice((token.start, token.end)).parse().ok()?;
                    len += 1;
                }
                TokenKind::Mark(b',') => {}
                TokenKind::Mark(b'}' | b']' | b')' | b'>') => {
                    return Some((ShortOrder::listed(&listed[..len])?, ahead));
                }
                _ => return None,
            }
        }
    }
}

fn advise(word: Word, rank: Option<usize>) -> OrderAdvice {
    let list = match word {
        Word::RowMajor => rank.and_then(ShortOrder::row_major),
        Word::ColumnMajor => rank.and_then(ShortOrder::column_major),
        Word::Other => None,
    };
    list.map_or(unknown(rank), OrderAdvice::List)
}

/// What to write where the words say nothing about the list.
fn unknown(rank: Option<usize>) -> OrderAdvice {
    rank.map_or(OrderAdvice::Unknown, OrderAdvice::OfRank)
}
