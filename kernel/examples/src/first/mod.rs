//! Kernels as a new user writes them after reading "Make it fast" (`kernel/FAST.md`): the first attempt. Three were
//! slower than jnp, and are written as that text says since: `histogram`, `rotate` and `upsample`.

pub mod networks;
pub mod others;
pub mod points;
