//! The tests of the facade, in one program: each test program more is linked with all crates once more.
//! `cargo test -p xlayout --test main laws::` runs one module.

/// `$body` with the constant `$dim` for a number below 4: methods take the number of a dimension as
/// a constant.
macro_rules! in_dimension {
    ($number:expr, $dim:ident => $body:expr) => {
        match $number {
            0 => in_dimension!(@ $dim 0 $body),
            1 => in_dimension!(@ $dim 1 $body),
            2 => in_dimension!(@ $dim 2 $body),
            3 => in_dimension!(@ $dim 3 $body),
            other => unreachable!("no test has a dimension {other}"),
        }
    };
    (@ $dim:ident $number:literal $body:expr) => {{
        const $dim: usize = $number;
        $body
    }};
}

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
mod reductions;
mod serde;
mod shapes;
mod sharded_types;
mod sharding;
mod signed_strides;
mod type_level;
mod vectors;
mod views;
mod xla_functions;
