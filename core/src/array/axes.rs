//! The same memory with other axes: permuted, put in and taken out, named, merged and divided.

use super::base::{ArrayBase, View};
use super::reference::ArrayRef;
use super::storage::Storage;
use super::stored::Stored;
use crate::array_layout::{ArrayLayout, Axis, ConstLayout};
use crate::bitcast::{Bitcast, DimensionNumbers, NotBitcast, why_no_reshape, why_no_transpose};
use crate::coordinates::HasDimension;
use crate::element::{DType, Element, StoredAs};
use crate::layout_error::LayoutError;
use crate::layouts::DynLayout;
use crate::layouts::types::{
    Attributes, DeleteUnit, Dimensions, InsertUnit, MixedLayout, NumberList, OrderOf, Permute,
    Rearrange, WithUnit, WithoutUnit, nat,
};

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
    /// type Order = MinorToMajor<(Nat<2>, Nat<1>, Nat<0>)>;
    /// type A = StaticLayout<f32, (Nat<2>, Nat<1>, Nat<3>), Order, ()>;
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

/// The numbers of several dimensions: `nat![1, 0]`; or an array or a slice of `usize`, where only
/// the run time knows them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no numbers of dimensions",
    label = "expected `nat![1, 0]`, with `use xlayout::prelude::*`",
    note = "numbers that only the run time knows are an array or a slice of `usize`, as \
            `&numbers[..]`"
)]
#[allow(unreachable_pub, reason = "a public method names it")]
pub trait DimensionList {
    /// The numbers, if there are no more than dimensions of an array can be.
    fn into_list(self) -> Option<DimensionNumbers>;
}

#[diagnostic::do_not_recommend]
impl<P: NumberList> DimensionList for P {
    fn into_list(self) -> Option<DimensionNumbers> {
        P::SIZES.into_list()
    }
}

impl<const N: usize> DimensionList for [usize; N] {
    fn into_list(self) -> Option<DimensionNumbers> {
        self[..].into_list()
    }
}

impl<const N: usize> DimensionList for &[usize; N] {
    fn into_list(self) -> Option<DimensionNumbers> {
        self[..].into_list()
    }
}

impl DimensionList for &[usize] {
    fn into_list(self) -> Option<DimensionNumbers> {
        // A number beyond `i64` is that of no dimension.
        let numbers = self
            .iter()
            .map(|&number| i64::try_from(number).unwrap_or(i64::MAX));
        DimensionNumbers::try_from_iter(numbers).ok()
    }
}

impl<S, L: ArrayLayout> ArrayBase<S, L> {
    /// The same memory as an array of another layout: each element keeps its row-major index. It
    /// compiles only where that is a bitcast, and costs nothing. `cargo build` says so, when code
    /// is generated; `cargo check` does not.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{ConstLayout, SliceView};
    ///
    /// // layout!(f32[2,3])
    /// type Matrix = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// type Vector = StaticLayout<f32, (Nat<6>,), MinorToMajor<(Nat<0>,)>, ()>; // layout!(f32[6])
    ///
    /// let view = SliceView::new(Matrix::NEW, &[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0][..])?;
    /// assert_eq!(view.reshape(Vector::NEW)[[4]], view[[1, 1]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// ```compile_fail
    /// # use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// # use xlayout_core::{ConstLayout, SliceView};
    /// # type ColumnMajorOrder = MinorToMajor<(Nat<0>, Nat<1>)>;
    /// # type ColumnMajor = StaticLayout<f32, (Nat<2>, Nat<3>), ColumnMajorOrder, ()>;
    /// # type Vector = StaticLayout<f32, (Nat<6>,), MinorToMajor<(Nat<0>,)>, ()>;
    /// // layout!(f32[2,3]{0,1}) as layout!(f32[6]): the elements lie in another sequence
    /// let view = SliceView::new(ColumnMajor::NEW, &[0.0_f32; 6][..]).unwrap();
    /// view.reshape(Vector::NEW);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn reshape<B: ConstLayout<Type = L::Type>>(self, layout: B) -> ArrayBase<S, B>
    where
        L: ConstLayout,
    {
        const { Bitcast::<L, B>::assert_reshape() }
        self.with_equal_layout(layout)
    }

    /// The same memory as an array of another layout: each element keeps its coordinates, permuted.
    /// It compiles only where that is a bitcast with some permutation, and costs nothing. There is
    /// only one but for dimensions of size 1; [`Bitcast::transpose`] tells which. `cargo build`
    /// says where there is none, when code is generated; `cargo check` does not.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{ConstLayout, SliceView};
    ///
    /// // layout!(f32[2,3]{1,0})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// // layout!(f32[3,2]{0,1})
    /// type B = StaticLayout<f32, (Nat<3>, Nat<2>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    ///
    /// let view = SliceView::new(A::NEW, &[0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0][..])?;
    /// assert_eq!(view.transpose(B::NEW)[[2, 1]], view[[1, 2]]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn transpose<B: ConstLayout<Type = L::Type>>(self, layout: B) -> ArrayBase<S, B>
    where
        L: ConstLayout,
    {
        const { Bitcast::<L, B>::assert_transpose() }
        self.with_equal_layout(layout)
    }
}

impl<S: Storage, L: ArrayLayout> ArrayBase<S, L> {
    /// The same memory as an array of another layout, when the reshape is a bitcast: for layouts
    /// that only the run time knows.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, SliceView};
    /// let tiled: DynLayout = "s32[4,4]{1,0:T(2,2)}".parse()?;
    /// let tiles: DynLayout = "s32[2,2,2,2]{3,1,2,0}".parse()?;
    /// let flat: DynLayout = "s32[16]".parse()?;
    /// let data: Vec<i32> = (0..16).collect();
    /// let view = SliceView::new(tiled, &data[..])?;
    /// assert_eq!(view.as_view().try_reshape(tiles)?[[0, 1, 1, 0]], view[[1, 2]]);
    /// assert!(view.try_reshape(flat).is_err());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoBitcast`] with what differs.
    pub fn try_reshape<M: ArrayLayout>(self, layout: M) -> Result<ArrayBase<S, M>, LayoutError>
    where
        S::Item: Element,
        M::Type: StoredAs<S::Item>,
    {
        match why_no_reshape(self.layout(), &layout) {
            None => Ok(self.with_equal_layout(layout)),
            Some(obstacle) => Err(LayoutError::NoBitcast(obstacle)),
        }
    }

    /// The same memory as an array of another layout, when the transpose by `permutation`
    /// (dimension `i` of `layout` is dimension `permutation[i]` of this one) is a bitcast. Where
    /// only the run time knows the permutation, it is an array or a slice of `usize`.
    ///
    /// ```
    /// use xlayout_core::types::nat;
    /// use xlayout_core::{DynLayout, SliceView};
    /// let rows: DynLayout = "s32[2,3]{1,0}".parse()?;
    /// let columns: DynLayout = "s32[3,2]{0,1}".parse()?;
    /// let view = SliceView::new(rows, &[0, 1, 2, 3, 4, 5][..])?;
    /// assert_eq!(view.try_transpose(nat![1, 0], columns)?[[2, 0]], 2);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::NoBitcast`] with what differs.
    pub fn try_transpose<M: ArrayLayout>(
        self,
        permutation: impl DimensionList,
        layout: M,
    ) -> Result<ArrayBase<S, M>, LayoutError>
    where
        S::Item: Element,
        M::Type: StoredAs<S::Item>,
    {
        let obstacle = match permutation.into_list() {
            Some(numbers) => why_no_transpose(self.layout(), &layout, &numbers),
            None => Some(NotBitcast::Permutation),
        };
        match obstacle {
            None => Ok(self.with_equal_layout(layout)),
            Some(obstacle) => Err(LayoutError::NoBitcast(obstacle)),
        }
    }
}

impl<S, L: Into<DynLayout>> ArrayBase<S, L> {
    /// The same array with a layout of known rank: then its indices are `[usize; N]`, and functions
    /// for any layout of this rank take it. The layout is a [`DynLayout`], or a reference to one.
    /// See [`Rank`](crate::Rank).
    ///
    /// # Errors
    /// [`LayoutError::Rank`] when the rank is not `RANK`.
    pub fn ranked<const RANK: usize>(
        self,
    ) -> Result<ArrayBase<S, DynLayout<[usize; RANK]>>, LayoutError> {
        Ok(ArrayBase {
            layout: self.layout.into().ranked()?,
            data: self.data,
        })
    }
}

impl<T: Stored, L: ArrayLayout + Into<DynLayout>> ArrayRef<T, L> {
    /// As [`ArrayBase::ranked`], of any array, to read.
    ///
    /// # Errors
    /// As there.
    pub fn ranked<const RANK: usize>(
        &self,
    ) -> Result<View<'_, T, DynLayout<[usize; RANK]>>, LayoutError> {
        self.as_view().ranked()
    }
}

impl<S, E: DType, D: Dimensions, O: OrderOf, A: Attributes> ArrayBase<S, MixedLayout<E, D, O, A>> {
    /// The same memory under the same layout with other names for its `?`, or with none:
    /// [`MixedLayout::renamed`].
    ///
    /// ```
    /// use xlayout_core::SliceView;
    /// use xlayout_core::types::{Nat, MinorToMajor, MixedLayout, Named, RunTime};
    ///
    /// // layout!(f32[?N]{0}) and layout!(f32[?]{0})
    /// type Column = MixedLayout<f32, (Named<'N'>,), MinorToMajor<(Nat<0>,)>, ()>;
    /// type Plain = MixedLayout<f32, (RunTime,), MinorToMajor<(Nat<0>,)>, ()>;
    ///
    /// fn sum(x: SliceView<'_, f32, Plain>) -> f32 {
    ///     x.memory().iter().sum()
    /// }
    /// let x = SliceView::new(Column::with_sizes([3])?, &[1.0, 2.0, 3.0][..])?;
    /// assert_eq!(sum(x.renamed()), 6.0);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn renamed<Names>(self) -> ArrayBase<S, MixedLayout<E, Names, O, A>>
    where
        Names: Dimensions<Coordinates = D::Coordinates, Unnamed = D::Unnamed>,
    {
        let layout = self.layout.renamed();
        self.with_equal_layout(layout)
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The coordinates of dimension `DIM` of this array, in sequence, each proven in bounds of it.
    /// A tuple of them accesses an array as `view[(i, j)]`. Sizes that the types fix are compared
    /// by the compiler; the others, by each access.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, MinorToMajor, MixedLayout, RunTime};
    /// use xlayout_core::SliceView;
    /// // layout!(f32[?,3])
    /// type Rows = MixedLayout<f32, (RunTime, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let data = [1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0];
    /// let view = SliceView::new(Rows::with_sizes([2, 3])?, &data[..])?;
    /// let sums: Vec<f32> = view
    ///     .axis::<0>()
    ///     .map(|i| view.axis::<1>().map(|j| view[(i, j)]).sum())
    ///     .collect();
    /// assert_eq!(sums, [6.0, 15.0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn axis<const DIM: usize>(&self) -> Axis<L, DIM>
    where
        L::Coordinates: HasDimension<DIM>,
    {
        Axis::of(self.layout())
    }
}
