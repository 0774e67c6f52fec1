//! Views whose sizes go by other names.

use super::ArrayBase;
use crate::element::DType;
use crate::types::{Attributes, Dimensions, MixedLayout, OrderOf};

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
