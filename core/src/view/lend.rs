//! Arrays where a view is expected.

use super::{ArrayBase, SliceStorage, SliceStorageMut, SliceView, SliceViewMut};
use crate::array_layout::ArrayLayout;

/// The view that [`ArrayBase::as_slice_view`] answers. It is here so that the compiler proposes a
/// conversion where `&array` is passed for a view.
impl<'a, S: SliceStorage, L: ArrayLayout> From<&'a ArrayBase<S, L>> for SliceView<'a, S::Item, L> {
    #[inline(always)]
    fn from(array: &'a ArrayBase<S, L>) -> Self {
        array.as_slice_view()
    }
}

/// The view that [`ArrayBase::as_slice_view_mut`] answers.
impl<'a, S: SliceStorageMut, L: ArrayLayout> From<&'a mut ArrayBase<S, L>>
    for SliceViewMut<'a, S::Item, L>
{
    #[inline(always)]
    fn from(array: &'a mut ArrayBase<S, L>) -> Self {
        array.as_slice_view_mut()
    }
}
