//! All tests of this package that call it from outside: one program, because each would link the
//! crates anew.
#![allow(
    unsafe_code,
    reason = "frames and handlers, as XLA makes and calls them"
)]

mod attribute;
mod batch;
mod c_api;
mod contract;
mod converted;
mod errors;
mod expansion;
mod frames;
mod independent;
mod names;
mod poison;
mod pool;
mod random;
mod refused_layouts;
mod sharded;
mod support;
mod without_xla;
