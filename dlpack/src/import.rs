//! Tensors of other libraries as views and arrays.
#![allow(unsafe_code)]

use core::ptr::NonNull;

use xlayout_core::{
    Array, ArrayLayout, Coordinates, DynCoordinates, Element, ElementType, LayoutError,
    StridedLayout, View, ViewMut,
    dtype::{DType, StoredAs},
    strided_reach,
};

use crate::DlpackError;
use crate::raw::{
    CPU, DLManagedTensor, DLManagedTensorVersioned, DLTensor, READ_ONLY, SUBBYTE_TYPE_PADDED,
    VERSION,
};

/// A tensor that another library gave. Dropping it calls the tensor's deleter, once.
///
/// Invariant: the pointer is to a tensor of version 1 or of the form before, whose fields are as
/// `dlpack.h` says. Its sizes and strides are lists of `ndim` numbers, aligned ones after `check`,
/// which also finds its `extent` in memory.
#[derive(Debug)]
pub struct Import(Managed);

/// The bytes of a tensor's elements.
struct Extent {
    /// The strides in bytes.
    strides: Vec<isize>,
    /// The bytes before the element at the origin.
    before: usize,
    /// The bytes in all.
    len: usize,
}

#[derive(Debug)]
enum Managed {
    Versioned(NonNull<DLManagedTensorVersioned>),
    Unversioned(NonNull<DLManagedTensor>),
}

impl Import {
    /// Takes a tensor of version 1.
    ///
    /// # Safety
    /// The pointer is null, or to a valid `DLManagedTensorVersioned` that the caller owns: nothing
    /// else calls its deleter.
    ///
    /// # Errors
    /// A null pointer, another version, another device, or numbers that no tensor has: more bytes
    /// than an `isize` counts, also of elements that overlap, bytes beyond the end of memory, more
    /// than 255 dimensions. The deleter is called then, too.
    pub unsafe fn from_raw(tensor: *mut DLManagedTensorVersioned) -> Result<Self, DlpackError> {
        let tensor = NonNull::new(tensor).ok_or(NULL)?;
        let import = Self(Managed::Versioned(tensor));
        // SAFETY: the caller's promise. All versions have these fields.
        let version = unsafe { (*tensor.as_ptr()).version };
        if version.major != VERSION.major {
            return Err(DlpackError::Version {
                major: version.major,
                minor: version.minor,
            });
        }
        import.check()?;
        Ok(import)
    }

    /// Takes a tensor of the form before version 1.
    ///
    /// # Safety
    /// As [`from_raw`](Self::from_raw), for a `DLManagedTensor`.
    ///
    /// # Errors
    /// As [`from_raw`](Self::from_raw).
    pub unsafe fn from_raw_unversioned(tensor: *mut DLManagedTensor) -> Result<Self, DlpackError> {
        let import = Self(Managed::Unversioned(NonNull::new(tensor).ok_or(NULL)?));
        import.check()?;
        Ok(import)
    }

    fn check(&self) -> Result<(), DlpackError> {
        let tensor = self.tensor();
        if tensor.device.device_type != CPU {
            return Err(DlpackError::Device {
                device_type: tensor.device.device_type,
                device_id: tensor.device.device_id,
            });
        }
        let what = if tensor.ndim < 0 {
            "it has a negative number of dimensions"
        } else if tensor.ndim > MOST_DIMENSIONS {
            "it has more than 255 dimensions"
        } else if tensor.ndim > 0 && tensor.shape.is_null() {
            "it has dimensions and no sizes"
        } else if !tensor.shape.is_aligned() || !tensor.strides.is_aligned() {
            "its sizes or strides are not at a multiple of the alignment of `int64_t`"
        } else if self.shape().iter().any(|&size| size < 0) {
            "a size is negative"
        } else if tensor.data.is_null() && !self.shape().contains(&0) {
            NO_MEMORY
        } else {
            return self.extent().map(drop);
        };
        Err(DlpackError::Malformed { what })
    }

    fn tensor(&self) -> &DLTensor {
        // SAFETY: the invariant of this type.
        unsafe {
            match &self.0 {
                Managed::Versioned(tensor) => &(*tensor.as_ptr()).dl_tensor,
                Managed::Unversioned(tensor) => &(*tensor.as_ptr()).dl_tensor,
            }
        }
    }

    fn flags(&self) -> u64 {
        match &self.0 {
            // SAFETY: the invariant of this type.
            Managed::Versioned(tensor) => unsafe { (*tensor.as_ptr()).flags },
            Managed::Unversioned(_) => 0,
        }
    }

    /// The size of each dimension.
    #[must_use]
    pub fn shape(&self) -> &[i64] {
        // SAFETY: the invariant of this type.
        unsafe { list(self.tensor().shape, self.tensor().ndim) }
    }

    /// The stride of each dimension in elements, if the tensor lists them; without them it is
    /// row-major.
    #[must_use]
    pub fn strides(&self) -> Option<&[i64]> {
        let tensor = self.tensor();
        if tensor.strides.is_null() {
            return None;
        }
        // SAFETY: the invariant of this type.
        Some(unsafe { list(tensor.strides, tensor.ndim) })
    }

    /// The element type.
    ///
    /// # Errors
    /// More than one lane, and types that XLA does not have.
    pub fn element_type(&self) -> Result<ElementType, DlpackError> {
        Ok(self.tensor().dtype.element_type()?)
    }

    /// Whether the other library asks not to write to the elements. Only version 1 says so.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.flags() & READ_ONLY != 0
    }

    /// The elements, without a copy. `C` is `[usize; N]` for a tensor with `N` dimensions, or
    /// `DynCoordinates` for any.
    ///
    /// # Safety
    /// While the view exists, nothing writes to the elements. They are values of `T`: a `bool` is 0
    /// or 1.
    ///
    /// # Errors
    /// Another element type or rank, elements that are not aligned, and strides with which elements
    /// overlap, such as stride 0.
    pub unsafe fn view<T: Element, C: Coordinates>(
        &self,
    ) -> Result<View<'_, T, StridedLayout<C, isize>>, DlpackError> {
        let layout = self.layout::<T, C>(T::Type::TYPE)?;
        // SAFETY: `layout` has found the address aligned. The rest is the caller's promise and that
        // of DLPack's producer.
        Ok(unsafe { View::from_address(layout, self.first()?)? })
    }

    /// The elements, to write, without a copy. See [`view`](Self::view).
    ///
    /// # Safety
    /// While the view exists, nothing else reads or writes the elements. They are values of `T`.
    ///
    /// # Errors
    /// As [`view`](Self::view), and [`DlpackError::ReadOnly`].
    pub unsafe fn view_mut<T: Element, C: Coordinates>(
        &mut self,
    ) -> Result<ViewMut<'_, T, StridedLayout<C, isize>>, DlpackError> {
        if self.is_read_only() {
            return Err(DlpackError::ReadOnly);
        }
        let layout = self.layout::<T, C>(T::Type::TYPE)?;
        // SAFETY: as in `view`. Distinct indices are distinct elements, because `StridedLayout`
        // refuses others.
        Ok(unsafe { ViewMut::from_address(layout, self.first()?)? })
    }

    /// Each element has whole bytes.
    fn check_bytes(&self) -> Result<(), DlpackError> {
        let element_type = self.element_type()?;
        if self.tensor().dtype.bits < 8 && self.flags() & SUBBYTE_TYPE_PADDED == 0 {
            Err(DlpackError::Packed { element_type })
        } else {
            Ok(())
        }
    }

    /// How many bytes each dimension steps by, with any strides: those with which elements overlap,
    /// too.
    ///
    /// # Errors
    /// An element type that XLA does not have, and elements that share a byte.
    pub fn byte_strides(&self) -> Result<Vec<isize>, DlpackError> {
        self.check_bytes()?;
        Ok(self.extent()?.strides)
    }

    /// The bytes from the lowest to the last element in memory, and which of them is the first one
    /// of the element at `[0, 0, …]`. The strides may be any, also those with which elements
    /// overlap. Nothing needs to be aligned.
    ///
    /// # Safety
    /// While the slice exists, nothing writes to these bytes.
    ///
    /// # Errors
    /// As [`byte_strides`](Self::byte_strides).
    pub unsafe fn bytes(&self) -> Result<(&[u8], usize), DlpackError> {
        let (first, extent) = self.span()?;
        // SAFETY: DLPack's producer has all elements, so these are bytes of its memory. The rest is
        // the caller's promise.
        let bytes = unsafe { core::slice::from_raw_parts(first, extent.len) };
        Ok((bytes, extent.before))
    }

    /// As [`bytes`](Self::bytes), to write.
    ///
    /// # Safety
    /// While the slice exists, nothing else reads or writes these bytes.
    ///
    /// # Errors
    /// As [`bytes`](Self::bytes), and [`DlpackError::ReadOnly`].
    pub unsafe fn bytes_mut(&mut self) -> Result<(&mut [u8], usize), DlpackError> {
        if self.is_read_only() {
            return Err(DlpackError::ReadOnly);
        }
        let (first, extent) = self.span()?;
        // SAFETY: the address and the length are those of `bytes`; nothing else uses these bytes,
        // as the caller promises.
        let bytes = unsafe { core::slice::from_raw_parts_mut(first, extent.len) };
        Ok((bytes, extent.before))
    }

    /// The address of the lowest element, and the bytes from there on. Without elements the address
    /// is aligned, and there are no bytes.
    fn span(&self) -> Result<(*mut u8, Extent), DlpackError> {
        self.check_bytes()?;
        let extent = self.extent()?;
        let first = self.first::<u8>()?.as_ptr();
        Ok((first.wrapping_sub(extent.before), extent))
    }

    /// All elements together take no more bytes than an `isize` counts, also where several are one,
    /// and all bytes have an address.
    fn extent(&self) -> Result<Extent, DlpackError> {
        let width = isize::from(self.tensor().dtype.bits.div_ceil(8));
        let listed = self.shape();
        let mut strides = vec![0; listed.len()];
        if listed.contains(&0) {
            return Ok(Extent {
                strides,
                before: 0,
                len: 0,
            });
        }
        let mut sizes = vec![0; listed.len()];
        let mut row_major = width;
        let mut step = |dim: usize| {
            let size = isize::try_from(listed[dim]).ok()?;
            sizes[dim] = size.unsigned_abs();
            strides[dim] = match self.strides() {
                // The stride of a dimension of size 1 means nothing.
                _ if size == 1 => 0,
                Some(strides) => isize::try_from(strides[dim]).ok()?.checked_mul(width)?,
                None => row_major,
            };
            row_major = row_major.checked_mul(size)?;
            Some(())
        };
        let steps = (0..listed.len()).rev().try_for_each(&mut step);
        let reach = steps.and_then(|()| strided_reach(&sizes, &strides, width.unsigned_abs()));
        let (before, behind) = reach.ok_or(TOO_LARGE)?;
        let len = before + behind;
        if isize::try_from(len).is_err() {
            return Err(TOO_LARGE);
        }
        let first = usize::try_from(self.tensor().byte_offset).ok();
        let first = first.and_then(|offset| self.tensor().data.addr().checked_add(offset));
        let lowest = first.and_then(|first| first.checked_sub(before));
        match lowest.and_then(|lowest| lowest.checked_add(len)) {
            Some(_) => Ok(Extent {
                strides,
                before,
                len,
            }),
            None => Err(BEYOND_MEMORY),
        }
    }

    /// A copy of the elements in a layout, tiled ones too.
    ///
    /// # Safety
    /// During the call nothing writes to the elements.
    ///
    /// # Errors
    /// As [`view`](Self::view); sizes that are not those of the layout; a `bool` that is neither 0
    /// nor 1.
    pub unsafe fn copy<T: Element, L: ArrayLayout>(
        &self,
        layout: L,
    ) -> Result<Array<T, L>, DlpackError>
    where
        L::Type: StoredAs<T>,
    {
        if T::Type::TYPE == ElementType::Pred {
            let layout = self.layout::<u8, DynCoordinates>(ElementType::Pred)?;
            // SAFETY: the caller's promise; each byte is a `u8`.
            let bytes = unsafe { View::<u8, _>::from_address(layout, self.first()?)? };
            if let Some(&found) = bytes.iter().find(|&&byte| byte > 1) {
                return Err(DlpackError::NotPred { found });
            }
        }
        // SAFETY: the caller's promise; each `bool` was checked.
        let view = unsafe { self.view::<T, DynCoordinates>()? };
        let mut array = Array::zeros(layout)?;
        array.assign(&view)?;
        Ok(array)
    }

    /// The layout from the element at `[0, 0, …]` on. The elements are aligned, and of the type
    /// `expected`.
    fn layout<T: Element, C: Coordinates>(
        &self,
        expected: ElementType,
    ) -> Result<StridedLayout<C, isize>, DlpackError> {
        let found = self.element_type()?;
        if expected != found {
            return Err(DlpackError::ElementType { expected, found });
        }
        self.check_bytes()?;
        let listed = self.shape();
        let mut sizes = C::origin(listed.len());
        if sizes.as_ref().len() != listed.len() {
            return Err(LayoutError::Rank {
                expected: sizes.as_ref().len(),
                found: listed.len(),
            }
            .into());
        }
        for (dim, &size) in listed.iter().enumerate() {
            let size = usize::try_from(size).map_err(|_| TOO_LARGE)?;
            sizes.set(dim, size);
        }
        // The strides of an array without elements mean nothing.
        let layout = match self.strides().filter(|_| !listed.contains(&0)) {
            Some(strides) => StridedLayout::new::<T>(sizes, strides)?,
            None => StridedLayout::row_major::<T>(sizes)?,
        };
        let expected = align_of::<T>();
        let found = self.first::<T>()?.addr().get() % expected;
        if found == 0 {
            Ok(layout)
        } else {
            Err(DlpackError::Alignment { expected, found })
        }
    }

    /// The address of the element at `[0, 0, …]`; any aligned address if there are no elements.
    fn first<T>(&self) -> Result<NonNull<T>, DlpackError> {
        if self.shape().contains(&0) {
            return Ok(NonNull::dangling());
        }
        let tensor = self.tensor();
        let offset = tensor.byte_offset as usize;
        let first = tensor.data.cast::<u8>().wrapping_add(offset).cast();
        NonNull::new(first).ok_or(DlpackError::Malformed { what: NO_MEMORY })
    }
}

const NO_MEMORY: &str = "it has elements and no memory";
const NULL: DlpackError = DlpackError::Malformed {
    what: "the pointer to it is null",
};
const TOO_LARGE: DlpackError = DlpackError::Malformed {
    what: "a size or a stride is more than the processor can address",
};

const BEYOND_MEMORY: DlpackError = DlpackError::Malformed {
    what: "its offset or strides lead beyond the end of memory",
};
/// No library makes arrays of so many. It keeps a number that is no rank from being the length of a
/// list.
const MOST_DIMENSIONS: i32 = 255;

/// A list of DLPack's.
///
/// # Safety
/// The pointer is aligned and points to `len` numbers, or the list is empty.
unsafe fn list<'a>(first: *const i64, len: i32) -> &'a [i64] {
    match usize::try_from(len) {
        Ok(len) if len > 0 => {
            // SAFETY: the caller's promise.
            unsafe { core::slice::from_raw_parts(first, len) }
        }
        _ => &[],
    }
}

impl Drop for Import {
    fn drop(&mut self) {
        // SAFETY: the invariant of this type; this is the one call of the deleter.
        unsafe {
            match self.0 {
                Managed::Versioned(tensor) => {
                    if let Some(delete) = (*tensor.as_ptr()).deleter {
                        delete(tensor.as_ptr());
                    }
                }
                Managed::Unversioned(tensor) => {
                    if let Some(delete) = (*tensor.as_ptr()).deleter {
                        delete(tensor.as_ptr());
                    }
                }
            }
        }
    }
}
