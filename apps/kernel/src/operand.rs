//! The layouts that a kernel's arrays may have.
mod arrangement;
pub(crate) mod sealed;

pub use arrangement::Arranged;
pub(crate) use arrangement::Arrangement;
#[cfg(feature = "relayout")]
pub(crate) use arrangement::Dense;
use arrangement::bits;
#[cfg(feature = "relayout")]
pub(crate) use arrangement::{bounded, is_narrow};

use xlayout_core::types::{Dimensions, MixedLayout, OrderOf, StaticDimensions, StaticLayout};
use xlayout_core::{ArrayLayout, ArrayShape, LayoutError};
#[cfg(feature = "sharding")]
use xlayout_sharding::types::{HasDims, Sharded, ShardedLayout, ShardingRule};

use crate::element_storage::ElementStorage;
use crate::kernel::BufferSpec;
use sealed::Sealed;

/// The layout of an array that XLA passes to a kernel. The types of `layout!` implement it. The
/// trait is sealed.
///
/// XLA arranges the arrays of custom calls on the CPU densely, in any minor-to-major sequence, and
/// packs elements narrower than a byte (`E(4)`). For other layouts (tiles, padding) write
/// `Converted<layout!(…)>`, with the feature `relayout`: the array is copied into the layout before
/// the function runs.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array that XLA passes",
    label = "expected a dense layout, as `layout!(f32[2,3]{{1,0}})`",
    note = "XLA's custom calls on the CPU take dense arrays, with any minor-to-major list, and \
            packed elements (`E(4)`); `Converted<layout!(…)>` (feature `relayout`) takes any \
            layout, and converts the array inside of the kernel"
)]
pub trait Operand: sealed::Sealed {
    /// The layout of the array in the kernel.
    type Layout: ArrayLayout<Type = Self::Element> + 'static;
    #[doc(hidden)]
    type Element: ElementStorage;
    /// How the elements are stored, which gives the type of the view.
    #[doc(hidden)]
    type As: Arrangement;
    #[doc(hidden)]
    const SPEC: BufferSpec;
    /// Whether the layout has a minor-to-major list only.
    #[doc(hidden)]
    const IS_DENSE: bool;
    /// The layout with these sizes, which are checked against the declaration before.
    #[doc(hidden)]
    fn layout(dims: &[i64]) -> Result<Self::Layout, LayoutError>;
}

/// An array of the layout `L`, to read: a [`SliceView`](xlayout_core::SliceView).
pub type ViewOf<'a, L> = <<L as Operand>::As as Arrangement>::SliceView<
    'a,
    <L as Operand>::Element,
    <L as Operand>::Layout,
>;

/// An array of the layout `L`, to write: a [`SliceViewMut`](xlayout_core::SliceViewMut).
pub type ViewMutOf<'a, L> = <<L as Operand>::As as Arrangement>::SliceViewMut<
    'a,
    <L as Operand>::Element,
    <L as Operand>::Layout,
>;

/// Whether the last dimension is the most minor, and so on.
const fn is_row_major(minor_to_major: &[i64]) -> bool {
    each!(k, 0..minor_to_major.len(), {
        if minor_to_major[k] != (minor_to_major.len() - 1 - k) as i64 {
            return false;
        }
    });
    true
}

/// The declaration of an array, from the parts of its layout's type.
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
            type Element = X;
            type As = A::As;
            const SPEC: BufferSpec = spec::<X, D, O, A>(|| $shape);
            const IS_DENSE: bool = true;

            #[inline(always)]
            fn layout($dims: &[i64]) -> Result<Self, LayoutError> {
                $with_sizes
            }
        }
    )*};
}
operands! {
    StaticLayout<StaticDimensions>: |_dims| Ok(Self::NEW), Self::NEW.array_shape();
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
    type Element = P::Element;
    type As = P::As;
    const IS_DENSE: bool = P::IS_DENSE;
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
}
