//! The memory of an array.

use super::part_items::{PartItems, PartItemsMut};
use super::unchecked::{self, Inside};

/// The elements of an array in memory: a borrowed or owned slice, or the elements of a
/// [part](crate::Part) of an array. The trait is sealed, because views rely on it to give the same elements
/// each time.
///
/// A function with this bound takes arrays, views and parts:
///
/// ```
/// use xlayout_core::{Array, ArrayBase, ArrayLayout, DynLayout, Storage};
///
/// fn sum<L: ArrayLayout>(array: &ArrayBase<impl Storage<Item = f32>, L>) -> f32 {
///     array.iter().sum()
/// }
/// let layout: DynLayout = "f32[4]".parse()?;
/// let array = Array::from_fn(layout, |at| at[0] as f32)?;
/// assert_eq!(sum(&array), 6.0);
/// assert_eq!(sum(&array.as_view()), 6.0);
/// assert_eq!(sum(&array.region([2].into(), [2].into())?), 5.0);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub trait Storage: sealed::Sealed {
    /// The type of an item.
    type Item;
    /// Whether these are all items of a slice, so that padding belongs to the array, too.
    #[doc(hidden)]
    const IS_SLICE: bool;
    /// The item at a proven linear index.
    #[doc(hidden)]
    fn item(&self, at: Inside) -> &Self::Item;
    /// The items from a proven linear index on. The caller (this crate only) promises that all of these
    /// linear indices are proven.
    #[doc(hidden)]
    fn line(&self, first: Inside, len: usize) -> &[Self::Item];
    /// The items as those of a part, for this borrow.
    #[doc(hidden)]
    fn part_items(&self) -> PartItems<'_, Self::Item>;
}

/// Elements that can be written to.
pub trait StorageMut: Storage {
    /// The item at a proven linear index, to write.
    #[doc(hidden)]
    fn item_mut(&mut self, at: Inside) -> &mut Self::Item;
    /// The items as those of a part, for this borrow.
    #[doc(hidden)]
    fn part_items_mut(&mut self) -> PartItemsMut<'_, Self::Item>;
}

/// A borrowed or owned slice. The elements of a [part](crate::Part) are not one: the elements of
/// other parts lie between them.
#[diagnostic::on_unimplemented(
    message = "the memory of this array is no slice: `{Self}`",
    label = "a part of an array has the elements of other parts between its own",
    note = "access the elements by index, `for_each` or `iter`; a function that takes `View` or `ViewMut` can \
            take `&ArrayBase<impl Storage<Item = f32>, L>` instead"
)]
pub trait SliceStorage: Storage {
    /// The items.
    fn items(&self) -> &[Self::Item];
}

/// A slice that can be written to.
pub trait SliceStorageMut: SliceStorage + StorageMut {
    /// The items.
    fn items_mut(&mut self) -> &mut [Self::Item];
}

pub(super) mod sealed {
    pub trait Sealed {}
    impl<T> Sealed for &[T] {}
    impl<T> Sealed for &mut [T] {}
    #[cfg(feature = "alloc")]
    impl<T> Sealed for alloc::vec::Vec<T> {}
}

macro_rules! slices {
    ($($of:ty)*) => {$(
        impl<T> Storage for $of {
            type Item = T;
            const IS_SLICE: bool = true;
            #[inline(always)]
            fn item(&self, at: Inside) -> &T {
                unchecked::item_inside(self, at)
            }
            #[inline(always)]
            fn line(&self, first: Inside, len: usize) -> &[T] {
                &self[first.get()..][..len]
            }
            #[inline(always)]
            fn part_items(&self) -> PartItems<'_, T> {
                PartItems::of(self)
            }
        }

        impl<T> SliceStorage for $of {
            #[inline(always)]
            fn items(&self) -> &[T] {
                self
            }
        }
    )*};
}

macro_rules! slices_mut {
    ($($of:ty)*) => {$(
        impl<T> StorageMut for $of {
            #[inline(always)]
            fn item_mut(&mut self, at: Inside) -> &mut T {
                unchecked::item_inside_mut(self, at)
            }
            #[inline(always)]
            fn part_items_mut(&mut self) -> PartItemsMut<'_, T> {
                PartItemsMut::of(self)
            }
        }

        impl<T> SliceStorageMut for $of {
            #[inline(always)]
            fn items_mut(&mut self) -> &mut [T] {
                self
            }
        }
    )*};
}

slices!(&[T] &mut [T]);
slices_mut!(&mut [T]);
#[cfg(feature = "alloc")]
slices!(alloc::vec::Vec<T>);
#[cfg(feature = "alloc")]
slices_mut!(alloc::vec::Vec<T>);

/// A borrowed slice, of which a part is one, too.
#[diagnostic::on_unimplemented(
    message = "a slice of an array borrows it, and `{Self}` owns its elements",
    label = "only a borrowed array can be sliced",
    note = "slice `array.as_view()`, or `array.as_view_mut()` to write"
)]
pub trait Borrowed: Storage {
    /// So many items from one on, which the caller has found to be there.
    #[doc(hidden)]
    fn part(self, first: usize, len: usize) -> Self;
}

impl<T> Borrowed for &[T] {
    #[inline(always)]
    fn part(self, first: usize, len: usize) -> Self {
        &self[first..][..len]
    }
}

impl<T> Borrowed for &mut [T] {
    #[inline(always)]
    fn part(self, first: usize, len: usize) -> Self {
        &mut self[first..][..len]
    }
}
