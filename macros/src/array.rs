//! One layout that was read, and what decides whether a type can hold it.

use proc_macro2::Span;
use xlayout_shape::dims::{INLINE_RANK, MAX_TYPE_ENTRIES};
use xlayout_shape::error::Explain;
use xlayout_shape::lowering::check;
use xlayout_shape::text::{Notation, Rules};
use xlayout_shape::{ArrayShape, ParseError};
#[cfg(feature = "sharding")]
use xlayout_sharding::Sharding;

use crate::mistake::{Mistake, TokenRange, kind};
use crate::sizes::Size;
use crate::text::Text;

/// Without the feature there is no sharding.
#[cfg(not(feature = "sharding"))]
pub(crate) type Sharding = core::convert::Infallible;

/// The rules that a layout keeps in `layout!`: our notation beside XLA's, and whatever index
/// arithmetic needs.
pub(crate) const RULES: Rules = Rules {
    notation: Notation::Extended,
    addressable: true,
};

/// A layout that was read and found valid.
#[derive(Debug)]
pub(crate) struct Array {
    /// What core read. Where a size is a constant of the user's, this has 1.
    pub(crate) shape: ArrayShape,
    /// The sizes as they were written, one for each dimension.
    pub(crate) sizes: Vec<Size>,
    /// The span of the element type, for editors.
    pub(crate) element_type: Span,
    /// The devices that it is spread over.
    pub(crate) sharding: Option<Spread>,
}

/// What a sharding makes of a layout.
#[derive(Debug)]
pub(crate) struct Spread {
    /// What each device holds.
    pub(crate) per_device: Box<Array>,
    pub(crate) sharding: Sharding,
}

/// What core says of the text, at the tokens.
pub(crate) fn of_core<K: Explain>(error: &ParseError<K>, text: &Text) -> Mistake {
    Mistake {
        offset: error.span().map_or(0, |range| range.start),
        ..Mistake::new(text.place(error.span()), error.message(), error.help())
    }
}

/// What a type cannot hold, or what cannot be addressed at all. Where the user has a constant there
/// is a 1 here; the compiler, which knows it later, checks again.
pub(crate) fn beyond_a_type(place: TokenRange, shape: &ArrayShape) -> Option<Mistake> {
    if let Some(layout) = &shape.layout {
        let mut in_tile = 0;
        let mut in_tiles = 0;
        let mut in_split = 0;
        let mut in_splits = 0;
        for tile in layout.tiles.iter() {
            in_tile = in_tile.max(tile.len());
            in_tiles += tile.len();
        }
        for split in layout.split_configs.iter() {
            in_split = in_split.max(split.split_indices.len());
            in_splits += split.split_indices.len();
        }
        for (what, most, count) in [
            ("entries in one tile", INLINE_RANK, in_tile),
            ("tile entries in all", MAX_TYPE_ENTRIES, in_tiles),
            ("indices in one split", INLINE_RANK, in_split),
            ("split indices in all", MAX_TYPE_ENTRIES, in_splits),
            // Beside these there are at most L, E, S, M, and two of padding.
            (
                "tiles and splits",
                INLINE_RANK - 6,
                layout.tiles.len() + layout.split_configs.len(),
            ),
        ] {
            if count > most {
                return Some(kind::too_many(place, &most, &what, &count));
            }
        }
    }
    let error = ParseError::from(check(shape).err()?);
    Some(Mistake::new(place, error.message(), error.help()))
}
