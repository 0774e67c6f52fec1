//! The memory of an array.
#![allow(unsafe_code)]

#[cfg(feature = "alloc")]
use super::owned::Owned;
use super::part_items::{PartItems, PartItemsMut, Take};

/// The elements of an array in memory: a borrowed or owned slice, or the elements of a
/// [part](crate::View) of an array.
///
/// # Safety
/// It begins with the address of its first item, and with the number of its items then or, of a
/// part, with its complement. It has no other fields, and gives the same items each time.
pub unsafe trait Storage: sealed::Sealed {
    /// The type of an item.
    type Item;
}

/// Elements that can be written to.
///
/// # Safety
/// Nothing else has the elements as long as this storage.
pub unsafe trait StorageMut: Storage {}

/// A borrowed or owned slice. The elements of a [part](crate::View) are not one: the elements of
/// other parts lie between them.
#[diagnostic::on_unimplemented(
    message = "the memory of this array is no slice: `{Self}`",
    label = "a part of an array has the elements of other parts between its own",
    note = "access the elements by index, `for_each` or `iter`; `as_slice()` is `Some` if there are none between them; \
            a function that takes `SliceView` or `SliceViewMut` can take `&ArrayRef<f32, L>` instead"
)]
pub trait SliceStorage: Storage + Sized {
    /// What it is made of: a slice, or a vector.
    type Memory: Into<Self> + From<Self>;
    /// The items.
    fn items(&self) -> &[Self::Item];
}

/// A slice that can be written to.
#[diagnostic::on_unimplemented(
    message = "`memory_mut` is for arrays that are written, whose elements are one slice",
    label = "`{Self}` is no slice that can be written to",
    note = "to write, take a `SliceViewMut` or an owned array, in a kernel an `Out`, or an `InOut` where it is also an \
            argument; of a part, access the elements by index, `for_each` or `iter_mut`"
)]
pub trait SliceStorageMut: SliceStorage + StorageMut {
    /// The items.
    fn items_mut(&mut self) -> &mut [Self::Item];
}

mod sealed {
    pub trait Sealed {
        /// What an array with this memory is called.
        const NAME: &'static str;
    }

    macro_rules! named {
        ($($of:ty, $name:literal;)*) => {$(
            impl<T> Sealed for $of {
                const NAME: &'static str = $name;
            }
        )*};
    }

    named! {
        &[T], "SliceView";
        &mut [T], "SliceViewMut";
        super::PartItems<'_, T>, "View";
        super::PartItemsMut<'_, T>, "ViewMut";
    }
    #[cfg(feature = "alloc")]
    named! { super::Owned<T>, "Array"; }
}

macro_rules! storages {
    ($($of:ty)*) => {$(
        // SAFETY: a reference to a slice is its address and its length, which `array_ref.rs`
        // checks; the others are `repr(C)` with these fields.
        unsafe impl<T> Storage for $of {
            type Item = T;
        }
    )*};
}

macro_rules! storages_mut {
    ($($of:ty)*) => {$(
        // SAFETY: it is a unique reference, or owns its items.
        unsafe impl<T> StorageMut for $of {}
    )*};
}

storages!(&[T] &mut [T] PartItems<'_, T> PartItemsMut<'_, T>);
storages_mut!(&mut [T] PartItemsMut<'_, T>);
#[cfg(feature = "alloc")]
storages!(Owned<T>);
#[cfg(feature = "alloc")]
storages_mut!(Owned<T>);

impl<T> SliceStorage for &[T] {
    type Memory = Self;
    #[inline(always)]
    fn items(&self) -> &[T] {
        self
    }
}

impl<T> SliceStorage for &mut [T] {
    type Memory = Self;
    #[inline(always)]
    fn items(&self) -> &[T] {
        self
    }
}

impl<T> SliceStorageMut for &mut [T] {
    #[inline(always)]
    fn items_mut(&mut self) -> &mut [T] {
        self
    }
}

#[cfg(feature = "alloc")]
impl<T> SliceStorage for Owned<T> {
    type Memory = alloc::vec::Vec<T>;
    #[inline(always)]
    fn items(&self) -> &[T] {
        self.items()
    }
}

#[cfg(feature = "alloc")]
impl<T> SliceStorageMut for Owned<T> {
    #[inline(always)]
    fn items_mut(&mut self) -> &mut [T] {
        self.items_mut()
    }
}

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

impl<T> Borrowed for PartItems<'_, T> {
    #[inline(always)]
    fn part(self, first: usize, len: usize) -> Self {
        self.take_items(first, len)
    }
}

impl<T> Borrowed for PartItemsMut<'_, T> {
    #[inline(always)]
    fn part(self, first: usize, len: usize) -> Self {
        self.take_items(first, len)
    }
}
