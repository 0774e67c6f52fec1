// Sizes, offsets and numbers of the C API of XLA's FFI, as a C compiler has them; see record.sh.
#include <stdio.h>

#include "xla/ffi/api/c_api.h"

#define SIZE(type) printf(#type " %zu\n", sizeof(type))
#define STRUCT_SIZE(type) printf(#type "_STRUCT_SIZE %d\n", (int)type##_STRUCT_SIZE)
#define FIELD(type, field) printf(#type "." #field " %zu\n", offsetof(type, field))
#define NUMBER(name) printf(#name " %d\n", (int)name)

int main(void) {
  NUMBER(XLA_FFI_API_MAJOR);
  NUMBER(XLA_FFI_API_MINOR);
  NUMBER(XLA_FFI_Extension_Metadata);
  NUMBER(XLA_FFI_ExecutionStage_EXECUTE);
  NUMBER(XLA_FFI_ArgType_BUFFER);
  NUMBER(XLA_FFI_RetType_BUFFER);
  NUMBER(XLA_FFI_AttrType_ARRAY);
  NUMBER(XLA_FFI_AttrType_DICTIONARY);
  NUMBER(XLA_FFI_AttrType_SCALAR);
  NUMBER(XLA_FFI_AttrType_STRING);
  NUMBER(XLA_FFI_Error_Code_CANCELLED);
  NUMBER(XLA_FFI_Error_Code_UNKNOWN);
  NUMBER(XLA_FFI_Error_Code_INVALID_ARGUMENT);
  NUMBER(XLA_FFI_Error_Code_DEADLINE_EXCEEDED);
  NUMBER(XLA_FFI_Error_Code_NOT_FOUND);
  NUMBER(XLA_FFI_Error_Code_ALREADY_EXISTS);
  NUMBER(XLA_FFI_Error_Code_PERMISSION_DENIED);
  NUMBER(XLA_FFI_Error_Code_RESOURCE_EXHAUSTED);
  NUMBER(XLA_FFI_Error_Code_FAILED_PRECONDITION);
  NUMBER(XLA_FFI_Error_Code_ABORTED);
  NUMBER(XLA_FFI_Error_Code_OUT_OF_RANGE);
  NUMBER(XLA_FFI_Error_Code_UNIMPLEMENTED);
  NUMBER(XLA_FFI_Error_Code_INTERNAL);
  NUMBER(XLA_FFI_Error_Code_UNAVAILABLE);
  NUMBER(XLA_FFI_Error_Code_DATA_LOSS);
  NUMBER(XLA_FFI_Error_Code_UNAUTHENTICATED);
  NUMBER(XLA_FFI_DataType_PRED);
  NUMBER(XLA_FFI_DataType_S4);
  NUMBER(XLA_FFI_DataType_F32);
  NUMBER(XLA_FFI_DataType_BF16);
  NUMBER(XLA_FFI_DataType_C128);
  NUMBER(XLA_FFI_DataType_F4E2M1FN);
  NUMBER(XLA_FFI_DataType_F8E8M0FNU);

  STRUCT_SIZE(XLA_FFI_Extension_Base);
  FIELD(XLA_FFI_Extension_Base, type);
  FIELD(XLA_FFI_Extension_Base, next);
  STRUCT_SIZE(XLA_FFI_Api_Version);
  FIELD(XLA_FFI_Api_Version, extension_start);
  FIELD(XLA_FFI_Api_Version, major_version);
  FIELD(XLA_FFI_Api_Version, minor_version);
  STRUCT_SIZE(XLA_FFI_Metadata);
  FIELD(XLA_FFI_Metadata, api_version);
  FIELD(XLA_FFI_Metadata, traits);
  STRUCT_SIZE(XLA_FFI_Metadata_Extension);
  FIELD(XLA_FFI_Metadata_Extension, metadata);
  STRUCT_SIZE(XLA_FFI_Error_Create_Args);
  FIELD(XLA_FFI_Error_Create_Args, message);
  FIELD(XLA_FFI_Error_Create_Args, errc);
  STRUCT_SIZE(XLA_FFI_Error_GetMessage_Args);
  FIELD(XLA_FFI_Error_GetMessage_Args, error);
  FIELD(XLA_FFI_Error_GetMessage_Args, message);
  STRUCT_SIZE(XLA_FFI_Error_Destroy_Args);
  FIELD(XLA_FFI_Error_Destroy_Args, error);
  STRUCT_SIZE(XLA_FFI_ThreadPool_Schedule_Args);
  FIELD(XLA_FFI_ThreadPool_Schedule_Args, ctx);
  FIELD(XLA_FFI_ThreadPool_Schedule_Args, task);
  FIELD(XLA_FFI_ThreadPool_Schedule_Args, data);
  STRUCT_SIZE(XLA_FFI_ThreadPool_NumThreads_Args);
  FIELD(XLA_FFI_ThreadPool_NumThreads_Args, ctx);
  FIELD(XLA_FFI_ThreadPool_NumThreads_Args, num_threads);
  STRUCT_SIZE(XLA_FFI_RunId_Get_Args);
  FIELD(XLA_FFI_RunId_Get_Args, ctx);
  FIELD(XLA_FFI_RunId_Get_Args, run_id);
  STRUCT_SIZE(XLA_FFI_DeviceOrdinal_Get_Args);
  FIELD(XLA_FFI_DeviceOrdinal_Get_Args, ctx);
  FIELD(XLA_FFI_DeviceOrdinal_Get_Args, device_ordinal);
  STRUCT_SIZE(XLA_FFI_Api);
  FIELD(XLA_FFI_Api, api_version);
  FIELD(XLA_FFI_Api, internal_api);
  FIELD(XLA_FFI_Api, XLA_FFI_Error_Create);
  FIELD(XLA_FFI_Api, XLA_FFI_Error_GetMessage);
  FIELD(XLA_FFI_Api, XLA_FFI_Error_Destroy);
  FIELD(XLA_FFI_Api, XLA_FFI_Handler_Register);
  FIELD(XLA_FFI_Api, XLA_FFI_Stream_Get);
  FIELD(XLA_FFI_Api, XLA_FFI_ThreadPool_Schedule);
  FIELD(XLA_FFI_Api, XLA_FFI_ThreadPool_NumThreads);
  FIELD(XLA_FFI_Api, XLA_FFI_Future_Create);
  FIELD(XLA_FFI_Api, XLA_FFI_RunId_Get);
  FIELD(XLA_FFI_Api, XLA_FFI_DeviceOrdinal_Get);
  STRUCT_SIZE(XLA_FFI_Args);
  FIELD(XLA_FFI_Args, size);
  FIELD(XLA_FFI_Args, types);
  FIELD(XLA_FFI_Args, args);
  STRUCT_SIZE(XLA_FFI_Rets);
  FIELD(XLA_FFI_Rets, size);
  FIELD(XLA_FFI_Rets, types);
  FIELD(XLA_FFI_Rets, rets);
  STRUCT_SIZE(XLA_FFI_Attrs);
  FIELD(XLA_FFI_Attrs, size);
  FIELD(XLA_FFI_Attrs, types);
  FIELD(XLA_FFI_Attrs, names);
  FIELD(XLA_FFI_Attrs, attrs);
  SIZE(XLA_FFI_ByteSpan);
  FIELD(XLA_FFI_ByteSpan, ptr);
  FIELD(XLA_FFI_ByteSpan, len);
  SIZE(XLA_FFI_Scalar);
  FIELD(XLA_FFI_Scalar, dtype);
  FIELD(XLA_FFI_Scalar, value);
  SIZE(XLA_FFI_Array);
  FIELD(XLA_FFI_Array, dtype);
  FIELD(XLA_FFI_Array, size);
  FIELD(XLA_FFI_Array, data);
  STRUCT_SIZE(XLA_FFI_Buffer);
  FIELD(XLA_FFI_Buffer, dtype);
  FIELD(XLA_FFI_Buffer, data);
  FIELD(XLA_FFI_Buffer, rank);
  FIELD(XLA_FFI_Buffer, dims);
  STRUCT_SIZE(XLA_FFI_CallFrame);
  FIELD(XLA_FFI_CallFrame, api);
  FIELD(XLA_FFI_CallFrame, ctx);
  FIELD(XLA_FFI_CallFrame, stage);
  FIELD(XLA_FFI_CallFrame, args);
  FIELD(XLA_FFI_CallFrame, rets);
  FIELD(XLA_FFI_CallFrame, attrs);
  FIELD(XLA_FFI_CallFrame, future);
  return 0;
}
