//! Arrays for other libraries: tensors that own their memory until the other library calls the
//! deleter.
#![allow(unsafe_code)]

use core::any::Any;
use core::ffi::c_void;
use std::sync::Arc;

use xlayout_core::{Array, ArrayLayout, Coordinates, Element, dtype::StoredAs};
use xlayout_interop::DlDataType;

use crate::DlpackError;
use crate::raw::{
    CPU, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLTensor, READ_ONLY,
    SUBBYTE_TYPE_PADDED, VERSION,
};

/// An array that other libraries use as a tensor.
///
/// Copies of it are tensors of the same memory. The memory is freed when no copy and no tensor uses
/// it any more. Rust does not access the elements again, so other libraries may write to them.
#[derive(Clone)]
pub struct Export {
    /// The address of the element at `[0, 0, …]`.
    data: *mut c_void,
    dtype: DlDataType,
    sizes: Vec<i64>,
    strides: Vec<i64>,
    flags: u64,
    /// The memory.
    #[expect(dead_code, reason = "it is kept for its destructor")]
    owner: Arc<dyn Any + Send + Sync>,
}

// SAFETY: `data` is in the memory of `owner`, which may be dropped on any thread. This type does
// not access the elements.
unsafe impl Send for Export {}
// SAFETY: as above.
unsafe impl Sync for Export {}

impl Export {
    /// The array as a tensor. It is not copied.
    ///
    /// The tensor of a broadcast array is [read-only](Self::read_only), since several of its
    /// elements are one in memory.
    ///
    /// # Errors
    /// [`DlpackError::NotStrided`] if the layout has tiles; an element type that DLPack does not
    /// have.
    pub fn new<T: Element, L: ArrayLayout>(array: Array<T, L>) -> Result<Self, DlpackError>
    where
        L::Type: StoredAs<T>,
    {
        let layout = array.layout().clone();
        let rank = layout.rank();
        let reversed: Vec<bool> = (0..rank).map(|dim| layout.is_reversed(dim)).collect();
        // The stride of a dimension with fewer than 2 coordinates means nothing.
        let mut strides = vec![1; rank];
        let mut first = 0;
        if layout.elements() > 0 {
            let origin = L::Coordinates::origin(rank);
            first = layout.linear_index(&origin);
            if layout.strides().is_none() && !reversed.contains(&true) {
                return Err(DlpackError::NotStrided {
                    shape: layout.array_shape().to_string(),
                });
            }
            // A dimension has a stride, so its step from coordinate 0 to 1 is the stride.
            let sizes = layout.shape();
            for (dim, stride) in strides.iter_mut().enumerate() {
                if sizes.coordinate(dim) > 1 {
                    let mut next = origin.clone();
                    next.set(dim, 1);
                    // The difference has a sign, on 32-bit processors, too.
                    *stride = layout.linear_index(&next).wrapping_sub(first) as isize as i64;
                }
            }
        }
        let dtype = DlDataType::new(layout.element_type())?;
        let sizes = layout.shape().as_ref().iter().map(|&n| n as i64).collect();
        let mut flags = 0;
        if dtype.bits < 8 {
            flags |= SUBBYTE_TYPE_PADDED;
        }
        // Dimensions of fewer than 2 coordinates have stride 1 here.
        if strides.contains(&0) {
            flags |= READ_ONLY;
        }
        let mut memory = array.into_vec();
        let data = memory.as_mut_ptr().wrapping_add(first).cast();
        Ok(Self {
            data,
            dtype,
            sizes,
            strides,
            flags,
            owner: Arc::new(memory),
        })
    }

    /// The same tensor with the flag that other libraries do not write to it. Only version 1 has
    /// the flag.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.flags |= READ_ONLY;
        self
    }

    /// The tensor as a structure of version 1. The receiver calls its deleter once.
    ///
    /// If nothing calls the deleter, the memory is not freed.
    #[must_use]
    pub fn into_raw(self) -> *mut DLManagedTensorVersioned {
        let flags = self.flags;
        made(self, |dl_tensor| DLManagedTensorVersioned {
            version: VERSION,
            manager_ctx: core::ptr::null_mut(),
            deleter: Some(delete),
            flags,
            dl_tensor,
        })
    }

    /// The tensor as the structure before version 1. The receiver calls its deleter once.
    ///
    /// # Errors
    /// [`DlpackError::NotUnversioned`] if the tensor is read-only, or its elements are narrower
    /// than a byte.
    pub fn into_raw_unversioned(self) -> Result<*mut DLManagedTensor, DlpackError> {
        let what = match self.flags {
            0 => {
                return Ok(made(self, |dl_tensor| DLManagedTensor {
                    dl_tensor,
                    manager_ctx: core::ptr::null_mut(),
                    deleter: Some(delete),
                }));
            }
            flags if flags & READ_ONLY != 0 => "the tensor is read-only",
            _ => "an element narrower than a byte takes a whole one",
        };
        Err(DlpackError::NotUnversioned { what })
    }
}

/// A managed tensor with what it points to. The tensor is the first field, so its address is that
/// of the whole.
#[repr(C)]
struct Made<M> {
    tensor: M,
    /// Keeps the sizes, the strides and the memory.
    export: Export,
}

/// The deleter of a tensor.
///
/// # Safety
/// DLPack's consumer calls it once, with the tensor that `made` gave.
unsafe extern "C" fn delete<M>(tensor: *mut M) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(tensor.cast::<Made<M>>()) });
}

/// A managed tensor on the heap.
fn made<M>(mut export: Export, tensor: impl FnOnce(DLTensor) -> M) -> *mut M {
    let dl_tensor = DLTensor {
        data: export.data,
        device: DLDevice {
            device_type: CPU,
            device_id: 0,
        },
        ndim: export.sizes.len() as i32,
        dtype: export.dtype,
        // The memory of a `Vec` stays where it is if the `Vec` is moved.
        shape: export.sizes.as_mut_ptr(),
        strides: export.strides.as_mut_ptr(),
        byte_offset: 0,
    };
    let tensor = tensor(dl_tensor);
    Box::into_raw(Box::new(Made { tensor, export })).cast()
}

impl core::fmt::Debug for Export {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Export")
            .field("dtype", &self.dtype)
            .field("sizes", &self.sizes)
            .field("strides", &self.strides)
            .field("flags", &self.flags)
            .finish_non_exhaustive()
    }
}
