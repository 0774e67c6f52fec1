//! Views of the same memory with another shape.

use super::{ArrayBase, Storage};
use crate::array_layout::{ArrayLayout, ConstLayout};
use crate::bitcast::{Bitcast, DimensionNumbers, NotBitcast, why_no_reshape, why_no_transpose};
use crate::element::Element;
use crate::element::StoredAs;
use crate::layout_error::LayoutError;
use crate::types::NumberList;

/// The numbers of several dimensions: `nat![1, 0]`; or an array or a slice of `usize`, where only
/// the run time knows them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are no numbers of dimensions",
    label = "expected `nat![1, 0]`, with `use xlayout::prelude::*`",
    note = "numbers that only the run time knows are an array or a slice of `usize`, as `&numbers[..]`"
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
    /// # type ColumnMajor = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
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
