//! Layouts whose sizes the type fixes, and layouts that are constants.

use super::{ArrayLayout, Axis};
use crate::coordinates::HasDimension;
use crate::modes::Mode;

/// A layout type of which all values are equal: what is in bounds of one value is in bounds of all.
/// These are [`StaticLayout`](crate::types::StaticLayout) layouts and
/// [`BrandedLayout`](crate::BrandedLayout) ones, and slices
/// ([`SliceLayout`](crate::types::SliceLayout)) of them.
///
/// Only a view of such a layout is accessed by a [`LinearIndex`](crate::LinearIndex). A number
/// proven for one value of another type, such as [`DynLayout`](crate::DynLayout), is the linear
/// index of another element in the next value, or of padding.
///
/// Invariant that unchecked access relies on: `FIXED_SIZES` is true for exactly the types that
/// implement this trait. Only this crate implements it, since [`ArrayLayout`] is sealed.
#[diagnostic::on_unimplemented(
    message = "the type of the layout `{Self}` does not fix the sizes",
    label = "a linear index that was proven for one value of this type is another \
             element in the next",
    note = "use an `Index`, which a view checks: `layout.index_at(linear_index)`; or give the one \
            layout a type of its own: `branded`, `view.branded`"
)]
pub trait FixedSizes: ArrayLayout {}

/// A layout of rank `N`: the bound of a function that takes static layouts, layouts with a `?`, and
/// layouts that the run time knows.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_core::{ArrayRef, DynLayout, Rank, SliceView};
///
/// fn trace(x: &ArrayRef<f32, impl Rank<2>>) -> f32 {
///     x.axis::<0>().zip(x.axis::<1>()).map(|(i, j)| x[(i, j)]).sum()
/// }
/// // layout!(f32[2,2])
/// type A = StaticLayout<f32, (Nat<2>, Nat<2>), MinorToMajor<(Nat<1>, Nat<0>)>, ()>;
/// let data = [1.0_f32, 2.0, 3.0, 4.0];
/// assert_eq!(trace(&SliceView::new(A::NEW, &data[..])?), 5.0);
///
/// let layout: DynLayout = "f32[2,2]{0,1}".parse()?;
/// assert_eq!(trace(&SliceView::new(layout, &data[..])?.ranked()?), 5.0);
/// # Ok::<(), xlayout_core::LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the rank of the layout `{Self}` is not {N}, or only the run time knows it",
    label = "a layout of rank {N} is expected",
    note = "give a view whose rank the run time knows a rank: `view.ranked::<2>()?`; a layout: \
            `layout.ranked::<2>()?`",
    note = "`Rank` is what a function asks of a layout; the array is `&ArrayRef<f32, impl Rank<2>>`"
)]
pub trait Rank<const N: usize>: ArrayLayout<Coordinates = [usize; N]> {}

#[diagnostic::do_not_recommend]
impl<L: ArrayLayout<Coordinates = [usize; N]>, const N: usize> Rank<N> for L {}

/// A layout that is known at compile time, all of it.
///
/// Its constants are the const stride table; they may be used in const contexts and as lengths of
/// arrays.
///
/// ```
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
/// use xlayout_core::{ConstLayout, ArrayLayout};
///
/// fn zeros<L: ConstLayout<Type = f32>>() -> Vec<f32> {
///     vec![0.0; L::BUFFER_LEN]
/// }
/// // layout!(f32[2,3]{0,1})
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
/// assert_eq!(zeros::<A>().len(), 6);
/// assert_eq!((A::SIZES, A::MINOR_TO_MAJOR, A::STRIDES), (&[2, 3][..], &[0, 1][..], &[1, 2][..]));
/// assert_eq!((A::ELEMENTS, A::BYTES, A::ELEMENT_BITS, A::MODES.len()), (6, 24, 32, 2));
/// assert_eq!(A::NEW.linear_index_u32(&[1, 2]), 5);
/// ```
#[diagnostic::on_unimplemented(
    message = "the layout `{Self}` is not known at compile time",
    label = "expected a layout of which everything is known at compile time",
    note = "sizes without an element type are no layout: write `layout!(f32[2,3])`",
    note = "`specialize!` matches a layout that is known at run time against such layouts; \
            or ask for `ArrayLayout`, which every layout is",
    note = "an array has another shape of the run time by `try_reshape(layout)?`, or \
            `try_transpose(nat![1, 0], layout)?`; its dimensions are exchanged without a layout by \
            `array.t()`, or `array.permute(nat![1, 0])`",
    note = "a coordinate of a size that the run time knows is made by its axis: \
            `array.axis::<0>().coordinate(1)?`, and a neighbour of it by `axis.offset(i, 1)`"
)]
pub trait ConstLayout: FixedSizes + Copy + Default {
    /// The number of dimensions.
    const RANK: usize = Self::SIZES.len();
    /// The size of each dimension (a bounded dynamic one at its bound), dimension 0 first.
    const SIZES: &'static [usize];
    /// The dimension numbers, the one that varies fastest first.
    const MINOR_TO_MAJOR: &'static [usize];
    /// The stride of each dimension in elements. A tiled layout has none: using this constant of
    /// one is a compile error.
    const STRIDES: &'static [usize];
    /// The table of modes, the most minor first.
    const MODES: &'static [Mode];
    /// The elements that memory is allocated for, padding included: the length of the buffer.
    const BUFFER_LEN: usize;
    /// The number of elements.
    const ELEMENTS: usize;
    /// The bytes that memory is allocated for, padding included.
    const BYTES: usize;
    /// The value of this type; there is only one.
    const NEW: Self;
    /// The sizes as coordinates, for checks in const contexts.
    #[doc(hidden)]
    const SIZE_COORDINATES: Self::Coordinates;
    /// Where the elements lie, to compare.
    #[doc(hidden)]
    const MEMORY_MAP: crate::modes::MemoryMap<'static>;

    /// The coordinates of dimension `DIM`, in sequence, each proven in bounds: what the loops of a
    /// kernel run over. A view is accessed by them without a check, as `view[(i, j)]`.
    ///
    /// In a tiled layout use a `for` loop for the outer loops, and `map`, `sum` or `for_each` for
    /// the innermost one: see [`Axis`].
    ///
    /// A dimension that the layout does not have is an error of `cargo check`.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// use xlayout_core::{ConstLayout, SliceView};
    ///
    /// // layout!(f32[2,3]{0,1})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    ///
    /// let view = SliceView::new(A::NEW, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..]).unwrap();
    /// for i in A::axis::<0>() {
    ///     let row: f32 = A::axis::<1>().map(|j| view[(i, j)]).sum();
    ///     assert_eq!(row, [9.0, 12.0][i.get()]);
    /// }
    /// ```
    #[inline(always)]
    #[must_use]
    fn axis<const DIM: usize>() -> Axis<Self, DIM>
    where
        Self::Coordinates: HasDimension<DIM>,
    {
        Axis::ALL
    }
}
