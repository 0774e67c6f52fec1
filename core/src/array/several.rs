//! Several exclusive parts of one array that are there at the same time.
//!
//! [`Several`] is the only way to them, because whatever else takes a part of exclusive items gives
//! these items away. It wants the proof that no item has elements of two of the parts: [`Apart`].
#![allow(unsafe_code)]
#![allow(
    unreachable_pub,
    reason = "the public methods and the iterators of arrays name these types"
)]

use super::storage::Take;
use super::stored::Stored;
use crate::array_layout::ArrayLayout;
use crate::layout_error::LayoutError;

/// The proof that no item has elements of two of the parts into which an array is divided. Its
/// functions are the only ways to divide one.
#[derive(Clone, Copy, Debug)]
pub struct Apart(());

impl Apart {
    /// Of the parts before and from coordinate `at` of a dimension.
    ///
    /// # Errors
    /// [`LayoutError::SharedByte`].
    pub(super) fn halves<T: Stored, L: ArrayLayout>(
        layout: &L,
        dimension: usize,
        at: usize,
    ) -> Result<Self, LayoutError> {
        T::check_range(layout, dimension, 0..at)?;
        Ok(Self(()))
    }

    /// Of the parts of `len` coordinates of a dimension.
    ///
    /// # Errors
    /// [`LayoutError::SharedByte`].
    #[inline(always)]
    pub(super) fn lengths<T: Stored, L: ArrayLayout>(
        layout: &L,
        dimension: usize,
        len: usize,
    ) -> Result<Self, LayoutError> {
        T::check_lengths(layout, dimension, len)?;
        Ok(Self(()))
    }

    /// Of the blocks of these sizes: of two blocks, one is before the other in a dimension.
    ///
    /// # Errors
    /// [`LayoutError::SharedByte`].
    #[inline(always)]
    pub(super) fn blocks<T: Stored, L: ArrayLayout>(
        layout: &L,
        sizes: &[usize],
    ) -> Result<Self, LayoutError> {
        for (dimension, &size) in sizes.iter().enumerate() {
            T::check_lengths(layout, dimension, size)?;
        }
        Ok(Self(()))
    }
}

/// The items of an array that is divided. If they are exclusive, so is each part.
#[derive(Clone, Copy, Debug)]
pub struct Several<S>(S);

impl<S: Take> Several<S> {
    /// `layout` is the layout of `data`, which was asked for the proof.
    #[inline(always)]
    pub(super) const fn new<L: ArrayLayout>(data: S, layout: &L, proof: Apart) -> Self {
        const {
            assert!(
                L::UNIQUE || !S::EXCLUSIVE,
                "one element has several indices"
            )
        }
        let Apart(()) = proof;
        let _ = layout;
        Self(data)
    }

    /// The items of one of the parts that the proof is about. The caller (this module's siblings
    /// only) promises to take none twice.
    #[inline(always)]
    pub(super) fn take_items(&mut self, first: usize, len: usize) -> S {
        // SAFETY: no item has elements of two of the parts (`Apart`), and distinct indices are
        // distinct elements (law 1, `L::UNIQUE` above), so that each item is used through one part
        // at most. Nothing uses those of `self`.
        let items = unsafe { self.0.again() };
        items.take_items(first, len)
    }
}
