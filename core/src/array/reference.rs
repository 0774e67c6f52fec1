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

#[cfg(feature = "alloc")]
use super::base::{Array, of_zeros};
use super::base::{ArrayBase, View, ViewMut};
use super::storage::{Inside, PartItems, PartItemsMut, Storage, StorageMut, is_part, len_of};
use super::stored::Stored;
use crate::array_layout::ArrayLayout;
use crate::element::Element;
use crate::shape::ArrayShape;
#[cfg(feature = "alloc")]
use crate::{array_layout::sealed::Token, layout_error::LayoutError};

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
///     x.for_each_in_memory_mut(|_, element| *element *= 2.0);
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
    /// Of a part, its complement (`len_of`).
    len: usize,
    pub(super) layout: L,
    end: End,
}

// SAFETY: a shared reference gives `&T` and `&L`.
unsafe impl<T: Sync, L: Sync, End: ?Sized> Sync for ArrayRef<T, L, End> {}
// SAFETY: a unique reference gives `&mut T` and `&mut L`.
unsafe impl<T: Send, L: Send, End: ?Sized> Send for ArrayRef<T, L, End> {}

impl<T, L> ArrayRef<T, L> {
    /// The layout.
    #[inline(always)]
    pub const fn layout(&self) -> &L {
        &self.layout
    }

    /// The items, for this borrow.
    #[inline(always)]
    pub(super) fn items(&self) -> PartItems<'_, T> {
        // SAFETY: the invariant: the storage of an array is borrowed, and so its items are not
        // written.
        unsafe { PartItems::from_raw(self.first, len_of(self.len)) }
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
        unsafe { PartItemsMut::from_raw(self.first, len_of(self.len)) }
    }

    /// The items to write, for this borrow, and the layout.
    #[inline(always)]
    pub(super) fn items_mut_and_layout(&mut self) -> (PartItemsMut<'_, T>, &L) {
        let len = len_of(self.len);
        // SAFETY: as in `items_mut`. The layout is not one of the items.
        let items = unsafe { PartItemsMut::from_raw(self.first, len) };
        (items, &self.layout)
    }

    /// Whether padding belongs to the array: it has a slice of memory, and is no part of another
    /// array.
    #[doc(hidden)]
    #[inline]
    pub const fn owns_memory(&self) -> bool {
        !is_part(self.len)
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
        let () = SLICE_IS_ADDRESS_AND_LENGTH;
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
        const { SameFields::<S, L>::CHECKED }
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
        const { SameFields::<S, L>::CHECKED }
        let array: *mut ArrayRef<S::Item, L, [(); 0]> = core::ptr::from_mut(self).cast();
        // SAFETY: as in `deref`. The fields are private, so that nobody writes an address or a
        // length.
        unsafe { &mut *array }
    }
}

impl<T, L: ArrayLayout> ArrayRef<T, L> {
    /// The size of each dimension, in elements; of a dynamic one its bound. What XLA calls a shape
    /// is [`array_shape`](Self::array_shape).
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let array = Array::<f32, _>::zeros(DynLayout::new("f32[2,3]{1,0:T(2,2)}")?.ranked::<2>()?)?;
    /// assert_eq!(array.shape(), [2, 3]);
    /// assert_eq!((array.len(), array.memory().len()), (6, 8)); // 2 elements of padding
    /// // tiles have no stride for each dimension
    /// assert_eq!((array.rank(), array.strides()), (2, None));
    /// assert_eq!(array.array_shape().to_string(), "f32[2,3]{1,0:T(2,2)}");
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline]
    #[doc(alias("nrows", "extent", "sizes"))]
    #[must_use]
    pub fn shape(&self) -> L::Coordinates {
        self.layout.shape()
    }

    /// The number of elements, without padding.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.layout.elements()
    }

    /// Whether a dimension has size 0.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of dimensions.
    #[doc(alias = "ndim")]
    #[inline]
    #[must_use]
    pub fn rank(&self) -> usize {
        self.layout.rank()
    }

    /// The stride of each dimension in elements; `None` if a dimension has none: see
    /// [`ArrayLayout::strides`].
    #[inline]
    #[must_use]
    pub fn strides(&self) -> Option<L::Coordinates> {
        self.layout.strides()
    }

    /// Element type, sizes and layout as XLA writes them: `f32[2,3]{0,1}`.
    #[must_use]
    pub fn array_shape(&self) -> ArrayShape {
        self.layout.array_shape()
    }
}

#[cfg(feature = "alloc")]
impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// An array of zeros of the same sizes, with the layout of a copy: see
    /// [`to_owned`](Self::to_owned). Its padding has the layout's padding value. It needs no bound
    /// in functions for any layout.
    ///
    /// ```
    /// use xlayout_core::{Array, ArrayRef, LayoutError, Rank, StridedLayout};
    /// fn doubled<L: Rank<2>>(a: &ArrayRef<f32, L>) -> Result<Array<f32, L::Owned>, LayoutError> {
    ///     let mut double = a.zeros_like()?;
    ///     double.for_each_in_memory_mut(|&at, x| *x = 2.0 * a[at]);
    ///     Ok(double)
    /// }
    /// let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse()?;
    /// let array = Array::from_fn(layout, |&[i, j]| (i + j) as f32)?;
    /// assert_eq!(doubled(&array)?[[1, 2]], 6.0);
    /// # Ok::<(), LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::OutOfMemory`].
    pub fn zeros_like(&self) -> Result<Array<T, L::Owned>, LayoutError> {
        Array::zeros_of(self.layout.owned(Token))
    }

    /// An array of its own with the same elements. Its layout is this one, and its padding is
    /// copied, too; of a part, between whose elements others lie, the layout is
    /// [`ArrayLayout::Owned`].
    ///
    /// ```
    /// use xlayout_core::{Array, ArrayLayout, DynLayout, SliceView};
    /// let layout: DynLayout = "s32[4,2]".parse()?;
    /// let array = SliceView::new(layout, &[0, 1, 10, 11, 20, 21, 30, 31][..])?.to_owned();
    /// let column: Array<i32, _> = array.slice::<1>(1..)?.to_owned();
    /// assert_eq!(column.layout().strides(), Some([1, 1].into()));
    /// assert_eq!(column.memory(), [1, 11, 21, 31]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[doc(alias = "to_array")]
    #[must_use]
    pub fn to_owned(&self) -> Array<T, L::Owned> {
        let layout = self.layout.owned(Token);
        if self.keeps_places(&layout) && self.owns_memory() {
            // As many items as the layout has places: the invariant of `self`.
            let data = self.items().all().to_vec().into();
            return ArrayBase { data, layout };
        }
        let zeros = alloc::vec![T::ZEROS; T::items(&layout)];
        let mut copy = of_zeros(zeros, layout);
        self.map_into(&mut copy, T::number);
        copy
    }

    /// Whether an element has the same place in the layout of a copy. Only the layout of a part, or
    /// of strides with gaps, is another one, and then without gaps.
    #[inline(always)]
    pub(super) fn keeps_places(&self, owned: &L::Owned) -> bool {
        L::OWNS_PADDING && self.layout.buffer_len() == owned.buffer_len()
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The element at a linear index that is proven, as [`Inside`] says.
    #[inline(always)]
    pub(super) fn read(&self, linear: usize) -> T::Ref<'_> {
        T::read(self.items(), &self.layout, Inside::of(linear))
    }

    /// The whole array, borrowed: a value that is passed on, kept in a struct, or sliced by
    /// [`into_slice`](ArrayBase::into_slice).
    ///
    /// ```
    /// use xlayout_core::{Array, ArrayRef, DynLayout, View};
    /// struct Two<'a, L>(View<'a, f32, L>, View<'a, f32, L>);
    /// fn pair<'a, L: xlayout_core::ArrayLayout>(a: &'a ArrayRef<f32, L>) -> Two<'a, L> {
    ///     Two(a.as_view(), a.as_view())
    /// }
    /// let array = Array::<f32, DynLayout>::zeros("f32[2,3]".parse()?)?;
    /// assert_eq!(pair(&array).0, pair(&array).1);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[doc(alias = "view")]
    #[inline(always)]
    pub fn as_view(&self) -> View<'_, T, L> {
        self.with_same_memory(self.layout.clone())
    }

    /// The address of linear index 0, for other libraries. The element at an index is at its linear
    /// index from there. Of a part, only the elements may be read: others lie between them.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, Array, DynLayout};
    /// let layout: DynLayout = "s32[2,5]{1,0}".parse()?;
    /// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?;
    /// let part = array.with_step::<1>(1.., 2)?;
    /// let offset = part.as_ptr().addr() - array.as_ptr().addr();
    /// assert_eq!((offset, part.layout().strides().unwrap().as_ref()), (4, &[5, 2][..]));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn as_ptr(&self) -> *const T {
        self.items().address()
    }

    /// The whole array, borrowed to write: see [`as_view`](ArrayRef::as_view).
    #[doc(alias = "view_mut")]
    #[inline(always)]
    pub fn as_view_mut(&mut self) -> ViewMut<'_, T, L> {
        ArrayBase {
            layout: self.layout.clone(),
            data: self.items_mut(),
        }
    }

    /// The address of linear index 0, to write: see [`as_ptr`](ArrayRef::as_ptr). Of a part, only
    /// the elements may be written.
    #[inline(always)]
    pub fn as_mut_ptr(&mut self) -> *mut T {
        self.items_mut().address()
    }
}

// A part is `Clone`, so that without this method the `to_owned` of Rust's library is found: another
// part. A tile has one, too.
#[cfg(feature = "alloc")]
impl<S: Storage<Item: Stored>, L: ArrayLayout> ArrayBase<S, L> {
    /// As [`ArrayRef::to_owned`].
    #[doc(hidden)]
    #[must_use]
    pub fn to_owned(&self) -> Array<S::Item, L::Owned> {
        ArrayRef::to_owned(self)
    }
}
