//! What arrays, views and parts have in common: a reference to one of them as [`ArrayRef`].
//!
//! An [`ArrayBase`] begins with the address and the number of its items, whatever its storage is,
//! and its layout follows. An [`ArrayRef`] has the same fields in the same places, so a reference
//! to the one is a reference to the other. The compiler checks the places for each storage and
//! layout (`SAME_FIELDS`).
#![allow(unsafe_code)]

use core::mem::{MaybeUninit, offset_of};
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use super::ArrayBase;
use super::part_items::{self, PartItems, PartItemsMut};
use super::parts::View;
use super::storage::{Storage, StorageMut};
use crate::array_layout::ArrayLayout;
use crate::element::Element;

/// An array, a view or a part of an array, behind a reference: functions take `&ArrayRef<T, L>` as
/// they take `&[T]`.
///
/// `&array`, `&view` and `&part` become a `&ArrayRef` where one is expected, `&mut array` and
/// `&mut part` a `&mut ArrayRef`. It has the methods that all of them have. It has no size, so two
/// arrays cannot be exchanged through it. What needs the memory as a slice, such as
/// [`memory`](ArrayBase::memory), is a method of arrays and views; here
/// [`as_slice`](Self::as_slice) gives it if there is one.
///
/// ```
/// use xlayout_core::{Array, ArrayRef, DynLayout, Rank};
///
/// fn sum(x: &ArrayRef<f32, impl Rank<2>>) -> f32 {
///     x.iter().sum()
/// }
/// fn double(x: &mut ArrayRef<f32, impl Rank<2>>) {
///     x.for_each_mut(|_, element| *element *= 2.0);
/// }
/// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
/// let mut array = Array::from_fn(layout, |at| at[1] as f32)?.ranked::<2>()?;
/// assert_eq!((sum(&array), sum(&array.as_view())), (6.0, 6.0));
/// let (_, mut right) = array.split_at_mut::<1>(1)?;
/// double(&mut right);
/// assert_eq!((sum(&right), sum(&array)), (12.0, 12.0));
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
// Invariant: a reference to it is one to an `ArrayBase` with a storage of items `T`, and a unique
// reference is one to an `ArrayBase` whose storage can be written to.
#[repr(C)]
pub struct ArrayRef<T, L, End: ?Sized = [()]> {
    first: NonNull<T>,
    /// Of a part, its complement (`part_items::len_of`).
    len: usize,
    pub(super) layout: L,
    end: End,
}

// SAFETY: a shared reference gives `&T` and `&L`.
unsafe impl<T: Sync, L: Sync, End: ?Sized> Sync for ArrayRef<T, L, End> {}
// SAFETY: a unique reference gives `&mut T` and `&mut L`.
unsafe impl<T: Send, L: Send, End: ?Sized> Send for ArrayRef<T, L, End> {}

impl<T, L> ArrayRef<T, L> {
    /// The items, for this borrow.
    #[inline(always)]
    pub(super) fn items(&self) -> PartItems<'_, T> {
        // SAFETY: the invariant: the storage of an array is borrowed, and so its items are not
        // written.
        unsafe { PartItems::from_raw(self.first, part_items::len_of(self.len)) }
    }

    /// The whole array under another layout that is the same memory map.
    #[inline(always)]
    pub(crate) fn with_same_memory<M>(&self, layout: M) -> View<'_, T, M> {
        ArrayBase {
            data: self.items(),
            layout,
        }
    }

    /// The items to write, for this borrow.
    #[inline(always)]
    pub(super) fn items_mut(&mut self) -> PartItemsMut<'_, T> {
        // SAFETY: the invariant: a storage that can be written to is borrowed, and by nothing else.
        unsafe { PartItemsMut::from_raw(self.first, part_items::len_of(self.len)) }
    }

    /// The items to write, for this borrow, and the layout.
    #[inline(always)]
    pub(super) fn items_mut_and_layout(&mut self) -> (PartItemsMut<'_, T>, &L) {
        let len = part_items::len_of(self.len);
        // SAFETY: as in `items_mut`. The layout is not one of the items.
        let items = unsafe { PartItemsMut::from_raw(self.first, len) };
        (items, &self.layout)
    }

    /// Whether padding belongs to the array: it has a slice of memory, and is no part of another
    /// array.
    #[doc(hidden)]
    #[inline]
    pub const fn owns_memory(&self) -> bool {
        !part_items::is_part(self.len)
    }

    /// The memory as a slice, padding included; `None` for a part between whose elements others
    /// lie.
    ///
    /// ```
    /// use xlayout_core::{Array, ArrayRef, DynLayout};
    /// fn slice(x: &ArrayRef<f32, DynLayout>) -> Option<&[f32]> {
    ///     x.as_slice()
    /// }
    /// let array = Array::<f32, DynLayout>::zeros("f32[2,3]{1,0:T(2,2)}".parse()?)?;
    /// assert_eq!(slice(&array), Some(&[0.0; 8][..]));
    /// let part = array.region([0, 0], [2, 2])?;
    /// assert!(part.as_slice().is_some());
    /// let part = array.region([0, 0], [1, 3])?;
    /// assert!(part.as_slice().is_none());
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline]
    pub fn as_slice(&self) -> Option<&[T]>
    where
        T: Element,
        L: ArrayLayout,
    {
        self.has_slice().then(|| self.items().all())
    }

    /// The memory as a slice to write: see [`as_slice`](Self::as_slice).
    #[inline]
    pub fn as_mut_slice(&mut self) -> Option<&mut [T]>
    where
        T: Element,
        L: ArrayLayout,
    {
        self.has_slice().then(|| self.items_mut().into_all())
    }

    /// Whether each item belongs to the array: it is no part, or a part whose elements are all of
    /// its items.
    fn has_slice(&self) -> bool
    where
        L: ArrayLayout,
    {
        self.owns_memory() || L::UNIQUE && self.layout.is_exhaustive()
    }
}

/// The fields of an array with this storage and this layout are where those of an [`ArrayRef`] are.
struct SameFields<S, L>(S, L);

impl<S: Storage, L> SameFields<S, L> {
    const CHECKED: () = {
        type Sized<T, L> = ArrayRef<T, L, [(); 0]>;
        assert!(size_of::<S>() == offset_of!(Sized<S::Item, L>, len) + size_of::<usize>());
        assert!(align_of::<S>() == align_of::<usize>());
        assert!(offset_of!(Sized<S::Item, L>, first) == 0);
        assert!(offset_of!(ArrayBase<S, L>, data) == 0);
        assert!(offset_of!(ArrayBase<S, L>, layout) == offset_of!(Sized<S::Item, L>, layout));
        assert!(size_of::<ArrayBase<S, L>>() == size_of::<Sized<S::Item, L>>());
        assert!(align_of::<ArrayBase<S, L>>() == align_of::<Sized<S::Item, L>>());
    };
}

/// A reference to a slice is its address and then its length. Rust does not promise the sequence,
/// so each compiler is asked.
const SLICE_IS_ADDRESS_AND_LENGTH: () = {
    let slice: &[u8] = &[0; 3];
    // SAFETY: a reference to a slice has two words, which this type takes whatever they are.
    let words: [MaybeUninit<usize>; 2] = unsafe { core::mem::transmute(slice) };
    // SAFETY: both words are initialized. An address is no number at compile time, and then this
    // does not compile.
    assert!(unsafe { words[1].assume_init() } == 3);
};

impl<S: Storage, L> Deref for ArrayBase<S, L> {
    type Target = ArrayRef<S::Item, L>;

    #[inline(always)]
    fn deref(&self) -> &ArrayRef<S::Item, L> {
        const {
            let () = SLICE_IS_ADDRESS_AND_LENGTH;
            let () = SameFields::<S, L>::CHECKED;
        }
        let array: *const ArrayRef<S::Item, L, [(); 0]> = core::ptr::from_ref(self).cast();
        // SAFETY: the storage begins with its address and its length: slices as checked above, the
        // other storages by `repr(C)`. The layout is at the same offset, and so all fields of
        // `ArrayRef` are there.
        unsafe { &*array }
    }
}

impl<S: StorageMut, L> DerefMut for ArrayBase<S, L> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut ArrayRef<S::Item, L> {
        const {
            let () = SLICE_IS_ADDRESS_AND_LENGTH;
            let () = SameFields::<S, L>::CHECKED;
        }
        let array: *mut ArrayRef<S::Item, L, [(); 0]> = core::ptr::from_mut(self).cast();
        // SAFETY: as in `deref`. The fields are private, so that nobody writes an address or a
        // length.
        unsafe { &mut *array }
    }
}
