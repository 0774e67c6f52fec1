//! Good uses of the macros, compiled and run as one program. What needs a crate of its own is in the folder `good` of
//! the package, which trybuild compiles.
#![allow(
    dead_code,
    missing_docs,
    rust_2018_idioms,
    unreachable_pub,
    unused,
    clippy::all
)]

mod const_contexts_and_array_lengths;
mod const_generics;
mod constants_as_sizes;
mod coordinates_are_numbers;
mod every_element_type;
mod items;
mod layouts_of_layouts;
mod names_of_other_libraries;
mod names_of_our_own_are_free;
mod one_type_for_equal_notations;
mod padding;
mod parts;
mod patterns;
mod run_time_sizes;
mod scalars_and_many_dimensions;
mod shardings;
mod signatures_and_trait_bounds;
mod specialize;
mod struct_fields_and_derives;
mod tiles_and_attributes;
mod typenum_sizes;
mod types_and_values;
mod types_of_many_steps;
mod views_and_indices;
mod what_messages_advise;
mod what_users_write_first;
