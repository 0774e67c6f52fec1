//! Tensors of the crate `candle-core` in the memory of the processor.
//!
//! | of candle | of xlayout |
//! |---|---|
//! | `&`[`read::<f32, [usize; 2]>(&tensor)?`](read) | `SliceView<T, StridedLayout<[usize; 2]>>` |
//! | [`write(&tensor, …)`](write()) | `SliceViewMut<T, StridedLayout<[usize; 2]>>` in the call |
//! | `Tensor` | `Array`, by [`to_candle`] |
//!
//! A tensor knows its element type and its rank only at run time, and shares its elements behind a
//! lock. So `read` says both and holds the lock, and a view borrows what it gives. The rank is that
//! of the coordinates: `[usize; 2]`, or `DynCoordinates` for any.
//!
//! An array of xlayout becomes a tensor in the same memory. It may have any minor_to_major and
//! padding, which become strides of the tensor. A tensor owns its memory, so that a view has to be
//! copied: `to_candle(view.to_owned())`. The reverse, of a tensor that others share, is
//! `to_xlayout(&read)?.to_owned()`.
//!
//! ```
//! use candle_core::Tensor;
//! use xlayout::{Array, layout};
//! use xlayout_conversions::{candle, to_candle, to_xlayout};
//!
//! // Their function over my array: the product of matrices.
//! let a = Array::from_fn(layout!(f32[2,3]{0,1}), |&[i, j]| (10 * i + j) as f32)?;
//! let a = to_candle(a)?; // {0,1}: a tensor with the strides 1 and 2
//! let product = a.matmul(&a.t()?)?;
//!
//! // My function over their tensor.
//! let read = candle::read::<f32, [usize; 2]>(&product)?;
//! assert_eq!(to_xlayout(&read)?, [[5.0, 35.0], [35.0, 365.0]]);
//! drop(read); // `write` waits for the lock
//! candle::write(&product, |mut view: candle::ToWrite<'_, f32, [usize; 2]>| view.fill(1.0))?;
//! assert_eq!(product.sum_all()?.to_scalar::<f32>()?, 4.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::cell::Cell;
use core::cmp::Reverse;
use core::marker::PhantomData;

use candle_core::{CpuStorage, Device, InplaceOp1, Layout, Storage, StorageRef, Tensor, WithDType};
use xlayout_core::{
    Array, ArrayLayout, Coordinates, Element, LayoutError, SliceView, SliceViewMut, StridedLayout,
    dtype::DType,
};

use crate::memory::{self, layout_of};
use crate::{ConversionError, IntoXlayout, Source};

const LIBRARY: &str = "candle";

impl From<candle_core::Error> for ConversionError {
    fn from(error: candle_core::Error) -> Self {
        let text = error.to_string();
        let message = text.lines().next().unwrap_or_default().to_owned();
        Self::Other {
            library: LIBRARY,
            message,
        }
    }
}

/// Converts an array of xlayout to a tensor in the same memory. See the [module](self).
///
/// # Errors
/// Tiles, negative strides, repeated dimensions, gaps that are no padding.
pub fn to_candle<A: Source<Form: IntoCandle>>(array: A) -> Result<Tensor, ConversionError> {
    array.form().into_candle()
}

/// What [`to_candle`] takes.
#[diagnostic::on_unimplemented(
    message = "`to_candle` does not take a `{Self}`",
    label = "a tensor owns its memory: an `Array` is expected, of elements that candle has",
    note = "pass the array by value, or a copy: `to_candle(array.to_owned())`"
)]
pub trait IntoCandle {
    #[doc(hidden)]
    fn into_candle(self) -> Result<Tensor, ConversionError>;
}

impl<T: Element + WithDType, L: ArrayLayout> IntoCandle for Array<T, L> {
    fn into_candle(self) -> Result<Tensor, ConversionError> {
        let layout = memory::strided::<T, L>(self.layout(), LIBRARY)?;
        let strides = memory::positive(&layout, LIBRARY)?;
        let sizes = layout.shape();
        let sizes = sizes.as_ref();
        if layout.elements() == 0 {
            return Ok(Tensor::from_vec(Vec::<T>::new(), sizes, &Device::Cpu)?);
        }
        // The tensor is a part of row-major memory of these widths, major to minor.
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|&dim| Reverse((sizes[dim] > 1, strides[dim])));
        let moving = order.iter().filter(|&&dim| sizes[dim] > 1);
        let len = self.memory().len();
        let mut widths = vec![1; sizes.len()];
        // Behind the last row there may be padding that fills none.
        let mut outer = match moving.clone().next() {
            Some(&dim) => len / strides[dim] * strides[dim],
            None => 1,
        };
        for &dim in moving {
            let stride = strides[dim];
            widths[dim] = outer / stride;
            if outer % stride != 0 || widths[dim] < sizes[dim] {
                return Err(gaps(&self, &strides));
            }
            outer = stride;
        }
        // What lies between two elements is one more dimension. Its first coordinate is used.
        let between = outer;
        let widths = order.iter().map(|&dim| widths[dim]);
        let shape: Vec<usize> = widths.chain([between]).collect();
        let mut memory = self.into_vec();
        memory.truncate(shape.iter().product());
        let whole = Tensor::from_vec(memory, shape, &Device::Cpu)?;
        let mut tensor = whole.narrow(order.len(), 0, 1)?.squeeze(order.len())?;
        let mut places = vec![0; sizes.len()];
        for (place, &dim) in order.iter().enumerate() {
            tensor = tensor.narrow(place, 0, sizes[dim])?;
            places[dim] = place;
        }
        Ok(tensor.permute(places)?)
    }
}

fn gaps<T: Element, L: ArrayLayout>(array: &Array<T, L>, strides: &[usize]) -> ConversionError {
    ConversionError::Sequence {
        library: LIBRARY,
        needed: "an array that is dense or padded",
        shape: array.array_shape().to_string(),
        strides: strides.iter().map(|&stride| stride as isize).collect(),
    }
}

/// The elements of a tensor, locked to read: [`to_xlayout`](crate::to_xlayout) takes a reference to
/// it.
pub struct Read<'a, T, C> {
    storage: StorageRef<'a>,
    layout: &'a Layout,
    marker: PhantomData<fn() -> (T, C)>,
}

/// Locks the elements of a tensor to read. `C` are the coordinates of its rank.
///
/// # Errors
/// Another element type; a tensor in the memory of a device.
pub fn read<T: Element + WithDType, C: Coordinates>(
    tensor: &Tensor,
) -> Result<Read<'_, T, C>, ConversionError> {
    check::<T>(tensor)?;
    let (storage, layout) = tensor.storage_and_layout();
    let marker = PhantomData;
    Ok(Read {
        storage,
        layout,
        marker,
    })
}

/// A view to write of the elements of a tensor.
pub type ToWrite<'a, T, C> = SliceViewMut<'a, T, StridedLayout<C>>;

/// Calls a function with a view to write of the elements of a tensor. All tensors that share the
/// elements see what it writes.
///
/// It waits while somebody reads the elements, as a [`Read`] does: drop yours before. The function
/// must not use a tensor that shares the elements.
///
/// # Errors
/// As [`read`], and those of the conversion: repeated dimensions, another rank.
pub fn write<T: Element + WithDType, C: Coordinates, R>(
    tensor: &Tensor,
    call: impl FnOnce(ToWrite<'_, T, C>) -> R,
) -> Result<R, ConversionError> {
    check::<T>(tensor)?;
    // Before candle sees the tensor: it has other words for repeated dimensions.
    strided::<T, C>(tensor.layout())?;
    let once = Once {
        call: Cell::new(Some(call)),
        result: Cell::new(None),
        marker: PhantomData::<fn(T, C)>,
    };
    tensor.inplace_op1(&once)?;
    once.result
        .into_inner()
        .unwrap_or_else(|| unreachable!("candle calls the operation of the processor once"))
}

/// The function, and then its result.
struct Once<F, R, T, C> {
    call: Cell<Option<F>>,
    result: Cell<Option<Result<R, ConversionError>>>,
    marker: PhantomData<fn(T, C)>,
}

impl<T, C, R, F> InplaceOp1 for Once<F, R, T, C>
where
    T: Element + WithDType,
    C: Coordinates,
    F: FnOnce(ToWrite<'_, T, C>) -> R,
{
    fn name(&self) -> &'static str {
        "xlayout_conversions::candle::write"
    }

    fn cpu_fwd(&self, storage: &mut CpuStorage, layout: &Layout) -> candle_core::Result<()> {
        if let Some(call) = self.call.take() {
            let result = with_elements(storage, |elements: &mut [T]| {
                let (layout, first) = strided::<T, C>(layout)?;
                let memory = &mut elements[first..][..layout.buffer_len()];
                Ok(call(SliceViewMut::new(layout, memory)?))
            });
            self.result.set(Some(result?));
        }
        Ok(())
    }
}

/// Calls a function with the elements of a tensor, which candle gives only by value. They are put
/// back also when the function panics.
fn with_elements<T: WithDType, R>(
    storage: &mut CpuStorage,
    call: impl FnOnce(&mut [T]) -> R,
) -> candle_core::Result<R> {
    struct PutBack<'a, T: WithDType> {
        storage: &'a mut CpuStorage,
        elements: Vec<T>,
    }
    impl<T: WithDType> Drop for PutBack<'_, T> {
        fn drop(&mut self) {
            let elements = core::mem::take(&mut self.elements);
            *self.storage = T::to_cpu_storage_owned(elements);
        }
    }
    let nothing = T::to_cpu_storage_owned(Vec::new());
    let elements = T::cpu_storage_data(core::mem::replace(storage, nothing))?;
    let mut taken = PutBack { storage, elements };
    Ok(call(&mut taken.elements))
}

fn check<T: Element + WithDType>(tensor: &Tensor) -> Result<(), ConversionError> {
    let found = match tensor.device() {
        Device::Cpu => None,
        Device::Cuda(_) => Some("CUDA"),
        Device::Metal(_) => Some("Metal"),
    };
    if let Some(found) = found {
        return Err(ConversionError::Device { found });
    }
    if tensor.dtype() != T::DTYPE {
        return Err(ConversionError::ElementType {
            expected: T::Type::TYPE,
            found: tensor.dtype().as_str().to_owned(),
        });
    }
    Ok(())
}

/// The layout of a tensor, and which of its elements is the one at `[0, 0, …]`.
fn strided<T: Element, C: Coordinates>(
    layout: &Layout,
) -> Result<(StridedLayout<C>, usize), ConversionError> {
    let dimensions = layout.dims();
    let mut sizes = C::origin(dimensions.len());
    if sizes.as_ref().len() != dimensions.len() {
        let expected = sizes.as_ref().len();
        let found = dimensions.len();
        return Err(LayoutError::Rank { expected, found }.into());
    }
    sizes.as_mut().copy_from_slice(dimensions);
    // A stride of elements that are in memory, or of none.
    let strides = layout.stride().iter().map(|&stride| stride as isize);
    let strides: Vec<isize> = strides.collect();
    let layout_of_elements = layout_of::<T, C>(sizes, &strides)?.forwards()?;
    let first = match layout_of_elements.elements() {
        0 => 0,
        _ => layout.start_offset(),
    };
    Ok((layout_of_elements, first))
}

impl<'r, T: Element + WithDType, C: Coordinates> IntoXlayout for &'r Read<'_, T, C> {
    type Array = SliceView<'r, T, StridedLayout<C>>;
    fn into_xlayout(self) -> Result<Self::Array, ConversionError> {
        let Storage::Cpu(storage) = &*self.storage else {
            unreachable!("`read` has checked the device");
        };
        let elements = T::cpu_storage_as_slice(storage)?;
        let (layout, first) = strided::<T, C>(self.layout)?;
        let memory = &elements[first..][..layout.buffer_len()];
        Ok(SliceView::new(layout, memory)?)
    }
}
