//! The structures of `abi`, compared with what a C compiler says of XLA's header
//! (`c_api/record.sh`).

use std::collections::BTreeMap;
use std::mem::offset_of;

use xlayout::ElementType;
use xlayout_kernel::{Code, abi};

#[test]
fn sizes_offsets_and_numbers_are_those_of_c() {
    let recorded: BTreeMap<String, usize> = include_str!("c_api/recorded.txt")
        .lines()
        .map(|line| line.split_once(' ').unwrap())
        .map(|(name, number)| (name.to_owned(), number.parse().unwrap()))
        .collect();
    let mut own = BTreeMap::new();
    macro_rules! numbers {
        ($($name:ident = $number:expr;)*) => {
            $(own.insert(stringify!($name).to_owned(), $number as usize);)*
        };
    }
    macro_rules! offsets {
        ($($c:ident $rust:ident: $($field:ident = $own:ident),*;)*) => {$($(
            let name = concat!(stringify!($c), ".", stringify!($field));
            own.insert(name.to_owned(), offset_of!(abi::$rust, $own));
        )*)*};
    }
    numbers! {
        XLA_FFI_API_MAJOR = abi::VERSION.0;
        XLA_FFI_API_MINOR = abi::VERSION.1;
        XLA_FFI_Extension_Metadata = abi::METADATA;
        XLA_FFI_ExecutionStage_EXECUTE = abi::EXECUTE;
        XLA_FFI_ArgType_BUFFER = abi::BUFFER;
        XLA_FFI_RetType_BUFFER = abi::BUFFER;
        XLA_FFI_AttrType_ARRAY = abi::ARRAY;
        XLA_FFI_AttrType_DICTIONARY = abi::DICTIONARY;
        XLA_FFI_AttrType_SCALAR = abi::SCALAR;
        XLA_FFI_AttrType_STRING = abi::STRING;
        XLA_FFI_Error_Code_CANCELLED = Code::Cancelled;
        XLA_FFI_Error_Code_UNKNOWN = Code::Unknown;
        XLA_FFI_Error_Code_INVALID_ARGUMENT = Code::InvalidArgument;
        XLA_FFI_Error_Code_DEADLINE_EXCEEDED = Code::DeadlineExceeded;
        XLA_FFI_Error_Code_NOT_FOUND = Code::NotFound;
        XLA_FFI_Error_Code_ALREADY_EXISTS = Code::AlreadyExists;
        XLA_FFI_Error_Code_PERMISSION_DENIED = Code::PermissionDenied;
        XLA_FFI_Error_Code_RESOURCE_EXHAUSTED = Code::ResourceExhausted;
        XLA_FFI_Error_Code_FAILED_PRECONDITION = Code::FailedPrecondition;
        XLA_FFI_Error_Code_ABORTED = Code::Aborted;
        XLA_FFI_Error_Code_OUT_OF_RANGE = Code::OutOfRange;
        XLA_FFI_Error_Code_UNIMPLEMENTED = Code::Unimplemented;
        XLA_FFI_Error_Code_INTERNAL = Code::Internal;
        XLA_FFI_Error_Code_UNAVAILABLE = Code::Unavailable;
        XLA_FFI_Error_Code_DATA_LOSS = Code::DataLoss;
        XLA_FFI_Error_Code_UNAUTHENTICATED = Code::Unauthenticated;
        XLA_FFI_DataType_PRED = ElementType::Pred;
        XLA_FFI_DataType_S4 = ElementType::S4;
        XLA_FFI_DataType_F32 = ElementType::F32;
        XLA_FFI_DataType_BF16 = ElementType::Bf16;
        XLA_FFI_DataType_C128 = ElementType::C128;
        XLA_FFI_DataType_F4E2M1FN = ElementType::F4e2m1fn;
        XLA_FFI_DataType_F8E8M0FNU = ElementType::F8e8m0fnu;
        XLA_FFI_Extension_Base_STRUCT_SIZE = offset_of!(abi::Extension, next) + size_of::<*mut ()>();
        XLA_FFI_Api_Version_STRUCT_SIZE = offset_of!(abi::ApiVersion, minor) + size_of::<i32>();
        XLA_FFI_Metadata_STRUCT_SIZE = offset_of!(abi::Metadata, traits) + size_of::<u32>();
        XLA_FFI_Metadata_Extension_STRUCT_SIZE = offset_of!(abi::MetadataExtension, metadata) + size_of::<*mut ()>();
        XLA_FFI_Error_Create_Args_STRUCT_SIZE = offset_of!(abi::ErrorCreate, code) + size_of::<i32>();
        XLA_FFI_Error_GetMessage_Args_STRUCT_SIZE = offset_of!(abi::ErrorGetMessage, message) + size_of::<*mut ()>();
        XLA_FFI_Error_Destroy_Args_STRUCT_SIZE = offset_of!(abi::ErrorDestroy, error) + size_of::<*mut ()>();
        XLA_FFI_ThreadPool_Schedule_Args_STRUCT_SIZE = offset_of!(abi::ThreadPoolSchedule, data) + size_of::<*mut ()>();
        XLA_FFI_ThreadPool_NumThreads_Args_STRUCT_SIZE = offset_of!(abi::ThreadPoolNumThreads, num_threads) + size_of::<*mut ()>();
        XLA_FFI_RunId_Get_Args_STRUCT_SIZE = offset_of!(abi::RunIdGet, run_id) + size_of::<i64>();
        XLA_FFI_DeviceOrdinal_Get_Args_STRUCT_SIZE = offset_of!(abi::DeviceOrdinalGet, device_ordinal) + size_of::<i32>();
        XLA_FFI_Api_STRUCT_SIZE = offset_of!(abi::Api, device_ordinal_get) + size_of::<*mut ()>();
        XLA_FFI_Args_STRUCT_SIZE = offset_of!(abi::Operands, pointers) + size_of::<*mut ()>();
        XLA_FFI_Rets_STRUCT_SIZE = offset_of!(abi::Operands, pointers) + size_of::<*mut ()>();
        XLA_FFI_Attrs_STRUCT_SIZE = offset_of!(abi::Attributes, values) + size_of::<*mut ()>();
        XLA_FFI_Buffer_STRUCT_SIZE = offset_of!(abi::Buffer, dims) + size_of::<*mut ()>();
        XLA_FFI_CallFrame_STRUCT_SIZE = offset_of!(abi::CallFrame, attrs) + size_of::<abi::Attributes>();
        XLA_FFI_ByteSpan = size_of::<abi::ByteSpan>();
        XLA_FFI_Scalar = size_of::<abi::ScalarValue>();
        XLA_FFI_Array = size_of::<abi::Array>();
    }
    offsets! {
        XLA_FFI_Extension_Base Extension: type = kind, next = next;
        XLA_FFI_Api_Version ApiVersion: extension_start = extensions, major_version = major, minor_version = minor;
        XLA_FFI_Metadata Metadata: api_version = api_version, traits = traits;
        XLA_FFI_Metadata_Extension MetadataExtension: metadata = metadata;
        XLA_FFI_Error_Create_Args ErrorCreate: message = message, errc = code;
        XLA_FFI_Error_GetMessage_Args ErrorGetMessage: error = error, message = message;
        XLA_FFI_Error_Destroy_Args ErrorDestroy: error = error;
        XLA_FFI_ThreadPool_Schedule_Args ThreadPoolSchedule: ctx = context, task = task, data = data;
        XLA_FFI_ThreadPool_NumThreads_Args ThreadPoolNumThreads: ctx = context, num_threads = num_threads;
        XLA_FFI_RunId_Get_Args RunIdGet: ctx = context, run_id = run_id;
        XLA_FFI_DeviceOrdinal_Get_Args DeviceOrdinalGet: ctx = context, device_ordinal = device_ordinal;
        XLA_FFI_Api Api: api_version = api_version, internal_api = internal, XLA_FFI_Error_Create = error_create, XLA_FFI_Error_GetMessage = error_get_message, XLA_FFI_Error_Destroy = error_destroy, XLA_FFI_Handler_Register = handler_register, XLA_FFI_Stream_Get = unused, XLA_FFI_ThreadPool_Schedule = thread_pool_schedule, XLA_FFI_ThreadPool_NumThreads = thread_pool_num_threads, XLA_FFI_Future_Create = futures, XLA_FFI_RunId_Get = run_id_get, XLA_FFI_DeviceOrdinal_Get = device_ordinal_get;
        XLA_FFI_Args Operands: size = size, types = types, args = pointers;
        XLA_FFI_Rets Operands: size = size, types = types, rets = pointers;
        XLA_FFI_Attrs Attributes: size = size, types = types, names = names, attrs = values;
        XLA_FFI_ByteSpan ByteSpan: ptr = data, len = len;
        XLA_FFI_Scalar ScalarValue: dtype = dtype, value = value;
        XLA_FFI_Array Array: dtype = dtype, size = size, data = data;
        XLA_FFI_Buffer Buffer: dtype = dtype, data = data, rank = rank, dims = dims;
        XLA_FFI_CallFrame CallFrame: api = api, ctx = context, stage = stage, args = args, rets = rets, attrs = attrs;
    }
    // The fields that XLA does not count as part of the frame are after our type.
    own.insert(
        "XLA_FFI_CallFrame.future".into(),
        size_of::<abi::CallFrame>(),
    );
    assert_eq!(own, recorded);
}
