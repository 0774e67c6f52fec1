//! Arrays: memory and a layout that were checked against each other once.

use super::several::Several;
use super::storage::{Borrowed, PartItems, PartItemsMut, SliceStorage, SliceStorageMut, Take};
use super::stored::{Stored, check_element};
#[cfg(feature = "alloc")]
use super::{
    storage::Owned,
    stored::{padding_value, room},
};
use crate::array_layout::ArrayLayout;
use crate::element::{Element, StoredAs};
use crate::layout_error::LayoutError;
use crate::layouts::DynLayout;
use crate::layouts::types::FromDynLayout;

/// The elements of an array in memory, padding included, with their layout.
///
/// Length and element type are checked once, when it is made. After that an access by typed
/// [`Index`](crate::Index) or [`LinearIndex`](crate::LinearIndex) checks nothing where the layout's
/// type fixes the sizes ([`FixedSizes`](crate::FixedSizes)); elsewhere an `Index` is checked
/// against the view's own layout, and a `LinearIndex` does not compile. An access by `[[i, j]]` is
/// checked.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_core::{Index, SliceView};
///
/// // layout!(f32[2,3]{0,1})
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
///
/// let data = [0.0_f32, 3.0, 1.0, 4.0, 2.0, 5.0];
/// let view = SliceView::new(A::NEW, &data[..]).unwrap();
/// assert_eq!(view[[1, 2]], 5.0);
/// assert_eq!(view[const { Index::<A>::at([0, 1]) }], 1.0);
/// assert!(SliceView::new(A::NEW, &data[..5]).is_err());
/// ```
#[derive(Clone, Copy)]
#[repr(C)]
pub struct ArrayBase<S, L> {
    /// Invariant: as many elements as the layout has places, or of packed elements as many bytes.
    pub(super) data: S,
    pub(super) layout: L,
}

impl<S: SliceStorage<Item: Element>, L: ArrayLayout> ArrayBase<S, L> {
    /// The array in `data`, which holds all allocated elements, padding included. In a constant or
    /// a `static`: [`of_array`](ArrayBase::of_array).
    ///
    /// # Errors
    /// When the length is not the number of allocated elements, when the element type is not the
    /// layout's, or when the layout packs elements into fewer bits.
    #[doc(alias = "from_shape_vec")]
    pub fn new(layout: L, data: S::Memory) -> Result<Self, LayoutError>
    where
        L::Type: StoredAs<S::Item>,
    {
        const { L::LOWERED }
        let data: S = data.into();
        check_element::<S::Item>(&layout)?;
        let expected = layout.buffer_len();
        let found = data.items().len();
        if expected != found {
            return Err(LayoutError::Length { expected, found });
        }
        Ok(Self { data, layout })
    }
}

// The bounds are at the functions: there the compiler says why a part has no memory, and what to
// use.
impl<S, L: ArrayLayout> ArrayBase<S, L> {
    /// The memory, padding included, in the sequence of memory.
    #[doc(alias = "as_slice")]
    #[inline(always)]
    pub fn memory(&self) -> &[S::Item]
    where
        S: SliceStorage,
    {
        self.data.items()
    }

    /// The memory of a view, padding included. That of an array is [`Array::into_vec`].
    pub fn into_memory(self) -> S::Memory
    where
        S: SliceStorage + Borrowed,
    {
        self.data.into()
    }

    /// The same array with a brand, so that its indices need no check although only the run time
    /// knows the sizes; see [`branded`](crate::branded).
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, ArrayLayout};
    /// let layout: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
    /// let array = Array::from_fn(layout, |at| at[1] as f32).unwrap();
    /// let sum: f32 = array.branded(|view| {
    ///     let indices = view.layout().indices();
    ///     indices.map(|index| view[index]).sum() // no access is checked
    /// });
    /// assert_eq!(sum, 6.0);
    /// ```
    pub fn branded<R>(
        &self,
        call: impl for<'id> FnOnce(SliceView<'_, S::Item, crate::BrandedLayout<'id, L>>) -> R,
    ) -> R
    where
        S: SliceStorage,
    {
        crate::branded(self.layout.clone(), |layout| {
            call(ArrayBase {
                data: self.data.items(),
                layout,
            })
        })
    }
}

impl<S: SliceStorage, L: ArrayLayout> ArrayBase<S, L> {
    /// This array, borrowed as a slice and a layout. The compiler knows that a slice shares no
    /// memory with another that is written to, so loops over several arrays may be faster.
    #[inline(always)]
    pub fn as_slice_view(&self) -> SliceView<'_, S::Item, L> {
        ArrayBase {
            data: self.data.items(),
            layout: self.layout.clone(),
        }
    }
}

impl<S: SliceStorageMut, L: ArrayLayout> ArrayBase<S, L> {
    /// As [`as_slice_view`](Self::as_slice_view), to write.
    #[inline(always)]
    pub fn as_slice_view_mut(&mut self) -> SliceViewMut<'_, S::Item, L> {
        ArrayBase {
            layout: self.layout.clone(),
            data: self.data.items_mut(),
        }
    }
}

impl<S, L> ArrayBase<S, L> {
    /// The same memory under another layout that is the same memory map.
    pub(crate) fn with_equal_layout<M>(self, layout: M) -> ArrayBase<S, M> {
        ArrayBase {
            data: self.data,
            layout,
        }
    }
}

impl<S, L: ArrayLayout> ArrayBase<S, L> {
    /// The memory, padding included, in the sequence of memory.
    #[doc(alias = "as_mut_slice")]
    #[inline(always)]
    pub fn memory_mut(&mut self) -> &mut [S::Item]
    where
        S: SliceStorageMut,
    {
        self.data.items_mut()
    }
}

#[cfg(feature = "alloc")]
// It is in the module of its type, because the compiler prints the path of any other module. The
// bounds are at the functions: there the compiler says which is not met, and `Element` says what
// to do; at the `impl` it says that the function is not found.
impl<T, L: ArrayLayout> Array<T, L> {
    /// The memory, padding included.
    #[must_use]
    pub fn into_vec(self) -> alloc::vec::Vec<T> {
        self.data.into()
    }

    /// An array of zeros; its padding has the layout's padding value, zero where it names none or
    /// elements are packed.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout, LayoutError, Packed};
    /// let layout: DynLayout = "f32[2,3]{1,0:T(2,4)}".parse().unwrap();
    /// let array = Array::<f32, _>::zeros(layout).unwrap();
    /// assert_eq!(array.memory(), [0.0; 8]);
    ///
    /// let large: DynLayout = "u8[1000000000]".parse::<DynLayout>().unwrap();
    /// assert!(matches!(Array::<f32, _>::zeros(large), Err(LayoutError::ElementType { .. })));
    ///
    /// let packed: DynLayout = "s4[2,3]{1,0:T(2,4)E(4)}".parse().unwrap();
    /// let mut array = Array::<Packed, _>::zeros(packed).unwrap();
    /// array.set_at([1, 2], 7);
    /// assert_eq!((array.at([1, 2]), array.as_bytes()), (7, &[0, 0, 0, 7][..]));
    /// ```
    ///
    /// # Errors
    /// When the element type is not the layout's, or the layout packs elements and `T` is not
    /// [`Packed`](crate::Packed), or the reverse, before memory is asked for;
    /// [`LayoutError::OutOfMemory`] if there is not enough memory.
    pub fn zeros(layout: L) -> Result<Self, LayoutError>
    where
        T: Stored,
        L::Type: StoredAs<T>,
    {
        const { L::LOWERED }
        Self::zeros_of(layout)
    }

    /// As [`zeros`](Self::zeros), where only the run time compares the element types.
    pub(crate) fn zeros_of(layout: L) -> Result<Self, LayoutError>
    where
        T: Stored,
    {
        check_element::<T>(&layout)?;
        let items = T::items(&layout);
        let mut zeros = room(
            items,
            layout.element_type(),
            layout.buffer_len(),
            layout.bytes(),
        )?;
        zeros.resize(items, T::ZEROS);
        Ok(of_zeros(zeros, layout))
    }

    /// An array whose elements all have this value; its padding has the layout's padding value.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "f32[2,3]".parse()?;
    /// let array = Array::full(layout, 0.5_f32)?;
    /// assert!(array.iter().all(|&element| element == 0.5));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As [`zeros`](Self::zeros).
    #[doc(alias("ones", "from_elem", "filled"))]
    pub fn full(layout: L, value: T) -> Result<Self, LayoutError>
    where
        T: Element,
        L::Type: StoredAs<T>,
    {
        const { L::LOWERED }
        Self::from_fn(layout, |_| value)
    }

    /// An array with the elements of a slice in logical sequence, row-major: the last dimension
    /// fastest. Its padding has the layout's padding value.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[2,3]{0,1}".parse()?;
    /// let array = Array::from_row_major(layout, &[0, 1, 2, 10, 11, 12])?;
    /// assert_eq!(array.memory(), [0, 10, 1, 11, 2, 12]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Elements`] when there are not as many items as elements; else as
    /// [`Array::zeros`].
    #[doc(alias = "from_vec")]
    pub fn from_row_major(layout: L, items: &[T]) -> Result<Self, LayoutError>
    where
        T: Element,
        L::Type: StoredAs<T>,
    {
        const { L::LOWERED }
        let mut array = Self::zeros(layout)?;
        array.copy_from_row_major(items)?;
        Ok(array)
    }

    /// An array with an element for each index; its padding has the layout's padding value.
    ///
    /// ```
    /// use xlayout_core::{Array, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "s32[2,3]{0,1}".parse().unwrap();
    /// let array = Array::from_fn(layout, |&[y, x]| (10 * y + x) as i32).unwrap();
    /// assert_eq!(array.memory(), [0, 10, 1, 11, 2, 12]);
    /// ```
    ///
    /// # Errors
    /// As [`Array::zeros`].
    pub fn from_fn(
        layout: L,
        mut element: impl FnMut(&L::Coordinates) -> T,
    ) -> Result<Self, LayoutError>
    where
        T: Element,
        L::Type: StoredAs<T>,
    {
        const { L::LOWERED }
        let mut array = Self::zeros(layout)?;
        array.for_each_in_memory_mut(|index, slot| *slot = element(index));
        Ok(array)
    }
}

/// A borrowed array whose memory is a slice, such as `SliceView<'a, f32, layout!(f32[2,3]{0,1})>`.
///
/// [`SliceView::new`](ArrayBase::new) compares the length and the element type of the slice with
/// the layout, once. A [`View`](crate::View) has an address instead, because elements of other
/// parts may lie between its elements; of a slice the compiler knows that nothing else writes to
/// it. A function takes [`&ArrayRef`](super::ArrayRef), which both are, and an array. Its methods
/// are those of [`ArrayBase`].
///
/// ```
/// use xlayout_core::{DynLayout, SliceView};
///
/// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
/// let view = SliceView::new(&layout, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0][..])?;
/// assert_eq!(view[[1, 2]], 6.0);
/// assert!(SliceView::new(&layout, &[1.0_f32, 2.0][..]).is_err()); // 6 elements are needed
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type SliceView<'a, T, L> = ArrayBase<&'a [T], L>;

/// A borrowed array whose memory is a slice, and that can be written to.
///
/// ```
/// use xlayout_core::{DynLayout, SliceViewMut};
///
/// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
/// let mut memory = [0.0_f32; 6];
/// let mut view = SliceViewMut::new(layout, &mut memory[..])?;
/// view[[1, 2]] = 6.0;
/// assert_eq!(memory[5], 6.0);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type SliceViewMut<'a, T, L> = ArrayBase<&'a mut [T], L>;

/// An array that owns its memory.
///
/// [`as_view`](ArrayBase::as_slice_view) and [`as_view_mut`](ArrayBase::as_slice_view_mut) borrow
/// it.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
///
/// let layout: DynLayout = "f32[2,3]{1,0:T(2,2)}".parse()?;
/// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as f32)?;
/// assert_eq!(array[[1, 2]], 12.0);
/// assert_eq!(array.memory().len(), 8); // 6 elements and 2 of padding
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[cfg(feature = "alloc")]
pub type Array<T, L> = ArrayBase<Owned<T>, L>;

/// A borrowed array, or a part of one. Elements of other parts may be between its elements, so it
/// has an address and no slice.
///
/// [`split_at`](crate::ArrayRef::split_at), [`chunks`](crate::ArrayRef::chunks),
/// [`tiles`](crate::ArrayRef::tiles), [`region`](crate::ArrayRef::region),
/// [`with_step`](crate::ArrayRef::with_step) and [`broadcast`](crate::ArrayRef::broadcast) make it
/// of a part. A function takes [`&ArrayRef`](crate::ArrayRef), which a view and an array are. A
/// struct names the layout of the part, which is not that of the array:
/// `View<'a, f32, <A as ArrayLayout>::Region<'a>>` of a region, a slice, a half or a chunk of an
/// array with layout `A`.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
///
/// let layout: DynLayout = "f32[4,6]{1,0:T(2,2)}".parse()?;
/// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as f32)?;
/// let part = array.region([2, 2], [2, 4])?; // rows 2 to 3, columns 2 to 5
/// assert_eq!((part[[0, 0]], part[[1, 3]]), (22.0, 35.0));
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type View<'a, T, L> = ArrayBase<PartItems<'a, T>, L>;

/// A borrowed array, or a part of one, that can be written to. Threads may write to several parts
/// of one array.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
///
/// let layout: DynLayout = "f32[4,6]{1,0:T(2,2)}".parse()?;
/// let mut array = Array::<f32, _>::zeros(layout)?;
/// let (mut top, mut bottom) = array.split_at_mut::<0>(2)?;
/// top.fill(1.0);
/// bottom.fill(2.0);
/// assert_eq!((array[[1, 5]], array[[2, 5]]), (1.0, 2.0));
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
pub type ViewMut<'a, T, L> = ArrayBase<PartItemsMut<'a, T>, L>;

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

impl<S, L: FromDynLayout> TryFrom<ArrayBase<S, DynLayout>> for ArrayBase<S, L> {
    type Error = LayoutError;
    /// The same array with a layout whose type says more.
    ///
    /// # Errors
    /// The first thing that differs.
    fn try_from(array: ArrayBase<S, DynLayout>) -> Result<Self, LayoutError> {
        let layout = L::from_dyn(&array.layout)?;
        Ok(array.with_equal_layout(layout))
    }
}

impl<S, L: FromDynLayout + Into<DynLayout>> From<ArrayBase<S, L>> for ArrayBase<S, DynLayout> {
    /// The same array with a layout that only the run time knows, so that arrays of several layouts
    /// have one type.
    ///
    /// ```
    /// use xlayout_core::types::{MinorToMajor, Nat, StaticLayout};
    /// use xlayout_core::{Array, ConstLayout, DynLayout};
    /// // layout!(f32[2,3])
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
    /// let typed = Array::from_fn(A::NEW, |&[i, j]| (3 * i + j) as f32)?;
    /// let read = Array::zeros("f32[7]{0:T(4)}".parse::<DynLayout>()?)?;
    /// let arrays: Vec<Array<f32, DynLayout>> = vec![typed.into(), read];
    /// assert_eq!((arrays[0][&[1, 2]], arrays[1].len()), (5.0, 7));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    fn from(array: ArrayBase<S, L>) -> Self {
        let layout = array.layout.clone().into();
        array.with_equal_layout(layout)
    }
}

/// The elements of a view, copied.
#[cfg(feature = "alloc")]
impl<T: Element, L: ArrayLayout> From<SliceView<'_, T, L>> for Array<T, L> {
    fn from(view: SliceView<'_, T, L>) -> Self {
        ArrayBase {
            data: view.data.to_vec().into(),
            layout: view.layout,
        }
    }
}

/// The array of a memory of zeros, as long as the items of the layout.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn of_zeros<T: Stored, L: ArrayLayout>(
    zeros: alloc::vec::Vec<T>,
    layout: L,
) -> Array<T, L> {
    let data = zeros.into();
    let mut array = ArrayBase { data, layout };
    if let Some(value) = T::padding(padding_value(&array.layout)) {
        array.fill_padding_with(value);
    }
    array
}

/// The part of an array with a layout, from a place on.
#[inline(always)]
pub(super) fn part_of<S: Take<Item: Stored>, L: ArrayLayout>(
    data: S,
    (first, layout): (usize, L),
) -> ArrayBase<S, L> {
    ArrayBase {
        data: data.take_items(first, S::Item::items(&layout)),
        layout,
    }
}

/// One of the parts of an array that is divided. The caller (this module's siblings only) promises
/// to take none twice.
#[inline(always)]
pub(super) fn part_among<S: Take<Item: Stored>, L: ArrayLayout>(
    parts: &mut Several<S>,
    (first, layout): (usize, L),
) -> ArrayBase<S, L> {
    ArrayBase {
        data: parts.take_items(first, S::Item::items(&layout)),
        layout,
    }
}
