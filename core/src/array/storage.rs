//! The memory of an array: a slice, borrowed or owned, or the elements of a part, which lie between
//! those of other parts. Unsafe, because a slice cannot leave elements out, and because an element
//! at a proven linear index is read without a bounds check, for speed that was measured
//! (`benches/index`: a check costs 6 to 8 instructions of 17 at rank 4).
//!
//! A part is a box of indices of a whole array: a range of each dimension. Each element of the part
//! is an element of the whole, so that by the invariant `INSIDE` (`modes/inside.rs` of
//! xlayout-shape) its linear index is below the number of allocated elements of the whole. Two
//! boxes that share no index share no element, because distinct indices have distinct linear
//! indices (law 1; `L::UNIQUE` where it matters). So parts that are written to at the same time
//! touch different elements, and no reference to any other element is ever made.
//!
//! [`PartItems`] and [`PartItemsMut`] hold the address of the element at linear index 0 of the
//! part's own layout, and the number of elements up to the last one of the part.
#![allow(unsafe_code)]
#![allow(
    unreachable_pub,
    reason = "the iterators of arrays name `Take` and `Inside`"
)]

use core::iter::{Empty, empty};
use core::marker::PhantomData;
use core::ptr::NonNull;

#[cfg(feature = "alloc")]
mod owned;

#[cfg(feature = "alloc")]
pub use owned::Owned;

use crate::array_layout::{ArrayLayout, FixedSizes};

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
    note = "access the elements by index, `for_each_in_memory` or `iter`; `as_slice()` is `Some` \
            if there are none between them; a function that takes `SliceView` or `SliceViewMut` \
            can take `&ArrayRef<f32, L>` instead"
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
    note = "to write, take a `SliceViewMut` or an owned array, in a kernel an `Out`, or an `InOut` \
            where it is also an argument; of a part, access the elements by index, \
            `for_each_in_memory` or `iter_mut`"
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
}

macro_rules! storages {
    ($($of:ty => $name:literal),*) => {$(
        impl<T> sealed::Sealed for $of {
            const NAME: &'static str = $name;
        }
        // SAFETY: a reference to a slice is its address and its length, which `reference.rs`
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

storages!(
    &[T] => "SliceView",
    &mut [T] => "SliceViewMut",
    PartItems<'_, T> => "View",
    PartItemsMut<'_, T> => "ViewMut"
);
storages_mut!(&mut [T] PartItemsMut<'_, T>);
#[cfg(feature = "alloc")]
storages!(Owned<T> => "Array");
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
        // SAFETY: the invariant of `Owned`.
        unsafe { &*self.as_ptr() }
    }
}

#[cfg(feature = "alloc")]
impl<T> SliceStorageMut for Owned<T> {
    #[inline(always)]
    fn items_mut(&mut self) -> &mut [T] {
        // SAFETY: the invariant of `Owned`.
        unsafe { &mut *self.as_ptr() }
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

macro_rules! part_items {
    ($($(#[$doc:meta])* $items:ident: $slice:ty;)*) => {$(
        $(#[$doc])*
        #[repr(C)]
        pub struct $items<'a, T> {
            first: NonNull<T>,
            /// The complement of the number of items: see [`len_of`].
            not_len: usize,
            of: PhantomData<$slice>,
        }

        impl<'a, T> $items<'a, T> {
            /// # Safety
            /// The invariant holds for `len` items from `first` on that are elements.
            #[inline(always)]
            pub(super) const unsafe fn from_raw(first: NonNull<T>, len: usize) -> Self {
                Self {
                    first,
                    not_len: !len,
                    of: PhantomData,
                }
            }

            #[inline(always)]
            const fn len(&self) -> usize {
                !self.not_len
            }
        }

        impl<T> core::fmt::Debug for $items<'_, T> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, "{} buffer_len", self.len())
            }
        }
    )*};
}

part_items! {
    /// The elements of a part of an array: what a [`View`](crate::View) has for memory.
    ///
    /// Invariant: for `'a`, the elements of the part may be read, and nothing writes them.
    PartItems: &'a [T];
    /// The elements of a part of an array, to write: what a [`ViewMut`](crate::ViewMut) has for
    /// memory.
    ///
    /// Invariant: for `'a`, nothing else reads or writes the elements of the part.
    PartItemsMut: &'a mut [T];
}

/// Whether the second word of a storage is that of a part. A slice has at most `isize::MAX` bytes,
/// and so its length is no complement of a length.
#[inline(always)]
pub(super) const fn is_part(len: usize) -> bool {
    len > isize::MAX as usize
}

/// The number of items of a storage whose second word is this. A part has the complement there, so
/// that an [`ArrayRef`](crate::ArrayRef) knows which it is.
#[inline(always)]
pub(super) const fn len_of(len: usize) -> usize {
    if is_part(len) { !len } else { len }
}

// SAFETY: it gives what `&[T]` gives, for fewer elements.
unsafe impl<T: Sync> Send for PartItems<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for PartItems<'_, T> {}
// SAFETY: it gives what `&mut [T]` gives, for fewer elements, and nothing else has these elements.
unsafe impl<T: Send> Send for PartItemsMut<'_, T> {}
// SAFETY: a shared reference to it gives `&T` only.
unsafe impl<T: Sync> Sync for PartItemsMut<'_, T> {}

impl<'a, T> PartItems<'a, T> {
    /// All items, of an array or of a part without gaps.
    #[inline(always)]
    pub(super) fn all(&self) -> &'a [T] {
        // SAFETY: the caller (this module's siblings only) promises that each item may be read.
        unsafe { core::slice::from_raw_parts(self.first.as_ptr(), self.len()) }
    }

    /// The items from a proven linear index on. The caller (this module's siblings only) promises
    /// that all of these linear indices are proven.
    #[inline(always)]
    pub(super) fn line(&self, first: Inside, len: usize) -> &'a [T] {
        debug_assert!(first.get() + len <= self.len());
        // SAFETY: as in `item_of`, for each of the adjacent elements.
        unsafe { core::slice::from_raw_parts(self.first.add(first.get()).as_ptr(), len) }
    }

    /// The address of linear index 0.
    #[inline(always)]
    pub(super) const fn address(&self) -> *const T {
        self.first.as_ptr()
    }

    /// The item at a proven linear index, for the whole of `'a`.
    #[inline(always)]
    pub(super) fn item_of(&self, at: Inside) -> &'a T {
        debug_assert!(at.get() < self.len());
        // SAFETY: by the invariant `INSIDE` (`modes/inside.rs` of xlayout-shape) the linear index
        // of an index in bounds of a layout is below its number of allocated elements, which is
        // `len`. A view's layout does not change, and the trait of layouts is sealed. Packed: the
        // element's last bit is below the bits of all allocated elements, so its byte is below that
        // number of bytes, rounded up, which is `len`. The place is that of an element of the array
        // or part, which the invariant of this type lets be read for `'a`. Told that it is below
        // `len`, the compiler needs an instruction less.
        unsafe {
            core::hint::assert_unchecked(at.get() < self.len());
            self.first.add(at.get()).as_ref()
        }
    }
}

impl<'a, T> PartItemsMut<'a, T> {
    /// All items, of an array or of a part without gaps.
    #[inline(always)]
    pub(super) fn into_all(self) -> &'a mut [T] {
        // SAFETY: the caller (this module's siblings only) promises that each item may be written.
        unsafe { core::slice::from_raw_parts_mut(self.first.as_ptr(), self.len()) }
    }

    /// The item at a proven linear index, to write.
    #[inline(always)]
    pub(super) fn item_mut(&mut self, at: Inside) -> &mut T {
        debug_assert!(at.get() < self.len());
        // SAFETY: as in `item_of`, and the borrow of `self` is the only one: by the invariant of
        // this type nothing else has the element.
        unsafe { self.first.add(at.get()).as_mut() }
    }

    /// The address of linear index 0.
    #[inline(always)]
    pub(super) const fn address(&self) -> *mut T {
        self.first.as_ptr()
    }
}

/// What is taken from the elements of an array or part one by one: shared references, exclusive
/// ones, numbers, or lines.
///
/// Only the modules beside this one call the methods. They promise that the linear indices are
/// proven, and where the references are exclusive, that no element is taken twice, and that nothing
/// else uses `self` as long as what was taken is used.
pub trait TakeOne {
    /// What several of them are called.
    const NAME: &'static str = "elements";
    type Ref;
    /// What an iterator reads ahead: see [`Stored::Ahead`](super::stored::Stored::Ahead).
    type Ahead: ExactSizeIterator<Item = Self::Ref> + DoubleEndedIterator + Clone;
    /// The element at a linear index of a layout, or the line that begins there.
    fn take<L: ArrayLayout>(&mut self, layout: &L, at: Inside) -> Self::Ref;
    /// Some of the `adjacent` elements after the one at a linear index.
    fn take_ahead<L: ArrayLayout>(
        &mut self,
        layout: &L,
        at: Inside,
        adjacent: usize,
    ) -> Option<Self::Ahead>;
    fn nothing_ahead() -> Self::Ahead;
}

/// What is taken several at a time, under the same promises.
pub trait Take: Storage + Sized {
    type Slice;
    /// Whether nothing else has the items.
    const EXCLUSIVE: bool;
    /// The items from a linear index on.
    fn take_line(&mut self, first: Inside, len: usize) -> Self::Slice;
    /// The same items once more, for [`Several`](Several).
    ///
    /// # Safety
    /// If they are exclusive, no item is used through both.
    unsafe fn again(&self) -> Self;
    /// The part with `len` places, from place `first` on.
    fn take_items(self, first: usize, len: usize) -> Self;
}

impl<'a, T> Take for PartItems<'a, T> {
    type Slice = &'a [T];
    const EXCLUSIVE: bool = false;

    #[inline(always)]
    fn take_line(&mut self, first: Inside, len: usize) -> &'a [T] {
        self.line(first, len)
    }

    #[inline(always)]
    unsafe fn again(&self) -> Self {
        *self
    }

    #[inline(always)]
    fn take_items(self, first: usize, len: usize) -> Self {
        // SAFETY: the items of the part are items of the whole, which `place` compares.
        unsafe { Self::from_raw(place(self.first, self.len(), first, len), len) }
    }
}

impl<'a, T> TakeOne for PartItemsMut<'a, T> {
    type Ref = &'a mut T;
    type Ahead = Empty<&'a mut T>;

    #[inline(always)]
    fn take<L: ArrayLayout>(&mut self, _: &L, at: Inside) -> &'a mut T {
        debug_assert!(at.get() < self.len());
        // SAFETY: as in `item_mut`; no two calls give the same element.
        unsafe { self.first.add(at.get()).as_mut() }
    }

    #[inline(always)]
    fn take_ahead<L: ArrayLayout>(&mut self, _: &L, _: Inside, _: usize) -> Option<Self::Ahead> {
        None
    }

    #[inline(always)]
    fn nothing_ahead() -> Self::Ahead {
        empty()
    }
}

impl<'a, T> Take for PartItemsMut<'a, T> {
    type Slice = &'a mut [T];
    const EXCLUSIVE: bool = true;

    #[inline(always)]
    fn take_line(&mut self, first: Inside, len: usize) -> &'a mut [T] {
        debug_assert!(first.get() + len <= self.len());
        // SAFETY: as in `take`, for each of the adjacent elements.
        unsafe { core::slice::from_raw_parts_mut(self.first.add(first.get()).as_ptr(), len) }
    }

    #[inline(always)]
    unsafe fn again(&self) -> Self {
        // SAFETY: the invariant holds for these items, and the caller promises that no other use of
        // them is one.
        unsafe { Self::from_raw(self.first, self.len()) }
    }

    #[inline(always)]
    fn take_items(self, first: usize, len: usize) -> Self {
        // SAFETY: as above. `self`, which has the other items, is given away.
        unsafe { Self::from_raw(place(self.first, self.len(), first, len), len) }
    }
}

/// The address of the first of `len` places from `first` on, which are among `of` places. The proof
/// that they are is at `layouts/region/place.rs`; it is compared here again, once for each part.
#[inline(always)]
fn place<T>(items: NonNull<T>, of: usize, first: usize, len: usize) -> NonNull<T> {
    match first.checked_add(len) {
        Some(end) if end <= of => {}
        _ => unreachable!("the elements of a part are elements of the whole"),
    }
    // SAFETY: `first` is at most the number of places of one allocation, compared above.
    unsafe { items.add(first) }
}

impl<T> Clone for PartItems<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PartItems<'_, T> {}

/// A linear index that is proven: it is the one of an element of the layout that the storage was
/// checked against.
#[derive(Clone, Copy)]
pub struct Inside(usize);

impl Inside {
    /// A linear index that a view's own layout gave: for an index that it found in bounds, for one
    /// that is proven (`Index::linear_in`), or when it visited its elements.
    ///
    /// The caller (this module's siblings only) promises that, and that the storage was checked to
    /// have as many items as that very layout allocates. For packed elements the items are the
    /// bytes of the layout, and `linear` is the byte that holds the element.
    #[inline(always)]
    pub(super) const fn of(linear: usize) -> Self {
        Self(linear)
    }

    #[inline(always)]
    pub(super) const fn get(self) -> usize {
        self.0
    }
}

/// The linear index of an element of one value of `L` is proven for `L`: by the invariant of
/// `FixedSizes` all values of `L` are equal, so it is the linear index of an element of every
/// value.
#[inline(always)]
pub(super) const fn proven<L: FixedSizes>(linear: usize) -> usize {
    const { assert!(L::FIXED_SIZES) }
    linear
}
