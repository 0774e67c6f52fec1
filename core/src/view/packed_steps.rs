//! A packed array with steps, slices of it, and repeated dimensions.

use core::ops::RangeBounds;

use super::packed::PackedBase;
use super::packed_bytes::{check_bytes, first_at_byte, place_in_bytes};
use super::packed_parts::{PackedPart, PackedPartMut};
use super::places::{assert_unique, forwards, repeated, stepped};
use super::slices::{range_in, sliced};
use super::storage::{Borrowed, Storage, StorageMut};
use crate::array_layout::ArrayLayout;
use crate::dynamic::StridedLayout;
use crate::layout_error::LayoutError;
use crate::part::BroadcastLayout;
use crate::types::{RunTime, SliceDimension};

impl<S: Storage<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// Every `step`-th coordinate of a range of dimension `DIM`: see
    /// [`ArrayBase::with_step`](crate::ArrayBase::with_step). The first element begins a byte.
    ///
    /// ```
    /// use xlayout_core::{PackedView, StridedLayout};
    /// let layout: StridedLayout<[usize; 1]> = "u4[6]{0:E(4)}".parse()?;
    /// let view = PackedView::new(&[0x10, 0x32, 0x54][..], layout)?;
    /// assert!(view.with_step::<0>(2.., 3)?.iter().eq([2, 5]));
    /// assert!(view.with_step::<0>(1.., 3).is_err()); // 1 is inside a byte
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As there, and [`LayoutError::SharedByte`].
    pub fn with_step<const DIM: usize>(
        &self,
        range: impl RangeBounds<usize>,
        step: usize,
    ) -> Result<PackedPart<'_, StridedLayout<L::Coordinates>>, LayoutError> {
        let placed = stepped(&self.layout, DIM, range, forwards(step))?;
        Ok(self.part(first_at_byte(&self.layout, DIM, placed)?))
    }

    /// Every `|step|`-th coordinate of a range of dimension `DIM`. A negative step begins at the end of the
    /// range: see [`ArrayBase::with_signed_step`](crate::ArrayBase::with_signed_step). The element that is the
    /// lowest in memory begins a byte.
    ///
    /// ```
    /// use xlayout_core::{PackedView, StridedLayout};
    /// let layout: StridedLayout<[usize; 1]> = "u4[5]{0:E(4)}".parse()?;
    /// let view = PackedView::new(&[0x10, 0x32, 0x04][..], layout)?;
    /// let back = view.with_signed_step::<0>(.., -1)?; // view[::-1] in NumPy
    /// assert!(back.iter().eq([4, 3, 2, 1, 0]));
    /// assert!(view.with_signed_step::<0>(2.., -2)?.iter().eq([4, 2]));
    /// assert!(view.with_signed_step::<0>(1.., -1).is_err()); // 1 is the second element of a byte
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As there, and [`LayoutError::SharedByte`].
    pub fn with_signed_step<const DIM: usize>(
        &self,
        range: impl RangeBounds<usize>,
        step: isize,
    ) -> Result<PackedPart<'_, StridedLayout<L::Coordinates, isize>>, LayoutError> {
        let placed = stepped(&self.layout, DIM, range, step)?;
        Ok(self.part(first_at_byte(&self.layout, DIM, placed)?))
    }

    /// The same array with dimension `DIM`, of size 1, repeated `size` times, to read: see
    /// [`ArrayBase::broadcast`](crate::ArrayBase::broadcast).
    ///
    /// ```
    /// use xlayout_core::{PackedView, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "u4[1,2]{1,0:E(4)}".parse()?;
    /// let view = PackedView::new(&[0x21][..], layout)?;
    /// assert!(view.broadcast::<0>(2)?.iter().eq([1, 2, 1, 2]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn broadcast<const DIM: usize>(
        &self,
        size: usize,
    ) -> Result<PackedPart<'_, BroadcastLayout<L, DIM>>, LayoutError> {
        Ok(self.part((0, repeated(&self.layout, size)?)))
    }

    /// The part that has the coordinates of a range in dimension `DIM`, as an array of its own, whose layout
    /// has a `?` for that dimension: see [`ArrayBase::try_slice`](crate::ArrayBase::try_slice). The part shares
    /// no byte with the rest. [`region`](Self::region) gives the parts that have no layout of their own.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, PackedView};
    /// let layout: DynLayout = "u4[4,2]{1,0:E(4)}".parse()?;
    /// let view = PackedView::new(&[0x10, 0x32, 0x54, 0x76][..], layout)?;
    /// let rows = view.try_slice::<0>(1..3)?;
    /// assert_eq!((rows.layout().to_string().as_str(), rows.at([1, 1])), ("u4[2,2]{1,0:E(4)}", 5));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`]: out of bounds, or inside a tile; [`LayoutError::SharedByte`].
    pub fn try_slice<const DIM: usize>(
        self,
        range: impl RangeBounds<usize>,
    ) -> Result<PackedBase<S, <L as SliceDimension<DIM, RunTime>>::Layout>, LayoutError>
    where
        S: Borrowed,
        L: SliceDimension<DIM, RunTime>,
    {
        let range = range_in::<L, DIM>(&self.layout, range)?;
        let placed = sliced::<L, DIM, RunTime>(&self.layout, range.start, range.len())?;
        // A part without elements shares no byte.
        if placed.1.buffer_len() != 0 {
            check_bytes(&self.layout, DIM, range)?;
        }
        let (byte, layout) = place_in_bytes(&self.layout, placed);
        Ok(PackedBase {
            bytes: self.bytes.part(byte, layout.bytes()),
            layout,
        })
    }
}

impl<S: StorageMut<Item = u8>, L: ArrayLayout> PackedBase<S, L> {
    /// Every `step`-th coordinate of a range of dimension `DIM`, to write. See
    /// [`with_step`](PackedBase::with_step).
    ///
    /// # Errors
    /// As there.
    pub fn with_step_mut<const DIM: usize>(
        &mut self,
        range: impl RangeBounds<usize>,
        step: usize,
    ) -> Result<PackedPartMut<'_, StridedLayout<L::Coordinates>>, LayoutError> {
        const { assert_unique::<L>() }
        let placed = stepped(&self.layout, DIM, range, forwards(step))?;
        let placed = first_at_byte(&self.layout, DIM, placed)?;
        Ok(self.part_mut(placed))
    }

    /// Every `|step|`-th coordinate of a range of dimension `DIM`, to write. See
    /// [`with_signed_step`](PackedBase::with_signed_step).
    ///
    /// # Errors
    /// As there.
    pub fn with_signed_step_mut<const DIM: usize>(
        &mut self,
        range: impl RangeBounds<usize>,
        step: isize,
    ) -> Result<PackedPartMut<'_, StridedLayout<L::Coordinates, isize>>, LayoutError> {
        const { assert_unique::<L>() }
        let placed = stepped(&self.layout, DIM, range, step)?;
        let placed = first_at_byte(&self.layout, DIM, placed)?;
        Ok(self.part_mut(placed))
    }
}
