//! Kernels as a new user writes them after reading "Make it fast" (`kernel/FAST.md`): the first
//! attempt. `histogram`, `neighbours`, `rotate` and `upsample` were written again after they had
//! been timed: that text now says how.

pub mod networks;
pub mod others;
pub mod points;
pub mod sequences;
