//! How the elements of a kernel's array are arranged in bytes, and which attributes XLA does not pass.

use xlayout_core::types::{
    AttributeValue, Attributes, Dimensions, ElementWidth, Fill, MemSpace, MetadataBytes, Padded,
    SplitDim, TailAlign, Tile,
};
use xlayout_core::{ArrayLayout, Dim, Packed, PrimitiveType, View, ViewMut};

use super::sealed::Sealed;
use crate::element_storage::ElementStorage;
use crate::memory::{NotView, elements, elements_mut};

/// The attributes of a layout: whether it packs, or why XLA passes none such. It is sealed.
pub trait Arranged: Attributes + Sealed {
    #[doc(hidden)]
    type As: Arrangement;
    #[doc(hidden)]
    const REFUSED: Option<&'static str> = None;
}

/// How elements lie in bytes.
#[doc(hidden)]
pub trait Arrangement: Sealed {
    type View<'a, E: ElementStorage, L: ArrayLayout<Type = E>>;
    type ViewMut<'a, E: ElementStorage, L: ArrayLayout<Type = E>>;
    const PACKED: bool;
    fn view<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
        bytes: &'a [u8],
        layout: L,
    ) -> Result<Self::View<'a, E, L>, NotView>;
    fn view_mut<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
        bytes: &'a mut [u8],
        layout: L,
        keep: bool,
    ) -> Result<Self::ViewMut<'a, E, L>, NotView>;
}

/// An element in its own bytes.
#[doc(hidden)]
#[derive(Debug)]
pub enum Dense {}

impl Sealed for Dense {}

impl Arrangement for Dense {
    type View<'a, E: ElementStorage, L: ArrayLayout<Type = E>> = View<'a, E::Stored, L>;
    type ViewMut<'a, E: ElementStorage, L: ArrayLayout<Type = E>> = ViewMut<'a, E::Stored, L>;
    const PACKED: bool = false;

    #[inline(always)]
    fn view<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
        bytes: &'a [u8],
        layout: L,
    ) -> Result<View<'a, E::Stored, L>, NotView> {
        Ok(View::new(elements(bytes)?, layout)?)
    }

    #[inline(always)]
    fn view_mut<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
        bytes: &'a mut [u8],
        layout: L,
        keep: bool,
    ) -> Result<ViewMut<'a, E::Stored, L>, NotView> {
        Ok(ViewMut::new(elements_mut(bytes, keep)?, layout)?)
    }
}

/// Several elements in a byte.
#[doc(hidden)]
#[derive(Debug)]
pub enum Packs {}

impl Sealed for Packs {}

impl Arrangement for Packs {
    type View<'a, E: ElementStorage, L: ArrayLayout<Type = E>> = View<'a, Packed, L>;
    type ViewMut<'a, E: ElementStorage, L: ArrayLayout<Type = E>> = ViewMut<'a, Packed, L>;
    const PACKED: bool = true;

    #[inline(always)]
    fn view<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
        bytes: &'a [u8],
        layout: L,
    ) -> Result<View<'a, Packed, L>, NotView> {
        Ok(View::packed(bytes, layout)?)
    }

    #[inline(always)]
    fn view_mut<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
        bytes: &'a mut [u8],
        layout: L,
        _keep: bool,
    ) -> Result<ViewMut<'a, Packed, L>, NotView> {
        Ok(ViewMut::packed(bytes, layout)?)
    }
}

impl Sealed for () {}

impl Arranged for () {
    type As = Dense;
}

macro_rules! packs {
    ($($n:literal)*) => {$(
        impl Sealed for (ElementWidth<$n>,) {}

        impl Arranged for (ElementWidth<$n>,) {
            type As = Packs;
        }
    )*};
}
packs!(1 2 4);

macro_rules! refused {
    ($([$($generics:tt)*] $attribute:ty: $why:literal;)*) => {$(
        impl<$($generics)*> Sealed for ($attribute,) {}

        impl<$($generics)*> Arranged for ($attribute,)
        where
            Self: Attributes,
        {
            type As = Dense;
            const REFUSED: Option<&'static str> = Some($why);
        }
    )*};
}
refused! {
    [Entries] Tile<Entries>: "a kernel's array cannot be tiled: XLA passes dense arrays on the CPU; leave the tiles out (`{1,0}`), or write `Converted<layout!(…)>` (feature `relayout`), which converts the array inside of the kernel";
    [const N: usize] TailAlign<N>: "a kernel's array cannot have a tail alignment `L(n)`: XLA passes dense arrays on the CPU; leave it out";
    [const N: i8] MemSpace<N>: "a kernel's array cannot lie in a memory space `S(n)`: on the CPU there is one; leave it out";
    [const N: i64, Indices] SplitDim<N, Indices>: "a kernel's array cannot be split `SC(…)`: XLA passes dense arrays on the CPU; leave it out";
    [const N: i64] MetadataBytes<N>: "a kernel's array cannot have a prefix of metadata `M(n)`: XLA passes dense arrays on the CPU; leave it out";
    [Widths] Padded<Widths>: "a kernel's array cannot be padded: XLA passes dense arrays on the CPU; leave `padded_dimensions` out, or write `Converted<layout!(…)>` (feature `relayout`), which converts the array inside of the kernel";
    [Value] Fill<Value>: "a kernel's array has no padding: leave `padding_value` out";
}

macro_rules! several {
    ($(($($name:ident),*))*) => {$(
        impl<$($name),*> Sealed for ($($name,)*) {}

        impl<$($name),*> Arranged for ($($name,)*)
        where
            Self: Attributes,
        {
            type As = Dense;
            const REFUSED: Option<&'static str> = Some("a kernel's array has a dense layout, with `E(4)` where elements are packed and no tiles, padding or other attributes: XLA passes no other on the CPU; leave them out, or write `Converted<layout!(…)>` (feature `relayout`), which converts the array inside of the kernel");
        }
    )*};
}
several!((A0, A1)(A0, A1, A2)(A0, A1, A2, A3)(A0, A1, A2, A3, A4)(
    A0, A1, A2, A3, A4, A5
)(A0, A1, A2, A3, A4, A5, A6)(A0, A1, A2, A3, A4, A5, A6, A7));

/// The bits of an element.
pub(crate) const fn bits<E: ElementStorage>() -> usize {
    match E::TYPE.bits() {
        Some(bits) => bits as usize,
        None => unreachable!(),
    }
}

/// Why XLA passes no array of this type, if that is so.
pub(super) const fn refused<E: ElementStorage, D: Dimensions, A: Arranged>() -> Option<&'static str>
{
    if A::REFUSED.is_some() {
        return A::REFUSED;
    }
    let mut d = 0;
    while d < D::DIMS.len() {
        if let Dim::Bounded(_) = D::DIMS[d] {
            return Some(
                "a dimension of a kernel's array cannot have a bound: XLA passes its size only; \
                 write `?` in place of `<=`",
            );
        }
        d += 1;
    }
    let own = bits::<E>();
    let narrow = matches!(own, 1 | 2 | 4) && !matches!(E::TYPE, PrimitiveType::Pred);
    if A::As::PACKED {
        let said = A::LIST[0];
        if !narrow
            || !matches!(said, AttributeValue::Number(xlayout_core::error::Attribute::ElementSize, bits) if bits == own as i64)
        {
            return Some(
                "XLA packs elements of a kernel's array into their own width: `E(4)` for s4, u4 and \
                 f4e2m1fn, `E(2)` for s2 and u2, `E(1)` for s1 and u1, and no others",
            );
        }
    } else if narrow {
        return Some(
            "XLA packs elements narrower than a byte: write `E(4)`, as in `s4[8]{0:E(4)}` (`E(2)` \
             for s2 and u2, `E(1)` for s1 and u1)",
        );
    }
    None
}
