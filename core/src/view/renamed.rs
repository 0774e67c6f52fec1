//! Views whose sizes go by other names.

use super::{PackedOf, Storage, ViewOf};
use crate::element::DType;
use crate::fixed::{Attributes, Dimensions, Mixed, OrderOf};

impl<S: Storage, E: DType, D: Dimensions, O: OrderOf, A: Attributes> ViewOf<S, Mixed<E, D, O, A>> {
    /// The same memory under the same layout with other names for its `?`, or with none:
    /// [`Mixed::renamed`].
    ///
    /// ```
    /// use xlayout_core::View;
    /// use xlayout_core::fixed::{D, MinorToMajor, Mixed, Named, RunTime};
    ///
    /// // layout!(f32[?N]{0}) and layout!(f32[?]{0})
    /// type Column = Mixed<f32, (Named<'N'>,), MinorToMajor<(D<0>,)>, ()>;
    /// type Plain = Mixed<f32, (RunTime,), MinorToMajor<(D<0>,)>, ()>;
    ///
    /// fn sum(x: View<'_, f32, Plain>) -> f32 {
    ///     x.memory().iter().sum()
    /// }
    /// let x = View::new(&[1.0, 2.0, 3.0][..], Column::with_sizes([3])?)?;
    /// assert_eq!(sum(x.renamed()), 6.0);
    /// # Ok::<(), xlayout_core::Misfit>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn renamed<Names>(self) -> ViewOf<S, Mixed<E, Names, O, A>>
    where
        Names: Dimensions<Coordinates = D::Coordinates, Unnamed = D::Unnamed>,
    {
        let layout = self.layout().renamed();
        self.with_equal_layout(layout)
    }
}

impl<S: Storage<Item = u8>, E: DType, D: Dimensions, O: OrderOf, A: Attributes>
    PackedOf<S, Mixed<E, D, O, A>>
{
    /// The same bytes under the same layout with other names for its `?`, or with none:
    /// [`Mixed::renamed`].
    #[inline(always)]
    #[must_use]
    pub fn renamed<Names>(self) -> PackedOf<S, Mixed<E, Names, O, A>>
    where
        Names: Dimensions<Coordinates = D::Coordinates, Unnamed = D::Unnamed>,
    {
        let layout = self.layout().renamed();
        self.with_equal_layout(layout)
    }
}
