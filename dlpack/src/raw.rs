//! The structures of `dlpack.h` 1.1, with its names.

use core::ffi::c_void;

/// `DLDataType`
pub use xlayout_interop::DlDataType as DLDataType;

/// `kDLCPU`: memory that the processor reads.
pub const CPU: i32 = 1;
/// `DLPACK_FLAG_BITMASK_READ_ONLY`: the consumer does not write.
pub const READ_ONLY: u64 = 1;
/// `DLPACK_FLAG_BITMASK_IS_COPIED`: the tensor has memory of its own.
pub const IS_COPIED: u64 = 2;
/// `DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED`: an element narrower than a byte takes a byte.
pub const SUBBYTE_TYPE_PADDED: u64 = 4;
/// The version that is written. A reader takes each version with the same `major`.
pub const VERSION: DLPackVersion = DLPackVersion { major: 1, minor: 1 };

/// `DLPackVersion`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DLPackVersion {
    /// Another number is another structure.
    pub major: u32,
    /// Another number adds types or flags.
    pub minor: u32,
}

/// `DLDevice`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DLDevice {
    /// `DLDeviceType`: 1 is [`CPU`], 2 is CUDA.
    pub device_type: i32,
    /// The number of the device.
    pub device_id: i32,
}

/// `DLTensor`.
#[repr(C)]
#[derive(Debug)]
pub struct DLTensor {
    /// The element at `[0, 0, …]` is `byte_offset` bytes behind this address.
    pub data: *mut c_void,
    /// Where the memory is.
    pub device: DLDevice,
    /// The number of dimensions.
    pub ndim: i32,
    /// The type of an element.
    pub dtype: DLDataType,
    /// The size of each dimension.
    pub shape: *mut i64,
    /// The stride of each dimension in elements; null for a row-major array without gaps.
    pub strides: *mut i64,
    /// See `data`.
    pub byte_offset: u64,
}

/// `DLManagedTensor`, the form before version 1.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensor {
    /// The tensor.
    pub dl_tensor: DLTensor,
    /// What the producer keeps for its deleter.
    pub manager_ctx: *mut c_void,
    /// The consumer calls it once, when it no longer uses the tensor.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensor)>,
}

/// `DLManagedTensorVersioned`, the form of version 1.
#[repr(C)]
#[derive(Debug)]
pub struct DLManagedTensorVersioned {
    /// Which version the structure has. The fields before `flags` are the same in all versions.
    pub version: DLPackVersion,
    /// What the producer keeps for its deleter.
    pub manager_ctx: *mut c_void,
    /// The consumer calls it once, when it no longer uses the tensor.
    pub deleter: Option<unsafe extern "C" fn(*mut DLManagedTensorVersioned)>,
    /// Bits such as [`READ_ONLY`].
    pub flags: u64,
    /// The tensor.
    pub dl_tensor: DLTensor,
}
