//! Kernels as a new user writes them after reading "Make it fast" (`kernel/FAST.md`): the first attempt, none of
//! them changed after it was timed.

pub mod networks;
pub mod others;
pub mod points;
pub mod sequences;
