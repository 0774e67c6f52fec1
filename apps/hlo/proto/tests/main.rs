//! All tests of this package that call it from outside: one program, because each would link the
//! crates anew.

mod hostile;
mod laws;
mod malformed;
mod names;
mod schema;
mod sharding;
mod vectors;
mod wire;
