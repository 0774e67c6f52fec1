//! Arrays that XLA passes row-major and the kernel uses in another layout.
use core::marker::PhantomData;

use xlayout_core::{ArrayLayout, ArrayShape, Layout, LayoutError};

use crate::element_storage::ElementStorage;
use crate::kernel::BufferSpec;
use crate::operand::{Dense, Operand, bounded, is_narrow, sealed::Sealed};

/// An array that XLA passes row-major and the kernel uses in the layout `L`: `L` may have any
/// minor-to-major list, tiles and padding.
///
/// A plan of [`xlayout_relayout`] copies an argument into `L` before the function runs, and a
/// result from `L` when it has returned, on XLA's threads. An [`InOut`](crate::InOut) is copied
/// both ways. This is faster than a copy by XLA, which XLA makes when a parameter is declared as
/// `In<L>` and the caller has the array row-major. With the option `batch` a few items are copied
/// at a time, so that the copy stays in the cache.
///
/// The function gets the same view as with `In<L>` and `Out<L>`, and a test passes views in `L`.
/// Padding of an argument is 0. Padding of a result is not copied.
///
/// ```
/// use xlayout::{ArrayLayout, SliceView, SliceViewMut, layout};
/// use xlayout_kernel::{Converted, In, Out, lines};
///
/// type Columns = layout!(f32[?M, ?N]{0,1});
///
/// /// The largest number of each row: all rows at once, column by column.
/// #[xlayout_kernel::kernel]
/// fn max_of_rows(x: In<Converted<Columns>>, mut y: Out<layout!(f32[?M]{0})>) {
///     let [_, n] = x.layout().shape();
///     let y = y.memory_mut();
///     y.fill(f32::NEG_INFINITY);
///     for column in lines(x.memory(), n) {
///         for (y, x) in y.iter_mut().zip(column) {
///             *y = y.max(*x);
///         }
///     }
/// }
///
/// let layout = Columns::with_sizes([2, 3])?;
/// let (x, mut y) = ([1.0, 2.0, 5.0, 4.0, 3.0, 6.0], [0.0; 2]);
/// max_of_rows(
///     In::new(SliceView::new(layout, &x)?),
///     Out::new(SliceViewMut::new(layout!(f32[?M]{0})([2])?, &mut y)?),
/// );
/// assert_eq!(y, [5.0, 6.0]);
/// # Ok::<(), xlayout::LayoutError>(())
/// ```
///
/// In Python, `max_of_rows(x)` passes `x` as it is. `help` shows both layouts:
/// `f32[?M,?N]{1,0} as {0,1}`.
///
/// The memory is the kernel's own. Up to 128 MiB of it are kept for later calls.
#[cfg_attr(docsrs, doc(cfg(feature = "relayout")))]
#[derive(Debug)]
pub struct Converted<L>(PhantomData<L>);

/// A layout of `layout!` that a kernel can convert to: its elements are whole bytes. The trait is
/// sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a layout that a kernel converts to",
    label = "expected a layout of `layout!`",
    note = "write `Converted<layout!(f32[?M, ?N]{{0,1}})>`; XLA passes the array row-major"
)]
#[cfg_attr(docsrs, doc(cfg(feature = "relayout")))]
pub trait Convertible:
    Operand<Layout = Self> + ArrayLayout<Type = <Self as Operand>::Element> + 'static
{
}

#[diagnostic::do_not_recommend]
impl<L: Operand<Layout = L> + ArrayLayout<Type = <L as Operand>::Element> + 'static> Convertible
    for L
{
}

/// `63, 62, … 0`: its end is the minor-to-major list of any row-major array.
const ROW_MAJOR: [i64; 64] = {
    let mut list = [0; 64];
    each!(k, 0..64, {
        list[k] = 63 - k as i64;
    });
    list
};

/// The array that XLA passes for a parameter that the kernel converts to the layout `L`.
const fn passed<L: Convertible>() -> BufferSpec {
    let own = L::SPEC;
    let narrow = is_narrow::<L::Element>();
    BufferSpec {
        bits: 8 * size_of::<<L::Element as ElementStorage>::Stored>(),
        align: align_of::<<L::Element as ElementStorage>::Stored>(),
        minor_to_major: ROW_MAJOR.split_at(64 - own.dims.len()).1,
        shape: || row_major((L::SPEC.shape)()),
        converted: Some(own.shape),
        by_items: false,
        sharding: None,
        refused: match bounded(own.dims) {
            None if narrow => Some(
                "a kernel does not convert elements narrower than a byte: take the array as XLA \
                 passes it, `In<layout!(s4[8]{0:E(4)})>`, and relayout inside of the kernel",
            ),
            refused => refused,
        },
        ..own
    }
}

/// The shape, row-major and without attributes.
fn row_major(mut shape: ArrayShape) -> ArrayShape {
    let Ok(layout) = Layout::row_major(shape.rank()) else {
        unreachable!("a list of dimensions and a minor_to_major have room for the same rank");
    };
    shape.layout = Some(layout);
    shape
}

impl<L> Sealed for Converted<L> {}

impl<L: Convertible> Operand for Converted<L> {
    type Layout = L;
    type Element = L::Element;
    type As = Dense;
    const SPEC: BufferSpec = passed::<L>();
    // XLA does not pass layouts with attributes.
    const IS_DENSE: bool = L::SPEC.refused.is_none();

    fn layout(dims: &[i64]) -> Result<L, LayoutError> {
        <L as Operand>::layout(dims)
    }
}
