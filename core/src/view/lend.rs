//! Arrays where a view is expected.

use super::{
    ArrayBase, PackedBase, PackedView, PackedViewMut, SliceStorage, SliceStorageMut, View, ViewMut,
};
use crate::array_layout::ArrayLayout;

/// The view that [`ArrayBase::as_view`] answers. It is here so that the compiler proposes a conversion
/// where `&array` is passed for a view.
impl<'a, S: SliceStorage, L: ArrayLayout> From<&'a ArrayBase<S, L>> for View<'a, S::Item, L> {
    #[inline(always)]
    fn from(array: &'a ArrayBase<S, L>) -> Self {
        array.as_view()
    }
}

/// The view that [`ArrayBase::as_view_mut`] answers.
impl<'a, S: SliceStorageMut, L: ArrayLayout> From<&'a mut ArrayBase<S, L>>
    for ViewMut<'a, S::Item, L>
{
    #[inline(always)]
    fn from(array: &'a mut ArrayBase<S, L>) -> Self {
        array.as_view_mut()
    }
}

/// A borrowed packed array: `(&array).into()`.
///
/// ```
/// use xlayout_core::{DynLayout, PackedArray, PackedView};
/// fn first(x: PackedView<'_, DynLayout>) -> u8 {
///     x.at([0])
/// }
/// let array = PackedArray::zeros("u4[3]{0:E(4)}".parse::<DynLayout>()?)?;
/// assert_eq!(first((&array).into()), 0);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
impl<'a, S, L> From<&'a PackedBase<S, L>> for PackedView<'a, L>
where
    S: SliceStorage<Item = u8>,
    L: ArrayLayout,
{
    #[inline(always)]
    fn from(array: &'a PackedBase<S, L>) -> Self {
        PackedBase {
            bytes: array.bytes.items(),
            layout: array.layout.clone(),
        }
    }
}

/// A borrowed packed array that can be written to: `(&mut array).into()`.
impl<'a, S, L> From<&'a mut PackedBase<S, L>> for PackedViewMut<'a, L>
where
    S: SliceStorageMut<Item = u8>,
    L: ArrayLayout,
{
    #[inline(always)]
    fn from(array: &'a mut PackedBase<S, L>) -> Self {
        PackedBase {
            layout: array.layout.clone(),
            bytes: array.bytes.items_mut(),
        }
    }
}

/// An array that is read: a function with this bound takes `&array` and `&view`, and one that takes
/// `impl AsView` takes them without `&`, too. The trait is sealed.
///
/// ```
/// use xlayout_core::types::{Nat, MinorToMajor, StaticLayout};
/// use xlayout_core::{Array, AsView, Rank};
///
/// fn sum(x: &impl AsView<Item = f32, Layout: Rank<2>>) -> f32 {
///     x.as_view().iter().sum()
/// }
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>; // layout!(f32[2,3])
/// let array = Array::from_nested(A::NEW, [[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
/// assert_eq!((sum(&array), sum(&array.as_view())), (21.0, 21.0));
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub trait AsView: sealed::Sealed {
    /// The type of an element.
    type Item;
    /// The layout.
    type Layout: ArrayLayout;
    /// A borrowed view.
    fn as_view(&self) -> View<'_, Self::Item, Self::Layout>;
}

impl<S: SliceStorage, L: ArrayLayout> AsView for ArrayBase<S, L> {
    type Item = S::Item;
    type Layout = L;
    #[inline(always)]
    fn as_view(&self) -> View<'_, S::Item, L> {
        Self::as_view(self)
    }
}

impl<A: AsView + ?Sized> AsView for &A {
    type Item = A::Item;
    type Layout = A::Layout;
    #[inline(always)]
    fn as_view(&self) -> View<'_, A::Item, A::Layout> {
        A::as_view(self)
    }
}

mod sealed {
    pub trait Sealed {}
    impl<S, L> Sealed for super::ArrayBase<S, L> {}
    impl<A: Sealed + ?Sized> Sealed for &A {}
}
