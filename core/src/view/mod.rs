//! Arrays: a slice and a layout that were checked against each other once.

mod aliases;
mod array_ref;
mod axis_index;
mod bitcast;
mod chunks;
mod convert;
mod debug;
mod elements;
mod firsts;
mod index;
mod into_iter;
#[cfg(all(test, feature = "std"))]
mod kinds_tests;
mod lend;
mod line;
mod make;
mod measures;
#[cfg(feature = "alloc")]
mod owned;
mod padding;
mod part_items;
mod parts;
mod places;
mod rearrange;
mod renamed;
mod several;
mod slices;
mod storage;
mod stored;
#[cfg(all(test, feature = "std"))]
mod tests;
mod tiles;
mod unchecked;

use core::ops::{Index as At, IndexMut as AtMut};

#[cfg(feature = "alloc")]
pub use aliases::Array;
pub use aliases::{SliceView, SliceViewMut};
pub use array_ref::ArrayRef;
pub use chunks::{Chunks, ChunksMut};
use firsts::Firsts;
pub use index::ViewIndex;
pub use into_iter::{Elements, ElementsMut};
pub use line::{Rows, Slices, SlicesMut};
pub use nested::NestedArray;
#[cfg(feature = "alloc")]
pub use owned::Owned;
pub use packed::Packed;
use part_items::TakeOne;
pub use part_items::{PartItems, PartItemsMut};
pub use parts::{View, ViewMut};
use places::assert_unique;
pub use storage::{Borrowed, SliceStorage, SliceStorageMut, Storage, StorageMut};
use stored::Addressed;
pub(crate) use stored::Stored;
pub use tiles::{Tile, TileView, TileViewMut, TileViews, TileViewsMut};
use unchecked::Inside;

use crate::array_layout::ArrayLayout;
use crate::array_layout::sealed::Token;
use crate::element::{Element, StoredAs};
use crate::layout_error::LayoutError;

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
    data: S,
    layout: L,
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
        make::check_element::<S::Item>(&layout)?;
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

impl<T, L> ArrayRef<T, L> {
    /// The layout.
    #[inline(always)]
    pub const fn layout(&self) -> &L {
        &self.layout
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The element at an index, which is what `array[index]` takes, or of packed elements
    /// [`at`](Self::at); `None` out of bounds.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    ///
    /// let layout: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
    /// let mut array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as f32).unwrap();
    /// assert_eq!(array.memory(), [0.0, 10.0, 1.0, 11.0, 2.0, 12.0]);
    /// assert_eq!((array.get([1, 2]), array.get([2, 0])), (Some(&12.0), None));
    /// *array.get_mut([1, 2]).unwrap() = 7.0;
    /// array.for_each_mut(|at, value| *value += at[1] as f32);
    /// let mut row_major = [0.0; 6];
    /// array.as_view().to_row_major(&mut row_major).unwrap();
    /// assert_eq!(row_major, [0.0, 2.0, 4.0, 10.0, 12.0, 9.0]);
    /// array.as_view_mut().copy_from_row_major(&[1.0; 6]).unwrap();
    /// array.memory_mut()[0] = 2.0;
    /// let mut sum = 0.0;
    /// array.for_each(|_, value| sum += value);
    /// assert_eq!(sum, 7.0);
    /// assert_eq!(array.layout().to_string(), "f32[2,3]{0,1}");
    /// assert_eq!(array.into_vec().len(), 6);
    /// ```
    #[inline]
    pub fn get<I: ViewIndex<L>>(&self, index: I) -> Option<T::Ref<'_>> {
        let () = I::FITS;
        let linear = index.find_in(&self.layout, Token).ok()?;
        Some(self.read(linear))
    }

    /// Visits every element with its index, in the sequence of memory. Over tiles this takes 1.0 to
    /// 1.7 times as long as over a dense array, and 2.5 times if the index of a 16-bit element is
    /// used. Padding is not visited.
    #[inline(always)]
    pub fn for_each(&self, mut visit: impl FnMut(&L::Coordinates, T::Ref<'_>)) {
        let items = self.items();
        self.layout.for_each_in_memory(
            #[inline(always)]
            |index, linear| visit(index, T::read(items, &self.layout, Inside::of(linear))),
        );
    }

    /// Puts the elements into `out` in logical sequence, row-major: the last dimension fastest.
    ///
    /// # Errors
    /// When `out` is not as long as there are elements.
    #[doc(alias = "to_vec")]
    pub fn to_row_major(&self, out: &mut [T::Number]) -> Result<(), LayoutError> {
        make::check_elements(&self.layout, out.len())?;
        let mut slots = out.iter_mut();
        self.iter().for_each(|element| {
            if let Some(slot) = slots.next() {
                *slot = T::number(element);
            }
        });
        Ok(())
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

impl<T: Element, L: ArrayLayout> ArrayRef<T, L> {
    /// The element at an index, to write; `None` out of bounds.
    #[inline]
    pub fn get_mut<I: ViewIndex<L>>(&mut self, index: I) -> Option<&mut T> {
        let () = I::FITS;
        let linear = index.find_in(&self.layout, Token).ok()?;
        let (mut items, layout) = self.items_mut_and_layout();
        Some(items.take(layout, Inside::of(linear)))
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// Visits every element with its index, in the sequence of memory. Padding is not visited. Of
    /// what `visit` leaves of the number of a packed element, the low bits are written back.
    #[inline(always)]
    pub fn for_each_mut(&mut self, mut visit: impl FnMut(&L::Coordinates, &mut T::Number)) {
        let (mut items, layout) = self.items_mut_and_layout();
        layout.for_each_in_memory(
            #[inline(always)]
            |index, linear| {
                T::change(
                    &mut items,
                    layout,
                    Inside::of(linear),
                    #[inline(always)]
                    |element| visit(index, element),
                );
            },
        );
    }

    /// Fills the elements from `items` in logical sequence, row-major: the last dimension fastest.
    /// Of numbers of packed elements, it writes the low bits.
    ///
    /// # Errors
    /// When there are not as many items as elements.
    pub fn copy_from_row_major(&mut self, items: &[T::Number]) -> Result<(), LayoutError> {
        make::check_elements(&self.layout, items.len())?;
        const { assert_unique::<L>() }
        let mut values = items.iter();
        let (mut items, layout) = self.items_mut_and_layout();
        Firsts::of_elements(layout).fold(
            (),
            #[inline(always)]
            |(), at| {
                if let Some(value) = values.next() {
                    T::write(&mut items, layout, at, *value);
                }
            },
        );
        Ok(())
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
    /// [`Packed`], or the reverse, before memory is asked for; [`LayoutError::OutOfMemory`] if
    /// there is not enough memory.
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
        make::check_element::<T>(&layout)?;
        let items = T::items(&layout);
        let mut zeros = make::room(
            items,
            layout.element_type(),
            layout.buffer_len(),
            layout.bytes(),
        )?;
        zeros.resize(items, T::ZEROS);
        Ok(make::of_zeros(zeros, layout))
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
        array.for_each_mut(|index, slot| *slot = element(index));
        Ok(array)
    }
}

// One implementation for all kinds of indices, so that a wrong one is refused by a trait of ours,
// which can say why.

impl<T: Addressed, L: ArrayLayout, I: ViewIndex<L>> At<I> for ArrayRef<T, L> {
    type Output = T;
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: I) -> &T {
        let () = I::FITS;
        let linear = index.linear_in(&self.layout, Token);
        self.items().item_of(Inside::of(linear))
    }
}

impl<T: Addressed, L: ArrayLayout, I: ViewIndex<L>> AtMut<I> for ArrayRef<T, L> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut T {
        let () = I::FITS;
        let linear = index.linear_in(&self.layout, Token);
        let (mut items, layout) = self.items_mut_and_layout();
        items.take(layout, Inside::of(linear))
    }
}

// The compiler proposes functions in this sequence: `Array::new` comes before those of packed
// arrays.
mod nested;
mod packed;
mod packed_bytes;
#[cfg(feature = "alloc")]
mod packed_make;
