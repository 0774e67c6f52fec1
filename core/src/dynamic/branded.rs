//! Run-time layouts whose indices are proven nevertheless.

use core::marker::PhantomData;

use crate::array_layout::{ArrayLayout, FixedSizes, sealed};
use crate::dims::Dim;
use crate::modes::{Mode, Resolved};
use crate::{ArrayShape, PrimitiveType};

/// A layout with a brand: a type of its own for this one value, so that indices proven in bounds
/// of it are in bounds for good, although only the run time knows the sizes.
///
/// [`branded`] makes one.
#[derive(Clone, Copy, Debug)]
pub struct BrandedLayout<'id, L> {
    layout: L,
    /// Invariant in `'id`, so that no two brands are one type.
    brand: PhantomData<fn(&'id ()) -> &'id ()>,
}

/// Gives a layout a brand for the length of a call.
///
/// Inside, an [`Index`](crate::Index) or [`LinearIndex`](crate::LinearIndex) of the branded layout accesses
/// views of it without a check, as it does for layouts that are known at compile time. Of another
/// brand it does not compile, also where both layouts are equal.
///
/// ```
/// use xlayout_core::{DynLayout, ArrayLayout, View, branded};
///
/// let layout: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
/// let data = [0.0, 3.0, 1.0, 4.0, 2.0, 5.0_f32];
/// let value = branded(&layout, |layout| {
///     let view = View::new(&data[..], layout).unwrap();
///     let index = view.layout().index([1, 2]).unwrap();
///     view[index]
/// });
/// assert_eq!(value, 5.0);
/// ```
pub fn branded<L: ArrayLayout, R>(
    layout: L,
    call: impl for<'id> FnOnce(BrandedLayout<'id, L>) -> R,
) -> R {
    call(BrandedLayout {
        layout,
        brand: PhantomData,
    })
}

impl<L> BrandedLayout<'_, L> {
    /// The layout without the brand.
    ///
    /// ```
    /// use xlayout_core::{DynLayout, ArrayLayout, branded};
    /// let layout: DynLayout = "f32[2,3]".parse().unwrap();
    /// assert!(branded(layout.clone(), |branded| branded.get() == &layout));
    /// ```
    pub const fn get(&self) -> &L {
        &self.layout
    }
}

impl<L: ArrayLayout> sealed::Sealed for BrandedLayout<'_, L> {}

// The brand is invariant and only `branded` makes one, so that all values are copies of one layout.
impl<L: ArrayLayout> FixedSizes for BrandedLayout<'_, L> {}

impl<L: ArrayLayout> ArrayLayout for BrandedLayout<'_, L> {
    type Type = L::Type;
    type Coordinates = L::Coordinates;
    // Every value of this type is a copy of the one that `branded` was given.
    const FIXED_SIZES: bool = true;
    const OWNS_PADDING: bool = L::OWNS_PADDING;
    const UNIQUE: bool = L::UNIQUE;
    const REVERSES: bool = L::REVERSES;
    const KNOWN_DIMS: &'static [Dim] = L::KNOWN_DIMS;
    const KNOWN_MODES: &'static [Mode] = L::KNOWN_MODES;
    type Region = L::Region;

    #[inline(always)]
    fn region(&self, sizes: L::Coordinates, token: sealed::Token) -> L::Region {
        self.layout.region(sizes, token)
    }

    #[inline(always)]
    fn stride_of(&self, mode: &Mode) -> usize {
        self.layout.stride_of(mode)
    }

    #[inline(always)]
    fn is_reversed(&self, dimension: usize) -> bool {
        self.layout.is_reversed(dimension)
    }

    #[inline(always)]
    fn element_type(&self) -> PrimitiveType {
        self.layout.element_type()
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        self.layout.rank()
    }

    #[inline(always)]
    fn sizes(&self) -> L::Coordinates {
        self.layout.sizes()
    }

    #[inline(always)]
    fn in_bounds(&self, index: &L::Coordinates) -> bool {
        self.layout.in_bounds(index)
    }

    #[inline(always)]
    fn linear_index_in_bounds(&self, index: &[usize]) -> Option<usize> {
        self.layout.linear_index_in_bounds(index)
    }

    #[inline(always)]
    fn linear_index(&self, index: &L::Coordinates) -> usize {
        self.layout.linear_index(index)
    }

    #[inline(always)]
    fn multi_index(&self, linear_index: usize) -> Option<L::Coordinates> {
        self.layout.multi_index(linear_index)
    }

    #[inline(always)]
    fn multi_index_of_element(&self, linear_index: usize) -> L::Coordinates {
        self.layout.multi_index_of_element(linear_index)
    }

    #[inline(always)]
    fn with_resolved<R>(&self, token: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        self.layout.with_resolved(token, use_)
    }

    fn shape(&self) -> ArrayShape {
        self.layout.shape()
    }

    fn strides(&self) -> Option<L::Coordinates> {
        self.layout.strides()
    }

    #[inline(always)]
    fn for_each_in_memory(&self, visit: impl FnMut(&L::Coordinates, usize)) {
        self.layout.for_each_in_memory(visit);
    }
}
