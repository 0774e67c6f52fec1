//! The dictionary in the header of a `.npy` file:
//! `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
//!
//! A reader of its own, since its mistakes are shown with carets under the header, and nothing else of
//! Python's notation may be there.

use std::ops::Range;

/// What a header says. Spans are bytes of its text.
pub(super) struct Header {
    /// NumPy's type string.
    pub(super) descr: (String, Range<usize>),
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<(u64, Range<usize>)>,
    pub(super) shape_span: Range<usize>,
}

/// What is wrong with a header.
pub(super) struct Flaw {
    pub(super) message: String,
    pub(super) span: Range<usize>,
    pub(super) label: String,
    /// Empty where the message says it all.
    pub(super) help: &'static str,
}

const DAMAGED: &str = "NumPy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`; is the file damaged?";

/// The most dimensions that NumPy's arrays have.
const MOST_DIMENSIONS: usize = 64;

/// Reads a header's text.
pub(super) fn read(text: &str) -> Result<Header, Flaw> {
    let mut reader = Reader { text, at: 0 };
    let (mut descr, mut fortran_order, mut shape) = (None, None, None);
    reader.expect('{', "`{`")?;
    while !reader.eat('}') {
        let (key, span) = reader.string("a key in quotes")?;
        reader.expect(':', "`:`")?;
        let begin = reader.skip();
        let twice = match key {
            "descr" => descr.replace(reader.descr()?).is_some(),
            "fortran_order" => fortran_order.replace(reader.truth()?).is_some(),
            "shape" => {
                let sizes = reader.tuple()?;
                shape.replace((sizes, begin..reader.at)).is_some()
            }
            _ => {
                return Err(Flaw {
                    message: format!("`{key}` is no key of this header"),
                    span,
                    label: "expected `descr`, `fortran_order` or `shape`".to_owned(),
                    help: DAMAGED,
                });
            }
        };
        if twice {
            return Err(Flaw {
                message: format!("`{key}` is given twice"),
                span,
                label: String::new(),
                help: DAMAGED,
            });
        }
        if !reader.eat(',') && !reader.at('}') {
            return Err(reader.unexpected("`,` or `}`"));
        }
    }
    let end = reader.at;
    if reader.skip() < text.len() {
        return Err(reader.unexpected("the end of the header"));
    }
    let missing = |key: &str| Flaw {
        message: format!("the header does not say `{key}`"),
        span: 0..end,
        label: String::new(),
        help: DAMAGED,
    };
    let (shape, shape_span) = shape.ok_or_else(|| missing("shape"))?;
    Ok(Header {
        descr: descr.ok_or_else(|| missing("descr"))?,
        fortran_order: fortran_order.ok_or_else(|| missing("fortran_order"))?,
        shape,
        shape_span,
    })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    /// Where the next token begins.
    fn skip(&mut self) -> usize {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        self.at
    }

    fn at(&mut self, mark: char) -> bool {
        let at = self.skip();
        self.text[at..].starts_with(mark)
    }

    fn eat(&mut self, mark: char) -> bool {
        let there = self.at(mark);
        self.at += if there { mark.len_utf8() } else { 0 };
        there
    }

    fn expect(&mut self, mark: char, name: &str) -> Result<(), Flaw> {
        match self.eat(mark) {
            true => Ok(()),
            false => Err(self.unexpected(name)),
        }
    }

    /// The letters, digits and underlines that come next.
    fn word(&mut self) -> (&'a str, Range<usize>) {
        let at = self.skip();
        let rest = &self.text[at..];
        let end = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        self.at = at + end;
        (&rest[..end], at..at + end)
    }

    fn unexpected(&mut self, expected: &str) -> Flaw {
        let (word, mut span) = self.word();
        let mark = self.text[span.start..].chars().next();
        if mark.is_none() {
            // Behind the last character, not behind all the blanks.
            let end = self.text.trim_end().len();
            span = end..end;
        }
        let found = match mark {
            None => "the end of the header".to_owned(),
            Some(_) if !word.is_empty() => format!("`{word}`"),
            Some(mark) => {
                span.end += mark.len_utf8();
                format!("`{}`", mark.escape_debug())
            }
        };
        Flaw {
            message: format!("expected {expected}, found {found}"),
            span,
            label: String::new(),
            help: DAMAGED,
        }
    }

    /// What is in quotes of either kind; no escapes, since no name that is meant here has one.
    fn string(&mut self, expected: &str) -> Result<(&'a str, Range<usize>), Flaw> {
        let at = self.skip();
        let rest = &self.text[at..];
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '\'' | '"')) else {
            return Err(self.unexpected(expected));
        };
        let Some(len) = rest[1..].find(quote) else {
            return Err(Flaw {
                message: "a quote is not closed".to_owned(),
                span: at..at + 1,
                label: String::new(),
                help: DAMAGED,
            });
        };
        self.at = at + len + 2;
        Ok((&rest[1..=len], at..self.at))
    }

    fn descr(&mut self) -> Result<(String, Range<usize>), Flaw> {
        if self.at('[') || self.at('(') {
            let (start, end) = (
                self.at,
                self.text.find("'fortran_order'").unwrap_or(self.text.len()),
            );
            return Err(Flaw {
                message: "the elements are records with fields".to_owned(),
                span: start
                    ..self.text[..end.max(start)]
                        .trim_end()
                        .trim_end_matches(',')
                        .len()
                        .max(start + 1),
                label: "a structured type".to_owned(),
                help: "save each field as an array of its own: `np.save('field.npy', a['field'])`",
            });
        }
        let (name, span) = self.string("the name of a type in quotes")?;
        // What core reads begins with one of these marks.
        if !name.starts_with(['<', '>', '|', '=']) || !name.is_ascii() {
            return Err(Flaw {
                message: format!("`{}` is no type of NumPy's", name.escape_debug()),
                span,
                label: String::new(),
                help: "NumPy writes types as `<f4`, `>i8` or `|b1`; is the file damaged?",
            });
        }
        Ok((name.to_owned(), span))
    }

    fn truth(&mut self) -> Result<bool, Flaw> {
        let before = self.skip();
        match self.word().0 {
            "True" => Ok(true),
            "False" => Ok(false),
            _ => {
                self.at = before;
                Err(self.unexpected("`True` or `False`"))
            }
        }
    }

    fn tuple(&mut self) -> Result<Vec<(u64, Range<usize>)>, Flaw> {
        let mut sizes = Vec::new();
        self.expect('(', "`(`")?;
        while !self.eat(')') {
            let before = self.skip();
            let (word, span) = self.word();
            // Python 2 wrote `3L`.
            let digits = word.strip_suffix('L').unwrap_or(word);
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                self.at = before;
                return Err(self.unexpected("the size of a dimension"));
            }
            let size = digits.parse().ok().filter(|size| *size <= i64::MAX as u64);
            let Some(size) = size else {
                return Err(Flaw {
                    message: "the size of a dimension is larger than 2^63 - 1".to_owned(),
                    span,
                    label: String::new(),
                    help: "is the file damaged?",
                });
            };
            sizes.push((size, span));
            if sizes.len() > MOST_DIMENSIONS {
                return Err(Flaw {
                    message: format!("there are more than {MOST_DIMENSIONS} dimensions"),
                    span: self.at - 1..self.at,
                    label: String::new(),
                    help: "NumPy's arrays have no more; is the file damaged?",
                });
            }
            if !self.eat(',') && !self.at(')') {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
        Ok(sizes)
    }
}
