//! `OpMetadata`: where an instruction, or a sharding, comes from.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

messages! {
/// Where in the user's program an instruction comes from (XLA: `OpMetadata`).
#[derive(Clone, PartialEq)]
pub struct OpMetadata {
    /// The framework's kind of operation, such as `Softmax`.
    pub op_type: String = 1, string;
    /// The user's name of the operation.
    pub op_name: String = 2, string;
    /// The file of the user's program.
    pub source_file: String = 3, string;
    /// The line in that file.
    pub source_line: i32 = 4, int32;
    /// Retired: the numbers of `ProfileType`s.
    pub profile_type: Vec<i32> = 5, int32 repeated;
    /// The bytes of the code that was made for the instruction.
    pub size_of_generated_code_in_bytes: i64 = 8, int64;
    /// The bytes of fast memory that the instruction uses.
    pub size_of_memory_working_set_in_bytes: i64 = 9, int64;
    /// What a profile said about the instruction.
    pub profile_info: Option<Box<op_metadata::ProfileInfo>> = 10, message optional boxed;
    /// The name that the instruction shares with its duplicates.
    pub deduplicated_name: String = 12, string;
    /// The number of the stack frame in the module's table, from 1; 0 is none.
    pub stack_frame_id: i32 = 15, int32;
    /// The name that scheduling gave.
    pub scheduling_name: String = 16, string;
    /// The line where the source ends.
    pub source_end_line: i32 = 17, int32;
    /// The column where the source begins.
    pub source_column: i32 = 18, int32;
    /// The column where the source ends.
    pub source_end_column: i32 = 19, int32;
}
}

/// The messages inside [`OpMetadata`].
pub mod op_metadata {
    use alloc::vec::Vec;

    messages! {
    /// What a profile said about an instruction (XLA: `OpMetadata::ProfileInfo`).
    #[derive(Clone, PartialEq)]
    pub struct ProfileInfo {
        /// The numbers of `ProfileType`s.
        pub profile_type: Vec<i32> = 1, int32 repeated;
        /// How much faster the tuned configuration is than the default one.
        pub relative_speedup: f64 = 2, double;
        /// The number of a `ProfileSource`.
        pub profile_source: i32 = 3, int32;
        /// The number of a `CompilationEvent`.
        pub compilation_event: i32 = 4, int32;
        /// The number of a `ProfileGenerationStrategy`.
        pub profile_generation_strategy: i32 = 5, int32;
    }
    }
}
