//! Reading a memref type.

use core::str::FromStr;

use super::affine::affine_map;
use super::element_types::TYPES;
use super::error::{Error, Items, about, expected};
use super::read::Reader;
use super::{BoundaryError, Library, MemRef, MemRefLayout};
use xlayout_shape::error::Excerpt;
use xlayout_shape::text::lex::TokenKind;
use xlayout_shape::{Dim, Dims, ElementType};

impl FromStr for MemRef {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        match read(text)? {
            (memref, None) => Ok(memref),
            (_, Some(_)) => {
                let reader = Reader::at_byte(text, Library::MemRef, text.find('#').unwrap_or(0));
                Err(reader.unread("a memory space that has no number"))
            }
        }
    }
}

/// Memory spaces of dialects that have a number of XLA's.
const SPACES: [(&str, &str, i64); 3] = [
    ("tpu.memory_space", "hbm", 0),
    ("tpu.memory_space", "vmem", 1),
    ("gpu.address_space", "global", 0),
];

/// How the names of attributes end that are memory spaces: `#hal.descriptor_type<storage_buffer>`.
const OF_SPACES: [&str; 3] = ["_space", ".descriptor_type", ".storage_class"];

/// What is said of a memory space without a number.
pub(super) const NOTE: &str = "The memory space has no number of XLA's and is left out";

/// A memref, and a note on what it does not hold.
pub(super) fn read(text: &str) -> Result<(MemRef, Option<&'static str>), Error> {
    let mut note = None;
    let mut reader = Reader::new(text, Library::MemRef);
    if !reader.eat_word("memref") {
        return Err(reader.unexpected("`memref<`"));
    }
    let dims = sizes(&mut reader)?;
    let mut memref = MemRef {
        element_type: element_type(&mut reader)?,
        dims,
        layout: MemRefLayout::Identity,
        memory_space: 0,
    };
    let mut spaced = false;
    while reader.eat(b',') {
        let here = reader;
        let rank = memref.dims.len();
        if reader.token.tok == TokenKind::Integer && !spaced {
            memref.memory_space = reader.number()?;
            spaced = true;
            // `1 : i32`
            if reader.eat(b':') && reader.advance().tok != TokenKind::Word {
                return Err(reader.unexpected("the type of the memory space"));
            }
            continue;
        }
        if spaced {
            return Err(reader.unexpected("`>`"));
        }
        let is_first = memref.layout == MemRefLayout::Identity;
        if is_first && reader.eat_word("strided") {
            memref.layout = strided(&mut reader, rank, here)?;
        } else if is_first && reader.eat_word("affine_map") {
            memref.layout = affine_map(&mut reader, memref.element_type, &memref.dims, here)?;
        } else if let Some((space, end)) = space(&reader) {
            memref.memory_space = space.unwrap_or(0);
            spaced = true;
            if space.is_none() {
                note = Some(NOTE);
            }
            reader = end;
        } else if reader.at(b'#') || reader.token.tok == TokenKind::Quoted {
            // `#map`, `#gpu.address_space<…>`: the name will do.
            reader.eat(b'#');
            reader.advance();
            let form = "an attribute whose meaning is defined elsewhere";
            return Err(here.unread_until(&reader, form));
        } else {
            let what = "a layout or a memory space";
            return Err(reader.unexpected(if is_first { what } else { "a memory space" }));
        }
    }
    reader.expect(b'>', "`,` or `>`")?;
    reader.end()?;
    Ok((memref, note))
}

/// The memory space that a dialect writes here, and the reader behind it.
pub(super) fn space<'t>(reader: &Reader<'t>) -> Option<(Option<i64>, Reader<'t>)> {
    let mut end = *reader;
    if !end.eat(b'#') {
        return None;
    }
    let dialect = end.found();
    end.advance();
    let opens = end.eat(b'<');
    let is_word = end.token.tok == TokenKind::Word;
    let is_space = is_word && OF_SPACES.iter().any(|own| dialect.ends_with(own));
    let mut rows = SPACES.iter();
    let row = rows.find(|row| (row.0, row.1) == (dialect, end.found()));
    end.advance();
    (is_space && opens && end.eat(b'>')).then_some((row.map(|row| row.2), end))
}

/// `tensor<2x3xf32>` or `memref<2x3xf32>`, without anything behind the element type.
pub(super) fn sized_type(reader: &mut Reader<'_>) -> Result<(Dims, ElementType), Error> {
    let read = head(reader)?;
    reader.expect(b'>', "`>`")?;
    Ok(read)
}

/// `memref<2x3xf32`
pub(super) fn head(reader: &mut Reader<'_>) -> Result<(Dims, ElementType), Error> {
    let known = |word: &str| ["memref", "tensor", "vector"].contains(&word);
    if !known(reader.found()) {
        return Err(reader.unexpected("a type such as `memref<2x3xf32>`"));
    }
    reader.advance();
    Ok((sizes(reader)?, element_type(reader)?))
}

/// `<` and the sizes, each with its `x`. To the lexer `2x3xf32` is one token.
fn sizes(reader: &mut Reader<'_>) -> Result<Dims, Error> {
    let text = reader.text;
    let library = reader.library;
    let mut rest = &text[reader.token.end..];
    reader.expect(b'<', "`<`")?;
    let mut dims = Dims::new();
    loop {
        rest = rest.trim_start();
        *reader = Reader::at_byte(text, library, text.len() - rest.len());
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (dim, len) = match rest.bytes().next() {
            Some(b'?') => (Dim::Unbounded, 1),
            Some(b'0'..=b'9') => {
                let size = &rest[..digits];
                (Dim::Static(reader.parsed(size, size, 0)?), digits)
            }
            Some(b'*') => {
                return Err(reader.unread("a type of any rank, whose dimensions are not known"));
            }
            _ => return Ok(dims),
        };
        rest = rest[len..].trim_start();
        let Some(next) = rest.strip_prefix('x') else {
            let found = rest.chars().next().map_or(0, char::len_utf8);
            return Err(expected(library, text, &rest[..found], "`x` after a size"));
        };
        reader.push(&mut dims, dim)?;
        rest = next;
    }
}

fn element_type(reader: &mut Reader<'_>) -> Result<ElementType, Error> {
    let start = reader.token.start;
    if reader.token.tok != TokenKind::Word {
        return Err(reader.unexpected("a size or an element type"));
    }
    let word = *reader;
    reader.advance();
    let mut end = word.token.end;
    if matches!(word.found(), "complex" | "vector" | "tensor" | "memref") && reader.eat(b'<') {
        while !reader.at(b'>') {
            if reader.token.tok == TokenKind::End {
                return Err(reader.unexpected("`>`"));
            }
            reader.advance();
        }
        end = reader.advance().end;
    }
    let text = &reader.text[start..end];
    // Signed and signless integers are one to XLA; truth values are `i1` alone.
    let name = match text {
        "si1" => text,
        _ if text.starts_with("si") => &text[1..],
        _ => text,
    };
    // A blank may be inside `complex<…>`.
    let name = || name.chars().filter(|c| !c.is_ascii_whitespace());
    let same = |own: &str| own.chars().eq(name());
    let unknown = BoundaryError::UnknownType {
        library: reader.library,
        found: Excerpt::new(text),
    };
    match TYPES.iter().find(|row| same(row.mlir)) {
        Some(row) => Ok(row.element_type),
        None => Err(about(reader.text, text, unknown)),
    }
}

/// `<[1, ?], offset: 5>`, behind `strided`.
fn strided(reader: &mut Reader<'_>, rank: usize, whole: Reader<'_>) -> Result<MemRefLayout, Error> {
    reader.expect(b'<', "`<[` and strides")?;
    reader.expect(b'[', "`[` and strides")?;
    let mut strides = Items::<Option<i64>>::new();
    reader.items(b']', "`,` or `]`", |reader| {
        let stride = or_unknown(reader)?;
        reader.push(&mut strides, stride)
    })?;
    let mut offset = Some(0);
    if reader.eat(b',') {
        if !reader.eat_word("offset") {
            return Err(reader.unexpected("`offset:`"));
        }
        reader.expect(b':', "`:`")?;
        offset = or_unknown(reader)?;
    }
    reader.expect(b'>', "`>`")?;
    let listed = strides.len();
    if listed == rank {
        Ok(MemRefLayout::Strides { strides, offset })
    } else {
        Err(whole.error_until(reader, BoundaryError::StridesLength { listed, rank }))
    }
}

/// A number, or `?`.
fn or_unknown(reader: &mut Reader<'_>) -> Result<Option<i64>, Error> {
    if reader.eat(b'?') {
        Ok(None)
    } else {
        reader.number().map(Some)
    }
}
