//! Coordinates as they can be written for a layout.

use super::{ArrayLayout, Index, LinearIndex};
use crate::coordinates::{Coordinates, DynCoordinates, view_index};

impl<L: ArrayLayout> view_index::Sealed for Index<L> {}
impl<L: ArrayLayout> view_index::Sealed for &Index<L> {}
impl<L: ArrayLayout> view_index::Sealed for LinearIndex<L> {}

/// Coordinates that can be written for a layout with coordinates `C`. If the type of the layout
/// fixes the rank, they must have this rank. The trait is sealed, because a view relies on the
/// linear index.
///
/// ```
/// use xlayout_core::{ArrayLayout, DynLayout};
/// let layout: DynLayout = "f32[2,3]".parse()?;
/// let from_a_file = vec![1, 2];
/// // an array, a slice or `DynCoordinates`
/// assert_eq!(layout.index([1, 2])?, layout.index(&from_a_file[..])?);
/// assert!(layout.index([1, 2, 0]).is_err()); // another rank
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the coordinates of this layout, which are `{C}`",
    label = "expected one number for each dimension",
    note = "a part is given by where it begins and by its sizes: `array.region([0, 1], [1, 2])?` \
            has row 0 and the columns `1..3`; one range is `array.slice::<1>(1..3)?`"
)]
pub trait IntoCoordinates<C>: view_index::Sealed {
    /// The coordinates.
    #[doc(hidden)]
    fn into_coordinates(self) -> C;
    /// Their linear index, if they are in bounds.
    #[doc(hidden)]
    fn linear_index_in<L: ArrayLayout<Coordinates = C>>(&self, layout: &L) -> Option<usize>;
}

#[diagnostic::do_not_recommend]
impl<C: Coordinates> IntoCoordinates<C> for C {
    #[inline(always)]
    fn into_coordinates(self) -> C {
        self
    }

    #[inline(always)]
    fn linear_index_in<L: ArrayLayout<Coordinates = C>>(&self, layout: &L) -> Option<usize> {
        if layout.in_bounds(self) {
            Some(layout.linear_index(self))
        } else {
            None
        }
    }
}

macro_rules! lists {
    ($([$($parameter:tt)*] $list:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($parameter)*> IntoCoordinates<DynCoordinates> for $list {
            #[inline]
            fn into_coordinates(self) -> DynCoordinates {
                self.into()
            }

            #[inline]
            fn linear_index_in<L: ArrayLayout<Coordinates = DynCoordinates>>(
                &self,
                layout: &L,
            ) -> Option<usize> {
                layout.linear_index_in_bounds(self)
            }
        }
    )*};
}

lists! {
    [const N: usize] [usize; N];
    [] &[usize];
}
