//! Bitcasts: when one array can be read as another without moving a byte.
//!
//! A *reshape* keeps the row-major logical index of every element, a *transpose* permutes its
//! coordinates; either is a bitcast when every element stays where it is in memory.
//!
//! XLA asks this of the dimensions and minor_to_major alone: it ignores tiles, padding, the element
//! size, memory spaces and dynamic dimensions. The functions here, and those with XLA's names in
//! the feature `xla`, say what is right in memory:
//!
//! | XLA | here |
//! |---|---|
//! | `ReshapeIsBitcast` | [`reshape_obstacle`], [`reshape_is_bitcast`](https://docs.rs/xlayout-xla) |
//! | `TransposeIsBitcast` | [`transpose_obstacle`], [`transpose_is_bitcast`](https://docs.rs/xlayout-xla) |
//! | `IsReshapeOrTransposeBitcast` | [`is_reshape_or_transpose_bitcast`](https://docs.rs/xlayout-xla) |
//! | `DeduceTransposeDimensionsForBitcast` | [`deduce_transpose_dimensions_for_bitcast`] |
//! | `AlignLayouts` | [`align_layouts`](https://docs.rs/xlayout-xla) |
//! | `IsDecomposableBitcast`, `DecomposeBitcast`, `DecomposeBitcastToTrt` | [`decompose_bitcast`](https://docs.rs/xlayout-xla), [`decompose_bitcast_to_trt`](https://docs.rs/xlayout-xla) |
//!
//! Layouts that the compiler knows are asked by [`Bitcast`], and views change theirs by
//! [`ArrayBase::reshape`](crate::ArrayBase::reshape) and
//! [`ArrayBase::transpose`](crate::ArrayBase::transpose), which compile only where that is a
//! bitcast.
//!
//! Laws, each with a test (`tests/core/bitcast_brute_force.rs`, `tests/core/bitcast/laws.rs`):
//! 1. A reshape has no obstacle exactly where every element, by its row-major index, has the same
//!    linear index in both layouts, and memory is allocated alike.
//! 2. A transpose has no obstacle exactly where every element has the same linear index as the
//!    element with permuted coordinates, and memory is allocated alike.
//! 3. What is deduced, aligned or decomposed is a bitcast by these two.
//! 4. Where nothing but dimensions and minor_to_major is set, XLA's answers are ours.
//!
//! `xlayout-algebra` decides whether two maps are equal. Without [terms](crate::Term) in the modes
//! the work grows with the square of the number of modes, however many elements there are.
//!
//! *Known limit* of 1 and 2: a `*` over padding, or a tile that does not divide the tile before it,
//! may leave terms in the modes. Equality of such maps is coNP-complete, so the work is limited;
//! beyond it two notations of one map count as different. Of 600,000 random stacks of up to three
//! such tiles none was beyond it. Different maps never count as equal. Arrays of 2^62 places or
//! more, which no computer has, are compared by sizes and modes only.
//!
//! *Stricter than 1*:
//! - Sizes of bounded dynamic dimensions change at run time. A reshape of them is a bitcast only if
//!   it is one for all these sizes.
//! - A header `M(n)` lists the sizes, so it must be the same.
//! - Arrays that are divided among several memories must be divided in the same way.

mod equal;
mod map;
mod shape;
#[cfg(all(test, feature = "std"))]
mod tests;
mod types;

#[doc(hidden)]
pub use map::is_permutation;
pub use shape::{deduce_transpose_dimensions_for_bitcast, reshape_obstacle, transpose_obstacle};
pub(crate) use shape::{why_no_reshape, why_no_transpose};
pub use types::Bitcast;

use crate::dims::INLINE_RANK;
pub use crate::layout_error::NotBitcast;
use crate::list::List;

/// Dimension numbers, as many as there are dimensions.
#[doc(hidden)]
pub type DimensionNumbers = List<i64, INLINE_RANK>;

/// Whether a question about two shapes counts their element types (XLA: `ignore_element_type`).
///
/// ```
/// use xlayout_core::bitcast::reshape_obstacle;
/// use xlayout_core::{ArrayShape, ElementTypes};
/// let a: ArrayShape = "f32[2,3]".parse().unwrap();
/// let b: ArrayShape = "s32[6]".parse().unwrap();
/// assert!(reshape_obstacle(&a, &b, ElementTypes::Compared)?.is_some());
/// assert!(reshape_obstacle(&a, &b, ElementTypes::Ignored)?.is_none());
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ElementTypes {
    /// The types must be the same.
    #[default]
    Compared,
    /// The types may differ. For XLA their widths, too; in memory an element of another width is
    /// no bitcast.
    Ignored,
}
