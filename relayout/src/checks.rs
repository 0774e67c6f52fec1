//! The checks before a plan runs: lengths of buffers, widths of elements, layouts.
#![allow(unsafe_code)]

use alloc::boxed::Box;

use xlayout_core::{ArrayLayout, ArrayRef, ArrayShape, Element, dtype::DType};

use crate::bytes;
use crate::error::{End, RelayoutError};
use crate::plan::{Ends, Plan};
use crate::side::{same_length, same_width};

/// These checks come before every copy by pointers, and the proofs of unchecked copies rely on
/// them. The source has all elements of the plan's source. The destination has those of the plan's
/// destination, and the padding that is filled. The elements are as wide as those of the layouts,
/// and whole ones are written, so they stay values. While the borrows last, nothing else writes the
/// source or uses the destination, and any thread may use both.
impl Plan {
    /// The lengths are those of the layouts, so all elements are in the slices (`SIDE`, 2), and the
    /// padding is, too.
    #[inline(always)]
    pub(crate) fn of_bytes(&self, src: &[u8], dst: &mut [u8]) -> Result<Ends, RelayoutError> {
        self.check(src.len(), dst.len())?;
        Ok((src.as_ptr(), dst.as_mut_ptr()))
    }

    #[inline(always)]
    pub(crate) fn of_slices<T: Element>(
        &self,
        src: &[T],
        dst: &mut [T],
    ) -> Result<Ends, RelayoutError> {
        self.check_elements::<T>()?;
        // SAFETY: the elements are as wide as the layouts', so that whole ones are written, and
        // padding of `bool`s is filled with `bool`s.
        self.of_bytes(bytes::of(src), unsafe { bytes::of_mut(dst) })
    }

    /// By the invariant of its storage a view has all elements of its layout, that is, at the
    /// offsets of `SIDE`. The elements of two parts may be interleaved, and only elements are read
    /// and written. Padding is filled only in slices, which own it.
    pub(crate) fn of_views<T: Element, A: ArrayLayout, B: ArrayLayout>(
        &self,
        src: &ArrayRef<T, A>,
        dst: &mut ArrayRef<T, B>,
    ) -> Result<Ends, RelayoutError> {
        self.check_layout(End::Source, src.layout())?;
        self.check_layout(End::Destination, dst.layout())?;
        self.check_elements::<T>()?;
        if self.fill.is_some() && !dst.owns_memory() {
            return Err(RelayoutError::PartPadding);
        }
        Ok((src.as_ptr().cast(), dst.as_mut_ptr().cast()))
    }

    pub(crate) fn check(&self, src: usize, dst: usize) -> Result<(), RelayoutError> {
        let (needed, to) = self.buffers();
        if self.identity.src_shape.is_some() {
            same_length(End::Source, needed, src)?;
        } else if src < needed {
            return Err(RelayoutError::Short {
                end: End::Source,
                needed,
                found: src,
            });
        }
        same_length(End::Destination, to, dst)
    }

    /// Checks that the plan can run on slices of `T`: it copies whole elements, and the copied bits
    /// are values of `T`.
    pub(crate) fn check_elements<T: Element>(&self) -> Result<(), RelayoutError> {
        let found = 8 * size_of::<T>();
        let src = &self.identity.src;
        let dst = &self.identity.dst;
        same_width(End::Source, src.bits, found)?;
        same_width(End::Destination, dst.bits, found)?;
        if !T::ANY_BITS && <T::Type as DType>::TYPE != dst.element_type {
            return Err(RelayoutError::NotPred {
                found: dst.element_type,
            });
        }
        Ok(())
    }

    #[inline]
    fn check_layout(&self, end: End, layout: &impl ArrayLayout) -> Result<(), RelayoutError> {
        if self.planned(end).is_some() && self.identity.is_for(end, layout) {
            return Ok(());
        }
        Err(self.other_layout(end, layout.array_shape(), layout.owns_padding()))
    }

    /// The layout that one side was planned for; `None` for a source at strides of bytes.
    fn planned(&self, end: End) -> Option<&ArrayShape> {
        match end {
            End::Source => self.identity.src_shape.as_ref(),
            End::Destination => Some(&self.identity.dst_shape),
        }
    }

    #[cold]
    fn other_layout(&self, end: End, found: ArrayShape, owns_padding: bool) -> RelayoutError {
        let planned = self.planned(end);
        RelayoutError::OtherLayout {
            end,
            planned: planned.cloned().map(Box::new),
            planned_is_slice: planned.is_some() && !self.identity.side(end).owns_padding,
            found: Box::new(found),
            found_is_slice: !owns_padding,
        }
    }
}
