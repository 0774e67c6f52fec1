//! Arrays where a view is expected.

use super::{SliceStorage, SliceStorageMut, View, ViewMut, ViewOf};
use crate::laid_out::LaidOut;

/// The view that [`ViewOf::as_view`] answers. It is here so that the compiler proposes a conversion
/// where `&array` is passed for a view.
impl<'a, S: SliceStorage, L: LaidOut> From<&'a ViewOf<S, L>> for View<'a, S::Item, L> {
    #[inline(always)]
    fn from(array: &'a ViewOf<S, L>) -> Self {
        array.as_view()
    }
}

/// The view that [`ViewOf::as_view_mut`] answers.
impl<'a, S: SliceStorageMut, L: LaidOut> From<&'a mut ViewOf<S, L>> for ViewMut<'a, S::Item, L> {
    #[inline(always)]
    fn from(array: &'a mut ViewOf<S, L>) -> Self {
        array.as_view_mut()
    }
}
