//! The trait of all layouts, known at compile time or at run time.

mod axis;
mod const_layout;
mod coordinate;
mod delegate;
mod index;
mod indices;
mod into_coordinates;
#[cfg(all(test, feature = "std"))]
pub(crate) mod law_tests;
#[cfg(all(test, feature = "std"))]
pub(crate) mod tests;

pub use axis::Axis;
pub(crate) use axis::{both_known, bounds, check_same};
pub use const_layout::{ConstLayout, FixedSizes, Rank};
pub use coordinate::Coordinate;
pub(crate) use coordinate::Number;
pub(crate) use delegate::delegate;
pub(crate) use index::out_of_bounds;
pub use index::{Index, LinearIndex};
pub use indices::{Indices, IndicesInMemory, PaddingRanges};
pub use into_coordinates::IntoCoordinates;

use crate::ElementType;
pub(crate) use crate::coordinates::view_index;
use crate::coordinates::{Coordinates, below};
use crate::dims::Dim;
use crate::layout_error::LayoutError;
use crate::modes::{Mode, Resolved, Term};
use crate::shape::ArrayShape;

#[doc = include_str!("array_layout/array_layout.md")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layout",
    label = "expected a layout",
    note = "write one as `layout!(f32[2,3]{{1,0}})`, or read one at run time: \
            `text.parse::<DynLayout>()`",
    note = "`layout!(f32[?,3])` is a function of all sizes and gives a `Result`: write \
            `layout!(f32[?,3])([2, 3])?`",
    note = "any other `Result` with a layout needs a `?`, too; an `ArrayShape` becomes a layout by \
            `DynLayout::new(shape)?`, and a `Layout` of XLA has no sizes; `array.layout()` is a \
            reference: write `array.layout().clone()`; a type `W` with a sharding names two \
            layouts, `<W as ShardedLayout>::Global` of the whole array and \
            `<W as ShardedLayout>::PerDevice` of one device"
)]
// `PartialEq` also keeps rustc from a warning in this crate where somebody writes `dyn Rank<2>`: a
// trait with `Self` in its bounds is refused before rustc looks at its associated types.
pub trait ArrayLayout: sealed::Sealed + Clone + PartialEq {
    /// The element type as a type, or [`AnyType`](crate::dtype::AnyType) if it is known at run time
    /// only.
    type Type;
    /// `[usize; N]`, or [`DynCoordinates`](crate::DynCoordinates).
    type Coordinates: Coordinates;

    /// Whether all values of this type are equal, so that an index that is in bounds of one is in
    /// bounds of all: then a view's access by [`Index`] or [`LinearIndex`] checks nothing. Such a
    /// type implements [`FixedSizes`]. For all others a view checks an [`Index`] again.
    const FIXED_SIZES: bool;

    /// Stops the compiler if the type is no layout. A function that makes an array evaluates it, so
    /// that the compiler names the line that calls this function.
    #[doc(hidden)]
    const LOWERED: () = ();

    /// Whether what lies between the elements is padding of this array. Of a slice it is the rest
    /// of the array that was sliced.
    #[doc(hidden)]
    const OWNS_PADDING: bool = true;

    /// The same for a value: of a layout of strides it depends on what made it.
    #[doc(hidden)]
    #[inline(always)]
    fn owns_padding(&self) -> bool {
        Self::OWNS_PADDING
    }

    /// Whether distinct indices have distinct linear indices: see [`is_unique`](Self::is_unique).
    #[doc(hidden)]
    const UNIQUE: bool = true;

    /// Whether a value of this type may have reversed dimensions: see
    /// [`is_reversed`](Self::is_reversed).
    #[doc(hidden)]
    const REVERSES: bool = false;

    /// The dimensions as far as the type fixes them: a list of another length where it fixes none.
    #[doc(hidden)]
    const KNOWN_DIMS: &'static [Dim] = &[];

    /// The modes as far as the type fixes them: see [`stride_of`](Self::stride_of). None where only
    /// the run time knows them, and where there are merged coordinates.
    #[doc(hidden)]
    const KNOWN_MODES: &'static [Mode] = &[];

    /// The elements that share a byte if the type says their bits, else 1.
    #[doc(hidden)]
    const IN_BYTE: usize = 1;

    /// Whether the type says that tiles merge dimensions, so that no part of them has a layout.
    #[doc(hidden)]
    const MERGES: bool = false;

    /// The layout of a part of this array: a range of each dimension. It borrows this layout where
    /// that is large, as a [`DynLayout`](crate::DynLayout) is. Parts of a part have the same type
    /// as the part.
    type Region<'a>: ArrayLayout<Type = Self::Type, Coordinates = Self::Coordinates>
    where
        Self: 'a;

    /// The layout of a part that begins where tiles do, with these sizes.
    #[doc(hidden)]
    fn region<'a>(&'a self, sizes: Self::Coordinates, token: sealed::Token) -> Self::Region<'a>
    where
        Self: 'a;

    /// The layout of a copy, which is an array of its own: this layout; or of a part, between whose
    /// elements others lie, a dense one with the same sizes and the same minor_to_major.
    ///
    /// ```
    /// use xlayout_core::{Array, ArrayLayout, ArrayRef, LayoutError, StridedLayout};
    /// type Copied<L> = Array<f32, <L as ArrayLayout>::Owned>;
    /// fn doubled<L: ArrayLayout>(a: &ArrayRef<f32, L>) -> Result<Copied<L>, LayoutError> {
    ///     a.map(|x| 2.0 * x)
    /// }
    /// let layout: StridedLayout<[usize; 2]> = "f32[2,3]".parse()?;
    /// let matrix = Array::from_fn(layout, |&[i, j]| (10 * i + j) as f32)?;
    /// assert_eq!(doubled(&matrix)?.memory(), [0.0, 2.0, 4.0, 20.0, 22.0, 24.0]);
    /// assert_eq!(doubled(&matrix.column(1)?)?.memory(), [2.0, 22.0]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    type Owned: ArrayLayout<Coordinates = Self::Coordinates, Owned = Self::Owned>;

    /// The layout of a copy.
    #[doc(hidden)]
    fn owned(&self, token: sealed::Token) -> Self::Owned;

    /// The stride of a mode of [`KNOWN_MODES`](Self::KNOWN_MODES) in this value.
    #[doc(hidden)]
    #[inline(always)]
    fn stride_of(&self, mode: &Mode) -> usize {
        mode.stride
    }

    /// The type of an element.
    fn element_type(&self) -> ElementType;

    /// The number of dimensions.
    fn rank(&self) -> usize;

    /// The size of each dimension (dynamic ones at their bound), dimension 0 first.
    fn shape(&self) -> Self::Coordinates;

    /// The linear index, in elements, of an index **in bounds**. Out of bounds the result has no
    /// meaning; nothing panics or overflows.
    ///
    /// Source: the formula of "Tiled layout" in XLA's documentation, all tile levels and `*`
    /// (XLA's `LayoutUtil::LinearIndex` knows the first level only).
    ///
    /// In a constant: `layout!(f32[2,3]).linear_index(&[1, 2])`, as `shape`, `elements` and
    /// `bytes`; of a type parameter [`LinearIndex::at`], as
    /// `const { LinearIndex::<L>::at([1, 2]).get() }`.
    #[doc(alias("LinearIndex", "MultidimensionalIndexToLinearIndex"))]
    fn linear_index(&self, index: &Self::Coordinates) -> usize;

    /// The index that lies at a linear index; `None` in padding and beyond the end.
    ///
    /// In a constant use [`Index::at_linear`]: `const { Index::<L>::at_linear(5) }`.
    #[doc(alias = "LinearIndexToMultidimensionalIndex")]
    fn multi_index(&self, linear_index: usize) -> Option<Self::Coordinates>;

    /// The index that lies at the linear index of an element. For other numbers the result has no
    /// meaning; nothing panics.
    #[doc(hidden)]
    fn multi_index_of_element(&self, linear_index: usize) -> Self::Coordinates {
        self.multi_index(linear_index)
            .unwrap_or_else(|| Self::Coordinates::origin(self.rank()))
    }

    /// Whether a dimension is in memory in reversed sequence: index `i` is where index
    /// `size - 1 - i` of the modes is. Only a [`StridedLayout<C, isize>`](crate::StridedLayout) has
    /// such dimensions.
    #[inline(always)]
    fn is_reversed(&self, dimension: usize) -> bool {
        let _ = dimension;
        false
    }

    /// The index of the modes where an index in bounds is, and the other way round: reversed
    /// dimensions are counted from their other end.
    #[doc(hidden)]
    #[inline(always)]
    fn in_table(&self, index: &Self::Coordinates) -> Self::Coordinates {
        let mut there = index.clone();
        if const { Self::REVERSES } {
            let sizes = self.shape();
            for dim in (0..self.rank()).filter(|&dim| self.is_reversed(dim)) {
                there.set(dim, sizes.coordinate(dim) - 1 - index.coordinate(dim));
            }
        }
        there
    }

    /// Calls `use_` with the table of modes, all numbers known. The modes are those of
    /// [`in_table`](Self::in_table).
    #[doc(hidden)]
    fn with_resolved<R>(&self, token: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R;

    /// The same shape and layout as the value that XLA's text describes: to print it, to compare
    /// it, and to read its tiles and attributes.
    fn array_shape(&self) -> ArrayShape;

    /// The stride of each dimension in elements; `None` if a dimension has none. Dense and padded
    /// layouts have strides. A tiled layout has them if its tiles change nothing.
    fn strides(&self) -> Option<Self::Coordinates>;

    /// Calls `visit` with the index and the linear index of each element, in the sequence of
    /// memory. Over tiles this takes 1.0 to 1.7 times as long as over a dense array, and 2.5 times
    /// if the index of a 16-bit element is used. Padding is left out.
    #[inline]
    fn for_each_in_memory(&self, mut visit: impl FnMut(&Self::Coordinates, usize)) {
        self.with_resolved(sealed::Token, |resolved| {
            if const { Self::REVERSES } {
                resolved.for_each(|index, linear| visit(&self.in_table(index), linear));
            } else {
                resolved.for_each(&mut visit);
            }
        });
    }

    /// Calls `visit` with each index in logical sequence, the last dimension fastest.
    fn for_each_index(&self, mut visit: impl FnMut(&Self::Coordinates)) {
        self.indices().for_each(|index| visit(index.coordinates()));
    }

    /// Whether an index is in bounds (XLA: `IndexInBounds`).
    #[doc(alias = "IndexInBounds")]
    #[inline]
    fn in_bounds(&self, index: &Self::Coordinates) -> bool {
        index.below(&self.shape())
    }

    /// Whether an index that is in bounds of some value of this type is in bounds of this one, too.
    /// Only what the type does not fix is compared.
    #[doc(hidden)]
    #[inline(always)]
    fn in_bounds_again(&self, index: &Self::Coordinates) -> bool {
        Self::FIXED_SIZES || self.in_bounds(index)
    }

    /// The linear index of coordinates that are in bounds; `None` for others.
    #[doc(hidden)]
    fn linear_index_in_bounds(&self, index: &[usize]) -> Option<usize> {
        self.with_resolved(sealed::Token, |resolved| {
            if !below(index, resolved.sizes) {
                return None;
            }
            if const { Self::REVERSES } {
                let mut at = self.shape();
                at.as_mut().copy_from_slice(index);
                return Some(self.linear_index(&at));
            }
            Some(resolved.linear_index(index))
        })
    }

    /// The number of elements, without padding (dynamic dimensions at their bound; XLA:
    /// `ElementsIn`).
    #[doc(alias = "ElementsIn")]
    fn elements(&self) -> usize {
        self.with_resolved(sealed::Token, |resolved| resolved.numbers.elements)
    }

    /// The length of the buffer in elements, padding included. Source: C++'s `mdspan` calls it
    /// `required_span_size`.
    fn buffer_len(&self) -> usize {
        self.with_resolved(sealed::Token, |resolved| resolved.numbers.buffer_len)
    }

    /// The size of one element in memory, in bits.
    #[doc(alias = "ElementSizeInBits")]
    fn element_bits(&self) -> usize {
        self.with_resolved(sealed::Token, |resolved| resolved.numbers.element_bits)
    }

    /// The size of the buffer in bytes, padding included. All tile levels count (XLA's `ArraySize`
    /// counts the first one only).
    #[doc(alias = "ArraySize")]
    fn bytes(&self) -> usize {
        self.with_resolved(sealed::Token, |resolved| resolved.numbers.bytes())
    }

    /// The number of allocated elements that are padding, or lie between the elements of a part.
    fn padding(&self) -> usize {
        self.with_resolved(sealed::Token, |r| {
            // All coordinates of a repeated dimension, which has stride 0, are at one place.
            let repeated = r.modes.iter().filter(|mode| mode.stride == 0);
            let times: usize = repeated.map(|mode| mode.size).product();
            r.numbers.buffer_len - r.numbers.elements / times.max(1)
        })
    }

    /// The number of allocated elements divided by the number of elements: 1.0 is no padding. It is
    /// 1.0 for an array without elements and without memory, too.
    fn expansion_ratio(&self) -> f64 {
        self.with_resolved(sealed::Token, |r| {
            match (r.numbers.buffer_len, r.numbers.elements) {
                (0, _) => 1.0,
                (buffer_len, elements) => buffer_len as f64 / elements as f64,
            }
        })
    }

    /// The offset of an element in the buffer: the byte, and the bit in it counted from the lowest
    /// one.
    ///
    /// Source: `PackIntN` in XLA's `util.h`: the first element lies in the low bits.
    fn bit_offset(&self, linear_index: usize) -> (usize, u32) {
        let bits = linear_index as u128 * self.element_bits() as u128;
        ((bits / 8) as usize, (bits % 8) as u32)
    }

    /// The modes, the most minor first. Those of a [reversed](Self::is_reversed) dimension are of
    /// the coordinate that counts from its end.
    fn modes(&self) -> impl Iterator<Item = Mode> {
        let mut k = 0;
        core::iter::from_fn(move || {
            let mode = self.with_resolved(sealed::Token, |resolved| resolved.modes.get(k).copied());
            k += 1;
            mode
        })
    }

    /// The terms of merged coordinates, those of one coordinate together. A mode whose dimension is
    /// the rank or above takes a digit of a merged coordinate. A part has the terms of the whole
    /// array.
    ///
    /// ```
    /// use xlayout_core::{Array, ArrayLayout, DynLayout};
    /// // 2 does not divide the 3 of the tile before it.
    /// let layout: DynLayout = "s32[2,4]{0,1:T(3,1)(2)(*,2,1)}".parse()?;
    /// let whole = Array::<i32, _>::zeros(layout)?;
    /// let part = whole.region([1, 0], [1, 4])?;
    /// assert!(part.layout().terms().eq(whole.layout().terms().iter().copied()));
    /// assert!(part.layout().terms().all(|term| term.coordinate >= 2));
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    fn terms(&self) -> impl Iterator<Item = Term> {
        let mut k = 0;
        core::iter::from_fn(move || {
            let term = self.with_resolved(sealed::Token, |resolved| resolved.terms.get(k).copied());
            k += 1;
            term
        })
    }

    /// Whether distinct indices have distinct linear indices. By law 1 they do in every layout of
    /// XLA. They do not in a [broadcast](crate::ArrayRef::broadcast) array. The question has the
    /// name of C++'s `mdspan`.
    fn is_unique(&self) -> bool {
        Self::UNIQUE
    }

    /// Whether every allocated element is used: there is no padding, and no gap between the
    /// elements.
    fn is_exhaustive(&self) -> bool {
        self.padding() == 0
    }

    /// Whether the elements lie without a gap from linear index 0 on. Padding at the end only,
    /// such as a tail alignment, leaves an array contiguous.
    fn is_contiguous(&self) -> bool {
        self.with_resolved(sealed::Token, |resolved| {
            resolved.is_contiguous::<Self::Coordinates>()
        })
    }

    /// Whether every dimension has a stride.
    fn is_strided(&self) -> bool {
        self.strides().is_some()
    }

    /// All indices in logical sequence, the last dimension fastest; each is proven in bounds.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse().unwrap();
    /// let linear: Vec<usize> = layout.indices().map(|i| i.to_linear(&layout).get()).collect();
    /// assert_eq!(linear, [0, 2, 4, 1, 3, 5]);
    /// ```
    fn indices(&self) -> Indices<Self> {
        Indices::new(self)
    }

    /// All indices in the sequence of memory, each with its linear index. As a loop it steps an
    /// odometer; through `for_each`, `fold` and what is built on them it is as fast as
    /// [`for_each_in_memory`](Self::for_each_in_memory).
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, StridedLayout};
    /// let layout: StridedLayout<[usize; 2]> = "f32[2,3]{0,1}".parse().unwrap();
    /// let (index, linear) = layout.indices_in_memory().nth(1).unwrap();
    /// assert_eq!((index.coordinates(), linear.get()), (&[1, 0], 1));
    /// ```
    fn indices_in_memory(&self) -> IndicesInMemory<Self> {
        IndicesInMemory::new(self)
    }

    /// The places that are padding, as ranges of linear indices in the sequence of memory. What
    /// lies between the elements of a part of an array is not padding.
    ///
    /// ```
    /// use xlayout_core::{ArrayLayout, DynLayout};
    /// let layout: DynLayout = "f32[3]{0:T(2)}".parse()?;
    /// assert_eq!(layout.padding_ranges().collect::<Vec<_>>(), [3..4]);
    /// let layout: DynLayout = "f32[2,2]<1,0>, padded_dimensions = [2, 5]".parse()?;
    /// assert_eq!(layout.padding_ranges().collect::<Vec<_>>(), [2..5, 7..10]);
    /// # Ok::<(), xlayout_core::LayoutError>(())
    /// ```
    fn padding_ranges(&self) -> PaddingRanges<Self> {
        PaddingRanges::new(self)
    }

    /// Proves that an index is in bounds of this layout. A view of a [`FixedSizes`] layout does not
    /// check it again, a view of another does.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{ArrayLayout, ConstLayout, Index};
    ///
    /// // layout!(f32[2,3]{0,1})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    /// let index = A::NEW.index([1, 2]).unwrap();
    /// assert_eq!(index, const { Index::<A>::at([1, 2]) });
    /// // Of a layout that the compiler knows, no value is needed.
    /// assert_eq!(index.linear().get(), 5);
    /// assert_eq!(A::NEW.linear(5).unwrap().to_index(&A::NEW), index);
    /// assert_eq!(
    ///     A::NEW.index([2, 0]).unwrap_err().to_string(),
    ///     "coordinate 2 of dimension 0 is out of bounds: the dimension has size 2; its last \
    ///      index is 1",
    /// );
    /// ```
    ///
    /// # Errors
    /// The first coordinate that is not, with the size of its dimension.
    fn index(
        &self,
        index: impl IntoCoordinates<Self::Coordinates>,
    ) -> Result<Index<Self>, LayoutError> {
        Index::new(self, index.into_coordinates())
    }

    /// Checks that a linear index is the one of an element. Only a [`FixedSizes`] layout accesses
    /// views by it; for others use [`index_at`](Self::index_at).
    ///
    /// # Errors
    /// When it lies in padding or beyond the end.
    fn linear(&self, linear_index: usize) -> Result<LinearIndex<Self>, LayoutError> {
        LinearIndex::checked(self, linear_index)
    }

    /// The index of the element that lies at a linear index.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, ArrayLayout, SliceView};
    /// let layout: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
    /// let view = SliceView::new(&layout, &[0.0_f32, 3.0, 1.0, 4.0, 2.0, 5.0][..]).unwrap();
    /// let index = view.layout().index_at(3).unwrap();
    /// assert_eq!((&index.coordinates()[..], view[index.clone()]), (&[1, 1][..], 4.0));
    /// assert!(view.layout().index_at(6).is_err());
    /// ```
    ///
    /// # Errors
    /// When the linear index lies in padding or beyond the end.
    fn index_at(&self, linear_index: usize) -> Result<Index<Self>, LayoutError> {
        match self.multi_index(linear_index) {
            Some(coordinates) => Ok(Index::proven(coordinates)),
            None => Err(LayoutError::linear(linear_index, self.buffer_len())),
        }
    }
}

pub(crate) mod sealed {
    /// Only this crate can name it, so that only this crate calls what takes it.
    #[derive(Clone, Copy)]
    pub struct Token;
    pub trait Sealed {}
}
