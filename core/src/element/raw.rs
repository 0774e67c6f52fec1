//! Elements as their bits, for element types that no type of Rust's carries.

use core::fmt;
use core::hash::Hash;

use super::sealed::Sealed;
use super::{DType, Element};

/// One element as its bits: it carries any of XLA's element types that is not a type of Rust's own,
/// and needs no other crate.
///
/// A bf16 or an f16 is computed with as an `f32`: `+`, `-`, `*` and `/` give one, as
/// [`to_f32`](Self::to_f32) does, and [`from_f32`](Self::from_f32) rounds it. `i8::from` gives the
/// value of an s4, s2 or s1, `u8::from` that of a u4, u2 or u1. With the feature `half`, arrays
/// have elements `half::bf16` and `half::f16`.
///
/// Two are equal when their bits are. Types narrower than a byte lie in the low bits of one; a
/// layout that packs them (`E(4)`) is accessed through [`Packed`](crate::Packed) instead.
///
/// ```
/// use xlayout_core::{Array, DynLayout, Element, Raw, dtype};
///
/// type Bf16 = Raw<dtype::bf16>;
/// assert_eq!((Bf16::ONE.to_bits(), Bf16::ONE.to_f32()), (0x3f80, 1.0));
/// let layout: DynLayout = "bf16[2,3]{0,1}".parse().unwrap();
/// let mut array = Array::from_fn(layout, |at| Bf16::from_f32(at[1] as f32)).unwrap();
/// array.for_each_mut(|_, x| *x = Bf16::from_f32(*x * 0.5));
/// assert_eq!(f32::from(array[[1, 2]]), 1.0);
/// ```
#[repr(transparent)]
pub struct Raw<D: RawBits>(D::Bits);

/// An element type that [`Raw`] carries: all but those that Rust has a type for.
#[diagnostic::on_unimplemented(
    message = "`Raw` does not carry `{Self}`",
    note = "an element type that is a type of Rust's is carried by it: `f32`, `i8` (s8), \
            `bool` (pred), …"
)]
pub trait RawBits: DType {
    /// An unsigned integer as wide as an element, or the two parts of a complex number.
    type Bits: Bits + Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;
    #[doc(hidden)]
    const ZERO: Self::Bits;
    #[doc(hidden)]
    const ONE: Self::Bits;
    #[doc(hidden)]
    const LOWEST: Self::Bits;
    #[doc(hidden)]
    const HIGHEST: Self::Bits;
}

impl<D: RawBits> Raw<D> {
    /// The element with these bits.
    #[inline(always)]
    pub const fn from_bits(bits: D::Bits) -> Self {
        Self(bits)
    }

    /// The bits of the element.
    #[inline(always)]
    pub const fn to_bits(self) -> D::Bits {
        self.0
    }
}

impl<D: RawBits> Sealed for Raw<D> {}

impl<D: RawBits> Element for Raw<D> {
    type Type = D;
    const ZERO: Self = Self(D::ZERO);
    const ONE: Self = Self(D::ONE);
    const LOWEST: Self = Self(D::LOWEST);
    const HIGHEST: Self = Self(D::HIGHEST);
    #[inline]
    fn swap_bytes(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

/// The bits of an element, as one integer or two. Nothing outside can name it.
pub trait Bits {
    /// With the bytes of each integer in reversed sequence.
    fn swap_bytes(self) -> Self;
}

macro_rules! bits {
    ($($integer:ident)*) => {$(
        impl Bits for $integer {
            #[inline]
            fn swap_bytes(self) -> Self {
                $integer::swap_bytes(self)
            }
        }
    )*};
}
bits!(u8 u16 u32 u64);

impl<B: Bits> Bits for [B; 2] {
    #[inline]
    fn swap_bytes(self) -> Self {
        self.map(B::swap_bytes)
    }
}

crate::by_value! { [D: RawBits] Raw<D>: Copy Hash = |it| it.0 }

impl<D: RawBits> fmt::Debug for Raw<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{:x?}", D::TYPE, self.0)
    }
}
