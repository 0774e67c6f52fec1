//! Reports of what is wrong with a shape.

use crate::error::ErrorKind;

/// Which part of a shape an error is about; a reader knows its place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapePart {
    ElementType,
    /// All dimensions.
    Dims,
    Dim(usize),
    /// All of minor_to_major.
    MinorToMajor,
    MinorToMajorEntry(usize),
    TailAlignment,
    IndexType,
    PointerType,
    /// The `k`-th tile.
    WholeTile(usize),
    /// An entry of a tile, counted through all tiles.
    TileEntry(usize),
    ElementSize,
    /// The `k`-th split.
    Split(usize),
    /// An index of a split, counted through all splits.
    SplitIndex(usize),
    /// All splits.
    Splits,
    /// All of `padded_dimensions`.
    Padded,
    PaddedEntry(usize),
}

/// Takes every broken rule, with its place.
pub type Report<'a> = &'a mut dyn FnMut(ShapePart, ErrorKind);
