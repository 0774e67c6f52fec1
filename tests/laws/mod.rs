//! The laws of the crate, against the model of `tests/model`. Each is a comment at the code, too.
//!
//! 1. `multi_index(linear_index(i)) == i`; distinct indices have distinct linear indices; the
//!    largest is below the allocated elements.
//! 2. `read(print(x)) == x`.
//! 3. A typed layout and its `DynLayout` give the same answers.
//! 6. Equal memory maps lower to equal modes.
//!
//! 4 is tested where the macros are, and 5 in relayout.
#![cfg(feature = "std")]

mod check;
mod exhaustive;
mod random;
mod typed;

/// Mutation tests run the laws unoptimised, once for each mutant: `LAWS_SMALL` leaves out the
/// layouts of rank 4 and most of the random ones.
fn small() -> bool {
    std::env::var_os("LAWS_SMALL").is_some()
}
