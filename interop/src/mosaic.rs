//! Mosaic's tiles: `memref<16x256xbf16, #tpu.tiled<(8,128)(2,1),[2,1]>>`.
//!
//! The tiles are XLA's; the strides count tiles, so that tiles may lie in another sequence. XLA
//! says this by its minor_to_major, and its tiles are of dimensions in this sequence. So tiles are
//! read and printed as blocks, whose dimensions are numbers: with the row-major sequence, the
//! blocks are Mosaic's tiles.

use core::fmt::Write;

use super::blocked::BlockedLayout;
use super::error::{
    Error, Items, LayoutPart, Numbers, Printed, expected, full, has_place, list, lowered, shaped,
};
use super::layout::layout_of;
use super::layout::no_padding;
use super::lists::joined;
use super::memref::{checked, sized};
use super::memref_read::{self, head};
use super::read::Reader;
use super::strides::arrange::products;
use super::strides::arrange::with_ones;
use super::strides::sizes;
use super::{BoundaryError, Described, Given, Library};
use xlayout_shape::words::from_fn;
use xlayout_shape::{ArrayShape, Dim, Layout, MinorToMajor, TileDim, Tiles};

/// The memory spaces that XLA has a number for; the first one is the default.
const SPACES: [&str; 2] = ["hbm", "vmem"];

/// Reads the type of a memref, or `#tpu.tiled<…>` alone.
pub(super) fn read(text: &str, given: &Given<'_>) -> Result<Described, Error> {
    if text.contains("#tpu.vpad") {
        return vpad(text, given);
    }
    let mut reader = Reader::new(text, Library::Mosaic);
    let alone = reader.at(b'#');
    let (dims, element_type) = if alone {
        let (sizes, element_type) = given.both(Library::Mosaic)?;
        let dims = list(sizes.iter().map(|&size| Dim::Static(size)))?;
        (dims, element_type)
    } else {
        let head = head(&mut reader)?;
        reader.expect(b',', "`,` and `#tpu.tiled<…>`")?;
        head
    };
    reader.expect(b'#', "`#tpu.tiled<…>`")?;
    reader.expect_word("tpu.tiled")?;
    reader.expect(b'<', "`<` and tiles")?;
    let rank = dims.len();
    let tiles = tiles(&mut reader, rank)?;
    let before = reader;
    let strides = reader.tuple()?;
    let behind = reader;
    if strides.len() != rank || tiles.is_empty() {
        let listed = strides.len();
        return Err(before.error_until(&behind, BoundaryError::StridesLength { listed, rank }));
    }
    reader.expect(b'>', "`>`")?;
    let mut memory_space = 0;
    let mut has_space = true;
    if reader.eat(b',') {
        let unknown = || reader.unexpected("`#tpu.memory_space<vmem>` or another memory space");
        let (space, end) = memref_read::space(&reader).ok_or_else(unknown)?;
        memory_space = space.unwrap_or(0) as i8;
        has_space = space.is_some();
        reader = end;
    }
    if !alone {
        reader.expect(b'>', "`>`")?;
    }
    reader.end()?;

    let mut shape = ArrayShape::from_parts(element_type, dims, None);
    let counts = counts(&shape, &tiles)?;
    let layout = Layout::row_major(rank).map_err(full)?;
    shape.layout = Some(layout.with_tiles(tiles).with_memory_space(memory_space));
    lowered(&shape)?;
    // The sequence in which the tiles lie, if they lie one behind the other at all.
    let mut moving: Items<usize> = list((0..rank).filter(|&d| counts[d] > 1))?;
    moving.sort_unstable_by_key(|&d| strides[d]);
    let order = with_ones(&counts, &moving, None)?;
    let dense = products(&order, |d| Some(counts[d].max(1)))?;
    if !counts.contains(&0) && moving.iter().any(|&d| dense[d] != Some(strides[d])) {
        return Err(before.error_until(&behind, BoundaryError::TileStrides));
    }
    let array = Described::from(in_order(shape, &order)?);
    Ok(if has_space {
        array
    } else {
        array.with_note(memref_read::NOTE)
    })
}

/// The tiles, up to the comma behind them.
fn tiles(reader: &mut Reader<'_>, rank: usize) -> Result<Tiles, Error> {
    let mut tiles = Tiles::new();
    while !reader.eat(b',') {
        let here = *reader;
        let tile = reader.tuple()?;
        // The first tile is one of the array, the others are inside of it.
        let limit = tiles.get(0).map_or(rank, <[TileDim]>::len);
        if tile.is_empty() || tile.len() > limit || tile.iter().any(|&size| size < 1) {
            let what = "a tile with as many entries above 0 as it cuts dimensions";
            return Err(reader.unexpected_since(&here, what));
        }
        let tile: Items<TileDim> = list(tile.iter().map(|&n| TileDim::Size(n)))?;
        tiles.push(&tile).map_err(full)?;
    }
    Ok(tiles)
}

/// What is said of a layout of registers.
const REGISTERS: &str = "It says how a vector lies in vector registers; the layout below has the \
                         same tiles";

/// `#tpu.vpad<"32,{0,0},(8,128)">`: the bits of an element, where the first element is in the first
/// tile, the tile, and which dimension is left out.
fn vpad(text: &str, given: &Given<'_>) -> Result<Described, Error> {
    let library = Library::Mosaic;
    let quoted = text.split('"').nth(1);
    let quoted = quoted.ok_or_else(|| {
        expected(
            library,
            text,
            text.trim(),
            "`#tpu.vpad<\"32,{0,0},(8,128)\">`",
        )
    })?;
    let mut reader = Reader::within(text, library, quoted);
    let bits = reader.size()?;
    reader.expect(b',', "`,` and the offsets")?;
    let start = reader;
    if reader.text[reader.token.start..].starts_with("{*")
        || !reader.tuple()?.iter().all(|&n| n == 0)
    {
        return Err(start.unread("a vector that begins inside of a tile, or is repeated"));
    }
    reader.expect(b',', "`,` and the tile")?;
    let mut tile = reader.tuple()?;
    if reader.eat(b',') {
        return Err(reader.unread("a dimension that is left out"));
    }
    reader.end()?;
    let (sizes, element_type) = given.both(library)?;
    if element_type.bits().map(i64::from) != Some(bits) {
        let what = "type";
        return Err(BoundaryError::OtherGiven { library, what }.into());
    }
    let mut tiles = Tiles::new();
    tiles
        .push(&list(tile.iter().map(|&n| TileDim::Size(n)))?)
        .map_err(full)?;
    if bits < 32 && bits > 0 {
        // Rows are packed in words of 32 bits.
        tile = list([32 / bits, 1])?;
        tiles
            .push(&list(tile.iter().map(|&n| TileDim::Size(n)))?)
            .map_err(full)?;
    }
    let layout = Layout::row_major(sizes.len())
        .map_err(full)?
        .with_tiles(tiles);
    Ok(Described::from(shaped(element_type, sizes, layout)?).with_note(REGISTERS))
}

/// How many tiles each dimension has.
fn counts(shape: &ArrayShape, tiles: &Tiles) -> Result<Numbers, Error> {
    let sizes = sizes(&shape.dims)?;
    let tile = tiles.get(0).unwrap_or_default();
    let count = |d: usize| {
        let entry = (d + tile.len()).checked_sub(sizes.len());
        match entry.and_then(|k| tile.get(k)) {
            // Neither is negative.
            Some(TileDim::Size(entry)) => (sizes[d] as u64).div_ceil(*entry as u64) as i64,
            _ => sizes[d],
        }
    };
    list((0..sizes.len()).map(count))
}

/// The layout with the same blocks, whose tiles lie in this sequence.
fn in_order(shape: ArrayShape, order: &MinorToMajor) -> Result<ArrayShape, Error> {
    let layout = layout_of(&shape, Library::Mosaic)?;
    if layout.minor_to_major == *order {
        return Ok(shape);
    }
    let mut blocked = BlockedLayout::of(&shape, Library::Mosaic)?;
    blocked.major_to_minor = order.to_major_to_minor();
    let mut shape = blocked.to_shape(shape.element_type, &sizes(&shape.dims)?)?;
    let space = layout.memory_space;
    shape.layout = shape.layout.map(|layout| layout.with_memory_space(space));
    Ok(shape)
}

pub(super) fn print(shape: &ArrayShape, _: &Given<'_>, out: &mut dyn Write) -> Printed {
    let library = Library::Mosaic;
    let own = checked(shape, library)?;
    let rank = shape.rank();
    has_place(library, &[(own.tiles.is_empty(), LayoutPart::NoTiles)])?;
    let shape = in_order(shape.clone(), &MinorToMajor::row_major(rank).map_err(full)?)?;
    let layout = checked(&shape, library)?;
    let first = layout.tiles.get(0).map_or(0, <[TileDim]>::len);
    let space = usize::try_from(layout.memory_space);
    let space = space.ok().and_then(|space| SPACES.get(space));
    let merges = |entry: &TileDim| !matches!(entry, TileDim::Size(1..));
    let merges = layout.tiles.iter().flatten().any(merges);
    let longer = first > rank || layout.tiles.iter().any(|tile| tile.len() > first);
    let parts = [
        (first == 0, LayoutPart::NoTiles),
        (merges, LayoutPart::MergedCoordinates),
        (longer, LayoutPart::UnevenTiles),
        (space.is_none(), LayoutPart::MemorySpace),
    ];
    has_place(library, &parts)?;
    no_padding(&layout, library)?;
    // A `?` has no number.
    sizes(&shape.dims)?;
    let counts = counts(&shape, &layout.tiles)?;
    let strides = products(&own.minor_to_major, |d| Some(counts[d].max(1)))?;
    let space = space.filter(|_| layout.memory_space > 0);
    let space =
        from_fn(|f| space.map_or(Ok(()), |space| write!(f, ", #tpu.memory_space<{space}>")));
    Ok(write!(
        out,
        "memref<{}, #tpu.tiled<{},[{}]>{space}>",
        sized(&shape.dims, shape.element_type),
        layout.tiles,
        joined(strides.iter().flatten(), ","),
    ))
}
