//! MLIR's `linalg.pack`: `outer_dims_perm = […] inner_dims_pos = […] inner_tiles = […]`.

use core::fmt::{self, Write};

use super::blocked::{Block, BlockedLayout};
use super::error::{Error, LayoutPart, full};
use super::memref_read::{element_type, sizes};
use super::read::Reader;
use super::{BoundaryError, Given, Library, listed};
use xlayout_shape::dims::{Dim, Dims, INLINE_RANK};
use xlayout_shape::error::Excerpt;
use xlayout_shape::list::List;
use xlayout_shape::order::MajorToMinor;
use xlayout_shape::primitive::PrimitiveType;
use xlayout_shape::shape::ArrayShape;
use xlayout_shape::text::lex::TokenKind;

/// The attributes, in any sequence.
const NAMES: [&str; 3] = ["outer_dims_perm", "inner_dims_pos", "inner_tiles"];

pub(super) fn is_pack(text: &str, _: &Given<'_>) -> bool {
    text.contains("inner_tiles") || text.contains("linalg.pack") || text.contains("tensor.pack")
}

type Numbers = List<i64, INLINE_RANK>;

/// The attributes alone, or the whole operation, whose types give the sizes.
pub(super) fn read_pack(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    let start = NAMES.iter().filter_map(|name| text.find(name)).min();
    let Some(start) = start else {
        let whole = Reader::new(text, Library::LinalgPack);
        return Err(missing(&whole, "`inner_dims_pos` and `inner_tiles`"));
    };
    before(text, start)?;
    let mut reader = Reader::at_byte(text, Library::LinalgPack, start);
    let mut lists: [Option<Numbers>; 3] = [const { None }; 3];
    while let Some(k) = NAMES.iter().position(|name| reader.found() == *name) {
        let name = reader;
        reader.advance();
        reader.expect(b'=', "`=`")?;
        if lists[k].replace(reader.tuple()?).is_some() {
            let library = Library::LinalgPack;
            return Err(name.error(BoundaryError::Twice {
                library,
                found: name.excerpt(),
            }));
        }
    }
    let [outer, at, tiles] = lists;
    let (Some(at), Some(tiles)) = (at, tiles) else {
        return Err(missing(&reader, "`inner_dims_pos` and `inner_tiles`"));
    };
    let packed = after(&mut reader)?;
    let source = packed.as_ref().map(|(source, _)| &source.0);
    let rank = source
        .map(|dims| dims.len())
        .or(given.sizes.map(<[i64]>::len));
    let rank = rank.ok_or(BoundaryError::NoSizes {
        library: Library::LinalgPack,
    })?;
    let own = || List::try_from_iter(0..rank as i64).map_err(full);
    let outer = outer.map_or_else(own, Ok)?;
    let once = |list: &Numbers| {
        list.iter()
            .enumerate()
            .all(|(k, d)| (0..rank as i64).contains(d) && !list[..k].contains(d))
    };
    if !once(&outer) || outer.len() != rank || !once(&at) || at.len() != tiles.len() {
        return Err(BoundaryError::PackLists { rank }.into());
    }
    let mut blocks: List<Block, INLINE_RANK> = List::new();
    for (&dimension, &size) in at.iter().zip(&tiles) {
        let dimension = dimension as usize;
        blocks.try_push(Block { dimension, size }).map_err(full)?;
    }
    let major_to_minor = MajorToMinor::new(&outer).map_err(full)?;
    let blocked = BlockedLayout {
        major_to_minor,
        blocks,
    };
    let Some((source, packed)) = packed else {
        return given.shape(Library::LinalgPack, &blocked);
    };
    let mut sizes: Numbers = List::new();
    for (dimension, dim) in source.0.iter().enumerate() {
        let Dim::Static(size) = *dim else {
            return Err(BoundaryError::RunTimeSize { dimension }.into());
        };
        sizes.try_push(size).map_err(full)?;
    }
    let shape = blocked.to_shape(source.1, &sizes)?;
    // The type of the result says the same once more.
    let count = |&d: &i64| {
        let d = d as usize;
        let own = blocked.blocks.iter().find(|block| block.dimension == d);
        // Neither is negative: the shape is valid.
        let blocks = |block: &Block| (sizes[d] as u64).div_ceil(block.size as u64) as i64;
        Dim::Static(own.map_or(sizes[d], blocks))
    };
    let expected = outer
        .iter()
        .map(count)
        .chain(tiles.iter().map(|&size| Dim::Static(size)));
    if packed.1 != source.1 || !packed.0.iter().copied().eq(expected) {
        return Err(BoundaryError::PackResult.into());
    }
    Ok(shape)
}

fn missing(reader: &Reader<'_>, name: &'static str) -> Error {
    reader.error(BoundaryError::Missing {
        library: Library::LinalgPack,
        name,
    })
}

/// What is before the attributes: nothing, or the beginning of the operation.
fn before(text: &str, end: usize) -> Result<(), Error> {
    let head = &text[..end];
    let operation = ["linalg.pack", "tensor.pack"]
        .iter()
        .find_map(|name| head.split_once(name));
    let value = |text: &str| {
        text.chars()
            .all(|c| "%_#".contains(c) || c.is_ascii_alphanumeric())
    };
    let known = match operation {
        Some((result, source)) => {
            let (source, padding) = source.split_once("padding_value").unwrap_or((source, "()"));
            let padding = padding.trim();
            value(result.trim().trim_end_matches('=').trim_end())
                && value(source.trim())
                && padding.starts_with('(')
                && padding.ends_with(')')
        }
        None => head.trim().is_empty(),
    };
    if known {
        return Ok(());
    }
    let found = Excerpt::new(head.trim());
    let error = BoundaryError::Expected {
        library: Library::LinalgPack,
        expected: "`linalg.pack`",
        found,
    };
    Err(Error::new(error, Some((0, end))))
}

type Type = (Dims, PrimitiveType);

/// What is behind the attributes: nothing, or ` into %dest : tensor<…> -> tensor<…>`.
fn after(reader: &mut Reader<'_>) -> Result<Option<(Type, Type)>, Error> {
    if reader.eat_word("into") {
        reader.expect(b'%', "`%` and the destination")?;
        reader.advance();
    }
    if !reader.eat(b':') {
        reader.end()?;
        return Ok(None);
    }
    let source = tensor(reader)?;
    reader.expect(b'-', "`->`")?;
    reader.expect(b'>', "`->`")?;
    let packed = tensor(reader)?;
    reader.end()?;
    Ok(Some((source, packed)))
}

/// `tensor<2x3xf32>`
fn tensor(reader: &mut Reader<'_>) -> Result<Type, Error> {
    if reader.token.tok != TokenKind::Word || !matches!(reader.found(), "tensor" | "memref") {
        return Err(reader.unexpected("`tensor<…>`"));
    }
    reader.advance();
    let open = reader.token.end;
    reader.expect(b'<', "`<`")?;
    let (dims, after) = sizes(reader.text, open)?;
    *reader = Reader::at_byte(reader.text, reader.library, after);
    let element_type = element_type(reader)?;
    reader.expect(b'>', "`>`")?;
    Ok((dims, element_type))
}

pub(super) fn print_pack(
    shape: &ArrayShape,
    _: &Given<'_>,
    out: &mut dyn Write,
) -> Result<fmt::Result, Error> {
    let library = Library::LinalgPack;
    let blocked = BlockedLayout::new(shape)?;
    let blocks = &blocked.blocks;
    let again = |k: usize| {
        blocks[..k]
            .iter()
            .any(|block| block.dimension == blocks[k].dimension)
    };
    if (0..blocks.len()).any(again) {
        let part = LayoutPart::NestedBlocks;
        return Err(BoundaryError::NoPlace { library, part }.into());
    }
    let mut write = || {
        out.write_str("outer_dims_perm = [")?;
        listed(out, blocked.major_to_minor.iter())?;
        out.write_str("] inner_dims_pos = [")?;
        listed(out, blocks.iter().map(|block| block.dimension))?;
        out.write_str("] inner_tiles = [")?;
        listed(out, blocks.iter().map(|block| block.size))?;
        out.write_char(']')
    };
    Ok(write())
}
