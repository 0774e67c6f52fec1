//! The layouts that a kernel's arrays may have.

use xlayout_core::types::{
    AttributeValue, Attributes, Dimensions, ElementWidth, Fill, MemSpace, MetadataBytes,
    MixedLayout, OrderOf, Padded, SplitDim, StaticDimensions, StaticLayout, TailAlign, Tile,
};
use xlayout_core::{
    ArrayLayout, ArrayShape, Dim, LayoutError, PackedView, PackedViewMut, PrimitiveType, View,
    ViewMut,
};
#[cfg(feature = "sharding")]
use xlayout_sharding::types::{HasDims, Sharded, ShardedLayout, ShardingRule};

use crate::conversion::Converter;
use crate::element_storage::ElementStorage;
use crate::kernel::BufferSpec;
use crate::memory::{NotElements, elements, elements_mut};

/// The layout of an array that XLA passes to a kernel: what `layout!` names. It is sealed.
///
/// XLA arranges the arrays of custom calls on the CPU densely, in any minor-to-major sequence, and
/// packs elements narrower than a byte (`E(4)`). For other layouts (tiles, padding) write
/// `Converted<layout!(…)>`, with the feature `relayout`: the array is copied into the layout before the
/// function runs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array that XLA passes",
    label = "expected a dense layout, as `layout!(f32[2,3]{{1,0}})`",
    note = "XLA's custom calls on the CPU take dense arrays, with any minor-to-major list, and \
            packed elements (`E(4)`); `Converted<layout!(…)>` (feature `relayout`) takes any layout, \
            and converts the array inside of the kernel"
)]
pub trait Operand: sealed::Sealed {
    /// The layout of the array in the kernel.
    type Layout: ArrayLayout;
    /// The array, to read.
    type View<'a>;
    /// The array, to write.
    type ViewMut<'a>;
    #[doc(hidden)]
    const SPEC: BufferSpec;
    /// The layout with these sizes, which were compared with the declaration.
    #[doc(hidden)]
    fn layout(dims: &[i64]) -> Result<Self::Layout, LayoutError>;
    #[doc(hidden)]
    fn view<'a>(
        bytes: &'a [u8],
        dims: &[i64],
        converter: Option<Converter<'a>>,
    ) -> Result<Self::View<'a>, NotView>;
    #[doc(hidden)]
    fn view_mut<'a>(
        bytes: &'a mut [u8],
        dims: &[i64],
        keep: bool,
        converter: Option<Converter<'a>>,
    ) -> Result<Self::ViewMut<'a>, NotView>;
}

pub(crate) mod sealed {
    /// The bytes of an array are counted by what these types say, and become elements without another
    /// check: nothing else may implement the traits.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be a part of a kernel's parameter",
        label = "only xlayout-kernel implements this trait",
        note = "a kernel takes layouts of `layout!`; the bytes of an array are trusted to be what they say"
    )]
    pub trait Sealed {}
}
use sealed::Sealed;

/// Why an array's bytes are no view.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotView {
    /// So many bytes behind where an element may begin.
    Alignment { beyond: usize },
    /// A byte is neither 0 nor 1.
    NotBool { at: usize },
    /// There is no memory for the array in the kernel's layout.
    NoMemory,
    /// The layout does not take the sizes.
    LayoutError(LayoutError),
}

impl From<NotElements> for NotView {
    fn from(error: NotElements) -> Self {
        match error {
            NotElements::Alignment { beyond } => Self::Alignment { beyond },
            NotElements::NotBool { at } => Self::NotBool { at },
        }
    }
}

impl From<LayoutError> for NotView {
    fn from(layout_error: LayoutError) -> Self {
        Self::LayoutError(layout_error)
    }
}

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
    type View<'a, E: ElementStorage, L: ArrayLayout<Type = E>> = PackedView<'a, L>;
    type ViewMut<'a, E: ElementStorage, L: ArrayLayout<Type = E>> = PackedViewMut<'a, L>;
    const PACKED: bool = true;

    #[inline(always)]
    fn view<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
        bytes: &'a [u8],
        layout: L,
    ) -> Result<PackedView<'a, L>, NotView> {
        Ok(PackedView::new(bytes, layout)?)
    }

    #[inline(always)]
    fn view_mut<'a, E: ElementStorage, L: ArrayLayout<Type = E>>(
        bytes: &'a mut [u8],
        layout: L,
        _keep: bool,
    ) -> Result<PackedViewMut<'a, L>, NotView> {
        Ok(PackedViewMut::new(bytes, layout)?)
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
const fn refused<E: ElementStorage, D: Dimensions, A: Arranged>() -> Option<&'static str> {
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
        if !narrow || !matches!(said, AttributeValue::ElementBits(bits) if bits == own as i64) {
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

/// What the type of a layout says.
const fn spec<E: ElementStorage, D: Dimensions, O: OrderOf, A: Arranged>(
    shape: fn() -> ArrayShape,
) -> BufferSpec {
    let own = bits::<E>();
    BufferSpec {
        element_type: E::TYPE,
        bits: if A::As::PACKED {
            own
        } else {
            8 * size_of::<E::Stored>()
        },
        align: if A::As::PACKED {
            1
        } else {
            align_of::<E::Stored>()
        },
        dims: D::DIMS,
        names: D::NAMES,
        minor_to_major: O::MINOR_TO_MAJOR,
        shape,
        converted: None,
        on_device: false,
        sharding: None,
        refused: refused::<E, D, A>(),
    }
}

impl<X: ElementStorage, D: StaticDimensions, O: OrderOf, A: Arranged> Sealed
    for StaticLayout<X, D, O, A>
{
}

impl<X: ElementStorage, D: StaticDimensions, O: OrderOf, A: Arranged> Operand
    for StaticLayout<X, D, O, A>
{
    type Layout = Self;
    type View<'a> = <A::As as Arrangement>::View<'a, X, Self>;
    type ViewMut<'a> = <A::As as Arrangement>::ViewMut<'a, X, Self>;
    const SPEC: BufferSpec = spec::<X, D, O, A>(|| Self::NEW.shape());

    #[inline(always)]
    fn layout(_: &[i64]) -> Result<Self, LayoutError> {
        Ok(Self::NEW)
    }

    #[inline(always)]
    fn view<'a>(
        bytes: &'a [u8],
        _dims: &[i64],
        _: Option<Converter<'a>>,
    ) -> Result<Self::View<'a>, NotView> {
        A::As::view(bytes, Self::NEW)
    }

    #[inline(always)]
    fn view_mut<'a>(
        bytes: &'a mut [u8],
        _dims: &[i64],
        keep: bool,
        _: Option<Converter<'a>>,
    ) -> Result<Self::ViewMut<'a>, NotView> {
        A::As::view_mut(bytes, Self::NEW, keep)
    }
}

impl<X: ElementStorage, D: Dimensions, O: OrderOf, A: Arranged> Sealed for MixedLayout<X, D, O, A> {}

impl<X: ElementStorage, D: Dimensions, O: OrderOf, A: Arranged> Operand
    for MixedLayout<X, D, O, A>
{
    type Layout = Self;
    type View<'a> = <A::As as Arrangement>::View<'a, X, Self>;
    type ViewMut<'a> = <A::As as Arrangement>::ViewMut<'a, X, Self>;
    const SPEC: BufferSpec = spec::<X, D, O, A>(|| Self::pattern());

    #[inline(always)]
    fn layout(dims: &[i64]) -> Result<Self, LayoutError> {
        Self::with_sizes(sizes::<D>(dims))
    }

    #[inline(always)]
    fn view<'a>(
        bytes: &'a [u8],
        dims: &[i64],
        _: Option<Converter<'a>>,
    ) -> Result<Self::View<'a>, NotView> {
        A::As::view(bytes, Self::with_sizes(sizes::<D>(dims))?)
    }

    #[inline(always)]
    fn view_mut<'a>(
        bytes: &'a mut [u8],
        dims: &[i64],
        keep: bool,
        _: Option<Converter<'a>>,
    ) -> Result<Self::ViewMut<'a>, NotView> {
        A::As::view_mut(bytes, Self::with_sizes(sizes::<D>(dims))?, keep)
    }
}

#[inline(always)]
pub(crate) fn sizes<D: Dimensions>(dims: &[i64]) -> D::Coordinates {
    let mut sizes = D::SIZE_COORDINATES;
    for (size, &dim) in sizes.as_mut().iter_mut().zip(dims) {
        *size = dim as usize;
    }
    sizes
}

#[cfg(feature = "sharding")]
impl<G, P: Operand, R> Sealed for Sharded<G, P, R> {}

#[cfg(feature = "sharding")]
impl<G, P, R> Operand for Sharded<G, P, R>
where
    Self: ShardedLayout<Global = G, PerDevice = P, Sharding = R>,
    G: Operand + ArrayLayout + HasDims,
    P: Operand + ArrayLayout + HasDims,
    R: ShardingRule,
{
    type Layout = P::Layout;
    type View<'a> = P::View<'a>;
    type ViewMut<'a> = P::ViewMut<'a>;
    const SPEC: BufferSpec = {
        let mut spec = P::SPEC;
        spec.sharding = Some(|| {
            let sharding = Self::default().sharding();
            (
                sharding.map_or_else(|error| error.to_string(), |sharding| sharding.to_string()),
                (G::SPEC.shape)(),
            )
        });
        spec
    };

    #[inline(always)]
    fn layout(dims: &[i64]) -> Result<Self::Layout, LayoutError> {
        P::layout(dims)
    }

    #[inline(always)]
    fn view<'a>(
        bytes: &'a [u8],
        dims: &[i64],
        converter: Option<Converter<'a>>,
    ) -> Result<Self::View<'a>, NotView> {
        P::view(bytes, dims, converter)
    }

    #[inline(always)]
    fn view_mut<'a>(
        bytes: &'a mut [u8],
        dims: &[i64],
        keep: bool,
        converter: Option<Converter<'a>>,
    ) -> Result<Self::ViewMut<'a>, NotView> {
        P::view_mut(bytes, dims, keep, converter)
    }
}
