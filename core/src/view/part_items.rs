//! The elements of arrays and of their parts, which lie between those of other parts: unsafe,
//! because a slice cannot leave elements out.
//!
//! A part is a box of indices of a whole array: a range of each dimension. Each element of the part
//! is an element of the whole, so that by the invariant `INSIDE` (`modes/inside.rs` of
//! xlayout-shape) its linear index is below the number of allocated elements of the whole. Two
//! boxes that share no index share no element, because distinct indices have distinct linear
//! indices (law 1; `L::UNIQUE` where it matters). So parts that are written to at the same time
//! touch different elements, and no reference to any other element is ever made.
//!
//! The types here hold the address of the element at linear index 0 of the part's own layout, and
//! the number of elements up to the last one of the part.
#![allow(unsafe_code)]
#![allow(unreachable_pub, reason = "the iterators of arrays name `Take`")]

use core::marker::PhantomData;
use core::ptr::NonNull;

use super::make::check_element;
use super::stored::Stored;
use super::unchecked::Inside;
use super::{ArrayBase, Storage, View, ViewMut};
use crate::Coordinates;
use crate::array_layout::ArrayLayout;
use crate::element::{Element, StoredAs};
use crate::layout_error::LayoutError;

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
/// ones, or numbers.
///
/// Only the modules beside this one call the methods. They promise that the linear indices are
/// proven, and where the references are exclusive, that no element is taken twice, and that nothing
/// else uses `self` as long as what was taken is used.
pub trait TakeOne {
    type Ref;
    /// The element at a linear index of a layout.
    fn take<L: ArrayLayout>(&mut self, layout: &L, at: Inside) -> Self::Ref;
}

/// What is taken several at a time, under the same promises.
pub trait Take: Storage + Sized {
    type Slice;
    /// Whether nothing else has the items.
    const EXCLUSIVE: bool;
    /// The items from a linear index on.
    fn take_line(&mut self, first: Inside, len: usize) -> Self::Slice;
    /// The same items once more, for [`Several`](super::several::Several).
    ///
    /// # Safety
    /// If they are exclusive, no item is used through both.
    unsafe fn again(&self) -> Self;
    /// The part with `len` places, from place `first` on.
    fn take_items(self, first: usize, len: usize) -> Self;
    /// The part with a layout, from place `first` on.
    #[inline(always)]
    fn take_part<M: ArrayLayout>(self, (first, layout): (usize, M)) -> ArrayBase<Self, M>
    where
        Self: Storage<Item: Stored>,
    {
        ArrayBase {
            data: self.take_items(first, Self::Item::items(&layout)),
            layout,
        }
    }
}

impl<'a, T: Stored> TakeOne for PartItems<'a, T> {
    type Ref = T::Ref<'a>;

    #[inline(always)]
    fn take<L: ArrayLayout>(&mut self, layout: &L, at: Inside) -> T::Ref<'a> {
        T::read(*self, layout, at)
    }
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

    #[inline(always)]
    fn take<L: ArrayLayout>(&mut self, _: &L, at: Inside) -> &'a mut T {
        debug_assert!(at.get() < self.len());
        // SAFETY: as in `item_mut`; no two calls give the same element.
        unsafe { self.first.add(at.get()).as_mut() }
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
/// that they are is at `region/place.rs`; it is compared here again, once for each part.
#[inline(always)]
fn place<T>(items: NonNull<T>, of: usize, first: usize, len: usize) -> NonNull<T> {
    match first.checked_add(len) {
        Some(end) if end <= of => {}
        _ => unreachable!("the elements of a part are elements of the whole"),
    }
    // SAFETY: `first` is at most the number of places of one allocation, compared above.
    unsafe { items.add(first) }
}

/// The address of linear index 0 of an array whose element `[0, 0, …]` is at `first`.
///
/// # Safety
/// All elements of the layout are in the allocation of `first`, at the differences of their linear
/// indices.
unsafe fn lowest<T, L: ArrayLayout>(first: NonNull<T>, layout: &L) -> NonNull<T> {
    if const { L::REVERSES } && layout.buffer_len() > 0 {
        let origin = L::Coordinates::origin(layout.rank());
        // SAFETY: there are elements, so linear index 0 is one: each reversed dimension at its last
        // coordinate, the others at 0. By the caller's promise it is in the allocation.
        return unsafe { first.sub(layout.linear_index(&origin)) };
    }
    first
}

impl<'a, T: Element, L: ArrayLayout> View<'a, T, L>
where
    L::Type: StoredAs<T>,
{
    /// The array whose element `[0, 0, …]` is at an address, such as that of a sliced array of
    /// NumPy or ndarray, without a copy. If a stride is negative
    /// ([`StridedLayout`](crate::StridedLayout)), other elements are below that address.
    ///
    /// ```
    /// use core::ptr::NonNull;
    /// use xlayout_core::{View, StridedLayout};
    ///
    /// // Every second element of a row, as another library gives it: an address, sizes and strides.
    /// let row = [0.0_f32, 1.0, 2.0, 3.0, 4.0];
    /// let layout = StridedLayout::new::<f32>([2], [2])?;
    /// // The address comes from the whole row, not from a reference to one element.
    /// let first = NonNull::from(&row[1..]).cast();
    /// // SAFETY: the elements at 1 and 3 are in `row`, which lives as long as `part` and is not written.
    /// let part = unsafe { View::<f32, _>::from_address(layout, first)? };
    /// assert_eq!((part[[0]], part[[1]]), (1.0, 3.0));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Safety
    /// - An element is at its linear index less that of `[0, 0, …]`, counted from the address. All
    ///   elements of the layout are initialized and in one allocation.
    /// - The pointer may be used for all of them: it does not come from a reference to the first
    ///   element only.
    /// - For `'a` they may be read, and nothing writes them.
    ///
    /// # Errors
    /// When the element type is not the layout's, or when the layout packs elements.
    pub unsafe fn from_address(layout: L, first: NonNull<T>) -> Result<Self, LayoutError> {
        check_element::<T>(&layout)?;
        // SAFETY: the caller's promise, for both.
        let data = unsafe { PartItems::from_raw(lowest(first, &layout), layout.buffer_len()) };
        Ok(ArrayBase { data, layout })
    }
}

impl<'a, T: Element, L: ArrayLayout> ViewMut<'a, T, L>
where
    L::Type: StoredAs<T>,
{
    /// The array whose element `[0, 0, …]` is at an address, to write. See
    /// [`View::from_address`](View::from_address).
    ///
    /// # Safety
    /// The elements of the layout, each at its linear index less that of `[0, 0, …]` from the
    /// address on, are initialized elements of one allocation, and distinct indices are distinct
    /// elements (`layout.is_unique()`). For `'a` nothing else reads or writes them.
    ///
    /// # Errors
    /// When the element type is not the layout's, or when the layout packs elements.
    pub unsafe fn from_address(layout: L, first: NonNull<T>) -> Result<Self, LayoutError> {
        check_element::<T>(&layout)?;
        // SAFETY: the caller's promise, for both.
        let data = unsafe { PartItemsMut::from_raw(lowest(first, &layout), layout.buffer_len()) };
        Ok(ArrayBase { data, layout })
    }
}

impl<T> Clone for PartItems<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PartItems<'_, T> {}
