//! MLIR's `linalg.pack`: `outer_dims_perm = […] inner_dims_pos = […] inner_tiles = […]`.

use core::fmt::Write;

use super::blocked::{Block, BlockedLayout};
use super::error::{Error, LayoutPart, Numbers, Printed, expected, has_place, list};
use super::lists::joined;
use super::memref_read::sized_type;
use super::read::Reader;
use super::strides::sizes;
use super::{BoundaryError, Given, Library};
use xlayout_shape::text::lex::TokenKind;
use xlayout_shape::{ArrayShape, Dim, Dims, ElementType};

const LIBRARY: Library = Library::LinalgPack;

/// The attributes, in any sequence.
const NAMES: [&str; 3] = ["outer_dims_perm", "inner_dims_pos", "inner_tiles"];

/// The attributes alone, or the whole operation, whose types give the sizes.
pub(super) fn read(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    let start = NAMES.iter().filter_map(|name| text.find(name)).min();
    let start = start.unwrap_or(text.len());
    before(text, start)?;
    let mut reader = Reader::at_byte(text, LIBRARY, start);
    let mut lists: [Option<Numbers>; 3] = [const { None }; 3];
    while let Some(k) = NAMES.iter().position(|name| reader.found() == *name) {
        let name = reader;
        reader.advance();
        reader.expect(b'=', "`=`")?;
        name.once(&mut lists[k], reader.tuple()?)?;
    }
    let [outer, at, tiles] = lists;
    let (Some(at), Some(tiles)) = (at, tiles) else {
        return Err(reader.missing("`inner_dims_pos` and `inner_tiles`"));
    };
    if reader.eat_word("into") {
        reader.expect(b'%', "`%` and the destination")?;
        reader.advance();
    }
    if reader.eat(b'{') {
        // Other attributes of the operation.
        while !reader.eat(b'}') {
            if reader.advance().tok == TokenKind::End {
                return Err(reader.unexpected("`}`"));
            }
        }
    }
    let types = types(&mut reader, text[..start].contains(".unpack"))?;
    reader.end()?;
    let array = types.as_ref().map(|types| &types.array);
    let own = array.map(|array| sizes(&array.0)).transpose()?;
    let given = given.beside(own.as_deref(), array.map(|array| array.1));
    let (sizes, element_type) = given.both(LIBRARY)?;
    let rank = sizes.len();
    let outer = outer.map_or_else(|| list(0..rank as i64), Ok)?;
    let once = |list: &[i64]| {
        let is_new = |(k, d): (usize, &i64)| (0..rank as i64).contains(d) && !list[..k].contains(d);
        list.iter().enumerate().all(is_new)
    };
    if !once(&outer) || outer.len() != rank || !once(&at) || at.len() != tiles.len() {
        return Err(BoundaryError::PackLists { rank }.into());
    }
    let block = |(&d, &size): (&i64, &i64)| Block::new(d as usize, size);
    let blocks = at.iter().zip(&tiles).map(block);
    let blocked = BlockedLayout::of_lists(&outer, list(blocks)?)?;
    let shape = blocked.to_shape(element_type, sizes)?;
    // The type of the result says the same once more.
    let count = |&d: &i64| {
        let size = at.iter().position(|own| *own == d).map_or(1, |k| tiles[k]);
        // Neither is negative: the shape is valid.
        (sizes[d as usize] as u64).div_ceil(size as u64) as i64
    };
    let packed = outer.iter().map(count).chain(tiles.iter().copied());
    match types.map(|types| types.packed) {
        Some((ref dims, ty))
            if ty != element_type || !packed.map(Dim::Static).eq(dims.iter().copied()) =>
        {
            Err(BoundaryError::PackResult.into())
        }
        _ => Ok(shape),
    }
}

/// The types of the operation.
struct Types {
    array: (Dims, ElementType),
    packed: (Dims, ElementType),
}

/// `: memref<2x3xf32> -> memref<2x2x2xf32>`, or nothing.
fn types(reader: &mut Reader<'_>, unpacks: bool) -> Result<Option<Types>, Error> {
    if !reader.eat(b':') {
        return Ok(None);
    }
    // IREE's operation has the types of both operands.
    let has_both = reader.eat(b'(');
    let source = sized_type(reader)?;
    if has_both {
        reader.eat(b',');
        sized_type(reader)?;
        reader.expect(b')', "`)`")?;
    }
    reader.expect(b'-', "`->`")?;
    reader.expect(b'>', "`->`")?;
    let result = sized_type(reader)?;
    // The other way round, the packed array is the source.
    let (array, packed) = if unpacks {
        (result, source)
    } else {
        (source, result)
    };
    Ok(Some(Types { array, packed }))
}

/// What is before the attributes: nothing, or the beginning of the operation.
fn before(text: &str, end: usize) -> Result<(), Error> {
    let head = &text[..end];
    let own = |c: char| "%_#".contains(c) || c.is_ascii_alphanumeric();
    let value = |text: &str| text.chars().all(own);
    let parts = head
        .split_once(".unpack")
        .or_else(|| head.split_once(".pack"));
    let known = match parts {
        Some((result, source)) => {
            let (result, dialect) = result.rsplit_once(' ').unwrap_or(("", result));
            let (source, padding) = source.split_once("padding_value").unwrap_or((source, "()"));
            let padding = padding.trim();
            // Attributes of the operation.
            let source = source.trim();
            let attributes = source.starts_with('{').then(|| source.rfind('}')).flatten();
            let source = &source[attributes.map_or(0, |end| end + 1)..];
            value(result.trim().trim_end_matches('=').trim_end())
                && value(dialect)
                && value(source.trim())
                && padding.starts_with('(')
                && padding.ends_with(')')
        }
        None => head.trim().is_empty(),
    };
    if known {
        Ok(())
    } else {
        Err(expected(LIBRARY, text, head, "`linalg.pack` and a source"))
    }
}

pub(super) fn print(shape: &ArrayShape, _: &Given<'_>, out: &mut dyn Write) -> Printed {
    let blocked = BlockedLayout::new(shape)?;
    let dimensions = || blocked.blocks.iter().map(|block| block.dimension);
    let nested = (dimensions().enumerate()).any(|(k, d)| dimensions().take(k).any(|own| own == d));
    has_place(LIBRARY, &[(nested, LayoutPart::NestedBlocks)])?;
    Ok(write!(
        out,
        "outer_dims_perm = [{}] inner_dims_pos = [{}] inner_tiles = [{}]",
        joined(&blocked.major_to_minor[..], ", "),
        joined(dimensions(), ", "),
        joined(blocked.blocks.iter().map(|block| block.size), ", "),
    ))
}
