//! The C API of XLA's FFI, as far as kernels need it: `xla/ffi/api/c_api.h`, version 0.3.
//!
//! The structures are laid out as in C; `tests/c_api.rs` compares sizes and offsets with what a C
//! compiler says of the header. Each begins with its size in the version of the code that made it;
//! fields beyond that size are never read. Fields that the API does not count in a structure's size
//! (`future` of the call frame, `state_type_id` of the metadata) are not in these types.

use core::ffi::{c_char, c_int, c_void};

/// The version of the API that this crate is written for: major, minor.
#[doc(alias = "XLA_FFI_API_MAJOR")]
#[doc(alias = "XLA_FFI_API_MINOR")]
pub const VERSION: (c_int, c_int) = (0, 3);

/// A link in a chain of extensions: its type, and a pointer to the next one.
#[doc(alias = "XLA_FFI_Extension_Base")]
#[repr(C)]
#[derive(Debug)]
pub struct Extension {
    /// The bytes of the structure.
    pub struct_size: usize,
    /// [`METADATA`] or a type that a later version knows.
    pub kind: c_int,
    /// The next one, or null.
    pub next: *mut Extension,
}

/// The type of the extension by which XLA asks a handler about itself.
#[doc(alias = "XLA_FFI_Extension_Metadata")]
pub const METADATA: c_int = 1;

/// What a handler reports about itself.
#[doc(alias = "XLA_FFI_Metadata")]
#[repr(C)]
#[derive(Debug)]
pub struct Metadata {
    /// The bytes of the structure.
    pub struct_size: usize,
    /// The version that the handler was written for.
    pub api_version: ApiVersion,
    /// Bits of `XLA_FFI_Handler_TraitsBits`.
    pub traits: u32,
}

/// The extension by which XLA asks for [`Metadata`].
#[doc(alias = "XLA_FFI_Metadata_Extension")]
#[repr(C)]
#[derive(Debug)]
pub struct MetadataExtension {
    /// The head; its type is [`METADATA`].
    pub base: Extension,
    /// What the handler fills in.
    pub metadata: *mut Metadata,
}

/// An error that XLA made and owns.
#[doc(alias = "XLA_FFI_Error")]
#[repr(C)]
#[derive(Debug)]
pub struct XlaError {
    opaque: [u8; 0],
}

/// What XLA knows about the run that a call belongs to.
#[doc(alias = "XLA_FFI_ExecutionContext")]
#[repr(C)]
#[derive(Debug)]
pub struct ExecutionContext {
    opaque: [u8; 0],
}

/// A task for a thread of XLA's pool.
#[doc(alias = "XLA_FFI_Task")]
pub type Task = unsafe extern "C" fn(data: *mut c_void);

/// A function of XLA's that takes a structure and may fail.
pub type Function<Args> = unsafe extern "C" fn(args: *mut Args) -> *mut XlaError;
/// A function that this crate does not call.
pub type Unused = unsafe extern "C" fn();

/// XLA's table of functions.
#[doc(alias = "XLA_FFI_Api")]
#[repr(C)]
#[derive(Debug)]
pub struct Api {
    /// The size of the structure in bytes. The table has no function beyond it.
    pub struct_size: usize,
    /// Extensions, or null.
    pub extensions: *mut Extension,
    /// The version that XLA was built with.
    pub api_version: ApiVersion,
    /// For XLA's own use.
    pub internal: *const c_void,
    /// Makes an error.
    pub error_create: Option<Function<ErrorCreate>>,
    /// Lends the message of an error.
    pub error_get_message: Option<unsafe extern "C" fn(args: *mut ErrorGetMessage)>,
    /// Destroys an error.
    pub error_destroy: Option<unsafe extern "C" fn(args: *mut ErrorDestroy)>,
    /// Registers a handler.
    pub handler_register: Option<Unused>,
    /// `XLA_FFI_Stream_Get` … `XLA_FFI_DeviceMemory_Free`.
    pub unused: [Option<Unused>; 7],
    /// Gives a task to a thread of the pool.
    pub thread_pool_schedule: Option<Function<ThreadPoolSchedule>>,
    /// How many threads the pool has.
    pub thread_pool_num_threads: Option<Function<ThreadPoolNumThreads>>,
    /// `XLA_FFI_Future_Create`, `_SetAvailable` and `_SetError`.
    pub futures: [Option<Unused>; 3],
    /// The number of the run.
    pub run_id_get: Option<Function<RunIdGet>>,
    /// The number of the device.
    pub device_ordinal_get: Option<Function<DeviceOrdinalGet>>,
}

/// The stage in which a handler computes; the stages before it prepare.
#[doc(alias = "XLA_FFI_ExecutionStage_EXECUTE")]
pub const EXECUTE: c_int = 3;

/// The type of an argument or a result that is a [`Buffer`].
#[doc(alias = "XLA_FFI_ArgType_BUFFER")]
#[doc(alias = "XLA_FFI_RetType_BUFFER")]
pub const BUFFER: c_int = 1;

/// The type of an attribute that is an [`Array`].
#[doc(alias = "XLA_FFI_AttrType_ARRAY")]
pub const ARRAY: c_int = 1;
/// The type of an attribute that is a dictionary: [`Attributes`].
#[doc(alias = "XLA_FFI_AttrType_DICTIONARY")]
pub const DICTIONARY: c_int = 2;
/// The type of an attribute that is a [`ScalarValue`].
#[doc(alias = "XLA_FFI_AttrType_SCALAR")]
pub const SCALAR: c_int = 3;
/// The type of an attribute that is a string: [`ByteSpan`].
#[doc(alias = "XLA_FFI_AttrType_STRING")]
pub const STRING: c_int = 4;

/// Bytes of a string, without a NUL at the end.
#[doc(alias = "XLA_FFI_ByteSpan")]
#[repr(C)]
#[derive(Debug)]
pub struct ByteSpan {
    /// The bytes.
    pub data: *const u8,
    /// How many.
    pub len: usize,
}

/// One number of an attribute.
#[doc(alias = "XLA_FFI_Scalar")]
#[repr(C)]
#[derive(Debug)]
pub struct ScalarValue {
    /// The number of its element type.
    pub dtype: c_int,
    /// Where it is.
    pub value: *const c_void,
}

/// The numbers of an attribute.
#[doc(alias = "XLA_FFI_Array")]
#[repr(C)]
#[derive(Debug)]
pub struct Array {
    /// The number of their element type.
    pub dtype: c_int,
    /// How many.
    pub size: usize,
    /// Where they are.
    pub data: *const c_void,
}

/// Structures that begin with their size and a pointer to extensions, each after its names in C.
macro_rules! structures {
    ($($(#[$doc:meta])* $($alias:literal)+ $name:ident {
        $($(#[$field_doc:meta])* $field:ident: $type:ty,)*
    })*) => {$(
        $(#[$doc])*
        $(#[doc(alias = $alias)])+
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            /// The bytes of the structure.
            pub struct_size: usize,
            /// Extensions, or null.
            pub extensions: *mut Extension,
            $($(#[$field_doc])* pub $field: $type,)*
        }
    )*};
}
structures! {
    /// A version of the API.
    "XLA_FFI_Api_Version" ApiVersion {
        /// Differs where structures are incompatible.
        major: c_int,
        /// Grows where fields are added.
        minor: c_int,
    }

    /// Arguments of [`Api::error_create`].
    "XLA_FFI_Error_Create_Args" ErrorCreate {
        /// The message, which XLA copies.
        message: *const c_char,
        /// The code, one of absl's.
        code: c_int,
    }

    /// Arguments of [`Api::error_get_message`].
    "XLA_FFI_Error_GetMessage_Args" ErrorGetMessage {
        /// The error.
        error: *mut XlaError,
        /// Its message, which lives as long as the error (out).
        message: *const c_char,
    }

    /// Arguments of [`Api::error_destroy`].
    "XLA_FFI_Error_Destroy_Args" ErrorDestroy {
        /// The error.
        error: *mut XlaError,
    }

    /// Arguments of [`Api::thread_pool_schedule`].
    "XLA_FFI_ThreadPool_Schedule_Args" ThreadPoolSchedule {
        /// The context of the call.
        context: *mut ExecutionContext,
        /// The work.
        task: Task,
        /// What it is called with.
        data: *mut c_void,
    }

    /// Arguments of [`Api::thread_pool_num_threads`].
    "XLA_FFI_ThreadPool_NumThreads_Args" ThreadPoolNumThreads {
        /// The context of the call.
        context: *mut ExecutionContext,
        /// Where the number is put.
        num_threads: *mut i64,
    }

    /// Arguments of [`Api::run_id_get`].
    "XLA_FFI_RunId_Get_Args" RunIdGet {
        /// The context of the call.
        context: *mut ExecutionContext,
        /// The number of the run (out).
        run_id: i64,
    }

    /// Arguments of [`Api::device_ordinal_get`].
    "XLA_FFI_DeviceOrdinal_Get_Args" DeviceOrdinalGet {
        /// The context of the call.
        context: *mut ExecutionContext,
        /// The number of the device (out).
        device_ordinal: i32,
    }

    /// The arguments or the results of a call.
    "XLA_FFI_Args" "XLA_FFI_Rets" Operands {
        /// How many there are.
        size: i64,
        /// What each is: [`BUFFER`].
        types: *const c_int,
        /// Where each is.
        pointers: *const *mut c_void,
    }

    /// The attributes of a call, sorted by name.
    "XLA_FFI_Attrs" Attributes {
        /// How many there are.
        size: i64,
        /// What each is: [`ARRAY`], [`SCALAR`], [`STRING`], …
        types: *const c_int,
        /// The names.
        names: *const *const ByteSpan,
        /// The values.
        values: *const *const c_void,
    }

    /// An array in memory: one argument or result. It does not contain the layout, which is the one
    /// that the call requested.
    "XLA_FFI_Buffer" Buffer {
        /// The number of the element type.
        dtype: c_int,
        /// The first byte.
        data: *mut c_void,
        /// The number of dimensions.
        rank: i64,
        /// Their sizes, dimension 0 first.
        dims: *const i64,
    }

    /// All that XLA hands to a handler.
    "XLA_FFI_CallFrame" CallFrame {
        /// XLA's functions.
        api: *const Api,
        /// The context of the call, which XLA's functions take.
        context: *mut ExecutionContext,
        /// [`EXECUTE`], or a stage before it.
        stage: c_int,
        /// The arguments.
        args: Operands,
        /// The results.
        rets: Operands,
        /// The attributes.
        attrs: Attributes,
    }
}

/// The function that XLA calls. It returns null for success.
#[doc(alias = "XLA_FFI_Handler")]
pub type Handler = unsafe extern "C" fn(frame: *mut CallFrame) -> *mut XlaError;
