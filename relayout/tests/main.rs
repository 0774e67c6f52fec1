//! The tests of the public interface, in one program: each one more is linked with all crates once
//! more.

mod api;
mod in_place;
mod new_memory;
mod pages;
mod slices;
mod stack;
mod support;

use xlayout_relayout::Plan;
