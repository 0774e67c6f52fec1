//! Between layouts known at compile time and layouts known at run time.

use core::fmt;

use xlayout_shape::lowering::same_map;

use super::parts::{Attributes, Dimensions, StaticDimensions};
use super::rearrange::OfSizes;
use super::spec::{OrderOf, Spec};
use super::{MixedLayout, StaticLayout};
use crate::array_layout::{ArrayLayout, sealed};
use crate::element::DType;
use crate::layout_error::LayoutError;
use crate::layouts::{DynLayout, IntoShape};
use crate::shape::ArrayShape;

/// A layout whose type says something, made from a dynamic one that agrees with it.
///
/// What counts is memory: element type, sizes, modes, allocated elements, memory space. Two
/// notations of the same memory map agree, such as two minor-to-major lists that differ in
/// dimensions of size 1 only.
///
/// ```
/// use xlayout_core::DynLayout;
/// use xlayout_core::types::{Nat, StaticLayout, FromDynLayout, MinorToMajor};
///
/// // layout!(f32[2,3]{0,1})
/// type A = StaticLayout<f32, (Nat<2>, Nat<3>), MinorToMajor<(Nat<0>, Nat<1>)>, ()>;
/// let column_major: DynLayout = "f32[2,3]{0,1}".parse().unwrap();
/// assert!(A::from_dyn(&column_major).is_ok());
/// let row_major: DynLayout = "f32[2,3]{1,0}".parse().unwrap();
/// assert!(A::from_dyn(&row_major).is_err());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no layout that a dynamic one can be matched against",
    note = "write it as `layout!(…)`, with `?` for sizes that the run time knows"
)]
pub trait FromDynLayout: ArrayLayout {
    /// The layout, when `dynamic` agrees with it.
    ///
    /// # Errors
    /// The first thing that differs.
    fn from_dyn(dynamic: &DynLayout) -> Result<Self, LayoutError>;
}

fn check_head<E: DType, D: Dimensions, O: OrderOf, A: Attributes>(
    dynamic: &DynLayout,
) -> Result<(), LayoutError> {
    if E::TYPE != dynamic.element_type() {
        return Err(LayoutError::ElementType {
            expected: E::TYPE,
            found: dynamic.element_type(),
        });
    }
    if D::SIZES.len() != dynamic.rank() {
        return Err(LayoutError::Rank {
            expected: D::SIZES.len(),
            found: dynamic.rank(),
        });
    }
    let expected = Spec::<E, D, O, A>::GATHERED.memory_space;
    let layout = dynamic.array_shape().layout.as_ref();
    let found = layout.map_or(0, |layout| layout.memory_space);
    if expected != found {
        return Err(LayoutError::MemorySpace { expected, found });
    }
    Ok(())
}

fn check_memory(layout: &impl ArrayLayout, dynamic: &DynLayout) -> Result<(), LayoutError> {
    layout.with_resolved(sealed::Token, |expected| {
        dynamic.with_resolved(sealed::Token, |found| {
            if expected.numbers.element_bits != found.numbers.element_bits {
                return Err(LayoutError::ElementBits {
                    expected: expected.numbers.element_bits,
                    found: found.numbers.element_bits,
                });
            }
            if expected.numbers.buffer_len != found.numbers.buffer_len
                || expected.terms != found.terms
                || !same_map(expected.modes, found.modes)
            {
                return Err(LayoutError::MemoryMap);
            }
            Ok(())
        })
    })
}

macro_rules! conversions {
    ($($layout:ident: $dimensions:ident;)*) => {$(
        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> sealed::Sealed for $layout<E, D, O, A> {}

        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> FromDynLayout for $layout<E, D, O, A> {
            fn from_dyn(dynamic: &DynLayout) -> Result<Self, LayoutError> {
                check_head::<E, D, O, A>(dynamic)?;
                let mut sizes = D::SIZE_COORDINATES;
                sizes.as_mut().copy_from_slice(dynamic.dims());
                let layout = Self::with_sizes(sizes)?;
                check_memory(&layout, dynamic)?;
                Ok(layout)
            }
        }

        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> OfSizes for $layout<E, D, O, A> {
            fn of_sizes(sizes: D::Coordinates) -> Result<Self, LayoutError> {
                Self::with_sizes(sizes)
            }
        }

        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> From<$layout<E, D, O, A>> for DynLayout {
            fn from(layout: $layout<E, D, O, A>) -> Self {
                Self::of_valid(layout.array_shape(), layout.shape().as_ref())
            }
        }

        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> TryFrom<&DynLayout> for $layout<E, D, O, A> {
            type Error = LayoutError;
            fn try_from(dynamic: &DynLayout) -> Result<Self, LayoutError> {
                Self::from_dyn(dynamic)
            }
        }

        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> fmt::Debug for $layout<E, D, O, A> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "layout!({})", self.array_shape())
            }
        }

        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> fmt::Display for $layout<E, D, O, A> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.array_shape().fmt(f)
            }
        }

        /// Equal notations: the layout as a [`DynLayout`] is equal.
        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> PartialEq<DynLayout> for $layout<E, D, O, A> {
            fn eq(&self, other: &DynLayout) -> bool {
                let layout: DynLayout = (*self).into();
                layout == *other
            }
        }

        /// Equal notations: the layout as a [`DynLayout`] is equal.
        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> PartialEq<$layout<E, D, O, A>> for DynLayout {
            fn eq(&self, other: &$layout<E, D, O, A>) -> bool {
                *other == *self
            }
        }

        /// For the compiler's message: no layout of this type is made without a check.
        impl<E: DType, D: $dimensions, O: OrderOf, A: Attributes> From<DynLayout> for $layout<E, D, O, A>
        where
            Self: Unchecked<DynLayout>,
        {
            fn from(_: DynLayout) -> Self {
                unreachable!("no type is `Unchecked`")
            }
        }
    )*};
}

conversions! {
    StaticLayout: StaticDimensions;
    MixedLayout: Dimensions;
}

/// No type implements it: the compiler says what to write instead.
#[diagnostic::on_unimplemented(
    message = "a layout that the run time knows may differ from the one that this type says",
    label = "the layout has to be compared with the type",
    note = "write `A::try_from(&layout)?` for a layout type `A`, or `specialize!` for several"
)]
#[allow(unreachable_pub, reason = "public implementations name it")]
pub trait Unchecked<L> {}

impl<E, D, O, A> IntoShape for StaticLayout<E, D, O, A>
where
    Self: ArrayLayout,
{
    fn into_shape(self) -> Result<ArrayShape, LayoutError> {
        Ok(self.array_shape())
    }
}
