//! The same array with a layout whose type says more, or less.

use super::ArrayBase;
use crate::dynamic::DynLayout;
use crate::layout_error::LayoutError;
use crate::types::FromDynLayout;

impl<S, L: FromDynLayout> TryFrom<ArrayBase<S, DynLayout>> for ArrayBase<S, L> {
    type Error = LayoutError;
    /// The same array with a layout whose type says more.
    ///
    /// # Errors
    /// The first thing that differs.
    fn try_from(array: ArrayBase<S, DynLayout>) -> Result<Self, LayoutError> {
        let layout = L::from_dyn(&array.layout)?;
        Ok(array.with_equal_layout(layout))
    }
}

impl<S, L: FromDynLayout + Into<DynLayout>> From<ArrayBase<S, L>> for ArrayBase<S, DynLayout> {
    /// The same array with a layout that only the run time knows, so that arrays of several layouts
    /// have one type.
    ///
    /// ```
    /// use xlayout_core::types::{MinorToMajor, Nat, StaticLayout};
    /// use xlayout_core::{Array, ConstLayout, DynLayout};
    /// // layout!(f32[2,3])
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let typed = Array::from_fn(A::NEW, |&[i, j]| (3 * i + j) as f32)?;
    /// let read = Array::zeros("f32[7]{0:T(4)}".parse::<DynLayout>()?)?;
    /// let arrays: Vec<Array<f32, DynLayout>> = vec![typed.into(), read];
    /// assert_eq!((arrays[0][&[1, 2]], arrays[1].len()), (5.0, 7));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    fn from(array: ArrayBase<S, L>) -> Self {
        let layout = array.layout.clone().into();
        array.with_equal_layout(layout)
    }
}
