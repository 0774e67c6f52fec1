//! The tests of the facade, in one program: each test program more is linked with all crates once
//! more. `cargo test -p xlayout --test main laws::` runs one module.
//!
//! A folder with the name of a crate has its tests; the others go across crates.

#[cfg(feature = "std")]
mod conformance;
// A module `core` would hide the crate of that name.
#[path = "core/mod.rs"]
mod core_;
mod errors;
mod interop;
mod laws;
mod limits;
mod shape;
mod sharding;
mod xla;
