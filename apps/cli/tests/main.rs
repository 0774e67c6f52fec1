//! The tests of the program, in one test program: each one more is linked with all crates once
//! more. `cargo test -p xlayout-cli --test main hlo::` runs one module.

#[cfg(unix)]
mod advise;
mod algebra;
mod convert;
mod copies;
mod damaged_inputs;
mod diff;
mod documents;
mod draw;
mod emit;
mod errors;
mod explain;
mod frame;
mod hlo;
mod inputs;
mod memory;
mod mistakes;
mod oom;
mod page;
mod pictures;
mod program;
mod reshard;
mod shard;
