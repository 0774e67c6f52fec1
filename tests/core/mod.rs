//! Arrays and their layouts, bitcasts, and what is known at compile time.

mod arrays;
mod bitcast;
mod bitcast_brute_force;
mod coming_from;
mod element_types;
mod hostile_closures;
mod lending;
mod meta;
mod other_values;
mod packed;
mod packed_steps;
mod parts;
mod signed_strides;
pub(crate) mod type_level;
mod views;
