//! Reading the dictionary of the array interface.

use core::str::FromStr;

use super::error::{Error, Numbers, about};
use super::read::Reader;
use super::{ArrayInterface, BoundaryError, Library, TypeStr};
use xlayout_shape::text::lex::TokenKind;

/// Keys whose values mean nothing here.
const SKIPPED: [&str; 5] = ["mask", "version", "data", "descr", "stream"];

/// What was read so far.
#[derive(Default)]
struct Fields {
    typestr: Option<TypeStr>,
    shape: Option<Numbers>,
    strides: Option<Option<Numbers>>,
    offset: Option<i64>,
    skipped: [Option<()>; SKIPPED.len()],
}

/// Reads what Python prints; the keys may come in any sequence.
impl FromStr for ArrayInterface {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut reader = Reader::new(text, Library::Numpy);
        let mut fields = Fields::default();
        reader.expect(b'{', "`{`")?;
        reader.items(b'}', "`,` or `}`", |reader| fields.read(reader))?;
        reader.end()?;
        Ok(Self {
            typestr: fields.typestr.ok_or_else(|| reader.misses("`'typestr'`"))?,
            shape: fields.shape.ok_or_else(|| reader.misses("`'shape'`"))?,
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
        match (name, SKIPPED.iter().position(|own| *own == name)) {
            ("shape", _) => key.once(&mut self.shape, reader.tuple()?),
            ("strides", _) if reader.eat_word("None") => key.once(&mut self.strides, None),
            ("strides", _) => key.once(&mut self.strides, Some(reader.tuple()?)),
            ("offset", _) => key.once(&mut self.offset, reader.number()?),
            ("typestr", _) => {
                let found = reader.excerpt();
                if reader.token.tok != TokenKind::Quoted {
                    return Err(reader.error(BoundaryError::TypeString { found }));
                }
                let text = unquoted(reader.found());
                let typestr: Result<TypeStr, Error> = text.parse();
                let typestr = typestr.map_err(|error| about(reader.text, text, *error.kind()))?;
                reader.advance();
                key.once(&mut self.typestr, typestr)
            }
            ("mask", _) if reader.found() != "None" => {
                Err(key.unread("a mask, which no layout has"))
            }
            (_, Some(k)) => {
                match name {
                    "version" => reader.number().map(drop)?,
                    _ => skip_value(reader)?,
                }
                key.once(&mut self.skipped[k], ())
            }
            _ => Err(key.unexpected("a key of the array interface")),
        }
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
