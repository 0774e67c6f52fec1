//! Arrays in `for` loops: all elements, in the sequence of their indices.

use core::fmt;
use core::iter::FusedIterator;

use super::firsts::Firsts;
use super::part_items::{PartItems, PartItemsMut, TakeOne};
use super::places::assert_unique;
use super::storage::{Storage, StorageMut};
use super::stored::Stored;
use super::{ArrayBase, ArrayRef};
use crate::array_layout::ArrayLayout;
use crate::element::Element;

/// The elements of an array in logical sequence, the last dimension fastest; [`ArrayRef::iter`]
/// makes it. To visit them in the sequence of memory, which is faster over tiles, use
/// [`ArrayRef::for_each`].
///
/// ```
/// use xlayout_core::{DynLayout, SliceView};
/// let layout: DynLayout = "f32[2,2]{0,1}".parse()?;
/// let view = SliceView::new(layout, &[1.0_f32, 2.0, 3.0, 4.0][..])?;
/// assert_eq!(view.iter().copied().collect::<Vec<_>>(), [1.0, 3.0, 2.0, 4.0]);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type Elements<'a, T, L> = Each<'a, PartItems<'a, T>, L>;

/// The elements of an array in logical sequence, the last dimension fastest, to write;
/// [`ArrayRef::iter_mut`] makes it.
pub type ElementsMut<'a, T, L> = Each<'a, PartItemsMut<'a, T>, L>;

/// [`Elements`] and [`ElementsMut`].
#[allow(unreachable_pub, reason = "public types are it")]
#[derive(Clone)]
pub struct Each<'a, S, L: ArrayLayout> {
    firsts: Firsts<'a, L>,
    data: S,
}

impl<S: TakeOne, L: ArrayLayout> Iterator for Each<'_, S, L> {
    type Item = S::Ref;

    #[inline(always)]
    fn next(&mut self) -> Option<S::Ref> {
        // Each index comes once, and distinct indices have distinct linear indices (law 1).
        let at = self.firsts.next(false)?;
        Some(self.data.take(self.firsts.layout(), at))
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.firsts.count(), Some(self.firsts.count()))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<S::Ref> {
        let at = self.firsts.nth(n, false)?;
        Some(self.data.take(self.firsts.layout(), at))
    }

    #[inline(always)]
    fn fold<A, F: FnMut(A, S::Ref) -> A>(self, init: A, mut step: F) -> A {
        let Self { firsts, mut data } = self;
        let layout = firsts.layout();
        firsts.fold(
            init,
            #[inline(always)]
            // As in `next`.
            |state, at| step(state, data.take(layout, at)),
        )
    }
}

impl<S: TakeOne, L: ArrayLayout> DoubleEndedIterator for Each<'_, S, L> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<S::Ref> {
        // As in `next`.
        let at = self.firsts.next_back(false)?;
        Some(self.data.take(self.firsts.layout(), at))
    }
}

impl<S: TakeOne, L: ArrayLayout> ExactSizeIterator for Each<'_, S, L> {}
impl<S: TakeOne, L: ArrayLayout> FusedIterator for Each<'_, S, L> {}

impl<S: TakeOne, L: ArrayLayout> fmt::Debug for Each<'_, S, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements", self.len())
    }
}

/// The elements in logical sequence, row-major, as [`ArrayRef::iter`].
///
/// ```
/// use xlayout_core::{Array, StridedLayout};
/// let layout: StridedLayout<[usize; 2]> = "f32[2,2]{0,1}".parse()?;
/// let mut array = Array::from_fn(layout, |&[i, j]| (10 * i + j) as f32)?;
/// for x in &mut array {
///     *x += 1.0;
/// }
/// let mut sum = 0.0;
/// for x in &array {
///     sum += x;
/// }
/// assert_eq!(sum, 26.0);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
impl<'a, T: Stored, L: ArrayLayout> IntoIterator for &'a ArrayRef<T, L> {
    type Item = T::Ref<'a>;
    type IntoIter = Elements<'a, T, L>;

    #[inline(always)]
    fn into_iter(self) -> Elements<'a, T, L> {
        Elements {
            firsts: Firsts::of_elements(&self.layout),
            data: self.items(),
        }
    }
}

/// The elements to write, in logical sequence, row-major, as [`ArrayRef::iter_mut`].
impl<'a, T: Element, L: ArrayLayout> IntoIterator for &'a mut ArrayRef<T, L> {
    type Item = &'a mut T;
    type IntoIter = ElementsMut<'a, T, L>;

    #[inline(always)]
    fn into_iter(self) -> ElementsMut<'a, T, L> {
        const { assert_unique::<L>() }
        let (data, layout) = self.items_mut_and_layout();
        ElementsMut {
            firsts: Firsts::of_elements(layout),
            data,
        }
    }
}

impl<'a, S: Storage, L> IntoIterator for &'a ArrayBase<S, L>
where
    &'a ArrayRef<S::Item, L>: IntoIterator,
{
    type Item = <&'a ArrayRef<S::Item, L> as IntoIterator>::Item;
    type IntoIter = <&'a ArrayRef<S::Item, L> as IntoIterator>::IntoIter;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        (**self).into_iter()
    }
}

impl<'a, S: StorageMut<Item: Element>, L: ArrayLayout> IntoIterator for &'a mut ArrayBase<S, L> {
    type Item = &'a mut S::Item;
    type IntoIter = ElementsMut<'a, S::Item, L>;

    #[inline(always)]
    fn into_iter(self) -> ElementsMut<'a, S::Item, L> {
        self.iter_mut()
    }
}
