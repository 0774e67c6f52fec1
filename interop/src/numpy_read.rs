//! Reading the dictionary of the array interface.

use super::error::Error;
use core::str::FromStr;

use super::read::Reader;
use super::{ArrayInterface, BoundaryError, Library, TypeStr};
use xlayout_shape::dims::INLINE_RANK;
use xlayout_shape::list::List;
use xlayout_shape::text::lex::TokenKind;

/// What was read so far.
#[derive(Default)]
struct Fields {
    typestr: Option<TypeStr>,
    shape: Option<List<i64, INLINE_RANK>>,
    strides: Option<Option<List<i64, INLINE_RANK>>>,
    offset: Option<i64>,
    skipped: u8,
}

/// Reads what Python prints; the keys may come in any sequence.
impl FromStr for ArrayInterface {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut reader = Reader::new(text, Library::Numpy);
        let mut fields = Fields::default();
        reader.expect(b'{', "`{`")?;
        while !reader.eat(b'}') {
            fields.read(&mut reader)?;
            if !reader.eat(b',') && !reader.at(b'}') {
                return Err(reader.unexpected("`,` or `}`"));
            }
        }
        reader.end()?;
        let missing = |name| {
            let library = Library::Numpy;
            reader.error_at(
                BoundaryError::Missing { library, name },
                (0, text.trim_end().len()),
            )
        };
        Ok(Self {
            typestr: fields.typestr.ok_or_else(|| missing("`'typestr'`"))?,
            shape: fields.shape.ok_or_else(|| missing("`'shape'`"))?,
            strides: fields.strides.flatten(),
            offset: fields.offset.unwrap_or(0),
        })
    }
}

impl Fields {
    /// One key and its value.
    fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        let key = *reader;
        if reader.token.tok != TokenKind::Quoted {
            return Err(reader.unexpected("a key in quotes"));
        }
        let name = unquoted(reader.found());
        reader.advance();
        reader.expect(b':', "`:`")?;
        let value = *reader;
        let twice = match name {
            "shape" => self.shape.replace(reader.tuple()?).is_some(),
            "strides" if reader.eat_word("None") => self.strides.replace(None).is_some(),
            "strides" => self.strides.replace(Some(reader.tuple()?)).is_some(),
            "offset" => self.offset.replace(reader.number()?).is_some(),
            "typestr" => {
                if reader.token.tok != TokenKind::Quoted {
                    let found = reader.excerpt();
                    return Err(reader.error(BoundaryError::TypeString { found }));
                }
                let text = unquoted(reader.found());
                let typestr = text.parse().map_err(|error: Error| {
                    let span = (value.token.start + 1, value.token.start + 1 + text.len());
                    Error::new(*error.kind(), Some(span))
                })?;
                reader.advance();
                self.typestr.replace(typestr).is_some()
            }
            "mask" if !reader.eat_word("None") => {
                return Err(key.error(BoundaryError::Unread {
                    library: Library::Numpy,
                    form: "a mask, which no layout has",
                    found: key.excerpt(),
                }));
            }
            "mask" => self.skip(1),
            "version" => {
                reader.number()?;
                self.skip(2)
            }
            "data" | "descr" | "stream" => {
                skip_value(reader)?;
                self.skip(match name {
                    "data" => 4,
                    "descr" => 8,
                    _ => 16,
                })
            }
            _ => return Err(key.unexpected("a key of the array interface")),
        };
        if twice {
            return Err(key.error(BoundaryError::Twice {
                library: Library::Numpy,
                found: key.excerpt(),
            }));
        }
        Ok(())
    }

    /// Notes a key whose value means nothing here; answers whether it was noted before.
    fn skip(&mut self, key: u8) -> bool {
        let twice = self.skipped & key != 0;
        self.skipped |= key;
        twice
    }
}

/// What is between the quotes.
fn unquoted(quoted: &str) -> &str {
    quoted.trim_matches(['\'', '"'])
}

/// Passes one value, brackets and all.
fn skip_value(reader: &mut Reader<'_>) -> Result<(), Error> {
    let mut depth = 0_usize;
    loop {
        match reader.token.tok {
            TokenKind::Mark(b'(' | b'[' | b'{') => depth += 1,
            TokenKind::Mark(b')' | b']' | b'}') if depth > 0 => depth -= 1,
            TokenKind::Mark(b',' | b':') if depth > 0 => {}
            TokenKind::Word | TokenKind::Integer | TokenKind::Number(_) | TokenKind::Quoted => {}
            _ => return Err(reader.unexpected("a value")),
        }
        reader.advance();
        if depth == 0 {
            return Ok(());
        }
    }
}
