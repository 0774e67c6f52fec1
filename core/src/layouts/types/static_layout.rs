//! Layouts that are known at compile time, all of them.

use core::convert::Infallible;
use core::marker::PhantomData;

mod run;
mod terms;

use terms::divide;

use super::parts::{Attributes, StaticDimensions};
use super::spec::{OrderOf, Spec};
use crate::ElementType;
use crate::array_layout::{ArrayLayout, ConstLayout, FixedSizes, sealed};
use crate::const_text::stop;
use crate::dims::Dim;
use crate::element::DType;
use crate::layout_error::LayoutError;
use crate::layouts::{own_layout, own_region};
use crate::modes::{Mode, Resolved, Term, digits, in_byte, nest, sum};
use crate::shape::ArrayShape;

/// A layout that is known at compile time: what `layout!(f32[2,3]{1,0})` names.
///
/// The type is its own value (`layout!(…)` is both), holds nothing, and carries the const stride
/// table as associated constants. Its parameters are the element type, the dimensions, the
/// minor-to-major list and the attributes; two equal notations are one type.
///
/// ```
/// # use xlayout_core as xlayout;
/// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
///
/// // What `layout!(f32[2,3]{0,1})` expands to:
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
/// assert_eq!(A::STRIDES, [1, 2]);
/// assert_eq!(A::BYTES, 24);
/// static BUFFER: [f32; A::BUFFER_LEN] = [0.0; 6];
/// ```
pub enum StaticLayout<E, D, O, A> {
    /// The value, which is beside the type under the type's name.
    Value,
    #[doc(hidden)]
    Parameters(Infallible, PhantomData<fn() -> (E, D, O, A)>),
}

/// A field of the table. A call instead of the macro costs the compiler more than the branch.
macro_rules! field {
    ($($field:ident).+) => {{
        let table = Spec::<E, D, O, A>::SHORT;
        if table.taken {
            table.$($field).+
        } else {
            Spec::<E, D, O, A>::general().$($field).+
        }
    }};
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> StaticLayout<E, D, O, A> {
    const TERMS: &'static [Term] = {
        if Spec::<E, D, O, A>::SHORT.taken {
            &[]
        } else {
            Spec::<E, D, O, A>::general().used_terms()
        }
    };

    /// The size of each dimension (a bounded dynamic one at its bound), dimension 0 first.
    pub const SIZES: &'static [usize] = D::SIZES;
    /// The dimension numbers, the one that varies fastest first.
    pub const MINOR_TO_MAJOR: &'static [usize] = {
        let _checked = Self::BUFFER_LEN;
        O::SIZES
    };
    /// The stride of each dimension in elements. A tiled layout has none: using this constant of
    /// one is a compile error.
    pub const STRIDES: &'static [usize] = {
        let Some(strides) = Spec::<E, D, O, A>::STRIDES else {
            stop("a tiled layout has no stride for each dimension; use MODES instead of STRIDES");
        };
        strides
    };
    /// The table of modes, the most minor first.
    pub const MODES: &'static [Mode] = {
        let table = Spec::<E, D, O, A>::SHORT;
        if !table.taken {
            Spec::<E, D, O, A>::general().used_modes()
        } else if table.unused == 0 {
            // A call costs more than the comparison.
            &table.modes
        } else {
            table.used()
        }
    };
    /// The elements that memory is allocated for, padding included: the length of the buffer.
    pub const BUFFER_LEN: usize = field!(numbers.buffer_len);
    /// The number of elements.
    pub const ELEMENTS: usize = field!(numbers.elements);
    /// The bytes that memory is allocated for, padding included.
    pub const BYTES: usize = {
        let table = Spec::<E, D, O, A>::SHORT;
        if table.taken {
            table.bytes
        } else {
            Spec::<E, D, O, A>::general().numbers.bytes()
        }
    };
    /// The bits of one element in memory.
    pub const ELEMENT_BITS: usize = field!(numbers.element_bits);
    /// The value of this type; there is only one.
    #[doc(hidden)]
    pub const NEW: Self = {
        // A type that does not fit stops the compiler where it is used, not somewhere in this
        // library.
        let () = Self::LOWERED;
        Self::Value
    };

    /// The value of this type, if it has these sizes: for code that makes layouts of either kind.
    /// See [`MixedLayout::with_sizes`](super::MixedLayout::with_sizes).
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// // layout!(f32[2,3]{0,1})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    /// assert!(A::with_sizes([2, 3]).is_ok() && A::with_sizes([2, 4]).is_err());
    /// ```
    ///
    /// # Errors
    /// [`LayoutError::Size`] when the type says another size.
    pub fn with_sizes(all_sizes: D::Coordinates) -> Result<Self, LayoutError> {
        super::named::sizes_of_type::<D>(&all_sizes).map(|_| Self::NEW)
    }

    /// The size of each dimension, as [`ArrayLayout::shape`], also in a constant.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn shape(&self) -> D::Coordinates {
        D::SIZE_COORDINATES
    }

    /// The number of elements, as [`ArrayLayout::elements`], also in a constant.
    ///
    /// ```
    /// use xlayout_core::types::{Nat, StaticLayout, MinorToMajor};
    /// // layout!(f32[2,3]{0,1})
    /// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
    /// const ZEROS: [f32; A::NEW.elements()] = [0.0; 6];
    /// const BUFFER: [u8; A::NEW.bytes()] = [0; 24];
    /// static PLACES: [f32; A::NEW.buffer_len()] = [0.0; 6];
    /// # let _ = (ZEROS, BUFFER, &PLACES);
    /// ```
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn elements(&self) -> usize {
        Self::ELEMENTS
    }

    /// The length of the buffer in elements, as [`ArrayLayout::buffer_len`], also in a constant.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn buffer_len(&self) -> usize {
        Self::BUFFER_LEN
    }

    /// The size of the buffer in bytes, as [`ArrayLayout::bytes`], also in a constant.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn bytes(&self) -> usize {
        Self::BYTES
    }

    const RESOLVED: Resolved<'static> = Resolved {
        sizes: D::SIZES,
        modes: Self::MODES,
        terms: Self::TERMS,
        numbers: field!(numbers),
    };
}

impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> ArrayLayout
    for StaticLayout<E, D, O, A>
{
    type Type = E;
    type Coordinates = D::Coordinates;
    const FIXED_SIZES: bool = true;
    const LOWERED: () = {
        let _checked = Self::BUFFER_LEN;
    };
    const KNOWN_DIMS: &'static [Dim] = D::DIMS;
    const MERGES: bool = !Self::TERMS.is_empty();
    const KNOWN_MODES: &'static [Mode] = if Self::MERGES { &[] } else { Self::MODES };
    const IN_BYTE: usize = in_byte(Self::ELEMENT_BITS);
    own_region! { self }
    own_layout! { self }

    #[inline(always)]
    fn element_type(&self) -> ElementType {
        E::TYPE
    }

    #[inline(always)]
    fn rank(&self) -> usize {
        D::SIZES.len()
    }

    #[inline(always)]
    fn shape(&self) -> D::Coordinates {
        D::SIZE_COORDINATES
    }

    #[inline(always)]
    fn linear_index(&self, index: &D::Coordinates) -> usize {
        sum(self, index)
    }

    #[inline]
    fn multi_index(&self, linear_index: usize) -> Option<D::Coordinates> {
        const { Self::RESOLVED }.multi_index(linear_index)
    }

    #[inline(always)]
    fn multi_index_of_element(&self, linear_index: usize) -> D::Coordinates {
        if const { Self::MERGES || Self::ELEMENTS == 0 || !divide(Self::MODES) } {
            match self.multi_index(linear_index) {
                Some(index) => return index,
                None => {
                    unreachable!("a `LinearIndex` of this type is the linear index of an element")
                }
            }
        }
        digits(self, D::SIZES.len(), linear_index)
    }

    #[inline(always)]
    fn with_resolved<R>(&self, _: sealed::Token, use_: impl FnOnce(Resolved<'_>) -> R) -> R {
        use_(const { Self::RESOLVED })
    }

    fn array_shape(&self) -> ArrayShape {
        Spec::<E, D, O, A>::shape(D::SIZES)
    }

    fn strides(&self) -> Option<D::Coordinates> {
        let mut strides = D::SIZE_COORDINATES;
        strides
            .as_mut()
            .copy_from_slice(const { Spec::<E, D, O, A>::STRIDES }?);
        Some(strides)
    }

    #[inline(always)]
    fn for_each_in_memory(&self, mut visit: impl FnMut(&D::Coordinates, usize)) {
        if const { Self::MERGES || Self::MODES.len() > Self::LOOPS.len() || Self::ELEMENTS == 0 } {
            return Self::RESOLVED.for_each(visit);
        }
        nest::<Self, _>(const { &Self::LOOPS }, D::SIZES.len(), &mut visit);
    }
}

#[diagnostic::do_not_recommend]
impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> FixedSizes
    for StaticLayout<E, D, O, A>
{
}

#[diagnostic::do_not_recommend]
impl<E: DType, D: StaticDimensions, O: OrderOf, A: Attributes> ConstLayout
    for StaticLayout<E, D, O, A>
{
    const SIZES: &'static [usize] = Self::SIZES;
    const MINOR_TO_MAJOR: &'static [usize] = Self::MINOR_TO_MAJOR;
    const STRIDES: &'static [usize] = Self::STRIDES;
    const MODES: &'static [Mode] = Self::MODES;
    const BUFFER_LEN: usize = Self::BUFFER_LEN;
    const ELEMENTS: usize = Self::ELEMENTS;
    const BYTES: usize = Self::BYTES;
    const NEW: Self = Self::NEW;
    const SIZE_COORDINATES: D::Coordinates = D::SIZE_COORDINATES;
    const MEMORY_MAP: crate::modes::MemoryMap<'static> =
        Spec::<E, D, O, A>::memory_map(Self::RESOLVED);
}

crate::by_value! { [E, D, O, A] StaticLayout<E, D, O, A>: Copy Hash = |_it| () }

impl<E, D, O, A> Default for StaticLayout<E, D, O, A> {
    #[inline(always)]
    fn default() -> Self {
        Self::Value
    }
}
