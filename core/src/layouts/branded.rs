//! Run-time layouts whose indices are proven nevertheless.

use core::marker::PhantomData;

use super::own_layout;
use crate::array_layout::{ArrayLayout, FixedSizes, delegate, sealed};
use crate::dims::Dim;
use crate::modes::Mode;

/// A layout with a type of its own for this one value. So an index that is proven for the type is
/// in bounds of the value, although the sizes are known at run time only.
///
/// [`branded`] makes it, and has an example.
#[derive(Clone, Copy, Debug)]
pub struct BrandedLayout<'id, L> {
    layout: L,
    /// Invariant in `'id`, so that no two brands are one type.
    brand: PhantomData<fn(&'id ()) -> &'id ()>,
}

/// Gives one layout a type of its own, during a call of `call`.
///
/// In the call, an [`Index`](crate::Index) or [`LinearIndex`](crate::LinearIndex) of the branded
/// layout accesses views of it without a check, as it does for layouts that are known at compile
/// time. An index of another branded layout does not compile, even if the two layouts are equal.
///
/// ```
/// use xlayout_core::{DynLayout, ArrayLayout, SliceView, branded};
///
/// let layout: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
/// let data = [0.0, 3.0, 1.0, 4.0, 2.0, 5.0_f32];
/// let value = branded(&layout, |layout| {
///     let view = SliceView::new(layout, &data[..]).unwrap();
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

/// All values of this type are equal: see `FixedSizes`.
impl<L> PartialEq for BrandedLayout<'_, L> {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

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
    const IN_BYTE: usize = L::IN_BYTE;
    const MERGES: bool = L::MERGES;
    type Region<'a>
        = L::Region<'a>
    where
        Self: 'a;
    own_layout! { self }

    delegate! { self.layout:
        region stride_of owns_padding is_reversed element_type rank shape in_bounds linear_index_in_bounds linear_index
        multi_index multi_index_of_element with_resolved array_shape strides for_each_in_memory
    }
}
