//! Tests of the public interface.

mod help;
mod random;
