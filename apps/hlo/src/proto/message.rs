//! The messages of XLA's `hlo.proto`, with the fields that are read; prost skips all others.
//!
//! Texts, and messages of which a module has many, are [`Bytes`]: parts of the file, which take no
//! memory of their own. They are decoded one by one, and large constants never. A text need not be
//! UTF-8.
//!
//! | in the file | bytes there, at least | bytes of memory |
//! |---|---|---|
//! | an entry of a list of [`Bytes`] | 2 | 32 |
//! | an [`Aliasing`] | 2 | 56 |
//! | a [`SliceDimensions`], a [`BufferAllocation`] | 2 | 16 |
//! | a [`FileLocation`] | 2 | 12 |
//! | a number of a list | 1 | 8 |
//! | an array in a tuple of the head, with its place there | 4 | 66, and 4 for each tuple |
//!
//! Tuples are nested at most 100 deep. A list that grows may take twice as much. So at most 150
//! bytes of memory are taken for one byte of a file. A test compares the sizes.

use std::collections::HashMap;

use prost::bytes::Bytes;

/// Messages. A field has its number, and prost's words for it, behind its type.
macro_rules! messages {
    ($(
        $(#[$of_message:meta])*
        $name:ident { $(
            $(#[$of_field:meta])*
            $field:ident: $type:ty = $number:literal [$($kind:tt)*],
        )* }
    )*) => {$(
        $(#[$of_message])*
        #[derive(PartialEq, prost::Message)]
        pub(super) struct $name { $(
            $(#[$of_field])*
            #[prost($($kind)*, tag = $number)]
            pub(super) $field: $type,
        )* }
    )*};
}

messages! {
HloProto {
    hlo_module: Bytes = 1 [bytes = "bytes"],
    buffer_assignment: Bytes = 3 [bytes = "bytes"],
}

HloModuleProto {
    name: Bytes = 1 [bytes = "bytes"],
    entry_computation_name: Bytes = 2 [bytes = "bytes"],
    computations: Vec<Bytes> = 3 [bytes = "bytes", repeated],
    host_program_shape: Option<ProgramShape> = 4 [message, optional],
    entry_computation_id: i64 = 6 [int64],
    schedule: Option<HloSchedule> = 7 [message, optional],
    input_output_alias: Option<InputOutputAlias> = 8 [message, optional],
    stack_frame_index: Option<StackFrameIndex> = 17 [message, optional],
}

ProgramShape {
    parameters: Vec<Bytes> = 1 [bytes = "bytes", repeated],
    result: Option<Bytes> = 2 [bytes = "bytes", optional],
}

HloSchedule {
    /// By the numbers of the computations.
    sequences: HashMap<i64, InstructionSequence> = 1 [hash_map = "int64, message"],
}

InstructionSequence {
    instruction_ids: Vec<i64> = 1 [int64, repeated],
}

InputOutputAlias {
    entries: Vec<Aliasing> = 1 [message, repeated],
}

/// An entry of `input_output_alias`, or of `output_operand_aliasing`, whose fields have the same
/// numbers.
Aliasing {
    output_shape_index: Vec<i64> = 1 [int64, repeated],
    /// The number of the parameter or operand.
    number: i64 = 2 [int64],
    shape_index: Vec<i64> = 3 [int64, repeated],
}

StackFrameIndex {
    file_names: Vec<Bytes> = 1 [bytes = "bytes", repeated],
    function_names: Vec<Bytes> = 2 [bytes = "bytes", repeated],
    file_locations: Vec<FileLocation> = 3 [message, repeated],
    stack_frames: Vec<StackFrame> = 4 [message, repeated],
}

FileLocation {
    file_name_id: i32 = 1 [int32],
    function_name_id: i32 = 2 [int32],
    line: i32 = 3 [int32],
}

StackFrame {
    file_location_id: i32 = 1 [int32],
}

HloComputation {
    name: Bytes = 1 [bytes = "bytes"],
    instructions: Vec<Bytes> = 2 [bytes = "bytes", repeated],
    id: i64 = 5 [int64],
    root_id: i64 = 6 [int64],
}

/// The part of an [`HloInstruction`] that is needed before its computation is read.
Identity {
    name: Bytes = 1 [bytes = "bytes"],
    id: i64 = 35 [int64],
    called_computation_ids: Vec<i64> = 38 [int64, repeated],
}

HloInstruction {
    name: Bytes = 1 [bytes = "bytes"],
    opcode: Bytes = 2 [bytes = "bytes"],
    shape: Option<Bytes> = 3 [bytes = "bytes", optional],
    metadata: Option<OpMetadata> = 7 [message, optional],
    literal: Option<Bytes> = 8 [bytes = "bytes", optional],
    parameter_number: i64 = 9 [int64],
    tuple_index: i64 = 13 [int64],
    dimensions: Vec<i64> = 14 [int64, repeated],
    slice_dimensions: Vec<SliceDimensions> = 17 [message, repeated],
    dynamic_slice_sizes: Vec<i64> = 20 [int64, repeated],
    custom_call_target: Bytes = 28 [bytes = "bytes"],
    operand_ids: Vec<i64> = 36 [int64, repeated],
    called_computation_ids: Vec<i64> = 38 [int64, repeated],
    backend_config: Option<Bytes> = 43 [bytes = "bytes", optional],
    comparison_direction: Bytes = 63 [bytes = "bytes"],
    output_operand_aliasing: Vec<Aliasing> = 74 [message, repeated],
}

OpMetadata {
    op_name: Bytes = 2 [bytes = "bytes"],
    source_file: Bytes = 3 [bytes = "bytes"],
    source_line: i32 = 4 [int32],
    stack_frame_id: i32 = 15 [int32],
}

SliceDimensions {
    start: i64 = 1 [int64],
    limit: i64 = 2 [int64],
}

/// The numbers of a constant of a type whose value is kept.
Literal {
    preds: Vec<bool> = 2 [bool, repeated],
    s32s: Vec<i32> = 4 [int32, repeated],
    s64s: Vec<i64> = 5 [int64, repeated],
    u32s: Vec<u32> = 6 [uint32, repeated],
    u64s: Vec<u64> = 7 [uint64, repeated],
}

/// A shape whose members and layout are not decoded.
Tuple {
    element_type: i32 = 2 [int32],
    dimensions: Vec<i64> = 3 [int64, repeated],
    tuple_shapes: Vec<Bytes> = 4 [bytes = "bytes", repeated],
    layout: Option<Bytes> = 5 [bytes = "bytes", optional],
}

BufferAssignment {
    buffer_allocations: Vec<BufferAllocation> = 3 [message, repeated],
}

BufferAllocation {
    size: i64 = 2 [int64],
    color: i64 = 8 [int64],
}
}
