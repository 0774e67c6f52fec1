//! Slices of one dimension that have a layout of their own.

use core::ops::Range;

use super::base::ArrayBase;
use super::storage::Borrowed;
use super::stored::{Addressed, Stored};
use crate::array_layout::sealed::Token;
use crate::array_layout::{ArrayLayout, ConstLayout, bounds};
use crate::const_text::stop;
use crate::layout_error::{LayoutError, NotSlice};
use crate::layouts::region::parts::{DimensionRange, size_of_dimension};
use crate::layouts::types::{Nat, RunTime, SliceDimension, Sliced, offset};

/// Where a slice that the compiler knows begins in memory.
struct Slice<L, const DIM: usize, const START: usize, const LEN: usize>(L);

impl<L, const DIM: usize, const START: usize, const LEN: usize> Slice<L, DIM, START, LEN>
where
    L: ConstLayout + SliceDimension<DIM, Nat<LEN>, Layout: ConstLayout>,
{
    const FIRST: usize = {
        let whole = &L::MEMORY_MAP.table;
        let part = &<Sliced<L, DIM, LEN> as ConstLayout>::MEMORY_MAP.table;
        if L::MEMORY_MAP.metadata_prefix > 0 || !L::MEMORY_MAP.splits.is_empty() {
            stop(
                "a slice of an array with a header M(…) or with parts in several memories SC(…) \
                 has no layout of its own; copy the part",
            );
        }
        let owns = <Sliced<L, DIM, LEN> as ArrayLayout>::OWNS_PADDING;
        match offset(whole, part, DIM, START, LEN, owns) {
            Ok(first) => first,
            Err(why) => stop(why.text().as_str()),
        }
    };
}

impl<S, L: ArrayLayout> ArrayBase<S, L> {
    /// The part of the array with the coordinates `START..START + LEN` in dimension `DIM`, as an
    /// array of its own. No data moves.
    ///
    /// The compiler checks that the part is in bounds and has a layout. `cargo build` and
    /// `cargo test` do, when they generate code; `cargo check` does not.
    ///
    /// A part of the most major dimension is as dense as the whole. A part of another dimension has
    /// gaps, in which the rest of the array lies: its layout is a
    /// [`SliceLayout`](crate::types::SliceLayout) of a padded one. Tiles stay whole.
    ///
    /// Slices borrow: of an [`Array`](crate::Array) take those of `array.as_view()` or of
    /// `array.as_view_mut()`.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::SliceView;
    ///
    /// // layout!(f32[3,4]{1,0})
    /// type A = StaticLayout<f32, (Nat<3>, Nat<4>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    ///
    /// let data: Vec<f32> = (0..12).map(|n| n as f32).collect();
    /// let view = SliceView::new(A::NEW, &data[..])?;
    /// let rows = view.into_const_slice::<0, 1, 2>(); // layout!(f32[2,4]{1,0})
    /// assert_eq!(rows[[1, 3]], view[[2, 3]]);
    /// let columns = view.into_const_slice::<1, 2, 2>();
    /// assert_eq!(columns[[2, 0]], view[[2, 2]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// ```compile_fail
    /// # use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// # use xlayout_core::SliceView;
    /// # type A = StaticLayout<f32, (Nat<3>, Nat<4>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let view = SliceView::new(A::NEW, &[0.0_f32; 12][..]).unwrap();
    /// view.into_const_slice::<0, 2, 2>(); // out of bounds
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn into_const_slice<const DIM: usize, const START: usize, const LEN: usize>(
        self,
    ) -> ArrayBase<S, Sliced<L, DIM, LEN>>
    where
        S: Borrowed<Item: Addressed>,
        L: ConstLayout + SliceDimension<DIM, Nat<LEN>, Layout: ConstLayout>,
    {
        let first = const { Slice::<L, DIM, START, LEN>::FIRST };
        let buffer_len = const { <Sliced<L, DIM, LEN> as ConstLayout>::BUFFER_LEN };
        ArrayBase {
            data: self.data.part(first, buffer_len),
            layout: ConstLayout::NEW,
        }
    }

    /// The part of the array that begins at a coordinate of dimension `DIM` which the run time
    /// knows, and is `LEN` wide: for loops over blocks. As
    /// [`into_const_slice`](Self::into_const_slice).
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, Tile};
    /// use xlayout_core::SliceView;
    ///
    /// // layout!(s32[6,4]{1,0:T(2,4)})
    /// type Tiles = (Tile<(Nat<2>, Nat<4>)>,);
    /// type A = StaticLayout<i32, (Nat<6>, Nat<4>), MinorToMajor<(Nat<1>, Nat<0>)>, Tiles>;
    ///
    /// let data: Vec<i32> = (0..24).collect();
    /// let view = SliceView::new(A::NEW, &data[..])?;
    /// for block in 0..3 {
    ///     let rows = view.into_slice_at::<0, 2>(2 * block)?;
    ///     assert_eq!(rows[[1, 0]], view[[2 * block + 1, 0]]);
    /// }
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`]: out of bounds, or inside a tile.
    pub fn into_slice_at<const DIM: usize, const LEN: usize>(
        self,
        start: usize,
    ) -> Result<ArrayBase<S, Sliced<L, DIM, LEN>>, LayoutError>
    where
        S: Borrowed<Item: Stored>,
        L: SliceDimension<DIM, Nat<LEN>>,
    {
        self.sliced::<DIM, Nat<LEN>>(start, LEN)
    }

    /// The part of the array that has the coordinates of a range in dimension `DIM`, as an array
    /// of its own, whose layout has a `?` for that dimension. As
    /// [`into_const_slice`](Self::into_const_slice).
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, MixedLayout, RunTime};
    /// use xlayout_core::{ArrayLayout, SliceView};
    ///
    /// // layout!(f32[3,4]{1,0})
    /// type A = StaticLayout<f32, (Nat<3>, Nat<4>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    ///
    /// let data: Vec<f32> = (0..12).map(|n| n as f32).collect();
    /// let view = SliceView::new(A::NEW, &data[..])?;
    /// let rows = view.into_slice::<0>(1..)?; // layout!(f32[?,4]{1,0})
    /// assert_eq!(rows.layout().shape(), [2, 4]);
    /// assert_eq!(rows[[1, 3]], view[[2, 3]]);
    /// assert!(view.into_slice::<0>(2..5).is_err());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// Of a [`DynLayout`](crate::DynLayout) the most major dimension can be sliced:
    ///
    /// ```
    /// use xlayout_core::{DynLayout, ArrayLayout, SliceView};
    /// let layout: DynLayout = "s32[3,2]{0,1}".parse()?;
    /// let view = SliceView::new(layout, &[0, 1, 2, 3, 4, 5][..])?;
    /// let column = view.as_view().into_slice::<1>(1..2)?;
    /// assert_eq!(column.layout().to_string(), "s32[3,1]{0,1}");
    /// assert_eq!(column[[2, 0]], 5);
    /// assert!(view.into_slice::<0>(1..2).is_err()); // its elements are not adjacent
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoSlice`]: out of bounds, or inside a tile.
    pub fn into_slice<const DIM: usize>(
        self,
        range: impl DimensionRange,
    ) -> Result<ArrayBase<S, <L as SliceDimension<DIM, RunTime>>::Layout>, LayoutError>
    where
        S: Borrowed<Item: Stored>,
        L: SliceDimension<DIM, RunTime>,
    {
        let range = range_in::<L, DIM>(&self.layout, range)?;
        self.sliced::<DIM, RunTime>(range.start, range.len())
    }

    fn sliced<const DIM: usize, Extent>(
        self,
        start: usize,
        len: usize,
    ) -> Result<ArrayBase<S, <L as SliceDimension<DIM, Extent>>::Layout>, LayoutError>
    where
        S: Borrowed<Item: Stored>,
        L: SliceDimension<DIM, Extent>,
    {
        let placed = sliced::<L, DIM, Extent>(&self.layout, start, len)?;
        // A part without elements shares no item.
        if placed.1.buffer_len() != 0 {
            S::Item::check_range(&self.layout, DIM, start..start + len)?;
        }
        let (first, layout) = S::Item::place(&self.layout, placed);
        Ok(ArrayBase {
            data: self.data.part(first, S::Item::items(&layout)),
            layout,
        })
    }
}

/// The coordinates of dimension `DIM` that a range has.
///
/// # Errors
/// When there is no such dimension, or the range is out of bounds.
pub(super) fn range_in<L: ArrayLayout, const DIM: usize>(
    layout: &L,
    range: impl DimensionRange,
) -> Result<Range<usize>, LayoutError> {
    let size = size_of_dimension(layout, DIM)?;
    let (start, end) = bounds(range, 0..size);
    NotSlice::check(DIM, start, end, size)?;
    Ok(start..end)
}

/// The first place of the slice of dimension `DIM` that begins at `start`, and its layout.
///
/// # Errors
/// When the slice is out of bounds or has no layout.
pub(super) fn sliced<L, const DIM: usize, Extent>(
    layout: &L,
    start: usize,
    len: usize,
) -> Result<(usize, L::Layout), LayoutError>
where
    L: SliceDimension<DIM, Extent>,
{
    // First: a layout of wrong sizes means nothing.
    let size = size_of_dimension(layout, DIM)?;
    NotSlice::end(DIM, start, len, size)?;
    let layout_of_part = layout.with_len(len)?;
    let shape = layout.array_shape();
    // They are of the whole array.
    let has_header_or_splits = shape.layout.as_ref().is_some_and(|attributes| {
        attributes.dynamic_shape_metadata_prefix_bytes > 0 || !attributes.split_configs.is_empty()
    });
    if has_header_or_splits {
        return Err(NotSlice::NoLayout { dimension: DIM }.into());
    }
    let first = layout.with_resolved(Token, |whole| {
        layout_of_part.with_resolved(Token, |part| {
            offset(&whole, &part, DIM, start, len, L::Layout::OWNS_PADDING)
        })
    })?;
    Ok((first, layout_of_part))
}
