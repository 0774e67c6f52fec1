//! All tests of this package that call it from outside: one program, because each would link the
//! crates anew.

mod element_table;
mod raw;
mod serde;
