//! Mosaic's tiles: `memref<16x256xbf16, #tpu.tiled<(8,128)(2,1),[2,1]>>`.
//!
//! The tiles are XLA's; the strides count tiles, so that tiles may lie in another sequence, or apart.

use core::fmt::{self, Write};

use super::blocked::BlockedLayout;
use super::element_types::{bits_and_bytes, row_of};
use super::error::{Error, LayoutPart, full, lowered, too_large};
use super::memref_read::{element_type, sizes};
use super::read::Reader;
use super::strides::arrange::{sort, with_ones};
use super::{BoundaryError, Given, Library, layout_of};
use xlayout_shape::dims::{Dim, INLINE_RANK};
use xlayout_shape::layout::Layout;
use xlayout_shape::list::List;
use xlayout_shape::shape::ArrayShape;
use xlayout_shape::tile::{TileDim, Tiles};

type Numbers = List<i64, INLINE_RANK>;

/// The memory spaces that XLA has a number for; the first one is the default.
const SPACES: [&str; 2] = ["hbm", "vmem"];

pub(super) fn read(text: &str, _: &Given<'_>) -> Result<ArrayShape, Error> {
    let library = Library::Mosaic;
    let mut reader = Reader::new(text, library);
    if !reader.eat_word("memref") {
        return Err(reader.unexpected("`memref<`"));
    }
    let open = reader.token.end;
    reader.expect(b'<', "`<`")?;
    let (dims, after) = sizes(text, open)?;
    let mut reader = Reader::at_byte(text, library, after);
    let element_type = element_type(&mut reader)?;
    reader.expect(b',', "`,` and `#tpu.tiled<…>`")?;
    reader.expect(b'#', "`#tpu.tiled<…>`")?;
    if !reader.eat_word("tpu.tiled") {
        return Err(reader.unexpected("`tpu.tiled`"));
    }
    reader.expect(b'<', "`<` and tiles")?;
    let mut tiles = Tiles::new();
    let first = reader;
    while reader.at(b'(') {
        let here = reader;
        let mut tile: List<TileDim, INLINE_RANK> = List::new();
        for &size in &reader.tuple()? {
            if size < 1 {
                return Err(reader.unexpected_since(&here, "a tile with entries above 0"));
            }
            tile.try_push(TileDim::Size(size)).map_err(full)?;
        }
        // The first tile is one of the array, the others are inside of it.
        let most = tiles.get(0).map_or(dims.len(), <[TileDim]>::len);
        if tile.is_empty() || tile.len() > most {
            return Err(
                reader.unexpected_since(&here, "a tile with as many entries as it cuts dimensions")
            );
        }
        tiles.push(&tile).map_err(full)?;
    }
    if tiles.is_empty() {
        return Err(first.unexpected("a tile such as `(8,128)`"));
    }
    reader.expect(b',', "`,` and the strides of the tiles")?;
    let before = reader;
    if !reader.at(b'[') {
        return Err(reader.unexpected("`[` and the strides of the tiles"));
    }
    let strides = reader.tuple()?;
    let (listed, rank) = (strides.len(), dims.len());
    let place = (before.token.start, reader.token.start);
    if listed != rank {
        return Err(reader.error_at(BoundaryError::StridesLength { listed, rank }, place));
    }
    reader.expect(b'>', "`>`")?;
    let mut memory_space = 0;
    if reader.eat(b',') {
        reader.expect(b'#', "`#tpu.memory_space<…>`")?;
        if !reader.eat_word("tpu.memory_space") {
            return Err(reader.unexpected("`tpu.memory_space`"));
        }
        reader.expect(b'<', "`<` and a memory space")?;
        let space = SPACES.iter().position(|space| *space == reader.found());
        memory_space =
            space.ok_or_else(|| reader.unexpected("`hbm` or `vmem`, which XLA numbers"))? as i8;
        reader.advance();
        reader.expect(b'>', "`>`")?;
    }
    reader.expect(b'>', "`>`")?;
    reader.end()?;

    let mut shape = ArrayShape::from_parts(element_type, dims, None);
    let mut layout = Layout::row_major(rank).map_err(full)?;
    layout.tiles = tiles;
    layout.memory_space = memory_space;
    let counts = counts(&shape, &layout.tiles)?;
    shape.layout = Some(layout);
    lowered(&shape)?;
    if dense(&counts)?
        .iter()
        .zip(&strides)
        .zip(&counts)
        .all(|((a, b), &n)| n <= 1 || a == b)
    {
        return Ok(shape);
    }
    // The tiles lie in another sequence, if they lie one behind the other at all.
    let mut moving: List<usize, INLINE_RANK> = List::new();
    for d in (0..rank).filter(|&d| counts[d] > 1) {
        moving.try_push(d).map_err(full)?;
    }
    sort(&mut moving, &|&a, &b| strides[a] < strides[b]);
    let mut next = Some(1_i64);
    for &d in &moving {
        if next != Some(strides[d]) {
            return Err(reader.error_at(BoundaryError::TileStrides, place));
        }
        next = strides[d].checked_mul(counts[d]);
    }
    let mut blocked = BlockedLayout::of(&shape, library)?;
    blocked.major_to_minor = with_ones(&counts, &moving, None)?.to_major_to_minor();
    let sizes =
        List::<i64, INLINE_RANK>::try_from_iter(shape.dims.iter().filter_map(|dim| dim.bound()));
    let mut shape = blocked.to_shape(element_type, &sizes.map_err(full)?)?;
    if let Some(layout) = &mut shape.layout {
        layout.memory_space = memory_space;
    }
    Ok(shape)
}

/// How many tiles each dimension has.
fn counts(shape: &ArrayShape, tiles: &Tiles) -> Result<Numbers, Error> {
    let mut counts = Numbers::new();
    let tile = tiles.get(0).unwrap_or_default();
    let rank = shape.rank();
    for (dimension, dim) in shape.dims.iter().enumerate() {
        let size = dim
            .bound()
            .ok_or(BoundaryError::RunTimeSize { dimension })?;
        let entry = (dimension + tile.len())
            .checked_sub(rank)
            .and_then(|k| tile.get(k));
        let entry = match entry {
            Some(TileDim::Size(entry)) => *entry,
            _ => 1,
        };
        // Neither is negative.
        counts
            .try_push((size as u64).div_ceil(entry as u64) as i64)
            .map_err(full)?;
    }
    Ok(counts)
}

/// The strides of tiles that lie one behind the other, row-major.
fn dense(counts: &[i64]) -> Result<Numbers, Error> {
    let mut strides = Numbers::try_from_iter(counts.iter().map(|_| 1)).map_err(full)?;
    for d in (1..counts.len()).rev() {
        let next = strides[d].checked_mul(counts[d].max(1));
        strides[d - 1] = next.ok_or_else(too_large)?;
    }
    Ok(strides)
}

pub(super) fn print(
    shape: &ArrayShape,
    _: &Given<'_>,
    out: &mut dyn Write,
) -> Result<fmt::Result, Error> {
    let library = Library::Mosaic;
    let layout = layout_of(shape, library)?;
    let bits = shape.element_size_in_bits();
    let (own, bytes) = bits_and_bytes(shape.element_type, library)?;
    if bits != own && bits != 8 * bytes {
        return Err(BoundaryError::ElementBits { library, bits }.into());
    }
    let first = layout.tiles.get(0).map_or(0, <[TileDim]>::len);
    let space = usize::try_from(layout.memory_space)
        .ok()
        .and_then(|space| SPACES.get(space));
    let rank = shape.rank();
    let row_major = layout
        .minor_to_major
        .iter()
        .copied()
        .eq((0..rank as i64).rev());
    let merged = layout
        .tiles
        .iter()
        .flatten()
        .any(|entry| !matches!(entry, TileDim::Size(1..)));
    let longer = first > rank || layout.tiles.iter().any(|tile| tile.len() > first);
    let part = if first == 0 {
        LayoutPart::NoTiles
    } else if !row_major {
        LayoutPart::Permuted
    } else if merged {
        LayoutPart::MergedCoordinates
    } else if longer {
        LayoutPart::UnevenTiles
    } else if !layout.padded_dimensions.is_empty() {
        LayoutPart::Padding
    } else if layout.tail_padding_alignment_in_elements != 1 {
        LayoutPart::TailAlignment
    } else if space.is_none() {
        LayoutPart::MemorySpace
    } else {
        let strides = dense(&counts(shape, &layout.tiles)?)?;
        return Ok(write(shape, &layout, &strides, out));
    };
    Err(BoundaryError::NoPlace { library, part }.into())
}

fn write(shape: &ArrayShape, layout: &Layout, strides: &[i64], out: &mut dyn Write) -> fmt::Result {
    out.write_str("memref<")?;
    for dim in &shape.dims {
        match *dim {
            Dim::Static(size) => write!(out, "{size}x")?,
            _ => out.write_str("?x")?,
        }
    }
    let name = row_of(shape.element_type).map_or("none", |row| row.mlir);
    write!(out, "{name}, #tpu.tiled<")?;
    for tile in layout.tiles.iter() {
        for (k, entry) in tile.iter().enumerate() {
            write!(out, "{}{}", if k > 0 { "," } else { "(" }, entry.to_xla())?;
        }
        out.write_char(')')?;
    }
    for (k, stride) in strides.iter().enumerate() {
        write!(out, "{}{stride}", if k > 0 { "," } else { ",[" })?;
    }
    out.write_str("]>")?;
    match layout.memory_space {
        0 => {}
        space => write!(out, ", #tpu.memory_space<{}>", SPACES[space as usize])?,
    }
    out.write_char('>')
}
