//! XLA's side of a call, made by hand: a table of functions, frames, and errors that are read back.
#![allow(unsafe_code, unreachable_pub)]

pub mod expand;
pub mod pool;

use std::ffi::{CStr, CString, c_int, c_void};
use std::ptr::{null, null_mut};

use xlayout_kernel::abi::{
    self, Api, ApiVersion, Attributes, Buffer, ByteSpan, CallFrame, ErrorCreate, ErrorDestroy,
    ErrorGetMessage, Extension, Handler, Metadata, MetadataExtension, Operands, XlaError,
};

/// The kernels of a module of this program, as Python reads them.
pub fn described(module: &str) -> Vec<serde_json::Value> {
    let text = xlayout_kernel::__private::description().to_str().unwrap();
    let description: serde_json::Value = serde_json::from_str(text).unwrap();
    let kernels = description["kernels"].as_array().unwrap().iter();
    let own = kernels.filter(|kernel| kernel["module"].as_str().unwrap().starts_with(module));
    own.cloned().collect()
}

/// An error as XLA keeps it.
pub struct MockError {
    pub code: c_int,
    pub message: CString,
}

unsafe extern "C" fn error_create(args: *mut ErrorCreate) -> *mut XlaError {
    // SAFETY: the kernel passes the structure, with a C string.
    let (args, message) = unsafe { (&*args, CStr::from_ptr((*args).message)) };
    Box::into_raw(Box::new(MockError {
        code: args.code,
        message: message.to_owned(),
    }))
    .cast()
}

unsafe extern "C" fn error_get_message(args: *mut ErrorGetMessage) {
    // SAFETY: the kernel passes the structure, with an error of `error_create`.
    unsafe { (*args).message = (*(*args).error.cast::<MockError>()).message.as_ptr() };
}

unsafe extern "C" fn error_destroy(args: *mut ErrorDestroy) {
    // SAFETY: the kernel passes the structure, with an error of `error_create` that it owns.
    drop(unsafe { Box::from_raw((*args).error.cast::<MockError>()) });
}

/// XLA's table of functions.
pub fn api() -> Api {
    Api {
        struct_size: size_of::<Api>(),
        extensions: null_mut(),
        api_version: ApiVersion {
            struct_size: size_of::<ApiVersion>(),
            extensions: null_mut(),
            major: 0,
            minor: 3,
        },
        internal: null(),
        error_create: Some(error_create),
        error_get_message: Some(error_get_message),
        error_destroy: Some(error_destroy),
        handler_register: None,
        unused: [None; 7],
        thread_pool_schedule: None,
        thread_pool_num_threads: None,
        futures: [None; 3],
        run_id_get: None,
        device_ordinal_get: None,
    }
}

/// The code and the message of an error that a handler returned; nothing for success.
pub fn outcome(error: *mut XlaError) -> Result<(), (c_int, String)> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: every error is one of `error_create`.
    let error = unsafe { Box::from_raw(error.cast::<MockError>()) };
    Err((error.code, error.message.to_str().unwrap().to_owned()))
}

/// An array of a call.
pub struct Array {
    pub buffer: Buffer,
    #[expect(dead_code, reason = "the buffer has its address")]
    dims: Vec<i64>,
}

impl Array {
    /// An array at `data`, which lives as long as the call.
    pub fn at<T>(dtype: c_int, dims: &[i64], data: *mut T) -> Self {
        let dims = dims.to_vec();
        let buffer = Buffer {
            struct_size: size_of::<Buffer>(),
            extensions: null_mut(),
            dtype,
            data: data.cast(),
            rank: dims.len() as i64,
            dims: dims.as_ptr(),
        };
        Self { buffer, dims }
    }
}

/// The value of an attribute.
pub enum Value {
    Scalar(abi::ScalarValue),
    Array(abi::Array),
    String(ByteSpan),
    Dictionary,
    /// A null pointer for a value of this kind.
    Null(c_int),
}

impl Value {
    pub fn scalar<T>(dtype: c_int, value: &T) -> Self {
        Self::Scalar(abi::ScalarValue {
            dtype,
            value: (&raw const *value).cast(),
        })
    }

    pub fn array<T>(dtype: c_int, values: &[T]) -> Self {
        Self::Array(abi::Array {
            dtype,
            size: values.len(),
            data: values.as_ptr().cast(),
        })
    }

    pub fn string(text: &[u8]) -> Self {
        Self::String(ByteSpan {
            data: text.as_ptr(),
            len: text.len(),
        })
    }

    fn kind(&self) -> c_int {
        match self {
            Self::Scalar(_) => abi::SCALAR,
            Self::Array(_) => abi::ARRAY,
            Self::String(_) => abi::STRING,
            Self::Dictionary => abi::DICTIONARY,
            Self::Null(kind) => *kind,
        }
    }

    fn pointer(&self) -> *const c_void {
        match self {
            Self::Scalar(value) => (&raw const *value).cast(),
            Self::Array(value) => (&raw const *value).cast(),
            Self::String(value) => (&raw const *value).cast(),
            Self::Dictionary | Self::Null(_) => null(),
        }
    }
}

/// A call, before it is a frame.
pub struct Call {
    pub api: Api,
    pub arguments: Vec<Array>,
    pub results: Vec<Array>,
    pub attributes: Vec<(String, Value)>,
    pub stage: c_int,
    pub context: *mut abi::ExecutionContext,
}

impl Default for Call {
    fn default() -> Self {
        Self {
            api: api(),
            arguments: Vec::new(),
            results: Vec::new(),
            attributes: Vec::new(),
            stage: abi::EXECUTE,
            context: null_mut(),
        }
    }
}

impl Call {
    /// Calls the handler as XLA does, after `change` has had the frame.
    pub fn run_with(
        &mut self,
        handler: Handler,
        change: impl FnOnce(&mut CallFrame),
    ) -> Result<(), (c_int, String)> {
        let operands = |arrays: &mut [Array]| -> (Vec<c_int>, Vec<*mut c_void>) {
            arrays
                .iter_mut()
                .map(|array| (abi::BUFFER, (&raw mut array.buffer).cast()))
                .unzip()
        };
        let (arg_types, args) = operands(&mut self.arguments);
        let (ret_types, rets) = operands(&mut self.results);
        self.attributes.sort_by(|a, b| a.0.cmp(&b.0));
        let spans: Vec<ByteSpan> = self
            .attributes
            .iter()
            .map(|(name, _)| ByteSpan {
                data: name.as_ptr(),
                len: name.len(),
            })
            .collect();
        let names: Vec<*const ByteSpan> = spans.iter().map(|span| &raw const *span).collect();
        let types: Vec<c_int> = self
            .attributes
            .iter()
            .map(|(_, value)| value.kind())
            .collect();
        let values: Vec<*const c_void> = self
            .attributes
            .iter()
            .map(|(_, value)| value.pointer())
            .collect();
        let of = |types: &[c_int], pointers: &[*mut c_void]| Operands {
            struct_size: size_of::<Operands>(),
            extensions: null_mut(),
            size: types.len() as i64,
            types: types.as_ptr(),
            pointers: pointers.as_ptr(),
        };
        let mut frame = CallFrame {
            struct_size: size_of::<CallFrame>(),
            extensions: null_mut(),
            api: &raw const self.api,
            context: self.context,
            stage: self.stage,
            args: of(&arg_types, &args),
            rets: of(&ret_types, &rets),
            attrs: Attributes {
                struct_size: size_of::<Attributes>(),
                extensions: null_mut(),
                size: types.len() as i64,
                types: types.as_ptr(),
                names: names.as_ptr(),
                values: values.as_ptr(),
            },
        };
        change(&mut frame);
        // SAFETY: a frame as XLA makes them, whose parts live until here.
        outcome(unsafe { handler(&raw mut frame) })
    }

    pub fn run(&mut self, handler: Handler) -> Result<(), (c_int, String)> {
        self.run_with(handler, |_| ())
    }
}

/// Asks a handler about itself, as XLA with this version does when one is registered.
pub fn metadata(
    handler: Handler,
    major: c_int,
    minor: c_int,
) -> Result<(c_int, c_int), (c_int, String)> {
    let mut metadata = Metadata {
        struct_size: std::mem::offset_of!(Metadata, traits) + 4,
        api_version: ApiVersion {
            struct_size: size_of::<ApiVersion>(),
            extensions: null_mut(),
            major: -1,
            minor: -1,
        },
        traits: 77,
    };
    let mut extension = MetadataExtension {
        base: Extension {
            struct_size: size_of::<MetadataExtension>(),
            kind: abi::METADATA,
            next: null_mut(),
        },
        metadata: &raw mut metadata,
    };
    let mut unknown = Extension {
        struct_size: size_of::<Extension>(),
        kind: 4711,
        next: (&raw mut extension).cast(),
    };
    let mut call = Call::default();
    call.api.api_version.major = major;
    call.api.api_version.minor = minor;
    call.run_with(handler, |frame| frame.extensions = &raw mut unknown)?;
    assert_eq!(metadata.traits, 0);
    Ok((metadata.api_version.major, metadata.api_version.minor))
}
