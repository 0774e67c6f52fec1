//! Why a part of an array is no array of its own.

use crate::const_text::ConstText;

xlayout_shape::const_error_table! {
/// Why a part of a dimension is no array of its own in the same memory.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, Tile};
/// use xlayout_core::{ConstLayout, SliceView};
///
/// // layout!(s32[4,4]{1,0:T(2,2)})
/// type Tiles = (Tile<(Nat<2>, Nat<2>)>,);
/// type A = StaticLayout<i32, (Nat<4>, Nat<4>), MinorToMajor<(Nat<1>, Nat<0>)>, Tiles>;
/// let view = SliceView::new(A::NEW, &[0; 16][..])?;
/// assert_eq!(
///     view.into_slice::<0>(1..3).unwrap_err().to_string(),
///     "a slice of dimension 0 cannot begin at 1, inside a tile; begin it at 0 or 2",
/// );
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub enum NotSlice {
    /// It ends behind the end of the dimension, or before it begins.
    OutOfBounds {
        /// The number of the dimension.
        dimension: usize,
        /// Where the slice begins.
        start: usize,
        /// Where the slice ends.
        end: usize,
        /// The size of the dimension.
        size: usize,
    } => (if start > end {
        ConstText::new("a slice of dimension {} from {} to {} ends \
                        before it begins", &[dimension, start, end])
            .help("write the lower number first", &[])
    } else if end == usize::MAX {
        // The sum of its origin and its size is no number.
        ConstText::new(
            "a slice of dimension {} that begins at {} is out of bounds: the dimension has size {}",
            &[dimension, start, size],
        )
        .help("end it at {} or before", &[size])
    } else {
        ConstText::new(
            "a slice of dimension {} from {} to {} is out of bounds: the dimension has size {}",
            &[dimension, start, end, size],
        )
        .help("end it at {} or before", &[size])
    })
    /// A part of an array, such as a block or a chunk, would have size 0.
    Empty {
        /// The number of the dimension.
        dimension: usize,
    } => [
        "a part would have size 0 in dimension {}", dimension;
        "use a size of at least 1"
    ]
    /// It begins inside a tile.
    BeginsInTile {
        /// The number of the dimension.
        dimension: usize,
        /// Where the slice begins.
        start: usize,
        /// Where the tile begins.
        below: usize,
        /// Where the next tile begins, or the end of the dimension.
        above: usize,
    } => [
        "a slice of dimension {} cannot begin at {}, inside a tile", dimension, start;
        "begin it at {} or {}", below, above
    ]
    /// Blocks would begin inside tiles.
    BlockInTile {
        /// The number of the dimension.
        dimension: usize,
        /// The size of a block.
        block: usize,
        /// The width of a tile.
        tile: usize,
    } => [
        "blocks of {} of dimension {} would begin inside tiles, which \
         are {} wide there", block, dimension, tile;
        "use a divisor or a multiple of {}", tile
    ]
    /// The tiles merge dimensions, so blocks have no layout.
    MergedBlocks => [
        "blocks of an array whose tiles merge dimensions have no layout of their own";
        "copy the array to a layout without `*`"
    ]
    /// It ends inside a tile, which would become padding.
    EndsInTile {
        /// The number of the dimension.
        dimension: usize,
        /// Where the slice ends.
        end: usize,
        /// The next place where it may end.
        above: usize,
    } => [
        "a slice of dimension {} cannot end at {}, inside a tile", dimension, end;
        "end it at {}, or where a tile before it ends", above
    ]
    /// No layout describes the memory of the slice.
    NoLayout {
        /// The number of the dimension.
        dimension: usize,
    } => [
        "a slice of dimension {} has no layout of its own: its memory is not what its dimensions, \
         tiles and alignment would make", dimension;
        "copy the part"
    ]
}
}

impl NotSlice {
    /// Where a slice ends that begins at `start` and has `len` coordinates of a dimension of this
    /// size.
    #[inline]
    pub(crate) const fn end(
        dimension: usize,
        start: usize,
        len: usize,
        size: usize,
    ) -> Result<usize, Self> {
        // No dimension has so many coordinates that the end is no number.
        let end = start.saturating_add(len);
        match Self::check(dimension, start, end, size) {
            Ok(()) => Ok(end),
            Err(why) => Err(why),
        }
    }

    /// Whether the coordinates from `start` to `end` are coordinates of a dimension of this size.
    #[inline]
    pub(crate) const fn check(
        dimension: usize,
        start: usize,
        end: usize,
        size: usize,
    ) -> Result<(), Self> {
        if start > end || end > size {
            return Err(Self::OutOfBounds {
                dimension,
                start,
                end,
                size,
            });
        }
        Ok(())
    }
}
