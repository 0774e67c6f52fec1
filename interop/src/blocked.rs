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
//!     for each tile: each of the last pieces splits into what counts tiles and what is inside;
//!                    all of the latter follow all of the former
//!     the pieces that are no counts are the blocks
//! ```
//!
//! A tile that neither divides its piece nor is 1 pads inside of a piece: such layouts have no
//! blocks.

use core::fmt;

use super::element_types::check_bits;
use super::error::{
    Error, Items, LayoutPart, Numbers, full, list, lowered, no_place, push, shaped, too_large,
};
use super::layout::{layout_of, no_padding};
use super::lists::joined;
use super::{BoundaryError, Library};
use xlayout_shape::words::from_fn;
use xlayout_shape::{
    ArrayShape, ElementType, INLINE_RANK, Layout, List, MajorToMinor, TileDim, Tiles,
};

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
/// use xlayout_core::ElementType::F32;
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

/// A part of an index in memory: `dim / divisor % size`, without `%` where it counts the outermost
/// blocks.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Piece {
    pub(super) dim: usize,
    pub(super) divisor: i64,
    pub(super) size: Option<i64>,
}

impl Block {
    pub(super) const fn new(dimension: usize, size: i64) -> Self {
        Self { dimension, size }
    }
}

impl Piece {
    pub(super) const fn new(dim: usize, divisor: i64, size: Option<i64>) -> Self {
        Self { dim, divisor, size }
    }
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
    ///     "a blocked layout has no place for tiles that do not divide each other; take it out of \
    ///      the layout first",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Tiles that do not divide each other or that merge dimensions, blocks of one dimension that
    /// do not become finer, padding of another kind, elements that do not take whole bytes, splits,
    /// metadata before the data, and what [`ArrayShape::validate`] reports.
    pub fn new(shape: &ArrayShape) -> Result<Self, Error> {
        Self::of(shape, Library::Blocked)
    }

    pub(super) fn of(shape: &ArrayShape, library: Library) -> Result<Self, Error> {
        check_bits(shape, library, false)?;
        let mut blocks = Items::<Block>::new();
        let mut outer = Numbers::new();
        let mut below: Numbers = list((0..shape.rank()).map(|_| i64::MAX))?;
        let mut last = None;
        for &Piece { dim, divisor, size } in &pieces(shape, library)? {
            let Some(size) = size else {
                push(&mut outer, dim as i64)?;
                continue;
            };
            if divisor >= below[dim] {
                return Err(no_place(library, LayoutPart::BlockSequence));
            }
            below[dim] = divisor;
            // Neighbours of one dimension are one block.
            match blocks.last_mut() {
                Some(block) if last == Some((dim, divisor * size)) => block.size *= size,
                _ => push(&mut blocks, Block::new(dim, size))?,
            }
            last = Some((dim, divisor));
        }
        Self::of_lists(&outer, blocks)
    }

    pub(super) fn of_lists(order: &[i64], blocks: Items<Block>) -> Result<Self, Error> {
        let major_to_minor = MajorToMinor::new(order).map_err(full)?;
        Ok(Self {
            major_to_minor,
            blocks,
        })
    }

    /// The shape with the stack of XLA's tiles that is this layout.
    ///
    /// ```
    /// use xlayout_core::{List, ElementType::Bf16};
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
    /// Another number of sizes, a dimension that the layout does not have, blocks below 1, and
    /// sizes that cannot be addressed.
    pub fn to_shape(&self, element_type: ElementType, dims: &[i64]) -> Result<ArrayShape, Error> {
        let rank = self.major_to_minor.len();
        if dims.len() != rank {
            let given = dims.len();
            return Err(BoundaryError::OtherRank { rank, given }.into());
        }
        let minor_to_major = self.major_to_minor.to_minor_to_major();
        let mut rest = Items::<(usize, i64)>::new();
        for &Block { dimension, size } in &self.blocks {
            let mut order = self.major_to_minor.iter();
            let place = order.position(|&d| d == dimension as i64);
            let wrong = BoundaryError::WrongBlock { dimension, size };
            let place = place.filter(|_| size > 0).ok_or(wrong)?;
            if size > 1 {
                push(&mut rest, (place, size))?;
            }
        }
        let first = rest.iter().map(|block| block.0).min().unwrap_or(0);
        let mut tiles = Tiles::new();
        let mut rest = &rest[..];
        while !rest.is_empty() {
            let mut tile: Items<TileDim> = list((first..rank).map(|_| TileDim::Size(1)))?;
            for &(place, size) in rest {
                if let TileDim::Size(all) = &mut tile[place - first] {
                    *all = all.checked_mul(size).ok_or_else(too_large)?;
                }
            }
            tiles.push(&tile).map_err(full)?;
            let ascending = rest.windows(2).all(|pair| pair[0].0 < pair[1].0);
            rest = if ascending { &[] } else { &rest[1..] };
        }
        let layout = Layout::new(minor_to_major).with_tiles(tiles);
        let shape = shaped(element_type, dims, layout)?;
        lowered(&shape)?;
        Ok(shape)
    }
}

/// The pieces of a shape's index, the most major first, without those of size 1.
fn pieces(shape: &ArrayShape, library: Library) -> Result<Items<Piece>, Error> {
    let layout = layout_of(shape, library)?;
    no_padding(&layout, library)?;
    let order = layout.minor_to_major.to_major_to_minor();
    let counts = order.iter().map(|&dim| Piece::new(dim as usize, 1, None));
    let mut all: Items<Piece> = list(counts)?;
    for tile in layout.tiles.iter() {
        let cut = all.len().saturating_sub(tile.len());
        let missing = tile.len().saturating_sub(all.len());
        let mut outer: Items<Piece> = list(all[..cut].iter().copied())?;
        let mut inner = Items::<Piece>::new();
        for (k, &entry) in tile.iter().enumerate() {
            let TileDim::Size(entry) = entry else {
                return Err(no_place(library, LayoutPart::MergedCoordinates));
            };
            // A tile that is longer than the array has dimensions of size 1 before it.
            let single = Piece::new(0, 1, Some(1));
            let own = k.checked_sub(missing).map_or(single, |k| all[cut + k]);
            if entry < 1 || own.size.is_some_and(|size| size % entry != 0) {
                return Err(no_place(library, LayoutPart::UnevenTiles));
            }
            let above = own.divisor.checked_mul(entry).ok_or_else(too_large)?;
            let count = Piece::new(own.dim, above, own.size.map(|size| size / entry));
            push(&mut outer, count)?;
            let inside = Piece::new(own.dim, own.divisor, Some(entry));
            push(&mut inner, inside)?;
        }
        all = list(outer.iter().chain(&inner).copied())?;
    }
    list(all.iter().copied().filter(|piece| piece.size != Some(1)))
}

/// `affine_map<(d0, d1) -> (d0 floordiv 8, d1, d0 mod 8)>`
pub(super) fn affine_map(order: &[i64], blocks: &[Block]) -> impl fmt::Display {
    // What is left of a dimension below some of the blocks, and how many of these there are, if it
    // is a block.
    let digit = move |from: usize, dim: usize, size: Option<i64>| {
        let finer = blocks[from..].iter().filter(|block| block.dimension == dim);
        let divisor = finer.fold(1_i64, |all, block| all.saturating_mul(block.size));
        from_fn(move |f| {
            write!(f, "d{dim}")?;
            if divisor != 1 {
                write!(f, " floordiv {divisor}")?;
            }
            size.map_or(Ok(()), |size| write!(f, " mod {size}"))
        })
    };
    from_fn(move |f| {
        let names = (0..order.len()).map(|dim| digit(blocks.len(), dim, None));
        let outer = order.iter().map(|&dim| digit(0, dim as usize, None));
        let inner = blocks.iter().enumerate();
        let inner = inner.map(|(k, block)| digit(k + 1, block.dimension, Some(block.size)));
        write!(f, "affine_map<({}) -> (", joined(names, ", "))?;
        write!(f, "{})>", joined(outer.chain(inner), ", "))
    })
}
