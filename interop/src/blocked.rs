//! Layouts whose dimensions are cut into blocks, and the stacks of XLA's tiles that are the same.
//!
//! ```text
//! tiles(outer dimensions from the most major on, blocks from the most major on):
//!     minor_to_major = the outer dimensions backwards
//!     first = the first place, in major_to_minor, of a dimension with a block
//!     rest = blocks
//!     until rest is empty:
//!         tile[p] = product of rest's blocks of the dimension at place p, for p from first on
//!         stop if the dimensions of rest are in ascending places, each once
//!         drop the first block of rest
//!
//! pieces(tiles): the inverse
//!     pieces = the count of each dimension, from the most major on
//!     for each tile: each of the last pieces splits into what counts tiles and what is inside; all of the
//!                    latter follow all of the former
//!     the pieces that are no counts are the blocks
//! ```
//!
//! A tile that neither divides its piece nor is 1 pads inside of a piece: such layouts have no blocks.

use core::fmt;

use super::error::{Error, LayoutPart, full, lowered, too_large};
use super::{BoundaryError, Library, layout_of, listed};
use xlayout_shape::dims::INLINE_RANK;
use xlayout_shape::layout::Layout;
use xlayout_shape::list::List;
use xlayout_shape::order::MajorToMinor;
use xlayout_shape::primitive::PrimitiveType;
use xlayout_shape::shape::ArrayShape;
use xlayout_shape::tile::{TileDim, Tiles};
use xlayout_shape::words::from_fn;

/// One block of a [`BlockedLayout`]: `size` neighbouring indices of a dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Which dimension is cut.
    pub dimension: usize,
    /// How many of the steps below it the block holds.
    pub size: i64,
}

/// A layout in blocks, as oneDNN, TVM and `linalg.pack` write it: the dimensions, each counting its
/// blocks, the most major first; behind them the blocks. Sizes are rounded up to whole blocks.
///
/// ```
/// use xlayout_core::PrimitiveType::F32;
/// use xlayout_interop::{BlockedLayout, Given, Notation};
///
/// let given = Given { sizes: Some(&[2, 17, 5, 7]), element_type: Some(F32), ..Given::default() };
/// let onednn = Notation::with_key("onednn").unwrap();
/// let shape = onednn.read("aBcd16b", &given)?;
/// assert_eq!(shape.to_string(), "f32[2,17,5,7]{3,2,1,0:T(16,1,1)}");
///
/// let blocked = BlockedLayout::new(&shape)?;
/// assert_eq!(blocked.blocks.len(), 1);
/// assert_eq!(blocked.to_shape(F32, &[2, 17, 5, 7])?, shape);
/// # Ok::<(), xlayout_interop::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedLayout {
    /// The dimensions, the most major first. Each counts its outermost blocks.
    pub major_to_minor: MajorToMinor,
    /// The blocks, the most major first. Of one dimension, the outer block is before the inner one.
    pub blocks: List<Block, INLINE_RANK>,
}

/// A part of an index in memory: `dim / divisor % size`, without `%` where it counts the outermost blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    pub(super) dim: usize,
    pub(super) divisor: i64,
    pub(super) size: Option<i64>,
}

impl BlockedLayout {
    /// The blocks that make up a layout's tiles. The memory space is left out.
    ///
    /// ```
    /// use xlayout_core::ArrayShape;
    /// use xlayout_interop::BlockedLayout;
    /// let uneven: ArrayShape = "f32[9,9]{1,0:T(6,4)(4,1)}".parse()?;
    /// assert_eq!(
    ///     BlockedLayout::new(&uneven).unwrap_err().to_string(),
    ///     "a blocked layout has no place for tiles that do not divide each other; take it out of the \
    ///      layout first",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Tiles that do not divide each other or that merge dimensions, blocks of one dimension that do not
    /// become finer, padding of another kind, elements that do not take whole bytes, splits, metadata
    /// before the data, and what [`ArrayShape::validate`] reports.
    pub fn new(shape: &ArrayShape) -> Result<Self, Error> {
        Self::of(shape, Library::Blocked)
    }

    pub(super) fn of(shape: &ArrayShape, library: Library) -> Result<Self, Error> {
        let bits = shape.element_size_in_bits();
        if shape.element_type.bytes().map(|bytes| 8 * i64::from(bytes)) != Some(bits) {
            return Err(BoundaryError::ElementBits { library, bits }.into());
        }
        let pieces = pieces(shape, library)?;
        let no_place = |part| Error::from(BoundaryError::NoPlace { library, part });
        let mut blocks: List<Block, INLINE_RANK> = List::new();
        let mut outer: List<i64, INLINE_RANK> = List::new();
        let mut below: List<i64, INLINE_RANK> = List::new();
        for _ in 0..shape.rank() {
            below.try_push(i64::MAX).map_err(full)?;
        }
        let mut last = None;
        for &Piece { dim, divisor, size } in &pieces {
            let Some(size) = size else {
                outer.try_push(dim as i64).map_err(full)?;
                continue;
            };
            if divisor >= below[dim] {
                return Err(no_place(LayoutPart::BlockSequence));
            }
            below[dim] = divisor;
            // Neighbours of one dimension are one block.
            match blocks.last_mut() {
                Some(block) if last == Some((dim, divisor * size)) => block.size *= size,
                _ => {
                    let dimension = dim;
                    blocks.try_push(Block { dimension, size }).map_err(full)?;
                }
            }
            last = Some((dim, divisor));
        }
        let major_to_minor = MajorToMinor::new(&outer).map_err(full)?;
        Ok(Self {
            major_to_minor,
            blocks,
        })
    }

    /// The shape with the stack of XLA's tiles that is this layout.
    ///
    /// ```
    /// use xlayout_core::{List, PrimitiveType::Bf16};
    /// use xlayout_interop::{Block, BlockedLayout};
    /// use xlayout_core::ArrayShape;
    ///
    /// // Blocks of 16 × 16, each cut into pairs of rows: oneDNN's `AB8a16b2a`.
    /// let dense: ArrayShape = "bf16[1,1]{1,0}".parse()?;
    /// let mut pairs = BlockedLayout::new(&dense)?;
    /// for (dimension, size) in [(0, 8), (1, 16), (0, 2)] {
    ///     pairs.blocks.push(Block { dimension, size });
    /// }
    /// assert_eq!(
    ///     pairs.to_shape(Bf16, &[100, 30])?.to_string(),
    ///     "bf16[100,30]{1,0:T(16,16)(2,16)(2,1)}",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Another number of sizes, a dimension that the layout does not have, blocks below 1, and sizes that
    /// cannot be addressed.
    pub fn to_shape(&self, element_type: PrimitiveType, dims: &[i64]) -> Result<ArrayShape, Error> {
        let rank = self.major_to_minor.len();
        if dims.len() != rank {
            let given = dims.len();
            return Err(BoundaryError::OtherRank { rank, given }.into());
        }
        let minor_to_major = self.major_to_minor.to_minor_to_major();
        let place = |block: &Block| {
            let at = self
                .major_to_minor
                .iter()
                .position(|&d| d == block.dimension as i64);
            at.filter(|_| block.size > 0)
                .ok_or(BoundaryError::WrongBlock {
                    dimension: block.dimension,
                    size: block.size,
                })
        };
        let mut rest: List<(usize, i64), INLINE_RANK> = List::new();
        for block in self.blocks.iter() {
            let place = place(block)?;
            if block.size > 1 {
                rest.try_push((place, block.size)).map_err(full)?;
            }
        }
        let first = rest.iter().map(|block| block.0).min().unwrap_or(0);
        let mut tiles = Tiles::new();
        let mut rest = &rest[..];
        while !rest.is_empty() {
            let mut tile: List<TileDim, INLINE_RANK> = List::new();
            for p in first..rank {
                let mut sizes = rest
                    .iter()
                    .filter(|block| block.0 == p)
                    .map(|block| block.1);
                let size = sizes
                    .try_fold(1_i64, i64::checked_mul)
                    .ok_or_else(too_large)?;
                tile.try_push(TileDim::Size(size)).map_err(full)?;
            }
            tiles.push(&tile).map_err(full)?;
            if rest.windows(2).all(|pair| pair[0].0 < pair[1].0) {
                break;
            }
            rest = &rest[1..];
        }
        let mut shape = ArrayShape::new(element_type, dims).map_err(full)?;
        let mut layout = Layout::new(minor_to_major);
        layout.tiles = tiles;
        shape.layout = Some(layout);
        lowered(&shape)?;
        Ok(shape)
    }
}

/// The pieces of a shape's index, the most major first, without those of size 1.
pub(super) fn pieces(
    shape: &ArrayShape,
    library: Library,
) -> Result<List<Piece, INLINE_RANK>, Error> {
    let layout = layout_of(shape, library)?;
    let no_place = |part| Error::from(BoundaryError::NoPlace { library, part });
    if !layout.padded_dimensions.is_empty() {
        return Err(no_place(LayoutPart::Padding));
    }
    if layout.tail_padding_alignment_in_elements != 1 {
        return Err(no_place(LayoutPart::TailAlignment));
    }
    const ONE: Piece = Piece {
        dim: 0,
        divisor: 1,
        size: Some(1),
    };
    let mut all: List<Piece, INLINE_RANK> = List::new();
    for &dim in layout.minor_to_major.to_major_to_minor().iter() {
        let dim = dim as usize;
        all.try_push(Piece {
            dim,
            divisor: 1,
            size: None,
        })
        .map_err(full)?;
    }
    for tile in layout.tiles.iter() {
        let mut outer: List<Piece, INLINE_RANK> = List::new();
        let mut inner = outer.clone();
        let cut = all.len().saturating_sub(tile.len());
        for &piece in &all[..cut] {
            outer.try_push(piece).map_err(full)?;
        }
        let missing = tile.len().saturating_sub(all.len());
        for (k, &entry) in tile.iter().enumerate() {
            let TileDim::Size(entry) = entry else {
                return Err(no_place(LayoutPart::MergedCoordinates));
            };
            let piece = k.checked_sub(missing).map_or(ONE, |k| all[cut + k]);
            let Piece { dim, divisor, size } = piece;
            if entry < 1 || size.is_some_and(|size| size % entry != 0) {
                return Err(no_place(LayoutPart::UnevenTiles));
            }
            let above = divisor.checked_mul(entry).ok_or_else(too_large)?;
            let size = size.map(|size| size / entry);
            outer
                .try_push(Piece {
                    dim,
                    divisor: above,
                    size,
                })
                .map_err(full)?;
            inner
                .try_push(Piece {
                    dim,
                    divisor,
                    size: Some(entry),
                })
                .map_err(full)?;
        }
        for &piece in &inner {
            outer.try_push(piece).map_err(full)?;
        }
        all = outer;
    }
    let real = all.iter().copied().filter(|piece| piece.size != Some(1));
    List::try_from_iter(real).map_err(full)
}

/// `affine_map<(d0, d1) -> (d0 floordiv 8, d1, d0 mod 8)>`
pub(super) fn affine_map(blocked: &BlockedLayout, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let rank = blocked.major_to_minor.len();
    f.write_str("affine_map<(")?;
    listed(f, (0..rank).map(|k| from_fn(move |f| write!(f, "d{k}"))))?;
    f.write_str(") -> (")?;
    // The size of all blocks of a dimension from this one on.
    let left = |from: usize, dim: usize| {
        let own = blocked.blocks[from..]
            .iter()
            .filter(move |block| block.dimension == dim);
        own.fold(1_i64, |all, block| all.saturating_mul(block.size))
    };
    for (k, &dim) in blocked.major_to_minor.iter().enumerate() {
        write!(f, "{}d{dim}", if k > 0 { ", " } else { "" })?;
        match left(0, dim as usize) {
            1 => {}
            n => write!(f, " floordiv {n}")?,
        }
    }
    for (k, &Block { dimension, size }) in blocked.blocks.iter().enumerate() {
        write!(f, ", d{dimension}")?;
        match left(k + 1, dimension) {
            1 => {}
            n => write!(f, " floordiv {n}")?,
        }
        write!(f, " mod {size}")?;
    }
    f.write_str(")>")
}
