//! Parts of packed arrays. Two parts share no byte, so that threads may write to both.

use super::chunks::Cuts;
use super::packed::PackedBase;
use super::packed_bytes::{check_box, check_bytes, check_lengths, place_in_bytes};
use super::part_items::{PartItems, PartItemsMut};
use super::places::{assert_unique, halves, place_of};
use super::storage::{Borrowed, Storage, StorageMut};
use crate::array_layout::ArrayLayout;
use crate::layout_error::LayoutError;

/// A part of a packed array, borrowed. See [`Part`](crate::Part).
pub type PackedPart<'a, L> = PackedBase<PartItems<'a, u8>, L>;

/// A part of a packed array that can be written to. See [`PartMut`](crate::PartMut).
pub type PackedPartMut<'a, L> = PackedBase<PartItemsMut<'a, u8>, L>;

impl<S: Storage<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// The part that begins at `origin` and has these sizes. See
    /// [`ArrayBase::region`](crate::ArrayBase::region).
    ///
    /// ```
    /// use xlayout_core::{DynLayout, PackedView};
    /// let layout: DynLayout = "s4[2,4]{1,0:E(4)}".parse()?;
    /// let view = PackedView::new(&[0x10, 0x32, 0x54, 0x76][..], layout)?;
    /// let part = view.region([1, 2].into(), [1, 2].into())?;
    /// assert_eq!(part.get(&[0, 1].into()), Some(7));
    /// assert!(view.region([0, 1].into(), [2, 2].into()).is_err()); // half a byte
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`]: out of bounds, or inside a tile; [`LayoutError::SharedByte`].
    pub fn region(
        &self,
        origin: L::Coordinates,
        sizes: L::Coordinates,
    ) -> Result<PackedPart<'_, L::Region>, LayoutError> {
        let placed = place_of(self.layout(), &origin, sizes.clone())?;
        check_box(self.layout(), &origin, &sizes)?;
        Ok(self.part(place_in_bytes(self.layout(), placed)))
    }

    /// The parts before and from coordinate `at` of dimension `DIM`. See
    /// [`ArrayBase::split_at`](crate::ArrayBase::split_at).
    ///
    /// # Errors
    /// As [`region`](Self::region).
    pub fn split_at<const DIM: usize>(
        &self,
        at: usize,
    ) -> Result<[PackedPart<'_, L::Region>; 2], LayoutError> {
        let placed = halves::<L, DIM>(self.layout(), at)?;
        check_bytes(self.layout(), DIM, 0..at)?;
        Ok(placed.map(|placed| self.part(place_in_bytes(self.layout(), placed))))
    }

    /// Parts of `len` coordinates of dimension `DIM`. See
    /// [`ArrayBase::chunks`](crate::ArrayBase::chunks).
    ///
    /// # Errors
    /// As [`region`](Self::region).
    pub fn chunks<const DIM: usize>(&self, len: usize) -> Result<PackedChunks<'_, L>, LayoutError> {
        let cut = Cuts::new(self.layout(), DIM, len)?;
        check_lengths(self.layout(), DIM, len)?;
        Ok(PackedChunks {
            bytes: self.bytes.part_items(),
            layout: self.layout().clone(),
            cut,
        })
    }

    pub(super) fn part<M: ArrayLayout>(&self, (byte, layout): (usize, M)) -> PackedPart<'_, M> {
        PackedBase {
            bytes: self.bytes.part_items().part(byte, layout.bytes()),
            layout,
        }
    }
}

impl<S: StorageMut<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// The part that begins at `origin` and has these sizes, to write.
    ///
    /// # Errors
    /// As [`region`](Self::region).
    pub fn region_mut(
        &mut self,
        origin: L::Coordinates,
        sizes: L::Coordinates,
    ) -> Result<PackedPartMut<'_, L::Region>, LayoutError> {
        let placed = place_of(self.layout(), &origin, sizes.clone())?;
        check_box(self.layout(), &origin, &sizes)?;
        let placed = place_in_bytes(self.layout(), placed);
        Ok(self.part_mut(placed))
    }

    pub(super) fn part_mut<M: ArrayLayout>(
        &mut self,
        (byte, layout): (usize, M),
    ) -> PackedPartMut<'_, M> {
        PackedBase {
            // The borrow of `self` gives this part to nothing else.
            bytes: self
                .bytes
                .part_items_mut()
                .disjoint_part(byte, layout.bytes()),
            layout,
        }
    }

    /// The parts before and from coordinate `at` of dimension `DIM`, to write. No byte has elements of
    /// both, so two threads may write to them.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, PackedViewMut};
    /// let layout: DynLayout = "s4[2,4]{1,0:E(4)}".parse()?;
    /// let mut bytes = [0; 4];
    /// let mut view = PackedViewMut::new(&mut bytes[..], layout)?;
    /// let [mut left, mut right] = view.split_at_mut::<1>(2)?;
    /// std::thread::scope(|scope| {
    ///     scope.spawn(move || assert!(left.set(&[0, 1].into(), 5)));
    ///     scope.spawn(move || assert!(right.set(&[1, 0].into(), 7)));
    /// });
    /// assert_eq!(bytes, [0x50, 0, 0, 7]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As [`region`](Self::region).
    pub fn split_at_mut<const DIM: usize>(
        &mut self,
        at: usize,
    ) -> Result<[PackedPartMut<'_, L::Region>; 2], LayoutError> {
        const { assert_unique::<L>() }
        let placed = halves::<L, DIM>(self.layout(), at)?;
        check_bytes(self.layout(), DIM, 0..at)?;
        let placed = placed.map(|placed| place_in_bytes(&self.layout, placed));
        let mut bytes = self.bytes.part_items_mut();
        // Disjoint: `check_bytes` found that no byte has elements of both.
        Ok(placed.map(|(byte, layout)| PackedBase {
            bytes: bytes.disjoint_part(byte, layout.bytes()),
            layout,
        }))
    }

    /// Parts of `len` coordinates of dimension `DIM`, to write. No byte has elements of two of them, so
    /// threads may write to them.
    ///
    /// # Errors
    /// As [`region`](Self::region).
    pub fn chunks_mut<const DIM: usize>(
        &mut self,
        len: usize,
    ) -> Result<PackedChunksMut<'_, L>, LayoutError> {
        const { assert_unique::<L>() }
        let cut = Cuts::new(self.layout(), DIM, len)?;
        check_lengths(self.layout(), DIM, len)?;
        Ok(PackedChunksMut {
            layout: self.layout.clone(),
            bytes: self.bytes.part_items_mut(),
            cut,
        })
    }
}

/// The whole array as a part: what [`PackedBase::as_part`] answers.
impl<'a, S: Storage<Item = u8>, L: ArrayLayout> From<&'a PackedBase<S, L>> for PackedPart<'a, L> {
    fn from(array: &'a PackedBase<S, L>) -> Self {
        array.as_part()
    }
}

/// The whole array as a part that can be written to, for functions that take parts, and to slice an array
/// that owns its bytes.
///
/// ```
/// use xlayout_core::{DynLayout, PackedArray, PackedPartMut};
/// let layout: DynLayout = "u4[2,2]{1,0:E(4)}".parse()?;
/// let mut array = PackedArray::zeros(layout)?;
/// PackedPartMut::from(&mut array).try_slice::<0>(1..)?.fill(7);
/// assert_eq!(array.memory(), [0, 0x77]);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
impl<'a, S: StorageMut<Item = u8>, L: ArrayLayout> From<&'a mut PackedBase<S, L>>
    for PackedPartMut<'a, L>
{
    fn from(array: &'a mut PackedBase<S, L>) -> Self {
        PackedBase {
            layout: array.layout.clone(),
            bytes: array.bytes.part_items_mut(),
        }
    }
}

/// The parts of a packed array along a dimension: [`PackedBase::chunks`].
#[derive(Clone, Debug)]
pub struct PackedChunks<'a, L> {
    bytes: PartItems<'a, u8>,
    layout: L,
    cut: Cuts,
}

/// The parts of a packed array along a dimension, to write: [`PackedBase::chunks_mut`].
#[derive(Debug)]
pub struct PackedChunksMut<'a, L> {
    bytes: PartItemsMut<'a, u8>,
    layout: L,
    cut: Cuts,
}

impl<'a, L: ArrayLayout> Iterator for PackedChunks<'a, L> {
    type Item = PackedPart<'a, L::Region>;

    fn next(&mut self) -> Option<Self::Item> {
        let placed = self.cut.take_part(&self.layout)?;
        let (byte, layout) = place_in_bytes(&self.layout, placed);
        Some(PackedBase {
            bytes: self.bytes.part(byte, layout.bytes()),
            layout,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.cut.left(), Some(self.cut.left()))
    }
}

impl<'a, L: ArrayLayout> Iterator for PackedChunksMut<'a, L> {
    type Item = PackedPartMut<'a, L::Region>;

    fn next(&mut self) -> Option<Self::Item> {
        let placed = self.cut.take_part(&self.layout)?;
        let (byte, layout) = place_in_bytes(&self.layout, placed);
        Some(PackedBase {
            // Disjoint: `check_lengths` found that no byte has elements of two parts.
            bytes: self.bytes.disjoint_part(byte, layout.bytes()),
            layout,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.cut.left(), Some(self.cut.left()))
    }
}

impl<L: ArrayLayout> ExactSizeIterator for PackedChunks<'_, L> {}
impl<L: ArrayLayout> ExactSizeIterator for PackedChunksMut<'_, L> {}
