//! Tests of the public interface.

mod help;
