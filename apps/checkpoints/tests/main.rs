//! Tests of the public interface.

mod help;
mod libraries;
mod random;
