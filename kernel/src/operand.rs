//! The layouts that a kernel's arrays may have.
#![allow(unsafe_code)]

mod arrangement;

pub use arrangement::Arranged;
use arrangement::Arrangement;
pub(crate) use arrangement::bits;

use xlayout_core::types::{Dimensions, MixedLayout, OrderOf, StaticDimensions, StaticLayout};
use xlayout_core::{ArrayLayout, ArrayShape, LayoutError};
#[cfg(feature = "sharding")]
use xlayout_sharding::types::{HasDims, Sharded, ShardedLayout, ShardingRule};

use crate::conversion::Converter;
use crate::element_storage::ElementStorage;
use crate::kernel::BufferSpec;
use crate::memory::NotView;

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
    fn view<'a>(bytes: &'a [u8], dims: &[i64]) -> Result<Self::View<'a>, NotView>;
    #[doc(hidden)]
    fn view_mut<'a>(
        bytes: &'a mut [u8],
        dims: &[i64],
        keep: bool,
    ) -> Result<Self::ViewMut<'a>, NotView>;
    /// The array, which XLA passes row-major, converted to the layout. It is called where the call has a
    /// converter only.
    ///
    /// # Safety
    /// In a run the converter is used for one parameter, once, and its `Items` are an array of the call
    /// (`Call::converter`).
    #[doc(hidden)]
    unsafe fn converted<'a>(
        dims: &[i64],
        converter: Converter<'a>,
    ) -> Result<Self::View<'a>, NotView>;
    /// As `converted`, to write.
    ///
    /// # Safety
    /// In a run the converter is used for one parameter, once, and its `Items` are a result of the call
    /// (`Call::converter`).
    #[doc(hidden)]
    unsafe fn converted_mut<'a>(
        dims: &[i64],
        keep: bool,
        converter: Converter<'a>,
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

/// Whether the last dimension is the most minor, and so on.
const fn is_row_major(minor_to_major: &[i64]) -> bool {
    let mut k = 0;
    while k < minor_to_major.len() {
        if minor_to_major[k] != (minor_to_major.len() - 1 - k) as i64 {
            return false;
        }
        k += 1;
    }
    true
}

/// The bytes of an argument that a converter converts to the layout, and those of a result.
#[cfg(feature = "relayout")]
mod bytes {
    pub(super) use crate::items::{argument, result};
}
#[cfg(not(feature = "relayout"))]
#[expect(
    clippy::extra_unused_type_parameters,
    reason = "the parameters are those of the functions above"
)]
mod bytes {
    use crate::conversion::Converter;
    use crate::memory::NotView;

    pub(super) unsafe fn argument<'a, X, L>(
        _: &L,
        _: bool,
        _: &[i64],
        _: Converter<'a>,
    ) -> Result<&'a [u8], NotView> {
        unreachable!("without the feature `relayout` no array has a converter")
    }

    pub(super) unsafe fn result<'a, X, L>(
        _: &L,
        _: bool,
        _: &[i64],
        _: bool,
        _: Converter<'a>,
    ) -> Result<&'a mut [u8], NotView> {
        unreachable!("without the feature `relayout` no array has a converter")
    }
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
        by_items: cfg!(feature = "relayout")
            && !A::As::PACKED
            && A::LIST.is_empty()
            && !is_row_major(O::MINOR_TO_MAJOR),
        sharding: None,
        refused: arrangement::refused::<E, D, A>(),
    }
}

macro_rules! operands {
    ($($layout:ident<$dimensions:ident>: |$dims:ident| $with_sizes:expr, $shape:expr;)*) => {$(
        impl<X: ElementStorage, D: $dimensions, O: OrderOf, A: Arranged> Sealed for $layout<X, D, O, A> {}

        impl<X: ElementStorage, D: $dimensions + 'static, O: OrderOf + 'static, A: Arranged + 'static> Operand
            for $layout<X, D, O, A>
        {
            type Layout = Self;
            type View<'a> = <A::As as Arrangement>::View<'a, X, Self>;
            type ViewMut<'a> = <A::As as Arrangement>::ViewMut<'a, X, Self>;
            const SPEC: BufferSpec = spec::<X, D, O, A>(|| $shape);

            #[inline(always)]
            fn layout($dims: &[i64]) -> Result<Self, LayoutError> {
                $with_sizes
            }

            #[inline(always)]
            fn view<'a>(bytes: &'a [u8], dims: &[i64]) -> Result<Self::View<'a>, NotView> {
                A::As::view(bytes, <Self as Operand>::layout(dims)?)
            }

            #[inline(always)]
            fn view_mut<'a>(bytes: &'a mut [u8], dims: &[i64], keep: bool) -> Result<Self::ViewMut<'a>, NotView> {
                A::As::view_mut(bytes, <Self as Operand>::layout(dims)?, keep)
            }

            unsafe fn converted<'a>(dims: &[i64], converter: Converter<'a>) -> Result<Self::View<'a>, NotView> {
                let layout = <Self as Operand>::layout(dims)?;
                // SAFETY: the caller's promise.
                let bytes = unsafe { bytes::argument::<X, Self>(&layout, true, dims, converter)? };
                A::As::view(bytes, layout)
            }

            unsafe fn converted_mut<'a>(
                dims: &[i64],
                keep: bool,
                converter: Converter<'a>,
            ) -> Result<Self::ViewMut<'a>, NotView> {
                let layout = <Self as Operand>::layout(dims)?;
                // SAFETY: the caller's promise.
                let bytes = unsafe { bytes::result::<X, Self>(&layout, true, dims, keep, converter)? };
                A::As::view_mut(bytes, layout, keep)
            }
        }
    )*};
}
operands! {
    StaticLayout<StaticDimensions>: |_dims| Ok(Self::NEW), Self::NEW.shape();
    MixedLayout<Dimensions>: |dims| Self::with_sizes(sizes::<D>(dims)), Self::pattern();
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
    fn view<'a>(bytes: &'a [u8], dims: &[i64]) -> Result<Self::View<'a>, NotView> {
        P::view(bytes, dims)
    }

    #[inline(always)]
    fn view_mut<'a>(
        bytes: &'a mut [u8],
        dims: &[i64],
        keep: bool,
    ) -> Result<Self::ViewMut<'a>, NotView> {
        P::view_mut(bytes, dims, keep)
    }

    unsafe fn converted<'a>(
        dims: &[i64],
        converter: Converter<'a>,
    ) -> Result<Self::View<'a>, NotView> {
        // SAFETY: the caller's promise.
        unsafe { P::converted(dims, converter) }
    }

    unsafe fn converted_mut<'a>(
        dims: &[i64],
        keep: bool,
        converter: Converter<'a>,
    ) -> Result<Self::ViewMut<'a>, NotView> {
        // SAFETY: the caller's promise.
        unsafe { P::converted_mut(dims, keep, converter) }
    }
}
