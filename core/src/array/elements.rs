//! All elements of an array: visited, copied, compared.

use super::base::ArrayBase;
use super::index::ViewIndex;
use super::iterate::{Elements, ElementsMut, Firsts};
use super::reference::ArrayRef;
use super::storage::{Inside, Storage};
use super::stored::{Stored, check_elements};
#[cfg(feature = "alloc")]
use super::{
    base::{Array, of_zeros},
    stored::{SameElement, assert_element},
};
use crate::array_layout::ArrayLayout;
use crate::array_layout::sealed::Token;
use crate::coordinates::SameRank;
use crate::element::Element;
use crate::layout_error::LayoutError;
use crate::layouts::region::parts::{assert_unique, same_sizes};
#[cfg(feature = "alloc")]
use crate::{array_layout::ConstLayout, element::StoredAs};

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// The elements in logical sequence, row-major: the last dimension fastest. Padding is left
    /// out. [`for_each_in_memory`](Self::for_each_in_memory) visits them in the sequence of memory,
    /// which is faster for tiles.
    ///
    /// Of packed elements, `sum`, `for_each`, `fold` and what is built on them read a byte once for
    /// all of its elements. A `for` loop and `zip` ask for one element after the other, which takes
    /// three times as long. To go through two packed arrays at once, use the coordinates of an
    /// axis: `a.axis::<0>().map(|i| i32::from(a.at((i,))) * i32::from(b.at((i,)))).sum::<i32>()`.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[2,3]{0,1}".parse()?;
    /// let array = Array::from_fn(layout, |at| (10 * at[0] + at[1]) as i32)?;
    /// assert_eq!(array.iter().copied().collect::<Vec<i32>>(), [0, 1, 2, 10, 11, 12]);
    /// assert_eq!(array.iter().max(), Some(&12));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn iter(&self) -> Elements<'_, T, L> {
        self.into_iter()
    }

    /// The elements with their indices, in logical sequence.
    ///
    /// ```
    /// use xlayout_core::{Array, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "s32[2,2]".parse()?;
    /// let array = Array::from_fn(layout, |&[i, j]| (10 * i + j) as i32)?;
    /// assert!(array.indexed_iter().all(|([i, j], &x)| x == (10 * i + j) as i32));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    pub fn indexed_iter(&self) -> impl ExactSizeIterator<Item = (L::Coordinates, T::Ref<'_>)> {
        // It follows the indices, which are taken forwards only.
        let mut firsts = Firsts::of_elements(&self.layout);
        self.layout.indices().map(
            #[inline(always)]
            move |index| {
                let coordinates = index.into_coordinates();
                let linear = firsts.next_at(&coordinates);
                (coordinates, self.read(linear.get()))
            },
        )
    }

    /// A new array with what `element` makes of each element, and the layout of a copy: see
    /// [`to_owned`](Self::to_owned). Of numbers of packed elements, the low bits are written.
    /// [`map_to`](Self::map_to) makes elements of another type.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "f32[2,3]{0,1}".parse()?;
    /// let array = Array::from_fn(layout, |at| at[1] as f32)?;
    /// assert_eq!(array.map(|x| 2.0 * x)?[[0, 2]], 4.0);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::OutOfMemory`].
    #[cfg(feature = "alloc")]
    #[doc(alias("mapv", "astype"))]
    pub fn map<U: SameElement<T::Number>>(
        &self,
        mut element: impl FnMut(T::Ref<'_>) -> U,
    ) -> Result<Array<T, L::Owned>, LayoutError> {
        let mut mapped = self.zeros_like()?;
        self.map_into(&mut mapped, |x| element(x).same());
        Ok(mapped)
    }

    /// A new array with a layout of the same sizes, and what `element` makes of each element: of
    /// any type that is not packed, as the layout says.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let array = Array::from_fn(DynLayout::new("f32[2,3]{0,1}")?, |at| at[1] as f32)?;
    /// let rounded = array.map_to(DynLayout::new("s32[2,3]")?, |x| *x as i32)?;
    /// assert_eq!(rounded.memory(), [0, 1, 2, 0, 1, 2]);
    ///
    /// let weights = DynLayout::new("s4[2,2]{1,0:E(4)}")?;
    /// let weights = Array::packed_from_row_major(weights, &[1, 2, 15, 4])?;
    /// let scaled = weights.map_to(DynLayout::new("f32[2,2]")?, |x| 0.5 * f32::from(x))?;
    /// assert_eq!(scaled.memory(), [0.5, 1.0, -0.5, 2.0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Rank`] or [`LayoutError::Size`] when the sizes differ; else as
    /// [`Array::zeros`](Array::zeros).
    #[cfg(feature = "alloc")]
    #[doc(alias("mapv", "astype", "cast"))]
    pub fn map_to<U: Element, M: ArrayLayout>(
        &self,
        layout: M,
        mut element: impl FnMut(T::Ref<'_>) -> U,
    ) -> Result<Array<U, M>, LayoutError>
    where
        M::Type: StoredAs<U>,
    {
        let sizes = self.layout.shape();
        same_sizes(sizes.as_ref(), layout.shape().as_ref())?;
        let mut mapped = Array::zeros(layout)?;
        let pairs = mapped.iter_mut().zip(self);
        pairs.for_each(|(to, from)| *to = element(from));
        Ok(mapped)
    }

    /// A copy with another layout of the same sizes, and of the same element type where elements
    /// are packed. For large arrays, `relayout` of `xlayout-relayout` is faster.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let rows = Array::from_row_major(DynLayout::new("s32[2,3]")?, &[0, 1, 2, 10, 11, 12])?;
    /// let columns = rows.to_layout(DynLayout::new("s32[2,3]{0,1}")?)?;
    /// assert_eq!(columns.memory(), [0, 10, 1, 11, 2, 12]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// As [`assign`](Self::assign); else as [`Array::zeros`](Array::zeros).
    #[cfg(feature = "alloc")]
    pub fn to_layout<M: ArrayLayout>(&self, layout: M) -> Result<Array<T, M>, LayoutError>
    where
        M::Type: StoredAs<T>,
    {
        check_copy::<T>(self.layout(), &layout)?;
        let mut copy = Array::zeros(layout)?;
        copy.assign(self)?;
        Ok(copy)
    }

    /// Sets the elements of an array with the layout of a copy.
    #[cfg(feature = "alloc")]
    #[inline(always)]
    pub(super) fn map_into(
        &self,
        to: &mut ArrayRef<T, L::Owned>,
        mut element: impl FnMut(T::Ref<'_>) -> T::Number,
    ) {
        let keeps_places = self.keeps_places(&to.layout);
        let (mut slots, layout) = to.items_mut_and_layout();
        self.layout.for_each_in_memory(
            #[inline(always)]
            |at, linear| {
                // The layouts have the same sizes, so that the index is in bounds of both.
                let place = if keeps_places {
                    linear
                } else {
                    layout.linear_index(at)
                };
                let number = element(self.read(linear));
                T::write(&mut slots, layout, Inside::of(place), number);
            },
        );
    }

    /// Copies the elements of another array of the same sizes, whatever the two layouts are, and of
    /// the same element type where elements are packed. Padding stays as it is. For large arrays,
    /// `relayout` of `xlayout-relayout` is faster.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let rows: DynLayout = "s32[2,3]{1,0}".parse()?;
    /// let columns: DynLayout = "s32[2,3]{0,1}".parse()?;
    /// let a = Array::from_row_major(rows, &[0, 1, 2, 10, 11, 12])?;
    /// let mut b = Array::zeros(columns)?;
    /// b.assign(&a)?;
    /// assert_eq!(b.memory(), [0, 10, 1, 11, 2, 12]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Rank`] or [`LayoutError::Size`] when the sizes differ;
    /// [`LayoutError::ElementType`] when the types of packed elements differ.
    #[doc(alias = "copy_from")]
    pub fn assign<M: ArrayLayout>(&mut self, from: &ArrayRef<T, M>) -> Result<(), LayoutError> {
        check_copy::<T>(from.layout(), &self.layout)?;
        const { assert_unique::<L>() }
        let (mut items, layout) = self.items_mut_and_layout();
        let mut elements = from.iter();
        let mut firsts = Firsts::of_elements(layout);
        while let Some(at) = firsts.next() {
            let Some(element) = elements.next() else {
                unreachable!("the sizes are the same");
            };
            T::write(&mut items, layout, at, T::number(element));
        }
        Ok(())
    }

    /// Sets all elements to a value, of packed ones to the low bits of a number. Padding stays as
    /// it is.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[3]{0}, padded_dimensions = [4]".parse()?;
    /// let mut array = Array::<i32, _>::zeros(layout)?;
    /// array.fill(7);
    /// assert_eq!(array.memory(), [7, 7, 7, 0]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline]
    pub fn fill(&mut self, value: T::Number) {
        self.for_each_in_memory_mut(
            #[inline(always)]
            |_, item| *item = value,
        );
    }

    /// Exchanges two elements. Indices are as in `view[index]`.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[2,2]{0,1}".parse()?;
    /// let mut array = Array::from_row_major(layout, &[1, 2, 3, 4])?;
    /// array.swap([0, 1], [1, 0]);
    /// assert_eq!(array.memory(), [1, 2, 3, 4]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    ///
    /// # Panics
    /// When an index is out of bounds of this array.
    #[inline]
    #[track_caller]
    pub fn swap<I: ViewIndex<L>, J: ViewIndex<L>>(&mut self, first: I, second: J) {
        let ((), ()) = (I::FITS, J::FITS);
        let first = Inside::of(first.linear_in(&self.layout, Token));
        let second = Inside::of(second.linear_in(&self.layout, Token));
        let first_value = T::number(self.read(first.get()));
        let second_value = T::number(self.read(second.get()));
        let (mut items, layout) = self.items_mut_and_layout();
        T::write(&mut items, layout, first, second_value);
        T::write(&mut items, layout, second, first_value);
    }
}

impl<T: Element, L: ArrayLayout> ArrayRef<T, L> {
    /// The elements to write, in logical sequence, row-major: the last dimension fastest.
    ///
    /// ```
    /// use xlayout_core::{Array, DynLayout};
    /// let layout: DynLayout = "s32[2,2]{0,1}".parse()?;
    /// let mut array = Array::<i32, _>::zeros(layout)?;
    /// for (n, x) in array.iter_mut().enumerate() {
    ///     *x = n as i32;
    /// }
    /// assert_eq!(array.memory(), [0, 2, 1, 3]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    #[inline(always)]
    pub fn iter_mut(&mut self) -> ElementsMut<'_, T, L> {
        self.into_iter()
    }
}

/// Checks that the elements of an array can be copied into another one: that the sizes are the
/// same, and where elements are packed, the element types.
fn check_copy<T: Stored>(
    from: &impl ArrayLayout,
    to: &impl ArrayLayout,
) -> Result<(), LayoutError> {
    let expected = to.element_type();
    let found = from.element_type();
    if T::SHARED && expected != found {
        return Err(LayoutError::ElementType { expected, found });
    }
    let sizes = to.shape();
    same_sizes(sizes.as_ref(), from.shape().as_ref())
}

/// Equal sizes and equal elements, whatever the layouts. Padding is not compared.
///
/// ```
/// use xlayout_core::{Array, DynLayout};
/// let [rows, columns] = ["f32[2,3]{1,0}", "f32[2,3]{0,1:T(2,2)}"].map(|text| {
///     let layout: DynLayout = text.parse().unwrap();
///     Array::from_fn(layout, |at| (10 * at[0] + at[1]) as f32).unwrap()
/// });
/// assert_eq!(rows, columns);
/// ```
impl<T, L, U, M> PartialEq<ArrayRef<U, M>> for ArrayRef<T, L>
where
    T: Stored<Number: PartialEq<U::Number>>,
    L: ArrayLayout,
    U: Stored,
    M: ArrayLayout,
    L::Coordinates: SameRank<M::Coordinates>,
{
    fn eq(&self, other: &ArrayRef<U, M>) -> bool {
        self.layout.shape().as_ref() == other.layout.shape().as_ref()
            && self.iter().map(T::number).eq(other.iter().map(U::number))
    }
}

impl<T: Stored<Number: Eq>, L: ArrayLayout> Eq for ArrayRef<T, L> {}

/// What the elements compare with: another array, and nested arrays of Rust.
impl<S: Storage, L, Other: ?Sized> PartialEq<Other> for ArrayBase<S, L>
where
    ArrayRef<S::Item, L>: PartialEq<Other>,
{
    fn eq(&self, other: &Other) -> bool {
        **self == *other
    }
}

impl<T, L, R: Storage, M> PartialEq<ArrayBase<R, M>> for ArrayRef<T, L>
where
    Self: PartialEq<ArrayRef<R::Item, M>>,
{
    fn eq(&self, other: &ArrayBase<R, M>) -> bool {
        *self == **other
    }
}

impl<S: Storage, L> Eq for ArrayBase<S, L> where ArrayRef<S::Item, L>: Eq {}

/// An array of zeros; its padding has the layout's padding value.
///
/// ```
/// use xlayout_core::types::{Nat, MinorToMajor, StaticLayout};
/// use xlayout_core::Array;
/// // layout!(f32[2,3])
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// assert_eq!(Array::<f32, A>::default().memory(), [0.0; 6]);
/// ```
#[cfg(feature = "alloc")]
impl<T: Stored, L: ConstLayout> Default for Array<T, L>
where
    L::Type: StoredAs<T>,
{
    fn default() -> Self {
        const { assert_element::<T, L>() }
        let zeros = alloc::vec![T::ZEROS; T::items(&L::NEW)];
        of_zeros(zeros, L::NEW)
    }
}

impl<T: Stored, L: ArrayLayout> ArrayRef<T, L> {
    /// Visits every element with its index, in the sequence of memory. Over tiles this takes 1.0 to
    /// 1.7 times as long as over a dense array, and 2.5 times if the index of a 16-bit element is
    /// used. Padding is not visited.
    #[inline(always)]
    pub fn for_each_in_memory(&self, mut visit: impl FnMut(&L::Coordinates, T::Ref<'_>)) {
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
        check_elements(&self.layout, out.len())?;
        let mut slots = out.iter_mut();
        self.iter().for_each(|element| {
            if let Some(slot) = slots.next() {
                *slot = T::number(element);
            }
        });
        Ok(())
    }

    /// Visits every element with its index, in the sequence of memory. Padding is not visited. Of
    /// what `visit` leaves of the number of a packed element, the low bits are written back.
    #[inline(always)]
    pub fn for_each_in_memory_mut(
        &mut self,
        mut visit: impl FnMut(&L::Coordinates, &mut T::Number),
    ) {
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
        check_elements(&self.layout, items.len())?;
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
