//! `OpMetadata`: where an instruction, or a sharding, comes from.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use prost::Message;

/// Where in the user's program an instruction comes from (XLA: `OpMetadata`).
#[derive(Clone, PartialEq, Message)]
pub struct OpMetadata {
    /// The framework's kind of operation, such as `Softmax`.
    #[prost(string, tag = "1")]
    pub op_type: String,
    /// The user's name of the operation.
    #[prost(string, tag = "2")]
    pub op_name: String,
    /// The file of the user's program.
    #[prost(string, tag = "3")]
    pub source_file: String,
    /// The line in that file.
    #[prost(int32, tag = "4")]
    pub source_line: i32,
    /// Retired: the numbers of `ProfileType`s.
    #[prost(int32, repeated, tag = "5")]
    pub profile_type: Vec<i32>,
    /// The bytes of the code that was made for the instruction.
    #[prost(int64, tag = "8")]
    pub size_of_generated_code_in_bytes: i64,
    /// The bytes of fast memory that the instruction uses.
    #[prost(int64, tag = "9")]
    pub size_of_memory_working_set_in_bytes: i64,
    /// What a profile said about the instruction.
    #[prost(message, optional, boxed, tag = "10")]
    pub profile_info: Option<Box<op_metadata::ProfileInfo>>,
    /// The name that the instruction shares with its duplicates.
    #[prost(string, tag = "12")]
    pub deduplicated_name: String,
    /// The number of the stack frame in the module's table, from 1; 0 is none.
    #[prost(int32, tag = "15")]
    pub stack_frame_id: i32,
    /// The name that scheduling gave.
    #[prost(string, tag = "16")]
    pub scheduling_name: String,
    /// The line where the source ends.
    #[prost(int32, tag = "17")]
    pub source_end_line: i32,
    /// The column where the source begins.
    #[prost(int32, tag = "18")]
    pub source_column: i32,
    /// The column where the source ends.
    #[prost(int32, tag = "19")]
    pub source_end_column: i32,
}

/// The messages inside [`OpMetadata`].
pub mod op_metadata {
    use alloc::vec::Vec;

    /// What a profile said about an instruction (XLA: `OpMetadata::ProfileInfo`).
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct ProfileInfo {
        /// The numbers of `ProfileType`s.
        #[prost(int32, repeated, tag = "1")]
        pub profile_type: Vec<i32>,
        /// How much faster the tuned configuration is than the default one.
        #[prost(double, tag = "2")]
        pub relative_speedup: f64,
        /// The number of a `ProfileSource`.
        #[prost(int32, tag = "3")]
        pub profile_source: i32,
        /// The number of a `CompilationEvent`.
        #[prost(int32, tag = "4")]
        pub compilation_event: i32,
        /// The number of a `ProfileGenerationStrategy`.
        #[prost(int32, tag = "5")]
        pub profile_generation_strategy: i32,
    }
}
