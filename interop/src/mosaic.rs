//! Mosaic's tiles: `memref<16x256xbf16, #tpu.tiled<(8,128)(2,1),[2,1]>>`.
//!
//! The tiles are XLA's; the strides count tiles, so that tiles may lie in another sequence. XLA says this by its
//! minor_to_major, and its tiles are of dimensions in this sequence. So tiles are read and printed as blocks, whose dimensions
//! are numbers: with the row-major sequence, the blocks are Mosaic's tiles.

use core::fmt::{self, Write};

use super::blocked::BlockedLayout;
use super::element_types::row_of;
use super::error::{Error, LayoutPart, Printed, full, list, lowered, no_place, too_large};
use super::memref::{checked, sizes};
use super::memref_read::head;
use super::read::Reader;
use super::strides::arrange::{sort, with_ones};
use super::{BoundaryError, Given, Library};
use xlayout_shape::dims::{Dim, Dims, INLINE_RANK};
use xlayout_shape::layout::Layout;
use xlayout_shape::list::List;
use xlayout_shape::order::{MajorToMinor, MinorToMajor};
use xlayout_shape::shape::ArrayShape;
use xlayout_shape::tile::{TileDim, Tiles};

type Numbers = List<i64, INLINE_RANK>;

/// The memory spaces that XLA has a number for; the first one is the default.
const SPACES: [&str; 2] = ["hbm", "vmem"];

/// Reads the type of a memref, or `#tpu.tiled<…>` alone.
pub(super) fn read(text: &str, given: &Given<'_>) -> Result<ArrayShape, Error> {
    let mut reader = Reader::new(text, Library::Mosaic);
    let alone = reader.at(b'#');
    let (dims, element_type) = if alone {
        let (sizes, element_type) = given.both(Library::Mosaic)?;
        let sizes = Dims::try_from_iter(sizes.iter().map(|&size| Dim::Static(size)));
        (sizes.map_err(full)?, element_type)
    } else {
        let head = head(&mut reader)?;
        reader.expect(b',', "`,` and `#tpu.tiled<…>`")?;
        head
    };
    reader.expect(b'#', "`#tpu.tiled<…>`")?;
    reader.expect_word("tpu.tiled")?;
    reader.expect(b'<', "`<` and tiles")?;
    let rank = dims.len();
    let mut tiles = Tiles::new();
    while !reader.eat(b',') {
        let here = reader;
        let tile = reader.tuple()?;
        // The first tile is one of the array, the others are inside of it.
        let most = tiles.get(0).map_or(rank, <[TileDim]>::len);
        if tile.is_empty() || tile.len() > most || tile.iter().any(|&size| size < 1) {
            let what = "a tile with as many entries above 0 as it cuts dimensions";
            return Err(reader.unexpected_since(&here, what));
        }
        let tile: List<TileDim, INLINE_RANK> = list(tile.iter().map(|&n| TileDim::Size(n)))?;
        tiles.push(&tile).map_err(full)?;
    }
    let before = reader;
    let strides = reader.tuple()?;
    let place = (before.token.start, reader.token.start);
    if strides.len() != rank || tiles.is_empty() {
        let listed = strides.len();
        return Err(reader.error_at(BoundaryError::StridesLength { listed, rank }, place));
    }
    reader.expect(b'>', "`>`")?;
    let mut memory_space = 0;
    if reader.eat(b',') {
        reader.expect(b'#', "`#tpu.memory_space<…>`")?;
        reader.expect_word("tpu.memory_space")?;
        reader.expect(b'<', "`<` and a memory space")?;
        let space = SPACES.iter().position(|space| *space == reader.found());
        let unknown = || reader.unexpected("`hbm` or `vmem`, which XLA numbers");
        memory_space = space.ok_or_else(unknown)? as i8;
        reader.advance();
        reader.expect(b'>', "`>`")?;
    }
    if !alone {
        reader.expect(b'>', "`>`")?;
    }
    reader.end()?;

    let mut shape = ArrayShape::from_parts(element_type, dims, None);
    let mut layout = Layout::row_major(rank).map_err(full)?;
    layout.tiles = tiles;
    layout.memory_space = memory_space;
    let counts = counts(&shape, &layout.tiles)?;
    shape.layout = Some(layout);
    lowered(&shape)?;
    let dense = dense(&counts)?;
    if (0..rank).all(|d| counts[d] <= 1 || dense[d] == strides[d]) {
        return Ok(shape);
    }
    // The tiles lie in another sequence, if they lie one behind the other at all.
    let mut moving: List<usize, INLINE_RANK> = list((0..rank).filter(|&d| counts[d] > 1))?;
    sort(&mut moving, &|&a, &b| strides[a] < strides[b]);
    let mut next = Some(1_i64);
    for &d in &moving {
        if next != Some(strides[d]) {
            return Err(reader.error_at(BoundaryError::TileStrides, place));
        }
        next = strides[d].checked_mul(counts[d]);
    }
    let mut blocked = BlockedLayout::of(&shape, Library::Mosaic)?;
    blocked.major_to_minor = with_ones(&counts, &moving, None)?.to_major_to_minor();
    let mut shape = blocked.to_shape(element_type, &sizes(&shape.dims)?)?;
    if let Some(layout) = &mut shape.layout {
        layout.memory_space = memory_space;
    }
    Ok(shape)
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

/// The strides of tiles that lie one behind the other, row-major.
fn dense(counts: &[i64]) -> Result<Numbers, Error> {
    let mut strides: Numbers = list(counts.iter().map(|_| 1))?;
    for d in (1..counts.len()).rev() {
        let next = strides[d].checked_mul(counts[d].max(1));
        strides[d - 1] = next.ok_or_else(too_large)?;
    }
    Ok(strides)
}

/// The row-major layout with the same blocks, and the sequence of the tiles, where the layout is not row-major.
fn row_major(shape: &ArrayShape) -> Result<Option<(ArrayShape, MajorToMinor)>, Error> {
    let layout = checked(shape, Library::Mosaic)?;
    let order = (0..shape.rank() as i64).rev();
    if order.eq(layout.minor_to_major.iter().copied()) || layout.tiles.is_empty() {
        return Ok(None);
    }
    let mut blocked = BlockedLayout::of(shape, Library::Mosaic)?;
    let order = blocked.major_to_minor.clone();
    blocked.major_to_minor = MinorToMajor::row_major(shape.rank())
        .map_err(full)?
        .to_major_to_minor();
    let mut same = blocked.to_shape(shape.element_type, &sizes(&shape.dims)?)?;
    if let Some(same) = &mut same.layout {
        same.memory_space = layout.memory_space;
    }
    Ok(Some((same, order)))
}

pub(super) fn print(shape: &ArrayShape, _: &Given<'_>, out: &mut dyn Write) -> Printed {
    match row_major(shape)? {
        None => print_in(shape, None, out),
        Some((same, order)) => print_in(&same, Some(&order), out),
    }
}

/// Prints a row-major layout, whose tiles have this sequence.
fn print_in(shape: &ArrayShape, order: Option<&MajorToMinor>, out: &mut dyn Write) -> Printed {
    let layout = checked(shape, Library::Mosaic)?;
    let rank = shape.rank();
    let first = layout.tiles.get(0).map_or(0, <[TileDim]>::len);
    let space = usize::try_from(layout.memory_space);
    let space = space.ok().and_then(|space| SPACES.get(space));
    let mut minor_to_major = layout.minor_to_major.iter().copied();
    let mut entries = layout.tiles.iter().flatten();
    let longer = first > rank || layout.tiles.iter().any(|tile| tile.len() > first);
    let tail = layout.tail_padding_alignment_in_elements;
    let parts = [
        (first == 0, LayoutPart::NoTiles),
        (
            !minor_to_major.by_ref().eq((0..rank as i64).rev()),
            LayoutPart::Permuted,
        ),
        (
            entries.any(|entry| !matches!(entry, TileDim::Size(1..))),
            LayoutPart::MergedCoordinates,
        ),
        (longer, LayoutPart::UnevenTiles),
        (!layout.padded_dimensions.is_empty(), LayoutPart::Padding),
        (tail != 1, LayoutPart::TailAlignment),
        (space.is_none(), LayoutPart::MemorySpace),
    ];
    if let Some((_, part)) = parts.into_iter().find(|part| part.0) {
        return Err(no_place(Library::Mosaic, part));
    }
    let sizes = sizes(&shape.dims)?;
    let counts = counts(shape, &layout.tiles)?;
    let strides = match order {
        None => dense(&counts)?,
        Some(order) => {
            let counts_in_order: Numbers = list(order.iter().map(|&d| counts[d as usize]))?;
            let mut strides = counts.clone();
            for (&d, &stride) in order.iter().zip(dense(&counts_in_order)?.iter()) {
                strides[d as usize] = stride;
            }
            strides
        }
    };
    let mut write = || {
        out.write_str("memref<")?;
        sizes.iter().try_for_each(|size| write!(out, "{size}x"))?;
        let name = row_of(shape.element_type).map_or("none", |row| row.mlir);
        write!(out, "{name}, #tpu.tiled<")?;
        for tile in layout.tiles.iter() {
            with_commas(out, '(', &mut tile.iter().map(|entry| entry.to_xla()))?;
            out.write_char(')')?;
        }
        out.write_char(',')?;
        with_commas(out, '[', &mut strides.iter().copied())?;
        out.write_str("]>")?;
        match (layout.memory_space, space) {
            (1.., Some(space)) => write!(out, ", #tpu.memory_space<{space}>>"),
            _ => out.write_char('>'),
        }
    };
    Ok(write())
}

/// Numbers without blanks, behind a bracket.
fn with_commas(
    out: &mut dyn Write,
    open: char,
    numbers: &mut dyn Iterator<Item = i64>,
) -> fmt::Result {
    out.write_char(open)?;
    for (k, number) in numbers.enumerate() {
        write!(out, "{}{number}", if k > 0 { "," } else { "" })?;
    }
    Ok(())
}
