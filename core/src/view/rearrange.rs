//! Views of the same memory, or of a part of it, whose layout is made of the view's own.

use super::parts::View;
use super::places::DimensionRange;
use super::stored::{Addressed, Stored};
use super::{ArrayBase, ArrayRef};
use crate::array_layout::{ArrayLayout, ConstLayout};
use crate::const_text::stop;
use crate::layout_error::LayoutError;
use crate::types::{
    DeleteUnit, InsertUnit, Nat, NumberList, Permute, Rearrange, RunTime, SliceDimension, Sliced,
    WithUnit, WithoutUnit, nat, offset,
};
use crate::view::slices::{range_in, sliced};
use crate::view::storage::Borrowed;

// The layout of the result is a parameter: so the compiler names the bound that a generic function
// needs, in place of saying that there is no such method.
impl<S, L: ArrayLayout> ArrayBase<S, L> {
    /// The same memory with the dimensions in another sequence: dimension `i` is what was dimension
    /// `permutation[i]`. It costs nothing, and the layout follows from this one, generic parameters
    /// included. A header M(…) lists the sizes in their own sequence, so the layout of the result
    /// has none.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::SliceView;
    ///
    /// // layout!(f32[2,3]{1,0})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    ///
    /// let view = SliceView::new(A::NEW, &[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0][..])?;
    /// let transposed = view.permute(nat![1, 0]); // layout!(f32[3,2]{0,1})
    /// assert_eq!(transposed[[2, 1]], view[[1, 2]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// ```compile_fail
    /// # use xlayout_core::types::{Nat, nat, StaticLayout, MinorToMajor};
    /// # use xlayout_core::SliceView;
    /// # type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let view = SliceView::new(A::NEW, &[0.0_f32; 6][..]).unwrap();
    /// view.permute(nat![0, 0]);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn permute<Permutation: NumberList, M>(self, permutation: Permutation) -> ArrayBase<S, M>
    where
        L: Rearrange<Permute<Permutation>, Layout = M>,
    {
        let () = L::FITS;
        let _ = permutation; // its type says the numbers
        let layout = self.layout.rearranged();
        self.with_equal_layout(layout)
    }

    /// The same memory with a dimension of size 1 more, which has the number `DIM`.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::SliceView;
    ///
    /// // layout!(f32[2,3]{1,0})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    ///
    /// let view = SliceView::new(A::NEW, &[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0][..])?;
    /// assert_eq!(view.insert_unit::<1>()[[1, 0, 2]], view[[1, 2]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn insert_unit<const DIM: usize>(self) -> ArrayBase<S, WithUnit<L, DIM>>
    where
        L: Rearrange<InsertUnit<DIM>>,
    {
        let () = L::FITS;
        let layout = self.layout.rearranged();
        self.with_equal_layout(layout)
    }

    /// The same memory without dimension `DIM`, whose size is 1.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::SliceView;
    ///
    /// // layout!(f32[2,1,3]{2,1,0})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<1>, Nat<3>), MinorToMajor<(Nat<2>, Nat<1>, Nat<0>)>, ()>;
    ///
    /// let view = SliceView::new(A::NEW, &[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0][..])?;
    /// assert_eq!(view.delete_unit::<1>()[[1, 2]], view[[1, 0, 2]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// ```compile_fail
    /// # use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// # use xlayout_core::SliceView;
    /// # type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let view = SliceView::new(A::NEW, &[0.0_f32; 6][..]).unwrap();
    /// view.delete_unit::<1>();
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn delete_unit<const DIM: usize>(self) -> ArrayBase<S, WithoutUnit<L, DIM>>
    where
        L: Rearrange<DeleteUnit<DIM>>,
    {
        let () = L::FITS;
        let layout = self.layout.rearranged();
        self.with_equal_layout(layout)
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The transpose of an array of rank 2, to read: no element moves.
    /// [`permute`](ArrayBase::permute) is for any rank and to write. An array of a rank that only
    /// the run time knows gets one first: `array.ranked::<2>()?.t()`.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::SliceView;
    ///
    /// // layout!(f32[2,3]{1,0})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    ///
    /// let view = SliceView::new(A::NEW, &[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0][..])?;
    /// assert_eq!(view.t()[[2, 1]], view[[1, 2]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[doc(alias("transpose", "transposed", "reversed_axes", "T"))]
    #[inline(always)]
    pub fn t<M>(&self) -> View<'_, T, M>
    where
        L: Rearrange<Permute<nat![1, 0]>, Layout = M>,
    {
        self.permute(nat![1, 0])
    }

    /// As [`ArrayBase::permute`], of any array, to read.
    #[inline(always)]
    pub fn permute<Permutation: NumberList, M>(&self, permutation: Permutation) -> View<'_, T, M>
    where
        L: Rearrange<Permute<Permutation>, Layout = M>,
    {
        self.as_view().permute(permutation)
    }
}

/// Where a slice that the compiler knows begins in memory.
struct Slice<L, const DIM: usize, const START: usize, const LEN: usize>(L);

impl<L, const DIM: usize, const START: usize, const LEN: usize> Slice<L, DIM, START, LEN>
where
    L: ConstLayout + SliceDimension<DIM, Nat<LEN>, Layout: ConstLayout>,
{
    const FIRST: usize = {
        let (whole, part) = (
            &L::MEMORY_MAP.table,
            &<Sliced<L, DIM, LEN> as ConstLayout>::MEMORY_MAP.table,
        );
        if L::MEMORY_MAP.metadata_prefix > 0 || !L::MEMORY_MAP.splits.is_empty() {
            stop(
                "a slice of an array with a header M(…) or with parts in several memories SC(…) has \
                 no layout of its own; copy the part",
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
    /// let rows = view.const_slice::<0, 1, 2>(); // layout!(f32[2,4]{1,0})
    /// assert_eq!(rows[[1, 3]], view[[2, 3]]);
    /// let columns = view.const_slice::<1, 2, 2>();
    /// assert_eq!(columns[[2, 0]], view[[2, 2]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// ```compile_fail
    /// # use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// # use xlayout_core::SliceView;
    /// # type A = StaticLayout<f32, (Nat<3>, Nat<4>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let view = SliceView::new(A::NEW, &[0.0_f32; 12][..]).unwrap();
    /// view.const_slice::<0, 2, 2>(); // out of bounds
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn const_slice<const DIM: usize, const START: usize, const LEN: usize>(
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
    /// knows, and is `LEN` wide: for loops over blocks. As [`const_slice`](Self::const_slice).
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor, Tile};
    /// use xlayout_core::SliceView;
    ///
    /// // layout!(s32[6,4]{1,0:T(2,4)})
    /// type A = StaticLayout<i32, (Nat<6>, Nat<4>), MinorToMajor<(Nat<1>, Nat<0>)>, (Tile<(Nat<2>, Nat<4>)>,)>;
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
    /// [`const_slice`](Self::const_slice).
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
