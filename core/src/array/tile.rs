//! A block of an array. The layout of a whole one is a type, too.

use core::ops::{Deref, DerefMut};

#[cfg(feature = "alloc")]
use super::base::Array;
use super::base::{ArrayBase, View, ViewMut, part_of};
use super::reference::ArrayRef;
use super::storage::{PartItems, PartItemsMut, Storage, StorageMut};
use super::stored::Stored;
use crate::array_layout::ArrayLayout;
use crate::layouts::{RegionLayout, TileBy};

/// A block of an array: an array whose sizes the run time knows. It is indexed, iterated and passed
/// to functions as other arrays are. If it is inside the array, and does not hang over the edge,
/// [`whole`](Self::whole) gives it with a layout whose sizes the compiler knows, so that loops over
/// its axes check nothing.
///
/// `W` is the layout of a whole block, `E` that of any block. Both have the strides inside of a
/// block, so that an access does not divide by the tile.
///
/// ```
/// use xlayout_core::types::nat;
/// use xlayout_core::{Array, ArrayLayout, ArrayRef, DynLayout, Rank};
///
/// fn sum(x: &ArrayRef<f32, impl Rank<2>>) -> f32 {
///     x.iter().sum()
/// }
/// let layout: DynLayout = "f32[3,4]{1,0:T(2,2)}".parse()?;
/// let array = Array::from_fn(layout, |at| at[1] as f32)?.ranked::<2>()?;
/// for ([i, j], tile) in array.try_tiles(nat![2, 2])? {
///     assert_eq!(tile.shape(), if i == 0 { [2, 2] } else { [1, 2] });
///     assert_eq!(tile[[0, 1]], (2 * j + 1) as f32);
///     // Both arms give the same. In the first one the compiler knows the sizes.
///     let found = match tile.whole() {
///         Some(tile) => sum(&tile),
///         None => sum(&tile),
///     };
///     assert_eq!(found, tile.iter().sum::<f32>());
/// }
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Tile<S, W, E> {
    pub(super) array: ArrayBase<S, E>,
    /// Some if the block is whole. Invariant: the layout of the elements of `array`.
    pub(super) whole: Option<W>,
}

/// A block of an array with layout `L`, borrowed: [`TileViews`](super::TileViews) gives it.
pub type TileView<'a, T, L, B> =
    Tile<PartItems<'a, T>, <L as TileBy<B>>::Block, RegionLayout<<L as TileBy<B>>::Block>>;

/// A block of an array with layout `L`, to write: [`TileViewsMut`](super::TileViewsMut) gives it.
pub type TileViewMut<'a, T, L, B> =
    Tile<PartItemsMut<'a, T>, <L as TileBy<B>>::Block, RegionLayout<<L as TileBy<B>>::Block>>;

// The target has no size, so that the array of a block is not exchanged for that of another one:
// `whole` would then be the layout of other elements.
impl<S: Storage, W, E> Deref for Tile<S, W, E> {
    type Target = ArrayRef<S::Item, E>;

    #[inline(always)]
    fn deref(&self) -> &ArrayRef<S::Item, E> {
        &self.array
    }
}

impl<S: StorageMut, W, E> DerefMut for Tile<S, W, E> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut ArrayRef<S::Item, E> {
        &mut self.array
    }
}

impl<S: Storage<Item: Stored>, W: ArrayLayout, E: ArrayLayout> Tile<S, W, E> {
    /// Whether the block is inside the array, and has all of its elements.
    #[inline(always)]
    pub fn is_whole(&self) -> bool {
        self.whole.is_some()
    }

    /// The block with a layout whose sizes the compiler knows; `None` if a part of it is beyond the
    /// edge.
    #[inline(always)]
    pub fn whole(&self) -> Option<View<'_, S::Item, W>> {
        let layout = self.whole.clone()?;
        Some(part_of(self.array.items(), (0, layout)))
    }

    /// The block with a layout whose sizes the compiler knows, to write; `None` if a part of it is
    /// beyond the edge.
    #[inline(always)]
    pub fn whole_mut(&mut self) -> Option<ViewMut<'_, S::Item, W>>
    where
        S: StorageMut,
    {
        let layout = self.whole.clone()?;
        // The borrow of `self` gives the elements to nothing else.
        Some(part_of(self.array.items_mut(), (0, layout)))
    }

    /// The block as an array whose sizes the run time knows, for as long as its memory is borrowed.
    #[inline(always)]
    pub fn into_part(self) -> ArrayBase<S, E> {
        self.array
    }
}

#[cfg(feature = "alloc")]
impl<S: Storage<Item: Stored>, W, E: ArrayLayout> Tile<S, W, E> {
    /// As [`ArrayRef::to_owned`].
    #[doc(hidden)]
    #[must_use]
    pub fn to_owned(&self) -> Array<S::Item, E::Owned> {
        ArrayRef::to_owned(self)
    }
}
