//! The messages of XLA's `hlo.proto`, as far as they are read. Others are skipped.

use prost::Message;
use xlayout_proto::{ProgramShapeProto, ShapeProto};

/// `BufferAllocationProto`, as far as it is read.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BufferAllocationProto {
    pub(super) size: i64,
    pub(super) color: i64,
}

/// `HloModuleProto` without its computations and its schedule, which are read one at a time.
#[derive(Clone, PartialEq, Message)]
pub(super) struct HloModuleProto {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "2")]
    pub(super) entry_computation_name: String,
    #[prost(message, optional, tag = "4")]
    pub(super) host_program_shape: Option<ProgramShapeProto>,
    #[prost(int64, tag = "6")]
    pub(super) entry_computation_id: i64,
    #[prost(message, optional, tag = "8")]
    pub(super) input_output_alias: Option<HloInputOutputAliasProto>,
    #[prost(message, optional, tag = "17")]
    pub(super) stack_frame_index: Option<StackFrameIndexProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct HloInputOutputAliasProto {
    #[prost(message, repeated, tag = "1")]
    pub(super) entries: Vec<AliasEntryProto>,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct AliasEntryProto {
    #[prost(int64, repeated, tag = "1")]
    pub(super) output_shape_index: Vec<i64>,
    #[prost(int64, tag = "2")]
    pub(super) parameter_number: i64,
    #[prost(int64, repeated, tag = "3")]
    pub(super) parameter_shape_index: Vec<i64>,
    /// 2 is must-alias.
    #[prost(int32, tag = "4")]
    pub(super) kind: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct StackFrameIndexProto {
    #[prost(string, repeated, tag = "1")]
    pub(super) file_names: Vec<String>,
    #[prost(string, repeated, tag = "2")]
    pub(super) function_names: Vec<String>,
    #[prost(message, repeated, tag = "3")]
    pub(super) file_locations: Vec<FileLocation>,
    #[prost(message, repeated, tag = "4")]
    pub(super) stack_frames: Vec<StackFrame>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct FileLocation {
    #[prost(int32, tag = "1")]
    pub(super) file_name_id: i32,
    #[prost(int32, tag = "2")]
    pub(super) function_name_id: i32,
    #[prost(int32, tag = "3")]
    pub(super) line: i32,
    #[prost(int32, tag = "4")]
    pub(super) column: i32,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct StackFrame {
    #[prost(int32, tag = "1")]
    pub(super) file_location_id: i32,
    #[prost(int32, tag = "2")]
    pub(super) parent_frame_id: i32,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct HloInstructionProto {
    #[prost(string, tag = "1")]
    pub(super) name: String,
    #[prost(string, tag = "2")]
    pub(super) opcode: String,
    #[prost(message, optional, tag = "3")]
    pub(super) shape: Option<ShapeProto>,
    #[prost(message, optional, tag = "7")]
    pub(super) metadata: Option<Metadata>,
    #[prost(message, optional, tag = "8")]
    pub(super) literal: Option<LiteralProto>,
    #[prost(int64, tag = "9")]
    pub(super) parameter_number: i64,
    #[prost(string, tag = "11")]
    pub(super) fusion_kind: String,
    #[prost(int64, tag = "13")]
    pub(super) tuple_index: i64,
    #[prost(int64, repeated, tag = "14")]
    pub(super) dimensions: Vec<i64>,
    #[prost(message, repeated, tag = "17")]
    pub(super) slice_dimensions: Vec<SliceDimensions>,
    #[prost(int64, repeated, tag = "20")]
    pub(super) dynamic_slice_sizes: Vec<i64>,
    #[prost(string, tag = "28")]
    pub(super) custom_call_target: String,
    #[prost(int64, tag = "35")]
    pub(super) id: i64,
    #[prost(int64, repeated, tag = "36")]
    pub(super) operand_ids: Vec<i64>,
    #[prost(int64, repeated, tag = "38")]
    pub(super) called_computation_ids: Vec<i64>,
    #[prost(bytes = "vec", tag = "43")]
    pub(super) backend_config: Vec<u8>,
    #[prost(string, tag = "63")]
    pub(super) comparison_direction: String,
    #[prost(message, repeated, tag = "74")]
    pub(super) output_operand_aliasing: Vec<OutputOperandAliasing>,
}

/// `OpMetadata`, as far as it is read.
#[derive(Clone, PartialEq, Message)]
pub(super) struct Metadata {
    #[prost(string, tag = "2")]
    pub(super) op_name: String,
    #[prost(string, tag = "3")]
    pub(super) source_file: String,
    #[prost(int32, tag = "4")]
    pub(super) source_line: i32,
    #[prost(int32, tag = "15")]
    pub(super) stack_frame_id: i32,
}

/// Scalars: their value tells how often a loop runs.
#[derive(Clone, PartialEq, Message)]
pub(super) struct LiteralProto {
    #[prost(bool, repeated, tag = "2")]
    pub(super) preds: Vec<bool>,
    #[prost(int32, repeated, tag = "4")]
    pub(super) s32s: Vec<i32>,
    #[prost(int64, repeated, tag = "5")]
    pub(super) s64s: Vec<i64>,
    #[prost(uint32, repeated, tag = "6")]
    pub(super) u32s: Vec<u32>,
    #[prost(uint64, repeated, tag = "7")]
    pub(super) u64s: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Message)]
pub(super) struct SliceDimensions {
    #[prost(int64, tag = "1")]
    pub(super) start: i64,
    #[prost(int64, tag = "2")]
    pub(super) limit: i64,
    #[prost(int64, tag = "3")]
    pub(super) stride: i64,
}

#[derive(Clone, PartialEq, Message)]
pub(super) struct OutputOperandAliasing {
    #[prost(int64, repeated, tag = "1")]
    pub(super) output_shape_index: Vec<i64>,
    #[prost(int64, tag = "2")]
    pub(super) operand_index: i64,
    #[prost(int64, repeated, tag = "3")]
    pub(super) operand_shape_index: Vec<i64>,
}
