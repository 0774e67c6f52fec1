//! Parts of one length along a dimension.

use core::iter::FusedIterator;

use super::ArrayBase;
use super::part_items::{PartItems, PartItemsMut, Take};
use super::places::{place_of, range_of, size_of_dimension};
use super::several::{Apart, Several};
use super::stored::Stored;
use crate::array_layout::{ArrayLayout, sealed::Token};
use crate::layout_error::LayoutError;
use crate::region::place;

/// How a dimension is divided into parts of one length.
#[derive(Clone, Debug)]
pub(super) struct Cuts {
    dim: usize,
    len: usize,
    next: usize,
    size: usize,
}

impl Cuts {
    fn new<T: Stored, L: ArrayLayout>(
        layout: &L,
        dim: usize,
        len: usize,
    ) -> Result<(Self, Apart), LayoutError> {
        let size = size_of_dimension(layout, dim)?;
        if len == 0 {
            return Err(LayoutError::EmptyPart { dimension: dim });
        }
        let cuts = Self {
            dim,
            len,
            next: 0,
            size,
        };
        // Each part is checked here, so that none is missing later. Where `len` and the width of a
        // cut are no multiples of each other, the first part over a multiple of the width is number
        // 1 or number `width / len`. If that one is allowed, it is shorter than `len`, and so the
        // last one.
        layout.with_resolved(Token, |whole| {
            let check = |number: usize| match number.checked_mul(len) {
                Some(start) if start < size => {
                    let end = start.saturating_add(len).min(size);
                    let (origin, sizes) = range_of(layout, dim, start, end)?;
                    place::check_cuts(whole.sizes, (whole.modes, whole.terms), &origin, &sizes)
                        .map_err(LayoutError::from)
                }
                // There is no such part.
                _ => Ok(()),
            };
            check(0)?;
            check(1)?;
            for mode in whole.modes.iter().filter(|mode| mode.dim == dim) {
                check(mode.divisor / len)?;
                if !mode.top {
                    check(mode.divisor * mode.size / len)?;
                }
            }
            Ok::<(), LayoutError>(())
        })?;
        Ok((cuts, Apart::lengths::<T, L>(layout, dim, len)?))
    }

    /// The next range.
    #[inline]
    fn take(&mut self) -> Option<(usize, usize)> {
        let start = self.next;
        if start >= self.size {
            return None;
        }
        let end = start.saturating_add(self.len).min(self.size);
        self.next = end;
        Some((start, end))
    }

    /// The last range.
    fn take_back(&mut self) -> Option<(usize, usize)> {
        let parts = self.left().checked_sub(1)?;
        let start = self.next + parts * self.len;
        let end = self.size;
        self.size = start;
        Some((start, end))
    }

    /// Leaves out the next ranges.
    fn skip(&mut self, count: usize) {
        let start = self.next.saturating_add(self.len.saturating_mul(count));
        self.next = start.min(self.size);
    }

    /// The item that a part begins with, and its layout.
    fn part<'a, T: Stored, L: ArrayLayout>(
        &self,
        layout: &'a L,
        (start, end): (usize, usize),
    ) -> (usize, L::Region<'a>) {
        let part = range_of(layout, self.dim, start, end)
            .and_then(|(origin, sizes)| place_of(layout, &origin, sizes));
        match part {
            Ok(part) => T::place(layout, part),
            Err(why) => unreachable!("each part was checked: {why}"),
        }
    }

    #[inline]
    fn left(&self) -> usize {
        (self.size - self.next).div_ceil(self.len)
    }
}

/// The parts of an array along a dimension, in sequence;
/// [`ArrayRef::chunks`](super::ArrayRef::chunks) makes it.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
///
/// let layout: DynLayout = "s32[4,6]{1,0:T(2,2)}".parse()?;
/// let array = Array::from_fn(layout, |at| at[1] as i32)?;
/// let sums = array.chunks::<1>(4).map(|chunk| chunk.iter().sum::<i32>());
/// assert_eq!(sums.collect::<Vec<_>>(), [24, 36]); // columns 0 to 3, and 4 to 5
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type Chunks<'a, T, L> = EachChunk<'a, PartItems<'a, T>, L>;

/// The parts of an array along a dimension, to write;
/// [`ArrayRef::chunks_mut`](super::ArrayRef::chunks_mut) makes it and has an example.
pub type ChunksMut<'a, T, L> = EachChunk<'a, PartItemsMut<'a, T>, L>;

/// [`Chunks`] and [`ChunksMut`].
#[allow(unreachable_pub, reason = "public types are it")]
#[derive(Clone, Debug)]
pub struct EachChunk<'a, S, L> {
    parts: Several<S>,
    layout: &'a L,
    cut: Cuts,
}

impl<'a, S: Take<Item: Stored>, L: ArrayLayout> EachChunk<'a, S, L> {
    /// The parts of `len` coordinates of a dimension of an array.
    pub(super) fn new(data: S, layout: &'a L, dim: usize, len: usize) -> Result<Self, LayoutError> {
        let (cut, apart) = Cuts::new::<S::Item, L>(layout, dim, len)?;
        let parts = Several::new(data, layout, apart);
        Ok(Self { parts, layout, cut })
    }
}

impl<'a, S: Take<Item: Stored>, L: ArrayLayout> Iterator for EachChunk<'a, S, L> {
    type Item = ArrayBase<S, L::Region<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        // Each part has another range of one dimension.
        let range = self.cut.take()?;
        let placed = self.cut.part::<S::Item, L>(self.layout, range);
        Some(self.parts.take_part(placed))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.cut.skip(n);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.cut.left(), Some(self.cut.left()))
    }
}

impl<S: Take<Item: Stored>, L: ArrayLayout> DoubleEndedIterator for EachChunk<'_, S, L> {
    fn next_back(&mut self) -> Option<Self::Item> {
        // As in `next`.
        let range = self.cut.take_back()?;
        let placed = self.cut.part::<S::Item, L>(self.layout, range);
        Some(self.parts.take_part(placed))
    }
}

impl<S: Take<Item: Stored>, L: ArrayLayout> ExactSizeIterator for EachChunk<'_, S, L> {}
impl<S: Take<Item: Stored>, L: ArrayLayout> FusedIterator for EachChunk<'_, S, L> {}
