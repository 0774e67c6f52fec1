//! The tests of the facade, in one program: each test program more is linked with all crates once more.
//! `cargo test -p xlayout --test main laws::` runs one module.

mod arrays;
mod bitcast;
mod bitcast_brute_force;
mod boundary;
#[cfg(feature = "std")]
mod conformance;
mod element_types;
mod errors;
mod hostile_closures;
mod laws;
mod layouts;
mod lending;
mod limits;
mod meta;
mod other_values;
mod packed;
mod packed_steps;
mod parts;
mod serde;
mod shapes;
mod sharded_types;
mod sharding;
mod signed_strides;
mod type_level;
mod vectors;
mod views;
mod xla_functions;
