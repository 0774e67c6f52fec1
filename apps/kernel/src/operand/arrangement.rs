//! How the elements of a kernel's array are arranged in bytes, and which attributes XLA does not
//! pass.

use xlayout_core::error::Attribute;
use xlayout_core::types::{
    AttributeValue, Attributes, Dimensions, ElementWidth, Fill, MemSpace, MetadataBytes, Padded,
    SplitDim, TailAlign, Tile,
};
use xlayout_core::{ArrayLayout, Dim, ElementType, Packed, SliceView, SliceViewMut};

use super::sealed::Sealed;
use crate::element_storage::ElementStorage;
use crate::fault::Wrong;
use crate::memory::{elements, elements_mut};

/// The attributes of a layout: whether it packs elements, or why XLA passes no such array. The
/// trait is sealed.
pub trait Arranged: Attributes + Sealed {
    #[doc(hidden)]
    type As: Arrangement;
    #[doc(hidden)]
    const REFUSED: Option<&'static str> = None;
}

/// How elements are stored in bytes, and the types by which these bytes are viewed as an array. If
/// `keep`, the values in the bytes are kept and checked; otherwise they are unspecified.
#[doc(hidden)]
pub trait Arrangement: Sealed {
    type SliceView<'a, E: ElementStorage, L: ArrayLayout<Type = E>>;
    type SliceViewMut<'a, E: ElementStorage, L: ArrayLayout<Type = E>>;
    const PACKED: bool;
    fn view<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
        bytes: &'a [u8],
        layout: L,
    ) -> Result<Self::SliceView<'a, E, L>, Wrong>;
    fn view_mut<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
        bytes: &'a mut [u8],
        layout: L,
        keep: bool,
    ) -> Result<Self::SliceViewMut<'a, E, L>, Wrong>;
}

// A row: the name, whether elements are packed, the attributes of the layouts that have this
// arrangement, the element type of the views, and how a view and a view for writing are made.
macro_rules! arrangements {
    ($($(#[$doc:meta])* $name:ident($packed:literal): [$($attributes:ty)*] $element:ty,
        |$bytes:ident, $layout:ident, $keep:ident| $view:expr, $view_mut:expr;)*) => {$(
        $(#[$doc])*
        #[doc(hidden)]
        #[derive(Debug)]
        pub enum $name {}

        impl Sealed for $name {}

        impl Arrangement for $name {
            type SliceView<'a, E: ElementStorage, L: ArrayLayout<Type = E>> = SliceView<'a, $element, L>;
            type SliceViewMut<'a, E: ElementStorage, L: ArrayLayout<Type = E>> = SliceViewMut<'a, $element, L>;
            const PACKED: bool = $packed;

            #[inline(always)]
            fn view<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
                $bytes: &'a [u8],
                $layout: L,
            ) -> Result<SliceView<'a, $element, L>, Wrong> {
                Ok($view?)
            }

            #[inline(always)]
            fn view_mut<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
                $bytes: &'a mut [u8],
                $layout: L,
                $keep: bool,
            ) -> Result<SliceViewMut<'a, $element, L>, Wrong> {
                Ok($view_mut?)
            }
        }

        $(
            impl Sealed for $attributes {}

            impl Arranged for $attributes {
                type As = $name;
            }
        )*
    )*};
}
arrangements! {
    /// An element in its own bytes.
    Dense(false): [()] E::Stored, |bytes, layout, keep|
        SliceView::new(layout, elements(bytes)?), SliceViewMut::new(layout, elements_mut(bytes, keep)?);
    /// Several elements in a byte.
    Packs(true): [(ElementWidth<1>,) (ElementWidth<2>,) (ElementWidth<4>,)] Packed, |bytes, layout, _keep|
        SliceView::packed(layout, bytes), SliceViewMut::packed(layout, bytes);
}

// A row: the generics of the attributes, the attributes, and why XLA passes no such array.
macro_rules! refused {
    ($([$($generics:tt)*] $attributes:ty: $why:expr;)*) => {$(
        impl<$($generics)*> Sealed for $attributes {}

        impl<$($generics)*> Arranged for $attributes
        where
            Self: Attributes,
        {
            type As = Dense;
            const REFUSED: Option<&'static str> = Some($why);
        }
    )*};
}
refused! {
    [Entries] (Tile<Entries>,): "a kernel's array cannot be tiled: XLA passes dense arrays on the \
                                 CPU; leave the tiles out (`{1,0}`), or write \
                                 `Converted<layout!(…)>` (feature `relayout`), which converts the \
                                 array inside of the kernel";
    [const N: usize] (TailAlign<N>,): "a kernel's array cannot have a tail alignment `L(n)`: XLA \
                                       passes dense arrays on the CPU; leave it out";
    [const N: i8] (MemSpace<N>,): "a kernel's array cannot lie in a memory space `S(n)`: on the \
                                   CPU there is one; leave it out";
    [const N: i64, Indices] (SplitDim<N, Indices>,): "a kernel's array cannot be split `SC(…)`: \
                                                      XLA passes dense arrays on the \
                                                      CPU; leave it out";
    [const N: i64] (MetadataBytes<N>,): "a kernel's array cannot have a prefix of metadata `M(n)`: \
                                         XLA passes dense arrays on the CPU; leave it out";
    [Widths] (Padded<Widths>,): "a kernel's array cannot be padded: XLA passes dense arrays on the \
                                 CPU; leave `padded_dimensions` out, or write \
                                 `Converted<layout!(…)>` (feature `relayout`), which converts the \
                                 array inside of the kernel";
    [Value] (Fill<Value>,): "a kernel's array has no padding: leave `padding_value` out";
    [A0, A1] (A0, A1): SEVERAL;
    [A0, A1, A2] (A0, A1, A2): SEVERAL;
    [A0, A1, A2, A3] (A0, A1, A2, A3): SEVERAL;
    [A0, A1, A2, A3, A4] (A0, A1, A2, A3, A4): SEVERAL;
    [A0, A1, A2, A3, A4, A5] (A0, A1, A2, A3, A4, A5): SEVERAL;
    [A0, A1, A2, A3, A4, A5, A6] (A0, A1, A2, A3, A4, A5, A6): SEVERAL;
    [A0, A1, A2, A3, A4, A5, A6, A7] (A0, A1, A2, A3, A4, A5, A6, A7): SEVERAL;
}

const SEVERAL: &str = "a kernel's array has a dense layout, with `E(4)` where elements are packed \
                       and no tiles, padding or other attributes: XLA passes no other on the CPU; \
                       leave them out, or write `Converted<layout!(…)>` (feature `relayout`), \
                       which converts the array inside of the kernel";

/// The bits of an element.
pub(crate) const fn bits<E: ElementStorage>() -> usize {
    match E::TYPE.bits() {
        Some(bits) => bits as usize,
        None => unreachable!(),
    }
}

/// Whether elements are narrower than a byte, which a `pred` is not.
pub(crate) const fn is_narrow<E: ElementStorage>() -> bool {
    matches!(bits::<E>(), 1 | 2 | 4) && !matches!(E::TYPE, ElementType::Pred)
}

/// Why XLA passes no array with these dimensions: one of them has a bound.
pub(crate) const fn bounded(dims: &[Dim]) -> Option<&'static str> {
    each!(dim, dims, {
        if let Dim::Bounded(_) = dim {
            return Some(
                "a dimension of a kernel's array cannot have a bound: XLA passes its size only; \
                 write `?` in place of `<=`",
            );
        }
    });
    None
}

/// Why XLA passes no array of this type, if that is so.
pub(super) const fn refused<E: ElementStorage, D: Dimensions, A: Arranged>() -> Option<&'static str>
{
    if A::REFUSED.is_some() {
        return A::REFUSED;
    }
    if let Some(refused) = bounded(D::DIMS) {
        return Some(refused);
    }
    let element_bits = bits::<E>();
    let narrow = is_narrow::<E>();
    if A::As::PACKED {
        // Packed layouts have one attribute, `E(n)`: see `Packs`.
        let stated = match A::LIST[0] {
            AttributeValue::Number(Attribute::ElementSize, bits) => Some(bits),
            _ => None,
        };
        if !narrow || !matches!(stated, Some(bits) if bits == element_bits as i64) {
            return Some(
                "XLA packs elements of a kernel's array into their own width: `E(4)` for s4, u4 \
                 and f4e2m1fn, `E(2)` for s2 and u2, `E(1)` for s1 and u1, and no others",
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
