//! The layouts that a kernel's arrays may have.
#![allow(unsafe_code)]

mod arrangement;

pub use arrangement::Arranged;
use arrangement::Arrangement;
use arrangement::bits;
#[cfg(feature = "relayout")]
pub(crate) use arrangement::{bounded, is_narrow};

use xlayout_core::types::{Dimensions, MixedLayout, OrderOf, StaticDimensions, StaticLayout};
use xlayout_core::{ArrayLayout, ArrayShape, LayoutError};
#[cfg(feature = "sharding")]
use xlayout_sharding::types::{HasDims, Sharded, ShardedLayout, ShardingRule};

use crate::conversion::Converter;
use crate::element_storage::ElementStorage;
#[cfg(feature = "relayout")]
use crate::items;
use crate::kernel::BufferSpec;
use crate::memory::NotView;
use crate::poison::poison;

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
    /// The array of these sizes.
    ///
    /// # Safety
    /// It is the memory of an array of the call with this layout (`Call::memory`), and in a run each parameter is
    /// taken once.
    #[doc(hidden)]
    unsafe fn view<'a>(dims: &[i64], memory: Memory<'a>) -> Result<Self::View<'a>, NotView>;
    /// As `view`, of a result. What it holds is kept where `keep` says so.
    ///
    /// # Safety
    /// As `view`, of a result of the call.
    #[doc(hidden)]
    unsafe fn view_mut<'a>(
        dims: &[i64],
        memory: Memory<'a>,
        keep: bool,
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

/// The memory of an array for a run.
#[derive(Clone, Copy)]
pub enum Memory<'call> {
    /// XLA's, in the layout that is declared.
    Passed(*mut [u8]),
    /// XLA's, which is row-major, and what converts it.
    Converted(Converter<'call>),
}

impl<'call> Memory<'call> {
    /// The bytes of an argument in this layout. `is_dense` says that the layout has a minor-to-major list only.
    ///
    /// # Safety
    /// As [`Operand::view`].
    #[inline(always)]
    pub(crate) unsafe fn read<X: ElementStorage, L: ArrayLayout + 'static>(
        self,
        layout: &L,
        is_dense: bool,
        dims: &[i64],
    ) -> Result<&'call [u8], NotView> {
        match self {
            // SAFETY: the bytes are there during the call and shared with no array that is written
            // (`Call::memory`).
            Self::Passed(bytes) => Ok(unsafe { &*bytes }),
            #[cfg(feature = "relayout")]
            // SAFETY: the caller's promise.
            Self::Converted(converter) => unsafe {
                items::argument::<X, L>(layout, is_dense, dims, converter)
            },
            #[cfg(not(feature = "relayout"))]
            Self::Converted(_) => no_converter::<X, L>(layout, is_dense, dims),
        }
    }

    /// The bytes of a result.
    ///
    /// # Safety
    /// As [`Operand::view_mut`].
    #[inline(always)]
    pub(crate) unsafe fn write<X: ElementStorage, L: ArrayLayout + 'static>(
        self,
        layout: &L,
        is_dense: bool,
        dims: &[i64],
        keep: bool,
    ) -> Result<&'call mut [u8], NotView> {
        match self {
            Self::Passed(bytes) => {
                // SAFETY: as in `read`; it shares no byte with any other array of the call, and is lent once in a
                // run (the caller's promise), whose end ends what was lent. What the memory holds, XLA's allocator
                // left there, and any bits are a `u8`.
                let bytes = unsafe { &mut *bytes };
                if !keep {
                    poison(bytes);
                }
                Ok(bytes)
            }
            #[cfg(feature = "relayout")]
            // SAFETY: the caller's promise.
            Self::Converted(converter) => unsafe {
                items::result::<X, L>(layout, is_dense, dims, keep, converter)
            },
            #[cfg(not(feature = "relayout"))]
            Self::Converted(_) => no_converter::<X, L>(layout, is_dense, dims),
        }
    }
}

#[cfg(not(feature = "relayout"))]
#[expect(clippy::extra_unused_type_parameters, reason = "those of `read`")]
fn no_converter<X, L>(_: &L, _: bool, _: &[i64]) -> ! {
    unreachable!("without the feature `relayout` no array has a converter")
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
            unsafe fn view<'a>(dims: &[i64], memory: Memory<'a>) -> Result<Self::View<'a>, NotView> {
                let layout = <Self as Operand>::layout(dims)?;
                // SAFETY: the caller's promise.
                let bytes = unsafe { memory.read::<X, Self>(&layout, true, dims)? };
                A::As::view(bytes, layout)
            }

            #[inline(always)]
            unsafe fn view_mut<'a>(
                dims: &[i64],
                memory: Memory<'a>,
                keep: bool,
            ) -> Result<Self::ViewMut<'a>, NotView> {
                let layout = <Self as Operand>::layout(dims)?;
                // SAFETY: the caller's promise.
                let bytes = unsafe { memory.write::<X, Self>(&layout, true, dims, keep)? };
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
fn sizes<D: Dimensions>(dims: &[i64]) -> D::Coordinates {
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
    unsafe fn view<'a>(dims: &[i64], memory: Memory<'a>) -> Result<Self::View<'a>, NotView> {
        // SAFETY: the caller's promise.
        unsafe { P::view(dims, memory) }
    }

    #[inline(always)]
    unsafe fn view_mut<'a>(
        dims: &[i64],
        memory: Memory<'a>,
        keep: bool,
    ) -> Result<Self::ViewMut<'a>, NotView> {
        // SAFETY: the caller's promise.
        unsafe { P::view_mut(dims, memory, keep) }
    }
}
